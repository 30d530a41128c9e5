//===- LoopOrder.cpp - M-loops whose indices need no order ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R { store @B = add(@A@(0,1), @A) }      any order
//     mloop @R { store @A = @A@(0,1) }               its own
//     mloop @R { store @A = @A@(0,1) where red }     any, if guards count
//
// An index depends on another one if it reads at an offset what that one
// stores. Strides (KnownStrides.h) and guards (GuardClasses.h) may keep the two
// apart.
//
// Cost: pairs of accesses.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/LoopOrder.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/GuardClasses.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

const ElementExpr *readsStored(const MLoopStmt &reader, const MLoopStmt &writer,
                               const KnownStrides *strides) {
  auto isApart = [&](const ElementExpr &read, const Expr *guard,
                     const ElementOp &store) {
    if (!strides)
      return false;
    return guardsKeepApart(guard, store.guard, *read.array, read.offset) ||
           (&reader == &writer
                ? strides->isIndependentOfItself(*read.array, reader.region,
                                                 read.offset)
                : strides->areIndependent(*read.array, writer.region,
                                          reader.region, read.offset));
  };
  const ElementExpr *found = nullptr;
  for (const ElementOp &op : reader.body)
    forEachElement(op, [&](const ElementExpr &element, const Expr *guard) {
      if (element.isShifted() &&
          any_of(writer.body, [&](const ElementOp &store) {
            return store.target &&
                   rootElement(store.target)->array == element.array &&
                   !isApart(element, guard, store);
          }))
        found = &element;
    });
  return found;
}

const Array *onlyStored(const MLoopStmt &loop) {
  if (loop.body.size() != 1)
    return nullptr;
  const ElementOp &op = loop.body.front();
  auto *target = dyn_cast_or_null<ElementExpr>(op.target);
  bool isOnly = op.kind == ElementOp::Store && !op.guard && target &&
                !target->array->isContracted() &&
                !readsStored(loop, loop, nullptr);
  return isOnly ? target->array : nullptr;
}

bool haveSameLevels(const MLoopStmt &a, const MLoopStmt &b) {
  return std::equal(a.levels.begin(), a.levels.end(), b.levels.begin(),
                    b.levels.end(), [](const auto &x, const auto &y) {
                      return x.dim == y.dim && x.flat == y.flat &&
                             x.down == y.down;
                    });
}

/// What \p mayRunInBoxes asks, but of where contracted arrays lie.
static bool hasNoOrder(const MLoopStmt &loop, const KnownStrides *strides) {
  // The boxes are of indices.
  bool good = !readsStored(loop, loop, strides) && !isScattered(*loop.region) &&
              !loop.region->isSparse && !loop.time.most;
  for (const ElementOp &op : loop.body) {
    const ElementExpr *target = op.target ? rootElement(op.target) : nullptr;
    good &= op.delay == 0 && op.kind != ElementOp::Call;
    if (!target)
      continue;
    good &= op.kind == ElementOp::Accumulate
                ? !is_contained(target->array->shape, DimKind::Grid)
                : !isOneForMany(*target->array, *loop.region);
  }
  forEachExpr(loop, [&](const Expr &e) { good &= !isa<CallExpr>(e); });
  return good;
}

bool mayRunInBoxes(const MLoopStmt &loop, const KnownStrides *strides) {
  return hasNoOrder(loop, strides) &&
         none_of(loop.body, [](const ElementOp &op) {
           const ElementExpr *target =
               op.target ? rootElement(op.target) : nullptr;
           return target && target->array->isContracted() &&
                  !target->array->isPerIndex();
         });
}

bool mayRunInStrips(const MLoopStmt &loop, unsigned dim,
                    const KnownStrides *strides) {
  auto isWhole = [&](const ElementExpr &element) {
    const Array &array = *element.array;
    if (!array.isContracted() || array.isPerIndex())
      return true;
    // Whole rows, of which a strip has as many as it needs.
    bool good = !element.isShifted() && !array.fetched;
    for (const LoopLevel &level : loop.levels)
      good &= !level.flat && !level.isTimes &&
              (level.dim == dim || array.lines[level.dim] == AllLines);
    return good && loop.levels.front().dim == dim;
  };
  bool good = hasNoOrder(loop, strides);
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    good &= !element || isWhole(*element);
  });
  return good;
}

} // namespace zpl::air
