//===- BlockLoops.cpp - M-loops in blocks ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @Box levels(0 up, 1 up, 2 up) {     T : <.., *, ..>
//       accumulate sum %T, mul(@A, @B)          A : <.., .., *>
//     }                                         B : <*, .., ..>
//  =>
//     mloop @Box levels(0 up unroll 4, 1 up unroll 4 tile 64, 2 up tile 512) {
//
// What a loop needs of memory is known here: an array with an element for many
// indices of a level is read again at each of them. Three levels have a role:
//
//   column   the innermost, along rows of the targets: LLVM makes vectors of it
//   sum      a level in which no target moves: repetitions, or the dimension
//            that a partial reduction reduces; the innermost such level
//   row      a level in which the targets move and something that is read does
//            not; the innermost such level. There need not be one
//
// The model, for each column (a vector of them):
//
//   1. `unroll u` of the sum: a target is loaded and stored once for u terms.
//      `unroll r` of the row: what stands still there is loaded once for r
//      rows. Four of each, fewer while there are more than 32 operations or
//      more than 16 scalars that stand still in the innermost loop.
//   2. With a row, columns in tiles of 512, terms in tiles of 64: what stands
//      still in rows, 256 KB of doubles for each array, is read from the second
//      cache by all rows but the first. Tiles of terms change the
//      order of the sum if another level is part of it: then there are none,
//      nor are there of repetitions, whose number is small. Of single bytes
//      tiles are as long in memory, 4096 columns: a tile is a loop over rows,
//      of which each may be left out (CodeGen's RowTests.cpp).
//   3. Row, sum and column become the innermost levels in this order.
//
// An element is taken through its terms in the order of the levels, which these
// changes keep. Under a mask that holds for the terms which the mask leaves: the
// copies of a term compute it everywhere and choose (LowerElementOps.cpp), so
// it must be cheap and exist (Speculation.h).
//
// Cost: linear in the accesses times the levels.
//
//===----------------------------------------------------------------------===//

#include "Loops/BlockLoops.h"
#include "Communication/TransferEdits.h"
#include "Loops/RemapTiles.h"
#include "zpl/Analysis/Speculation.h"
#include "zpl/ArrayIR/LaneRows.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace zpl::air {
namespace {

constexpr unsigned Factor = 4;       ///< at most, of rows and of terms
constexpr unsigned MostOps = 32;     ///< in the innermost loop
constexpr unsigned MostScalars = 16; ///< that wait in registers
constexpr unsigned ColumnsPerTile = 512;
constexpr unsigned BytesPerTile = 4096; ///< columns of one byte
constexpr unsigned TermsPerTile = 64;

/// Whether all indices of a level are taken upward, one after the other.
bool isPlain(const MLoopStmt &loop, const LoopLevel &level) {
  return level.isTimes ||
         (!level.down && loop.region->shape[level.dim] != DimKind::Strided);
}

std::string obstacleIn(const ElementOp &op) {
  bool isStored =
      op.kind == ElementOp::Store || op.kind == ElementOp::Accumulate;
  if (!isStored || op.delay != 0 || op.accumulator)
    return "it has parts, reductions to scalars or calls; give the product a "
           "statement of its own";
  if (op.guard && !maySpeculate(op, RunTimeChecks()))
    return "it is under a mask, and its value costs much or may not exist "
           "where "
           "that is false; write a region instead of the mask";
  return isa<ElementExpr>(op.target) ? "" : "parts of elements are stored";
}

class LoopBlocker {
public:
  LoopBlocker(MLoopStmt &loop, Module &module, PassContext &context)
      : loop(loop), module(module), context(context) {
    for (const ElementOp &op : loop.body)
      if (op.target)
        targets.insert(rootElement(op.target)->array);
    forEachExpr(loop, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (element && !targets.contains(element->array))
        operands.insert(element->array);
    });
  }

  void run() {
    bool isOrdered =
        any_of(targets, [](const Array *a) { return a->isCarries(); });
    if (isOrdered || !findRoles())
      return;
    std::string why = obstacleToBlocks(loop, module);
    if (why.empty() && !isPlain(loop, loop.levels[sum]))
      why = "its sum is over a strided dimension, or downward; write a range "
            "that rises by 1";
    if (why.empty())
      block();
    else
      context.missed(loop.range, "not blocked: " + why);
  }

private:
  bool moves(const Array &array, const LoopLevel &level) const {
    return level.isTimes
               ? array.panel >= 0
               : !level.flat && !isPerProcessor(array.shape[level.dim]);
  }

  bool allMove(const LoopLevel &level) const {
    return all_of(targets,
                  [&](const Array *array) { return moves(*array, level); });
  }

  bool noneMoves(const LoopLevel &level) const {
    return none_of(targets,
                   [&](const Array *array) { return moves(*array, level); });
  }

  bool oneStands(const LoopLevel &level) const {
    return any_of(operands,
                  [&](const Array *array) { return !moves(*array, level); });
  }

  /// False if there is nothing to gain: no sum around the innermost loop.
  bool findRoles() {
    for (auto [number, level] : enumerate(loop.levels))
      if (!level.flat)
        column = int(number);
    for (int number = 0; number < column; ++number) {
      const LoopLevel &level = loop.levels[number];
      if (level.flat)
        continue;
      if (noneMoves(level)) {
        sum = number;
        ++sums;
      } else if (!allMove(level)) {
        return false; // it is part of the sums of some targets
      } else if (oneStands(level) && isPlain(loop, level)) {
        row = number;
      }
    }
    return sum >= 0 && !targets.empty() && !operands.empty();
  }

  /// How many values that stand still in the innermost loop its copies read.
  unsigned scalars(unsigned rows, unsigned terms) const {
    unsigned count = 0;
    for (const Array *array : operands) {
      if (moves(*array, loop.levels[column]))
        continue;
      unsigned values = moves(*array, loop.levels[sum]) ? terms : 1;
      count +=
          row >= 0 && moves(*array, loop.levels[row]) ? values * rows : values;
    }
    return count;
  }

  void block() {
    const Figures &most = context.figures;
    unsigned terms = most.blockFactor, rows = row >= 0 ? terms : 1;
    auto isTooMuch = [&] {
      return loop.body.size() * rows * terms > size_t(most.blockOperations) ||
             scalars(rows, terms) > most.blockScalars;
    };
    while (rows * terms > 1 && isTooMuch())
      (rows > terms ? rows : terms) /= 2;
    LoopLevel columnLevel = loop.levels[column], sumLevel = loop.levels[sum];
    sumLevel.unroll = terms;
    std::string text = std::to_string(terms) + " terms";
    if (row >= 0) {
      columnLevel.tile =
          largestElement(loop) == 1 ? most.blockByteColumns : most.blockColumns;
      if (!sumLevel.isTimes && sums == 1)
        sumLevel.tile = most.blockTerms;
      text += " of " + std::to_string(rows) + " rows";
    }
    SmallVector<LoopLevel, 6> order;
    for (auto [number, level] : enumerate(loop.levels))
      if (int(number) != column && int(number) != sum && int(number) != row)
        order.push_back(level);
    if (row >= 0) {
      order.push_back(loop.levels[row]);
      order.back().unroll = rows;
    }
    order.push_back(sumLevel);
    order.push_back(columnLevel);
    loop.levels.assign(order.begin(), order.end());
    context.count("loops");
    context.applied(
        loop.range,
        text + " at a time" +
            (row >= 0 ? ", in tiles that fit caches" +
                            context.measured({"block.columns", "block.terms"})
                      : ""));
  }

  MLoopStmt &loop;
  Module &module;
  PassContext &context;
  DenseSet<const Array *> targets, operands;
  int column = -1, sum = -1, row = -1; ///< in loop.levels
  unsigned sums = 0;                   ///< levels that are part of the sum
};

} // namespace

std::string obstacleToBlocks(const MLoopStmt &loop, const Module &module) {
  if (loop.region->isSparse)
    return "the region is sparse";
  if (loop.time.most)
    return "it runs several iterations in one sweep";
  DenseSet<const Array *> targets;
  for (const ElementOp &op : loop.body) {
    if (std::string why = obstacleIn(op); !why.empty())
      return why;
    targets.insert(rootElement(op.target)->array);
  }
  if (remaps(loop))
    return "it reads elements by maps; gather them first";
  unsigned last = loop.region->rank() - 1;
  auto rows = find_if(reverse(loop.levels),
                      [](const LoopLevel &level) { return !level.flat; });
  if (loop.rows != 1 || rows == loop.levels.rend() || rows->dim != last ||
      !isPlain(loop, *rows) || any_of(targets, [&](const Array *array) {
        return isPerProcessor(array->shape[last]);
      }))
    return "its innermost loop is not along rows of what it stores; give the "
           "result a range in its last dimension";
  std::string why;
  forEachExpr(loop, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (!element)
      return;
    const Array &array = *element->array;
    if (array.isContracted())
      why = sourceName(array) + " is contracted";
    if (array.shape[last] == DimKind::Strided)
      why = sourceName(array) + " is strided; multiply a copy that is not";
    bool isTarget = targets.contains(&array);
    if (!isTarget && any_of(targets, [&](const Array *target) {
          return mayBeSame(module, *target, array, /*mayAlias=*/false);
        }))
      why = sourceName(array) +
            " may be stored under another name; pass separate arrays";
    if (isTarget && element->isShifted())
      why = sourceName(array) + " is read at another index";
  });
  return why;
}

void blockLoops(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures) {
    if (procedure->mayAlias)
      continue;
    forEachMLoop(procedure->body, [&](MLoopStmt &loop, bool inWave) {
      if (!loop.walkers.empty() || inWave)
        return;
      if (remaps(loop))
        tileRemaps(loop, context);
      else
        LoopBlocker(loop, module, context).run();
    });
  }
}

} // namespace zpl::air
