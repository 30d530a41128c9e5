//===- LoopDirections.cpp - Ways through an index set ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] A := A - c * (A - A@west)             upwind
//
//     mloop @R levels(0 up, 1 up) {             mloop @R levels(0 up, 1 down) {
//       store %T = ...@A...@A@(0,-1)              store %T = ...@A...@A@(0,-1)
//     }                                   =>      store @A = %T
//     mloop @R levels(0 up, 1 up) {             }
//       store @A = %T
//     }
//
// From east to west, an index is done before the one from which it reads: then
// A@west still is what it was, and T is a register. If what is read lies on
// several sides there is no such way, unless it lies in other rows: with
// A@north, from the south to the north, the columns may be taken in any order.
//
// An offset lies ahead if its first component that is not 0, in the order of
// the levels, points along its level. Components of flat levels lead out of the
// region, to what nothing stores.
//
// Rows of half a dozen offsets would be too many: LLVM makes vectors of such a
// loop after it has compared the addresses of what is stored with those of each
// other row that is read. There are delayed parts for these.
//
// Figures, seconds for A := (A@east + A@south) / 2 on an Intel Xeon (Emerald
// Rapids), in place and with new values a row behind: 2000 x 2000, 100 times,
// 0.13 and 0.23; 500 x 500, 2000 times, 0.13 both. Downward the same.
//
// Cost: pairs of accesses of arrays that may share storage, times two to the
// number of levels.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/LoopDirections.h"
#include "zpl/ArrayIR/GuardClasses.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <set>

using namespace llvm;

namespace zpl::air {

/// Rows of what is stored that are read beside it.
constexpr unsigned MostRows = 4;

void LoopDirections::add(const ElementOp &reader, const ElementOp &writer,
                         const Region *region) {
  const ElementExpr *target =
      writer.target ? rootElement(writer.target) : nullptr;
  isPossible &= writer.kind != ElementOp::Call;
  if (!target)
    return;
  forEachElement(reader, [&](const ElementExpr &read, const Expr *guard) {
    if (read.array != target->array) {
      // A view, or another name of it, may be anywhere.
      isPossible &= !aliases.mayHold({target->array}, read.array);
      return;
    }
    if (read.isShifted() &&
        !strides.isIndependentOfItself(*read.array, region, read.offset) &&
        !guardsKeepApart(guard, writer.guard, *read.array, read.offset))
      ahead.push_back({read.array, read.offset});
  });
}

void LoopDirections::add(const MLoopStmt &loop) {
  DenseMap<const void *, SmallVector<const ElementOp *, 4>> writers;
  for (const ElementOp &op : loop.body) {
    isPossible &= op.kind != ElementOp::Call;
    if (const ElementExpr *target =
            op.target ? rootElement(op.target) : nullptr)
      writers[aliases.groupOf(target->array)].push_back(&op);
  }
  for (const ElementOp &reader : loop.body) {
    SmallPtrSet<const void *, 4> seen;
    forEachElement(reader, [&](const ElementExpr &read, const Expr *) {
      const void *group = aliases.groupOf(read.array);
      if (!seen.insert(group).second)
        return;
      for (const ElementOp *writer : writers.lookup(group))
        if (reader.delay == writer->delay)
          add(reader, *writer, loop.region);
    });
  }
}

bool LoopDirections::add(ArrayRef<const ElementOp *> first,
                         ArrayRef<const ElementOp *> second,
                         const Region *region) {
  size_t before = ahead.size();
  for (const ElementOp *reader : first)
    for (const ElementOp *writer : second)
      add(*reader, *writer, region);
  return ahead.size() != before;
}

/// Whether the offset's first component, by levels, points along its level.
static bool isAhead(const Offset &offset, ArrayRef<LoopLevel> levels) {
  for (const LoopLevel &level : levels)
    if (!level.flat && offset[level.dim] != 0)
      return level.down == (offset[level.dim] < 0);
  return true;
}

bool LoopDirections::hold(ArrayRef<LoopLevel> levels) const {
  return all_of(
      ahead, [&](const auto &entry) { return isAhead(entry.second, levels); });
}

bool LoopDirections::choose(MutableArrayRef<LoopLevel> levels) const {
  std::set<std::pair<const Array *, Offset>> rows;
  const LoopLevel *inner = nullptr;
  SmallVector<LoopLevel *, 6> loops;
  for (LoopLevel &level : levels)
    if (!level.flat)
      loops.push_back(&level), inner = &level;
  for (auto [array, offset] : ahead) {
    if (inner)
      offset[inner->dim] = 0;
    if (any_of(offset, [](int64_t component) { return component != 0; }))
      rows.insert({array, offset});
  }
  if (!isPossible || rows.size() > MostRows)
    return false;
  SmallVector<LoopLevel, 6> old(levels.begin(), levels.end());
  for (unsigned ways = 0; ways < 1U << loops.size(); ++ways) {
    for (auto [i, level] : enumerate(loops))
      level->down = (ways >> i & 1) != 0;
    if (hold(levels))
      return true;
  }
  std::copy(old.begin(), old.end(), levels.begin());
  return false;
}

} // namespace zpl::air
