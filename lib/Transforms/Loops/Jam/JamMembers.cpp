//===- JamMembers.cpp - Iterations over members of families ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A matrix in slices, one array for the k-th elements of all rows, times X:
//
//     for k := 0 to width - 1 do Y += V[k] * X#[P[k]]; end;
//
//     for %k = ... {                       four at a time:
//       bind %V = @V[%k]                     bind %V.1 = @V[%k]
//       bind %P = @P[%k]                     bind %P.1 = @P[%k]
//       region %W = declared @X              region %W = declared @X
//                                            bind %V.2 = @V[add(%k, 1)] ...
//       if eq(parts(%W, 0), i64 1) {         if eq(parts(%W, 0), i64 1) {
//         mloop @R {                           mloop @R {
//           store @Y = fma(%V, @X#(%P), @Y)      store @Y = fma(%V.1, ...)
//         }                                      ... four in their order }
//       } else {                             } else {
//         window fetch %F = @X over @R {       window fetch %F = @X over @R {
//           %at at (%P)}                         %at.1 at (%P.1), %at.2 ...}
//         mloop @R { ... }                     mloop @R { ... }
//         free %at                             free %at.1 ... free %at
//         free %F                              free %F
//       }                                    }
//     }
//
// Y is read and written once for four members, and what others have of X comes
// in one message. Of a body is taken:
//
//  1. in front, binds of views, regions that are the same in all iterations, and
//     checks. These end the run, and nobody sees what was stored then.
//  2. a sweep: windows into arrays that are the same in all iterations, one
//     M-loop, frees of what the windows make. The M-loop updates arrays that are
//     no views of 1, nor may be one, and reads of what it stores the element
//     itself only. It calls nothing: procedures may read the variable.
//  3. or a branch by a condition that is the same in all iterations, with 2 or 3
//     on both sides, or with what else moves elements of arrays. That is executed
//     once for each iteration.
//
// Nothing of this writes scalars, so conditions and regions stay as they are. If
// several elements of maps are wrong, the one at the lowest index of four
// iterations may be reported instead of the first iteration's.
//
// Cost: linear in the statements.
//
//===----------------------------------------------------------------------===//

#include "Loops/Jam/JamMembers.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace zpl::air {
namespace {

using Stmts = ArrayRef<Stmt *>;

/// Windows, an M-loop, `window confirm`, frees.
struct Sweep {
  Stmts windows, after;
  const MLoopStmt *loop;
};

class MemberJammer {
public:
  MemberJammer(const ForStmt &loop, int64_t iterations, Procedure &procedure,
               Module &module, NameAllocator &names)
      : loop(loop), iterations(iterations), procedure(procedure),
        module(module), names(names),
        variable(cast<VarExpr>(loop.variable)->variable) {}

  bool isLegal() {
    Stmts body = loop.body;
    prologue = body.take_while([](const Stmt *stmt) {
      return isa<BindArrayStmt, SetRegionStmt, CheckStmt>(stmt);
    });
    work = body.drop_front(prologue.size());
    return prologueIsLegal() && usesMembers && isLegal(work) && hasSweep &&
           hasNoOtherName();
  }

  StmtList jammed() {
    StmtList result;
    for (int64_t number = 0; number < iterations; ++number)
      addPrologue(number, result);
    addWork(work, result);
    return result;
  }

private:
  //===--------------------------------------------------------------------===//
  // Whether it may be done
  //===--------------------------------------------------------------------===//

  bool isVariable(const Expr &expr) const {
    auto *read = dyn_cast<VarExpr>(&expr);
    return read && read->variable == variable;
  }

  /// What the body reads under another name would not be replaced by k + 1.
  bool hasNoOtherName() const {
    if (variable->storage == Storage::Local)
      return true; // nothing is called
    bool found = variable->storage == Storage::Param;
    forEachStmt(loop.body, [&](const Stmt &stmt) {
      forEachExpr(stmt, [&](const Expr &expr) {
        auto *read = dyn_cast<VarExpr>(&expr);
        found |= read && read->variable->byReference;
      });
    });
    return !found;
  }

  template <typename Node> bool calls(const Node &node) const {
    bool found = false;
    forEachExpr(node, [&](const Expr &expr) { found |= isa<CallExpr>(expr); });
    return found;
  }

  template <typename Node> bool mentionsVariable(const Node &node) const {
    bool found = false;
    forEachExpr(node, [&](const Expr &expr) { found |= isVariable(expr); });
    return found;
  }

  bool prologueIsLegal() {
    for (const Stmt *stmt : prologue)
      if (auto *bind = dyn_cast<BindArrayStmt>(stmt)) {
        if (bind->array->storage != Storage::Local ||
            !views.insert(bind->array).second)
          return false;
        usesMembers |= mentionsVariable(*bind);
      }
    for (const Stmt *stmt : prologue) {
      auto *check = dyn_cast<CheckStmt>(stmt);
      auto *set = dyn_cast<SetRegionStmt>(stmt);
      if (calls(*stmt) || (check && check->check == CheckStmt::Maps) ||
          (set && !isSame(*set)))
        return false;
    }
    return true;
  }

  /// Whether the region is set once, to the same indices in all iterations.
  bool isSame(const SetRegionStmt &set) {
    return set.target->storage == Storage::Local &&
           set.value.kind != RegionExpr::Where && !set.value.pattern &&
           !mentionsVariable(set) && !views.contains(set.value.array) &&
           set.target != set.value.base && regions.insert(set.target).second;
  }

  bool isLegal(Stmts list) {
    if (auto *branch = asBranch(list))
      return isLegal(branch->thenBody) && isLegal(branch->elseBody);
    if (asSweep(list)) {
      hasSweep = true;
      return true;
    }
    return movesElementsOnly(list);
  }

  /// The branch that is all of the list, by a condition that never changes; null:
  /// it is something else.
  const IfStmt *asBranch(Stmts list) const {
    auto *branch = list.size() == 1 ? dyn_cast<IfStmt>(list.front()) : nullptr;
    bool changes = !branch || calls(*branch->condition) ||
                   mentionsVariable(*branch->condition);
    return changes ? nullptr : branch;
  }

  std::optional<Sweep> asSweep(Stmts list) const {
    Sweep sweep;
    sweep.windows =
        list.take_while([](const Stmt *stmt) { return isa<WindowStmt>(stmt); });
    list = list.drop_front(sweep.windows.size());
    sweep.loop = list.empty() ? nullptr : dyn_cast<MLoopStmt>(list.front());
    if (!sweep.loop)
      return std::nullopt;
    sweep.after = list.drop_front();
    DenseSet<const Array *> stored, made;
    bool isLegal =
        isUpdate(*sweep.loop, stored) &&
        all_of(sweep.windows,
               [&](const Stmt *stmt) {
                 return isApart(cast<WindowStmt>(*stmt), stored, made);
               }) &&
        readsAreLegal(*sweep.loop, stored) &&
        all_of(sweep.after, [&](const Stmt *stmt) {
          auto *window = dyn_cast<WindowStmt>(stmt);
          auto *free = dyn_cast<FreeArrayStmt>(stmt);
          return window ? window->form == WindowStmt::Confirm
                        : free && made.erase(free->array);
        });
    return isLegal && made.empty() ? std::optional(sweep) : std::nullopt;
  }

  /// Whether the loop does nothing but to update arrays that are no views,
  /// which become \p stored.
  bool isUpdate(const MLoopStmt &sweep, DenseSet<const Array *> &stored) const {
    for (const ElementOp &op : sweep.body) {
      const Array *target = op.target ? rootElement(op.target)->array : nullptr;
      bool reads = false;
      forEachExpr(*op.value, [&](const Expr &expr) {
        auto *element = dyn_cast<ElementExpr>(&expr);
        reads |= element && element->array == target;
      });
      if (op.kind != ElementOp::Store || op.delay != 0 || !reads ||
          views.contains(target) || isOneForMany(*target, *sweep.region))
        return false;
      stored.insert(target);
    }
    return storesArraysOnly(sweep) && !regions.contains(sweep.region);
  }

  /// Whether what is stored may be \p array under another name.
  bool mayStore(const DenseSet<const Array *> &stored,
                const Array &array) const {
    return any_of(stored, [&](const Array *other) {
      return mayBeSame(module, *other, array, /*mayAlias=*/false);
    });
  }

  bool readsAreLegal(const MLoopStmt &sweep,
                     const DenseSet<const Array *> &stored) const {
    bool legal = true;
    forEachExpr(sweep, [&](const Expr &expr) {
      auto *element = dyn_cast<ElementExpr>(&expr);
      auto *remap = dyn_cast<RemapExpr>(&expr);
      if (element)
        legal &= !mayStore(stored, *element->array) ||
                 (stored.contains(element->array) && !element->isShifted());
      if (remap)
        legal &= !mayStore(stored, *remap->array);
    });
    return legal;
  }

  /// Whether a window is the same in all iterations, but for its references, and
  /// nothing that it has is stored. Adds to what is made.
  bool isApart(const WindowStmt &window, const DenseSet<const Array *> &stored,
               DenseSet<const Array *> &made) const {
    bool isRead =
        window.form == WindowStmt::Fetch || window.form == WindowStmt::Copy;
    if (!isRead || views.contains(window.array) || calls(window) ||
        regions.contains(window.region))
      return false;
    bool isApart = true;
    forEachOperand(window, [&](const Operand &operand) {
      auto *array = operand.as<Array *>();
      isApart &= !array || !mayStore(stored, *array);
      if (array && operand.use == Use::Write)
        isApart &=
            made.insert(array).second || is_contained(window.others, array);
    });
    return isApart;
  }

  bool storesArraysOnly(const MLoopStmt &sweep) const {
    return sweep.walkers.empty() && !sweep.times && sweep.awaits.empty() &&
           sweep.rows == 1 && !isInBlocks(sweep) && !calls(sweep) &&
           all_of(sweep.body, [](const ElementOp &op) {
             return (op.kind == ElementOp::Store ||
                     op.kind == ElementOp::Accumulate) &&
                    !op.accumulator && op.target && rootElement(op.target);
           });
  }

  /// Whether statements change elements of arrays, but nothing else that is
  /// seen after them: no scalars, regions or views.
  bool movesElementsOnly(Stmts list) const {
    return all_of(list, [&](const Stmt *stmt) {
      if (auto *branch = dyn_cast<IfStmt>(stmt))
        return !calls(*branch->condition) &&
               movesElementsOnly(branch->thenBody) &&
               movesElementsOnly(branch->elseBody);
      if (auto *sweep = dyn_cast<MLoopStmt>(stmt))
        return storesArraysOnly(*sweep);
      if (auto *boxes = dyn_cast<BoxesStmt>(stmt))
        return !calls(*boxes) && movesElementsOnly(boxes->body);
      return isa<CheckStmt, AllocArrayStmt, FreeArrayStmt, GatherStmt,
                 WindowStmt>(stmt) &&
             !calls(*stmt);
    });
  }

  //===--------------------------------------------------------------------===//
  // The iterations
  //===--------------------------------------------------------------------===//

  const Expr *constant(int64_t value) {
    auto *expr = module.make<ConstExpr>(variable->type, loop.range);
    expr->integer = value;
    return expr;
  }

  /// The names in iteration \p number: the variable is so much larger, and views
  /// are copies, of which the last iteration needs none.
  Renaming &namesIn(int64_t number) {
    while (int64_t(renamings.size()) <= number) {
      int64_t next = renamings.size();
      Renaming &made = *renamings.emplace_back(std::make_unique<Renaming>());
      if (next != 0)
        made.variables[variable] = module.make<BinaryExpr>(
            BinaryOp::Add, loop.variable, constant(next), loop.range);
      for (const Stmt *stmt : prologue)
        if (auto *bind = dyn_cast<BindArrayStmt>(stmt))
          copyArray(*bind->array, next, made);
    }
    return *renamings[number];
  }

  void copyArray(Array &array, int64_t number, Renaming &renaming) {
    if (number == iterations - 1)
      return;
    auto *copy = module.make<Array>(array);
    copy->name = names.make(array.name);
    procedure.arrays.push_back(copy);
    renaming.arrays[&array] = copy;
  }

  Stmt *clone(const Stmt &stmt, int64_t number) {
    return StmtCloner(module, namesIn(number)).clone(stmt);
  }

  void addPrologue(int64_t number, StmtList &result) {
    for (const Stmt *stmt : prologue)
      if (number == 0 || !isa<SetRegionStmt>(stmt))
        result.push_back(clone(*stmt, number));
  }

  void addWork(Stmts list, StmtList &result) {
    if (auto *branch = asBranch(list)) {
      auto *made = module.make<IfStmt>(branch->condition, branch->range);
      addWork(branch->thenBody, made->thenBody);
      addWork(branch->elseBody, made->elseBody);
      result.push_back(made);
    } else if (auto sweep = asSweep(list)) {
      addSweep(*sweep, result);
    } else {
      for (int64_t number = 0; number < iterations; ++number)
        for (const Stmt *stmt : list)
          result.push_back(clone(*stmt, number));
    }
  }

  /// The windows with the references of all iterations, the loop with the
  /// operations of all, and everything freed.
  void addSweep(const Sweep &sweep, StmtList &result) {
    DenseSet<const Array *> positions; // each iteration has its own
    for (const Stmt *stmt : sweep.windows)
      for (const WindowReference &reference :
           cast<WindowStmt>(stmt)->references) {
        positions.insert(reference.positions);
        for (int64_t number = 0; number < iterations; ++number)
          copyArray(*reference.positions, number, namesIn(number));
      }
    for (const Stmt *stmt : sweep.windows) {
      auto *made = module.make<WindowStmt>(*cast<WindowStmt>(stmt));
      made->references.clear();
      for (int64_t number = 0; number < iterations; ++number)
        append_range(made->references,
                     cast<WindowStmt>(clone(*stmt, number))->references);
      result.push_back(made);
    }
    auto *made = module.make<MLoopStmt>(*sweep.loop);
    made->body.clear();
    for (int64_t number = 0; number < iterations; ++number)
      append_range(made->body,
                   cast<MLoopStmt>(clone(*sweep.loop, number))->body);
    result.push_back(made);
    for (Stmt *stmt : sweep.after) {
      auto *free = dyn_cast<FreeArrayStmt>(stmt);
      bool isOwn = free && positions.contains(free->array);
      for (int64_t number = isOwn ? 0 : iterations - 1; number < iterations;
           ++number)
        result.push_back(clone(*stmt, number));
    }
  }

  const ForStmt &loop;
  int64_t iterations;
  Procedure &procedure;
  Module &module;
  NameAllocator &names;
  const Variable *variable;
  Stmts prologue, work;
  DenseSet<const Array *> views;    ///< bound in the prologue
  DenseSet<const Region *> regions; ///< set in it
  bool usesMembers = false, hasSweep = false;
  std::vector<std::unique_ptr<Renaming>> renamings; ///< by iteration
};

} // namespace

std::optional<StmtList> jamMembers(const ForStmt &loop, int64_t iterations,
                                   Procedure &procedure, Module &module,
                                   NameAllocator &names) {
  MemberJammer jammer(loop, iterations, procedure, module, names);
  return jammer.isLegal() ? std::optional(jammer.jammed()) : std::nullopt;
}

} // namespace zpl::air
