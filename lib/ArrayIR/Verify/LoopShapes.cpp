//===- LoopShapes.cpp - The rules of how M-loops are executed -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What passes may say of the way in which an M-loop is executed, and CodeGen
// relies on.
//
//===----------------------------------------------------------------------===//

#include "Verify/LoopShapes.h"
#include "Verify/Declarations.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

bool verifyStreams(Verifying &state, const MLoopStmt &s) {
  for (const ElementOp &op : s.body) {
    if (!op.streams)
      continue;
    SourceRange range = op.range.isValid() ? op.range : s.range;
    auto *target = dyn_cast_or_null<ElementExpr>(op.target);
    if (!target || op.guard || op.value->type.isAggregate())
      return fail(state, range,
                  "a streamed store is guarded, or not of elements");
    const Array &array = *target->array;
    if (!mayWalkRows(s, array) || array.isContracted())
      return fail(state, range, "a streamed store is not along rows");
    unsigned names = 0;
    forEachExpr(s, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      names += element && element->array == &array;
    });
    if (names != 1)
      return fail(state, range,
                  printedName(array) +
                      " is streamed and named elsewhere in its loop");
  }
  return true;
}

static bool readsNoPanels(Verifying &state, const MLoopStmt &s) {
  bool good = true;
  for (const ElementOp &op : s.body)
    forEachExpr(op, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (element && element->array->panel >= 0)
        good = fail(state, s.range, "a loop without repetitions reads a panel");
    });
  return good;
}

bool verifyBlocks(Verifying &state, const MLoopStmt &s) {
  if (!isInBlocks(s))
    return readsNoPanels(state, s);
  const LoopLevel *inner = nullptr;
  for (const LoopLevel &level : s.levels)
    if (!level.flat)
      inner = &level;
  for (const LoopLevel &level : s.levels) {
    bool isPlain =
        level.isTimes || (!level.flat && !level.down &&
                          s.region->shape[level.dim] != DimKind::Strided);
    if (level.unroll == 0 ||
        ((level.unroll != 1 || level.tile != 0) && !isPlain))
      return fail(state, s.range,
                  "a level is unrolled or tiled that is not upward, "
                  "index by index");
  }
  if (inner->isTimes || inner->unroll != 1 || inner->down)
    return fail(state, s.range,
                "the innermost loop is unrolled, or of repetitions");
  for (const ElementOp &op : s.body) {
    SourceRange range = op.range.isValid() ? op.range : s.range;
    bool isStored =
        op.kind == ElementOp::Store || op.kind == ElementOp::Accumulate;
    if (!isStored || op.accumulator || s.rows != 1 || op.delay != 0 ||
        op.streams)
      return fail(state, range,
                  "a loop in blocks has parts, streams, calls or "
                  "accumulators");
    const Array &array = *rootElement(op.target)->array;
    if (isPerProcessor(array.shape[inner->dim]))
      return fail(state, range,
                  printedName(array) +
                      " stands still in the innermost loop of a loop in "
                      "blocks");
  }
  bool good = true;
  forEachExpr(s, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (element && element->array->isContracted())
      good = fail(state, s.range, "a loop in blocks has contracted arrays");
    if (element && (s.region->shape[inner->dim] == DimKind::Strided ||
                    element->array->shape[inner->dim] == DimKind::Strided))
      good = fail(state, s.range,
                  "the innermost loop of a loop in blocks is strided");
  });
  return good && (s.times || readsNoPanels(state, s));
}

} // namespace zpl::air
