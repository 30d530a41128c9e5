//===- ContractArrays.cpp - Arrays that live in one sweep -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     alloc %T
//     mloop @R {                       array %T : f64 <.., ..> lines (1, 1)
//       store %T = mul(@A, @A)    =>   mloop @R {
//       store @B = add(%T, @C)           store %T = mul(@A, @A)
//     }                                  store @B = add(%T, @C)
//     free %T                          }
//
// Liveness of arrays is asked in one step instead of along paths: an array can
// go if in *every* M-loop of the program that names it, every element is stored
// before it is read. Then no value goes from one loop to another, nor from one
// execution of a loop to the next, and each loop may have a contracted array of
// its own. So that holds if
//
//  1. the first operation that names T stores it at each index, or where a
//     guard is true that nothing in the loop changes;
//  2. all others name it at the same index, those after a guarded store under
//     the same guard;
//  3. nothing else in the program names T but its `alloc` and `free`.
//
// A procedure that gets the element by reference counts as storing it if it
// reads nothing but what it has set itself, and no other operation names T.
//
// Operations touch row r of T from step r + d to step r + D of the outermost
// loop, where d and D are their least and greatest delay. When D = d an element
// is enough; else row r + K, which goes where r was, comes after that if
// K = D - d + 1.
//
// A member of a global family is an array like others, if nothing names the
// family but by views of constant members: its `bind` goes, too, and its memory,
// which the family keeps, is never touched.
//
// An array that is stored and never read is left alone: whoever writes such a
// program wants it executed.
//
// Cost: two visits of the program; per array the operations of its loops.
//
//===----------------------------------------------------------------------===//

#include "Loops/ContractArrays.h"
#include "Communication/TransferEdits.h"
#include "zpl/Analysis/FixedViews.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// What one M-loop does with an array.
struct LoopUse {
  Procedure *procedure = nullptr;
  MLoopStmt *loop = nullptr;
  const Array *array = nullptr; ///< as the procedure names it
  unsigned rows = 1;            ///< that it needs
  bool isRead = false;          ///< not stored only
  bool isStored = false;        ///< before all else
  std::string why; ///< values of before the loop are seen; else empty
};

/// The uses of an array in the whole program.
struct ArrayUses {
  SmallVector<LoopUse, 2> loops;
  std::string why; ///< something else uses it; else empty
};

std::string textOf(const Expr *expr) {
  std::string text;
  if (expr) {
    raw_string_ostream os(text);
    print(*expr, os);
  }
  return text;
}

/// Whether a guard has one value at each index for these operations.
bool isStable(const Expr &guard, ArrayRef<ElementOp> ops) {
  bool stable = true;
  forEachExpr(guard, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    stable &= !isa<CallExpr>(e);
    for (const ElementOp &op : ops) {
      stable &= op.kind != ElementOp::Call;
      stable &= !(element && op.target &&
                  rootElement(op.target)->array == element->array);
    }
  });
  return stable;
}

/// Whether statements set a scalar parameter before they read it, if at all:
/// what the argument was before does not matter to them. \p isSet: it is set
/// before, or after them.
bool setsFirst(const StmtList &list, const Variable &param, bool &isSet) {
  return all_of(list, [&](const Stmt *stmt) {
    auto *set = dyn_cast<SetStmt>(stmt);
    auto *target = set ? dyn_cast<VarExpr>(set->target) : nullptr;
    bool isGood = true;
    forEachExpr(*stmt, [&](const Expr &e) {
      auto *variable = dyn_cast<VarExpr>(&e);
      isGood &= isSet || !variable || variable->variable != &param ||
                variable == target;
    });
    isSet |= target && target->variable == &param;
    forEachList(*stmt, [&](const StmtList &inner) {
      bool isSetInside = isSet; // it may not be executed
      isGood = isGood && setsFirst(inner, param, isSetInside);
    });
    return isGood;
  });
}

/// Whether an operation is a call to which the old values of \p array do not
/// matter.
bool callOverwrites(const ElementOp &op, const Array &array) {
  auto *call = dyn_cast<CallExpr>(op.value);
  if (op.kind != ElementOp::Call || !call)
    return false;
  unsigned named = 0;
  forEachExpr(op, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    named += element && element->array == &array;
  });
  for (auto [arg, param] : zip(call->args, call->callee->params)) {
    auto *element = dyn_cast_or_null<ElementExpr>(arg.place);
    bool isSet = false;
    if (element && element->array == &array)
      return named == 1 && call->callee->thunk.empty() && param.variable &&
             !array.element.isAggregate() &&
             setsFirst(call->callee->body, *param.variable, isSet);
  }
  return false;
}

/// Which operations of a loop name an element of each array, and what it reads
/// by maps.
struct ArrayAccesses {
  DenseMap<const Array *, SmallVector<const ElementOp *, 4>> naming;
  SmallPtrSet<const Array *, 4> remapped;

  explicit ArrayAccesses(const MLoopStmt &loop) {
    for (const ElementOp &op : loop.body)
      forEachExpr(op, [&](const Expr &e) {
        if (auto *element = dyn_cast<ElementExpr>(&e)) {
          auto &ops = naming[element->array];
          if (ops.empty() || ops.back() != &op)
            ops.push_back(&op);
        }
      });
    forEachExpr(loop, [&](const Expr &e) {
      if (auto *remap = dyn_cast<RemapExpr>(&e))
        remapped.insert(remap->array);
    });
  }
};

/// What there is to know of \p array in \p loop, which has these accesses.
LoopUse useIn(Procedure &procedure, MLoopStmt &loop, const Array &array,
              const ArrayAccesses &accesses) {
  LoopUse use;
  use.procedure = &procedure;
  use.loop = &loop;
  use.array = &array;
  const ElementOp *first = nullptr;
  const ElementOp *calls = nullptr; ///< `first`, to a procedure that sets it
  auto setWhy = [&](const char *text) {
    if (use.why.empty())
      use.why = text;
  };
  if (isOneForMany(array, *loop.region))
    setWhy("its elements stand for many indices each");
  if (accesses.remapped.contains(&array))
    setWhy("it is read by maps");
  auto naming = accesses.naming.find(&array);
  if (naming == accesses.naming.end())
    return use;
  for (const ElementOp *named : naming->second) {
    const ElementOp &op = *named;
    auto *target = dyn_cast_or_null<ElementExpr>(
        op.kind == ElementOp::Store ? op.target : nullptr);
    bool isRead = false;
    forEachExpr(op, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (!element || element->array != &array)
        return;
      isRead |= element != target;
      if (element->isShifted())
        setWhy("it is read at another index");
    });
    use.isRead |= isRead;
    if (!first && callOverwrites(op, array)) {
      first = calls = &op;
      use.isStored = true;
    } else if (calls) {
      setWhy("it is read where a procedure may not have set it");
    } else if (!first) {
      first = &op;
      use.isStored = target && !isRead;
      if (isRead)
        setWhy("values are read that it had before; compute it anew in the "
               "same scope");
      ArrayRef<ElementOp> rest = loop.body;
      rest = rest.drop_front(&op - rest.data());
      if (op.guard && !isStable(*op.guard, rest))
        setWhy("it is set under a mask that may change; set it everywhere");
    } else if (isRead && first->guard &&
               textOf(first->guard) != textOf(op.guard)) {
      setWhy("it is read where it may not have been set; set it everywhere");
    }
    use.rows = op.delay - first->delay + 1;
  }
  return use;
}

/// The members of global families that nothing names but by fixed views
/// (Array::member), apart from making and freeing them: each is an array like
/// others, whose names are its views in all procedures.
class FamilyMembers {
public:
  explicit FamilyMembers(const Module &module) {
    for (const Procedure *procedure : module.procedures)
      forEachStmt(procedure->body, [&](const Stmt &stmt) { exclude(stmt); });
    for (const Procedure *procedure : module.procedures)
      for (Array *array : procedure->arrays)
        if (isFixed(*array) && !excluded.contains(array->family))
          views.add(*array);
  }

  /// The first view of the member that \p array is a view of. Null if it is
  /// none, or of a family that is named otherwise.
  const Array *memberOf(const Array *array) const {
    return views.firstOf(array);
  }

private:
  static bool isFixed(const Array &array) {
    return array.family && array.family->storage == Storage::Global &&
           !array.member.empty();
  }

  void exclude(const Stmt &stmt) {
    if (isa<AllocArrayStmt, FreeArrayStmt, BindArrayStmt>(stmt))
      return;
    forEachArray(stmt, [&](const Array &array) {
      if (array.family && !isFixed(array))
        excluded.insert(array.family);
    });
    forEachRoot(stmt, [&](const Expr &root) {
      forEachExpr(root, [&](const Expr &e) {
        if (auto *read = dyn_cast<VarExpr>(&e))
          excluded.insert(read->variable);
      });
    });
  }

  DenseSet<const Variable *> excluded; ///< other variables, too
  FixedViews views;
};

class Contractor {
public:
  Contractor(Module &module, PassContext &context)
      : module(module), context(context), members(module) {}

  void run() {
    collect();
    std::vector<std::vector<Array *>> lists = {module.arrays};
    for (Procedure *procedure : module.procedures)
      lists.push_back(procedure->arrays);
    for (const std::vector<Array *> &list : lists)
      for (Array *array : list)
        if (isOne(*array))
          contracted.insert(array);
    removeOld();
    for (const Array *array : contracted)
      for (const LoopUse &use : uses[array].loops)
        makeNew(*use.array, use);
    for (auto &[loop, arrays] : replacements)
      rewrite(*loop, arrays);
  }

private:
  /// What the uses of \p array are noted for.
  const Array *keyOf(const Array *array) const {
    const Array *member = members.memberOf(array);
    return member ? member : array;
  }

  void collect() {
    for (Procedure *procedure : module.procedures) {
      for (const Transfer *transfer : procedure->transfers)
        for (const auto &[array, offset] : transfer->items)
          setWhy(array, "it is transferred", transfer->range);
      forEachStmt(procedure->body,
                  [&](Stmt &stmt) { collect(*procedure, stmt); });
    }
  }

  void collect(Procedure &procedure, Stmt &stmt) {
    if (auto *loop = dyn_cast<MLoopStmt>(&stmt)) {
      SmallPtrSet<const Array *, 8> seen;
      ArrayAccesses accesses(*loop);
      forEachArray(stmt, [&](const Array &array) {
        if (!seen.insert(&array).second)
          return;
        ArrayUses &all = uses[keyOf(&array)];
        all.loops.push_back(useIn(procedure, *loop, array, accesses));
        if (!loop->walkers.empty())
          all.why = "its loop has its final form";
      });
      return;
    }
    auto *alloc = dyn_cast<AllocArrayStmt>(&stmt);
    const Array *own = nullptr;
    if (alloc && !alloc->like && !alloc->follows)
      own = alloc->array;
    else if (auto *free = dyn_cast<FreeArrayStmt>(&stmt))
      own = free->array;
    else if (auto *bind = dyn_cast<BindArrayStmt>(&stmt))
      own = bind->array;
    forEachArray(stmt, [&](const Array &array) {
      if (&array != own)
        setWhy(&array, isa<CheckStmt>(stmt) ? "it is checked" : "it is used",
               stmt.range);
    });
  }

  void setWhy(const Array *array, const Twine &text, SourceRange range) {
    std::string &why = uses[keyOf(array)].why;
    if (why.empty())
      why = (text + " outside of loops" + context.atLine(range)).str();
  }

  /// Whether an array is to be contracted. A remark if it is or nearly is.
  bool isOne(const Array &array) {
    auto it = uses.find(&array);
    bool isMember = members.memberOf(&array) == &array;
    if (it == uses.end() || (array.family ? !isMember : !array.declared) ||
        array.element.isRunTimeSized())
      return false;
    const ArrayUses &all = it->second;
    auto isGain = [](const LoopUse &use) { return use.isRead && use.isStored; };
    const auto *gain = find_if(all.loops, isGain);
    if (gain == all.loops.end())
      return false;
    std::string why = all.why;
    for (const LoopUse &use : all.loops)
      if (why.empty() && !use.why.empty())
        why = withPlace(use.why, context.atLine(use.loop->range));
    std::string name = sourceName(array);
    if (!why.empty()) {
      context.missed(gain->loop->range, name + " is not contracted: " + why);
      return false;
    }
    for (const LoopUse &use : all.loops)
      context.applied(use.loop->range,
                      name + " is contracted to " +
                          (use.rows == 1 ? "a scalar"
                                         : std::to_string(use.rows) + " rows"));
    return true;
  }

  /// Takes the contracted arrays out of the program, but for their elements.
  void removeOld() {
    auto isGone = [&](const Array *array) {
      return contracted.contains(keyOf(array));
    };
    erase_if(module.arrays, isGone);
    for (Procedure *procedure : module.procedures) {
      erase_if(procedure->arrays, isGone);
      rewriteStmts(procedure->body, [&](Stmt *stmt, StmtList &result) {
        auto *alloc = dyn_cast<AllocArrayStmt>(stmt);
        auto *free = dyn_cast<FreeArrayStmt>(stmt);
        auto *bind = dyn_cast<BindArrayStmt>(stmt);
        if (!(alloc && isGone(alloc->array)) &&
            !(free && isGone(free->array)) && !(bind && isGone(bind->array)))
          result.push_back(stmt);
      });
    }
  }

  /// The contracted array that takes the place of \p old in a loop.
  void makeNew(const Array &old, const LoopUse &use) {
    auto *array = module.make<Array>();
    auto [names, isNew] = allocators.try_emplace(use.procedure, nullptr);
    if (isNew)
      names->second = std::make_unique<NameAllocator>(*use.procedure);
    array->name = names->second->make(old.name);
    array->text = old.text;
    array->element = old.element;
    array->shape = use.loop->region->shape;
    array->domain = use.loop->region->domain;
    array->lines.assign(array->rank(), 1);
    array->range = old.range;
    bool isOuter = true;
    for (const LoopLevel &level : use.loop->levels) {
      if (level.flat || use.rows == 1)
        continue;
      array->lines[level.dim] = isOuter ? use.rows : AllLines;
      isOuter = false;
    }
    use.procedure->arrays.push_back(array);
    replacements[use.loop][&old] = array;
  }

  using Replacement = DenseMap<const Array *, Array *>;

  void rewrite(MLoopStmt &loop, const Replacement &arrays) {
    ExprRewriter rewriter(module, [&](const Expr *leaf) -> const Expr * {
      auto *element = dyn_cast<ElementExpr>(leaf);
      Array *array = element ? arrays.lookup(element->array) : nullptr;
      if (!array)
        return leaf;
      return module.make<ElementExpr>(array, element->offset, element->range);
    });
    for (ElementOp &op : loop.body)
      for (const Expr **expr : {&op.target, &op.value, &op.guard})
        if (*expr)
          *expr = rewriter.rewrite(*expr);
  }

  Module &module;
  PassContext &context;
  const FamilyMembers members;
  DenseMap<const Array *, ArrayUses> uses;
  SetVector<const Array *> contracted;
  DenseMap<Procedure *, std::unique_ptr<NameAllocator>> allocators;
  MapVector<MLoopStmt *, Replacement> replacements;
};

} // namespace

void contractArrays(Module &module, PassContext &context) {
  Contractor(module, context).run();
}

} // namespace zpl::air
