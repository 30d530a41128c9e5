//===- ReadPositions.cpp - Where elements are read from -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     shift {%T by (@dir[i32 0, i32 1][0], ...) wrap, ...} @A
//
//     @A@(1,0)   array @A, offset (1,0), no frame
//     %T         array @A, offset (0,1), frame "wraps, of @dir"
//
// Cost: linear in the expressions of a loop.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/ReadPositions.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

Views viewsOf(const Procedure &procedure) {
  Views views;
  forEachStmt(procedure.body, [&](const Stmt &stmt) {
    if (auto *shift = dyn_cast<ShiftStmt>(&stmt))
      for (auto [i, view] : enumerate(shift->views))
        views[view.target] = {shift, i};
  });
  return views;
}

ReadPositions::ReadPositions(const MLoopStmt &loop, const Views &views)
    : views(views) {
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    ReadPosition position;
    if (element && shiftOf(element->array, position))
      frames.try_emplace(position.array, position.frame);
  });
}

/// The position of a view, if its direction looks like one.
bool ReadPositions::shiftOf(const Array *array, ReadPosition &position) {
  auto it = views.find(array);
  if (it == views.end())
    return false;
  auto [shift, number] = it->second;
  const ShiftView &view = shift->views[number];
  std::optional<DirectionGuesses::Guess> guess = guesses.of(view.direction);
  if (!guess)
    return false;
  position = {shift->source, guess->offset, {view.wraps}};
  append_range(position.frame, guess->base);
  return true;
}

std::optional<ReadPosition> ReadPositions::of(const ElementExpr &element) {
  ReadPosition position{element.array, element.offset, {}};
  if (views.contains(element.array)) {
    if (element.isShifted() || !shiftOf(element.array, position))
      return std::nullopt;
  } else if (!element.isShifted()) {
    position.frame = frames.lookup(element.array);
  }
  return position;
}

} // namespace zpl::air
