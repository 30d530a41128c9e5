//===- SkewedRows.cpp - The array IR: rows at a time ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `rows K skew s` of an M-loop demands:
//
//     mloop %t levels(0 up, 1 up) rows 4 skew 1 {
//       store @A = add(@A@(-1,0), @A@(0,-1))
//     }
//
// Row r of a group is at column t - s r in step t. An element that is read at
// the distance (rows, columns) is thus at hand in step t + columns + s rows:
//
//   rows < 0      it must be stored before, by a row before: that step is not
//                 later than this one, columns + s rows <= 0
//   rows > 0      it must still be what it was, and the row behind overwrites
//                 it: columns + s rows >= 0
//   rows = 0      both are in one row, which keeps its order
//
// In a step rows go one after the other, so the same step will do. Loops around
// the two do not matter: groups lie in one of their steps. A larger skew than
// the least one is right as well. Along a strided dimension distances are less
// than offsets say; that of rows is then taken to be 1, the least there is.
//
// Cost: the elements of the body times the arrays that it stores.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/SkewedRows.h"
#include "Verify/Declarations.h"
#include "Verify/LoopForms.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/Carries.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace zpl::air {

RowLoops rowLoops(const MLoopStmt &loop) {
  RowLoops loops;
  for (const LoopLevel &level : loop.levels)
    if (!level.flat)
      loops = {loops.columns, &level};
  if (!loops.rows)
    loops.columns = nullptr;
  return loops;
}

std::optional<RowDistance> rowDistance(const MLoopStmt &loop,
                                       const ElementExpr &element) {
  RowLoops loops = rowLoops(loop);
  auto along = [&](const LoopLevel &level) {
    int64_t component = element.offset[level.dim];
    return level.down ? -component : component;
  };
  for (const LoopLevel &level : loop.levels)
    if (&level != loops.rows && &level != loops.columns &&
        element.offset[level.dim] != 0)
      return std::nullopt;
  return RowDistance{along(*loops.rows), along(*loops.columns)};
}

/// Visits the element at the root of each place that an operation writes.
static void forEachStored(const MLoopStmt &loop,
                          function_ref<void(const ElementExpr &)> visit) {
  for (const ElementOp &op : loop.body) {
    if (op.target)
      visit(*rootElement(op.target));
    if (op.kind != ElementOp::Call)
      continue;
    for (const Argument &arg : cast<CallExpr>(op.value)->args)
      if (auto *element = arg.place ? rootElement(arg.place) : nullptr)
        visit(*element);
  }
}

bool mayBeStored(const Module &module, const MLoopStmt &loop,
                 const Array &array, bool mayAlias) {
  bool found = false;
  forEachStored(loop, [&](const ElementExpr &stored) {
    found |= mayBeSame(module, *stored.array, array, mayAlias);
  });
  return found;
}

/// Why rows of the M-loop are not worked on together whatever their offsets;
/// empty: they may be.
static StringRef whyNeverSkewed(const MLoopStmt &loop) {
  if (!rowLoops(loop).rows)
    return "there is one loop only";
  for (const ElementOp &op : loop.body)
    if (op.delay != 0 || op.accumulates || op.kind == ElementOp::Accumulate)
      return "it accumulates or has delayed parts";
    else if (op.kind == ElementOp::Let)
      return "values are carried along its rows";
  bool stores = false;
  forEachStored(loop, [&](const ElementExpr &stored) {
    stores |=
        isOneForMany(*stored.array, *loop.region) && !stored.array->isCarries();
  });
  if (stores)
    return "it stores into a grid dimension, index by index";
  bool carriesOn = false;
  RowLoops loops = rowLoops(loop);
  for (const Array *array : carriedAlong(loop))
    carriesOn |= isPerProcessor(array->shape[loops.rows->dim]) &&
                 isPerProcessor(array->shape[loops.columns->dim]);
  if (carriesOn)
    return "a scan goes on from row to row";
  bool hasLines = false;
  forEachStored(loop, [&](const ElementExpr &stored) {
    hasLines |= stored.array->isContracted() && !stored.array->isPerIndex();
  });
  return hasLines ? "it has an array that is contracted to rows" : "";
}

std::optional<unsigned> leastSkew(const Module &module, const MLoopStmt &loop,
                                  bool mayAlias, std::string &why) {
  why = whyNeverSkewed(loop).str();
  if (!why.empty())
    return std::nullopt;
  DimKind rowKind = loop.region->shape[rowLoops(loop).rows->dim];
  int64_t least = 0;
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (!element || !mayBeStored(module, loop, *element->array, mayAlias))
      return;
    std::optional<RowDistance> at = rowDistance(loop, *element);
    if (!at || at->rows == 0)
      return;
    int64_t rows = rowKind == DimKind::Strided ? 1 : std::abs(at->rows);
    int64_t ahead = at->rows < 0 ? at->columns : -at->columns;
    if (ahead > 0)
      least = std::max<int64_t>(least, divideCeil(ahead, rows));
  });
  if (least > int64_t(MLoopStmt::MaxSkew)) {
    why = "a row would have to be " + std::to_string(least) +
          " elements behind the one before it";
    return std::nullopt;
  }
  return static_cast<unsigned>(least);
}

bool verifySkewedRows(Verifying &state, const MLoopStmt &s) {
  if (s.rows == 1)
    return s.skew == 0 || fail(state, s.range, "single rows are skewed");
  std::string why;
  std::optional<unsigned> least =
      leastSkew(state.module, s, state.proc->mayAlias, why);
  if (!least)
    return fail(state, s.range, "an M-loop has skewed rows, but " + why);
  return s.skew >= *least ||
         fail(state, s.range,
              "rows are to be skewed by " + Twine(*least) +
                  " at least: what is read of another row is stored "
                  "too early or too late");
}

} // namespace zpl::air
