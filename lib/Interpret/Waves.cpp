//===- Waves.cpp - Scan blocks --------------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As the language says it (8.6): index by index in the order that was chosen,
// all statements at each. What is read at another index without a prime is
// copied before; what has a prime is read where it is.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
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

/// Evaluates what happens once, and keeps what the block may overwrite.
void Interpreter::prepareInWave(const sema::Stmt *stmt, Prepared &prepared) {
  if (auto *assign = dyn_cast<sema::ArrayAssignStmt>(stmt)) {
    prepareTarget(assign->target, prepared);
    prepare(assign->value, prepared);
    keepOldValues(*assign->value, prepared);
    keepOldValues(*assign->target, prepared);
  } else {
    const sema::CallExpr *call = cast<sema::CallStmt>(stmt)->call;
    prepare(call, prepared);
    keepOldValues(*call, prepared);
  }
}

void Interpreter::keepOldValues(const sema::Expr &expr, Prepared &prepared) {
  auto *array = dyn_cast<sema::ArrayExpr>(&expr);
  if (array && !array->direction.empty() && !array->isPrimed)
    prepared.arrays[array] = materialize(array, prepared);
  sema::forEachOperand(expr, [&](const sema::Expr &operand) {
    keepOldValues(operand, prepared);
  });
}

void Interpreter::wave(const sema::WaveStmt *stmt) {
  SaveAndRestore inside(inWave, true);
  Cover over = cover(stmt->rank, stmt->range);
  std::vector<Prepared> all(stmt->body.size());
  for (auto [inner, prepared] : zip(stmt->body, all)) {
    prepared.over = over;
    prepareInWave(inner, prepared);
  }
  for (const Prepared &prepared : all)
    checkTargets(prepared);
  if (over.region->isEmpty())
    return;
  Index index{};
  forEachInOrder(*over.region, stmt->order.loops, index, [&] {
    if (!over.admits(index))
      return;
    for (auto [inner, prepared] : zip(stmt->body, all)) {
      At at{index, prepared};
      if (auto *assign = dyn_cast<sema::ArrayAssignStmt>(inner)) {
        Place target = place(assign->target, &at);
        store(assign->target->type, target.address, eval(assign->value, &at));
      } else {
        eval(cast<sema::CallStmt>(inner)->call, &at);
      }
    }
  });
}

} // namespace zpl::interpreter
