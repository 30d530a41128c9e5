//===- Waves.cpp - Scan blocks --------------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As the language says it (8.6): index by index in the order that was chosen, all
// statements at each. The indices of a sparse region are sorted in that order.
// What is read at another index without a prime is copied before; what has a
// prime is read where it is.
//
// Compiled programs work on copies where a region or array is sparse, so names
// that may be one array are refused there (SparseWaves.cpp), and here.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Waves.h"
#include "Arrays/ArrayExpressions.h"
#include "Errors.h"
#include "Expressions.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Run.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::interpreter {

/// Calls \p visit with the indices of \p region, in the order of \p loops.
static void forEachInOrder(const Region &region,
                           ArrayRef<sema::WaveOrder::Loop> loops, Index &index,
                           function_ref<void()> visit) {
  if (loops.empty())
    return visit();
  const Dim &dim = region.dims[loops[0].dim];
  int64_t first = dim.isFlood() ? 0 : dim.first();
  int64_t stride = dim.isFlood() ? 1 : dim.stride;
  int64_t count = dim.isFlood() ? 1 : dim.count();
  for (int64_t i = 0; i < count; ++i) {
    int64_t position = loops[0].down ? count - 1 - i : i;
    index[loops[0].dim] = first + position * stride;
    forEachInOrder(region, loops.drop_front(), index, visit);
  }
}

/// The indices of a sparse region in the order of \p loops.
static std::vector<Index> sortedIndices(const Region &region,
                                        ArrayRef<sema::WaveOrder::Loop> loops) {
  std::vector<Index> indices;
  forEachIndex(region, [&](const Index &index) { indices.push_back(index); });
  stable_sort(indices, [&](const Index &a, const Index &b) {
    for (const sema::WaveOrder::Loop &loop : loops)
      if (a[loop.dim] != b[loop.dim])
        return (a[loop.dim] < b[loop.dim]) != loop.down;
    return false;
  });
  return indices;
}

static void keepOldValues(Run &run, const sema::Expr &expr, Prepared &prepared);

/// Evaluates what happens once, and keeps what the block may overwrite.
static void prepareInWave(Run &run, const sema::Stmt *stmt,
                          Prepared &prepared) {
  if (auto *assign = dyn_cast<sema::ArrayAssignStmt>(stmt)) {
    prepareTarget(run, assign->target, prepared);
    prepare(run, assign->value, prepared);
    keepOldValues(run, *assign->value, prepared);
    keepOldValues(run, *assign->target, prepared);
  } else {
    const sema::CallExpr *call = cast<sema::CallStmt>(stmt)->call;
    prepare(run, call, prepared);
    keepOldValues(run, *call, prepared);
  }
}

static void keepOldValues(Run &run, const sema::Expr &expr,
                          Prepared &prepared) {
  auto *array = dyn_cast<sema::ArrayExpr>(&expr);
  if (array && !array->direction.empty() && !array->isPrimed)
    prepared.arrays[array] = materialize(run, array, prepared);
  sema::forEachOperand(expr, [&](const sema::Expr &operand) {
    keepOldValues(run, operand, prepared);
  });
}

/// Calls \p visit with every array that \p stmt names, and whether the block
/// carries it: stores it, or reads it with a prime.
static void
forEachName(const sema::Stmt &stmt,
            function_ref<void(const sema::ArrayExpr &, bool isCarried)> visit) {
  SmallPtrSet<const sema::Expr *, 4> stored;
  auto visitAll = [&](auto &&self, const sema::Expr &expr) -> void {
    if (auto *array = dyn_cast<sema::ArrayExpr>(&expr))
      visit(*array, array->isPrimed || stored.contains(array));
    if (auto *call = dyn_cast<sema::CallExpr>(&expr))
      for (auto [arg, formal] : zip(call->args, call->callee->params))
        if (sema::isByReference(cast<sema::Variable>(formal)->mode))
          stored.insert(sema::rootOf(arg));
    sema::forEachOperand(
        expr, [&](const sema::Expr &operand) { self(self, operand); });
  };
  if (auto *assign = dyn_cast<sema::ArrayAssignStmt>(&stmt)) {
    stored.insert(sema::rootOf(assign->target));
    visitAll(visitAll, *assign->target);
    visitAll(visitAll, *assign->value);
  } else {
    visitAll(visitAll, *cast<sema::CallStmt>(stmt).call);
  }
}

/// Ends the run if a block that goes over a sparse region or carries a sparse
/// array stores an array that it knows by another name, too.
static void refuseAliases(Run &run, const sema::WaveStmt *stmt,
                          const Cover &over, ArrayRef<Prepared> all) {
  struct Name {
    const sema::ArrayExpr *array;
    const ArrayStorage *storage;
    bool isCarried;
  };
  SmallVector<Name, 8> names;
  bool isSparse = over.region->isSparse();
  for (auto [inner, prepared] : zip(stmt->body, all))
    forEachName(*inner, [&](const sema::ArrayExpr &array, bool isCarried) {
      const ArrayStorage *storage = prepared.members.lookup(&array);
      if (!storage)
        return; // an operand of a flood, which is made before
      names.push_back({&array, storage, isCarried});
      isSparse |= isCarried && storage->declared.isSparse();
    });
  if (!isSparse)
    return;
  for (const Name &a : names)
    for (const Name &b : names)
      if (a.isCarried && !a.array->isPrimed && a.storage == b.storage &&
          !(a.array->array == b.array->array &&
            sema::areSame(a.array->subscripts, b.array->subscripts)))
        fail(
            run, stmt->range,
            "a scan block with sparse regions or arrays works on copies, and " +
                a.array->text + " and " + b.array->text +
                " are one array here");
}

void wave(Run &run, const sema::WaveStmt *stmt) {
  SaveAndRestore inside(run.scopes.inWave, true);
  Cover over = cover(run, stmt->rank, stmt->range);
  std::vector<Prepared> all(stmt->body.size());
  for (auto [inner, prepared] : zip(stmt->body, all)) {
    prepared.over = over;
    prepareInWave(run, inner, prepared);
  }
  for (const Prepared &prepared : all)
    checkTargets(run, prepared);
  refuseAliases(run, stmt, over, all);
  if (over.region->isEmpty())
    return;
  Index index{};
  auto visit = [&] {
    if (!over.admits(index))
      return;
    for (auto [inner, prepared] : zip(stmt->body, all)) {
      At at{index, prepared};
      if (auto *assign = dyn_cast<sema::ArrayAssignStmt>(inner)) {
        Place target = place(run, assign->target, &at);
        store(assign->target->type, target.address,
              eval(run, assign->value, &at));
      } else {
        eval(run, cast<sema::CallStmt>(inner)->call, &at);
      }
    }
  };
  if (!over.region->isSparse())
    return forEachInOrder(*over.region, stmt->order.loops, index, visit);
  for (const Index &next : sortedIndices(*over.region, stmt->order.loops)) {
    index = next;
    visit();
  }
}

} // namespace zpl::interpreter
