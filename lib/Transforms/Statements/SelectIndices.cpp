//===- SelectIndices.cpp - Patterns of conditions on indices --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region Tri = [1..n, 1..n] where (abs(Index1 - Index2) < 2);
//
// is made by ArrayGen like any pattern: a temporary gets the condition at all
// indices of the base, and the pattern is where it is true. Of a matrix of a
// million rows and columns this is a terabyte. But the condition has nothing
// but indices and scalars in it, so that intervals tell of whole boxes whether
// they have an index of the pattern (Intervals.cpp). Then the statement that
// makes the pattern takes the condition itself:
//
//     alloc %T
//     [@R] %T = lt(abs(sub(index(0), index(1))), i32 2)
//     region @Tri = @R where %T
//     free %T
//   =>
//     region @Tri = @R where each lt(abs(sub(index(0), index(1))), i32 2)
//
// Calls of procedures that only return an expression become that expression,
// `odd(index(0))` becomes `eq(rem(index(0), i32 2), i32 1)`, for of calls nothing
// is known.
//
// The temporary must be stored by the statement before, all over the base, and
// be used by nothing else. What C may do would come in the order of boxes, so
// conditions that call it stay as they are.
//
// A condition may also read arrays at its own index. Where these leave out
// indices that need no look, or are smaller than the base, that is boxes too
// (BoxConditions.cpp), and `S &= A > 0` is asked at the indices of S. Of others
// all indices are looked at, row by row, which needs room for some rows instead
// of a temporary of a byte for each index.
//
// Cost: linear in the module, and in the callees of each such condition.
//
//===----------------------------------------------------------------------===//

#include "Statements/SelectIndices.h"
#include "zpl/Analysis/BoxConditions.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Verifier.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// A statement that makes a pattern of an array.
struct PatternMaker {
  Array **array = nullptr; ///< null: it is another statement
  const Expr **condition = nullptr;
  Region *base = nullptr;
};

PatternMaker makerOf(Stmt &stmt) {
  if (auto *set = dyn_cast<SetRegionStmt>(&stmt)) {
    if (set->value.kind == RegionExpr::Where && set->value.array)
      return {&set->value.array, &set->value.condition, set->value.base};
  } else if (auto *pattern = dyn_cast<PatternStmt>(&stmt)) {
    if (pattern->array)
      return {&pattern->array, &pattern->condition, pattern->value};
  }
  return {};
}

std::string shownName(const Array &array) {
  return array.text.empty() ? "a temporary array" : array.text;
}

/// What a call computes, if its procedure only returns an expression in which
/// all parameters are, scalars by value. Else null.
const Expr *valueOf(Module &module, const CallExpr &call) {
  const Procedure &callee = *call.callee;
  auto *result = callee.body.size() == 1
                     ? dyn_cast<ReturnStmt>(callee.body.front())
                     : nullptr;
  if (!result || !result->value || !callee.variables.empty() ||
      !callee.thunk.empty())
    return nullptr;
  DenseMap<const Variable *, const Expr *> values;
  for (auto [arg, param] : zip(call.args, callee.params))
    if (arg.value && param.variable && !param.variable->type.isAggregate())
      values[param.variable] = arg.value;
  SmallPtrSet<const Variable *, 4> used;
  forEachExpr(*result->value, [&](const Expr &e) {
    auto *variable = dyn_cast<VarExpr>(&e);
    if (variable && values.contains(variable->variable))
      used.insert(variable->variable);
  });
  if (used.size() != call.args.size())
    return nullptr;
  return ExprRewriter(module,
                      [&](const Expr *leaf) {
                        auto *variable = dyn_cast<VarExpr>(leaf);
                        const Expr *value =
                            variable ? values.lookup(variable->variable)
                                     : nullptr;
                        return value ? value : leaf;
                      })
      .rewrite(result->value);
}

/// \p e with the values of calls in their places, and of calls in these up to
/// \p depth.
const Expr *withoutCalls(Module &module, const Expr *e, unsigned depth) {
  ExprRewriter rewriter(module, [](const Expr *leaf) { return leaf; });
  forEachExpr(*e, [&](const Expr &part) {
    auto *call = dyn_cast<CallExpr>(&part);
    if (const Expr *value = call ? valueOf(module, *call) : nullptr)
      rewriter.set(call,
                   depth > 0 ? withoutCalls(module, value, depth - 1) : value);
  });
  return rewriter.rewrite(e);
}

class IndexSelector {
public:
  IndexSelector(Module &module, PassContext &context)
      : module(module), context(context) {}

  void run(Procedure &theProcedure) {
    procedure = &theProcedure;
    uses.clear();
    gone.clear();
    forEachStmt(procedure->body, [&](Stmt &stmt) {
      if (isa<AllocArrayStmt, FreeArrayStmt>(stmt))
        return;
      SmallPtrSet<const Array *, 4> named;
      forEachArray(stmt, [&](const Array &array) { named.insert(&array); });
      for (const Array *array : named)
        ++uses[array];
    });
    list(procedure->body);
    if (gone.empty())
      return;
    removeUnused(procedure->body);
    erase_if(procedure->arrays,
             [&](const Array *array) { return gone.contains(array); });
  }

private:
  void list(StmtList &statements);
  bool select(Stmt &before, Stmt &stmt, const PatternMaker &maker);
  static std::string obstacle(const Expr &condition);
  static bool callsC(const Procedure &callee,
                     SmallPtrSetImpl<const Procedure *> &seen);
  void removeUnused(StmtList &statements);

  static constexpr unsigned MostCalls = 4; ///< within each other

  Module &module;
  PassContext &context;
  Procedure *procedure = nullptr;
  DenseMap<const Array *, unsigned> uses; ///< statements that name them
  DenseSet<const Array *> gone;
};

void IndexSelector::list(StmtList &statements) {
  StmtList result;
  for (Stmt *stmt : statements) {
    forEachList(*stmt, [&](StmtList &inner) { list(inner); });
    PatternMaker maker = makerOf(*stmt);
    if (maker.array && !maker.base->isSparse && !result.empty() &&
        select(*result.back(), *stmt, maker))
      result.pop_back();
    result.push_back(stmt);
  }
  statements = std::move(result);
}

/// Whether \p before, which stores the array, is not needed any more.
bool IndexSelector::select(Stmt &before, Stmt &stmt,
                           const PatternMaker &maker) {
  Array *array = *maker.array;
  auto *store = dyn_cast<ArrayAssignStmt>(&before);
  auto *target = store ? dyn_cast<ElementExpr>(store->target) : nullptr;
  bool isStored = target && target->array == array &&
                  store->region == maker.base && !store->guard &&
                  array->storage == Storage::Local && !array->family &&
                  uses[array] == 2;
  auto missed = [&](const Twine &why) {
    context.missed(stmt.range,
                   "the pattern is looked for at all indices of its base: " +
                       why);
    return false;
  };
  if (!isStored)
    return missed("it is that of " + shownName(*array));
  if (std::string why = obstacle(*store->value); !why.empty())
    return missed(why);
  *maker.condition = withoutCalls(module, store->value, MostCalls);
  *maker.array = nullptr;
  gone.insert(array);
  context.count("conditions");
  auto *change = dyn_cast<PatternStmt>(&stmt);
  bool isKept = change && change->op == PatternStmt::And;
  unsigned last = maker.base->rank() - 1;
  if (!isKept && !isFoundInBoxes(**maker.condition, last))
    context.applied(stmt.range, "the pattern is looked for row by row: its "
                                "condition reads arrays at all indices");
  else if (readsElements(**maker.condition))
    context.applied(stmt.range, "the pattern is looked for box by box, and "
                                "arrays are read where that leaves it open");
  else
    context.applied(stmt.range, "the pattern is looked for box by box: its "
                                "condition is one of indices");
  return true;
}

/// Why the condition must be evaluated at all indices in their order; empty: it
/// need not. Procedures that it calls write nothing, unless they call C.
std::string IndexSelector::obstacle(const Expr &condition) {
  std::string why;
  SmallPtrSet<const Procedure *, 4> seen;
  forEachExpr(condition, [&](const Expr &e) {
    if (!why.empty())
      return;
    if (auto *element = dyn_cast<ElementExpr>(&e)) {
      if (!isReadBesideIndices(*element))
        why = "its condition reads " + shownName(*element->array);
    } else if (auto *remap = dyn_cast<RemapExpr>(&e))
      why = "its condition reads " + shownName(*remap->array);
    else if (auto *call = dyn_cast<CallExpr>(&e))
      why = callsC(*call->callee, seen) ? "its condition calls C" : "";
  });
  return why;
}

bool IndexSelector::callsC(const Procedure &callee,
                           SmallPtrSetImpl<const Procedure *> &seen) {
  if (!callee.thunk.empty())
    return true;
  if (!seen.insert(&callee).second)
    return false;
  bool calls = false;
  forEachStmt(callee.body, [&](const Stmt &stmt) {
    forEachExpr(stmt, [&](const Expr &e) {
      if (auto *call = dyn_cast<CallExpr>(&e))
        calls = calls || callsC(*call->callee, seen);
    });
  });
  return calls;
}

void IndexSelector::removeUnused(StmtList &statements) {
  erase_if(statements, [&](Stmt *stmt) {
    auto *alloc = dyn_cast<AllocArrayStmt>(stmt);
    auto *free = dyn_cast<FreeArrayStmt>(stmt);
    return (alloc && gone.contains(alloc->array)) ||
           (free && gone.contains(free->array));
  });
  for (Stmt *stmt : statements)
    forEachList(*stmt, [&](StmtList &inner) { removeUnused(inner); });
}

} // namespace

void selectIndices(Module &module, PassContext &context) {
  IndexSelector selector(module, context);
  for (Procedure *procedure : module.procedures)
    selector.run(*procedure);
}

} // namespace zpl::air
