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

/// Whether an accumulation has an element of its own for each row.
static bool isByRows(const ElementOp &op, const Region &region) {
  auto *target = dyn_cast_or_null<ElementExpr>(op.target);
  return op.kind == ElementOp::Accumulate && target && region.isSparse &&
         !target->array->isContracted() &&
         target->array->shape.back() == DimKind::Flood &&
         llvm::none_of(drop_end(target->array->shape), isPerProcessor);
}

bool verifyPatternLoop(Verifying &state, const MLoopStmt &s) {
  for (const ElementOp &op : s.body)
    if (op.anew && !isByRows(op, *s.region))
      return fail(state, op.range.isValid() ? op.range : s.range,
                  "an accumulation anew is not by rows of a sparse region");
  if (!s.region->isSparse)
    return true;
  bool isPlain = !isInBlocks(s) && s.rows == 1 && !s.times &&
                 s.awaits.empty() && s.ahead.empty();
  for (const LoopLevel &level : s.levels)
    isPlain &= !level.down && level.likely.empty();
  for (const ElementOp &op : s.body)
    isPlain &= op.delay == 0 && op.carries.empty() && !op.streams;
  return isPlain || fail(state, s.range,
                         "a loop over a sparse region is not executed row by "
                         "row, upward");
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

/// Which levels of a loop in blocks are unrolled or tiled.
static bool verifyBlockLevels(Verifying &state, const MLoopStmt &s,
                              const LoopLevel &inner) {
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
  if (inner.isTimes || inner.unroll != 1 || inner.down)
    return fail(state, s.range,
                "the innermost loop is unrolled, or of repetitions");
  return true;
}

/// A loop in blocks stores or accumulates elements that move in \p inner, the
/// dimension of its innermost loop, and does nothing else.
static bool verifyBlockStores(Verifying &state, const MLoopStmt &s,
                              unsigned inner) {
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
    if (isPerProcessor(array.shape[inner]))
      return fail(state, range,
                  printedName(array) +
                      " stands still in the innermost loop of a loop in "
                      "blocks");
  }
  return true;
}

/// Its elements are not strided in \p inner, and stored in full.
static bool verifyBlockElements(Verifying &state, const MLoopStmt &s,
                                unsigned inner) {
  bool good = true;
  forEachExpr(s, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (element && element->array->isContracted())
      good = fail(state, s.range, "a loop in blocks has contracted arrays");
    if (element && (s.region->shape[inner] == DimKind::Strided ||
                    element->array->shape[inner] == DimKind::Strided))
      good = fail(state, s.range,
                  "the innermost loop of a loop in blocks is strided");
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
  return verifyBlockLevels(state, s, *inner) &&
         verifyBlockStores(state, s, inner->dim) &&
         verifyBlockElements(state, s, inner->dim) &&
         (s.times || readsNoPanels(state, s));
}

} // namespace zpl::air
