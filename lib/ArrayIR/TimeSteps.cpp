//===- TimeSteps.cpp - The array IR: iterations in one M-loop -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `steps %n of e lag L` of an M-loop demands:
//
//     mloop @R steps %n of %left lag 2 levels(0 up, 1 up) {
//       store %B = mul(add(@A@(-1,0), @A@(1,0)), f64 0.5)
//       after 1 {
//         store @A = %B
//       }
//     }
//
// In iteration c row i of an operation with delay d is executed in step
// i + d + c L of the outermost loop, counted in its direction; in one step
// iterations go one after the other, each its rows in the order of their
// delays. So of an operation with delay d in one iteration, and one with delay
// e in the next, which touch one array that one of them stores:
//
//   the later one reads at offset o, k rows ahead, what the first one stores:
//     row i wants row i + k, which is stored in step i + k + d:
//     i + e + L >= i + k + d
//   the later one stores what the first one reads k rows ahead: row i + k is
//     read in step i + d:  i + k + e + L >= i + d
//   both store it: as with k = 0
//
// The same step will do, for the later iteration comes after the first one in
// it, when that has done all of its row; so the other dimensions do not matter.
// An iteration farther behind is so by a multiple of L, and L is not negative.
//
// An array that is contracted to rows has room for those of all iterations: it
// is one like others. One that is contracted to less belongs to its row.
//
// With `swaps(@A for %B)` A and B take turns: iterations 0, 2, ... read A and
// store B, the others read B and store A, and the copy is executed by the last
// one if it has stored B. So what is copied counts as stored in A at once, for a
// shorter lag, and A as read where B is. The neighbours of an index
// outside of the region are always A's.
//
// Elements at other indices may be other processors'. Then an iteration computes
// what later ones read of theirs itself (StepGhosts.cpp): the k-th but last one
// k times `below` and `above` indices beside the block, from elements that are
// there before the first one. It is what the owner computes, if that follows
// from the index alone; and it has a place if the arrays are stored densely.
// Else such a loop takes one iteration at a time where there are others.
//
// Cost: pairs of accesses of one array.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/TimeSteps.h"
#include "Verify/Declarations.h"
#include "Verify/Expressions.h"
#include "Verify/LoopForms.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace zpl::air {

const LoopLevel *rowLevel(const MLoopStmt &loop) {
  auto isLoop = [](const LoopLevel &level) { return !level.flat; };
  if (count_if(loop.levels, isLoop) < 2 || loop.region->isSparse)
    return nullptr;
  const LoopLevel *row = &*find_if(loop.levels, isLoop);
  return row->isTimes || loop.region->shape[row->dim] == DimKind::Strided
             ? nullptr
             : row;
}

namespace {

/// An element that an operation touches.
struct TimedAccess {
  const Array *array;
  int64_t ahead; ///< rows, in the direction of the outermost loop
  int64_t delay;
  bool isStored;
};

} // namespace

static SmallVector<TimedAccess, 16> accessesOf(const MLoopStmt &loop,
                                               const LoopLevel &row) {
  SmallVector<TimedAccess, 16> result;
  DenseMap<const Array *, const Array *> swapped;
  for (const auto &[array, rows] : loop.time.swaps)
    swapped[rows] = array;
  for (const ElementOp &op : loop.body)
    forEachExpr(op, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (!element || (op.delay != 0 && !swapped.empty()))
        return;
      if (const Array *array = swapped.lookup(element->array)) {
        result.push_back({array, 0, 0, true});
        return;
      }
      if (element->array->isContracted() && element->array->lines[row.dim] == 1)
        return;
      int64_t rows = element->offset[row.dim];
      result.push_back({element->array, row.down ? -rows : rows, op.delay,
                        op.target && rootElement(op.target) == element});
    });
  return result;
}

/// Why iterations of the M-loop are executed one after the other whatever it
/// reads; empty: they need not be.
static std::string whyNeverTimed(const MLoopStmt &loop) {
  if (!rowLevel(loop))
    return "the loop has no rows, or not all of them";
  if (isScattered(*loop.region))
    return "its domain is scattered";
  if (loop.times || loop.rows != 1 || isInBlocks(loop) || !loop.awaits.empty())
    return "its elements are taken in another order";
  for (const ElementOp &op : loop.body) {
    if (op.kind == ElementOp::Accumulate || op.accumulates)
      return "it reduces, and the result is wanted after each iteration";
    if (op.kind == ElementOp::Call || op.streams)
      return "a procedure is called for each element";
    if (op.target &&
        (isOneForMany(*rootElement(op.target)->array, *loop.region) ||
         rootElement(op.target)->array->isCarries()))
      return "it stores elements that stand for many indices each";
  }
  std::string why;
  forEachExpr(loop, [&](const Expr &e) {
    if (isa<RemapExpr>(e))
      why = "it reads elements by maps";
    auto *call = dyn_cast<CallExpr>(&e);
    if (call && any_of(call->args, [](const Argument &a) { return a.place; }))
      why = "a procedure is called for each element";
  });
  return why;
}

std::optional<unsigned> leastLag(const Module &module, const MLoopStmt &loop,
                                 bool mayAlias, std::string &why) {
  why = whyNeverTimed(loop);
  if (!why.empty())
    return std::nullopt;
  SmallVector<TimedAccess, 16> all = accessesOf(loop, *rowLevel(loop));
  int64_t least = 0;
  for (const TimedAccess &a : all)
    for (const TimedAccess &b : all) {
      if (!a.isStored || !mayBeSame(module, *a.array, *b.array, mayAlias))
        continue;
      if (a.array != b.array) {
        why = "two of its arrays may be the same";
        return std::nullopt;
      }
      least = std::max({least, b.ahead + a.delay - b.delay, // then read
                        b.delay - a.delay - b.ahead});      // read before
    }
  if (least > int64_t(TimeSteps::MaxLag)) {
    why = "an iteration would have to stay " + std::to_string(least) +
          " rows behind the one before it";
    return std::nullopt;
  }
  return static_cast<unsigned>(least);
}

/// Whether rows of the array, or of one contracted to them, lie along the
/// innermost loop, element by element.
static bool hasPlainRows(const Array &array, const MLoopStmt &loop) {
  return array.shape == loop.region->shape &&
         array.domain == loop.region->domain && !array.family &&
         !array.isSparse && !array.element.isAggregate() &&
         all_of(array.shape,
                [](DimKind kind) { return kind == DimKind::Range; }) &&
         none_of(loop.levels, [](const LoopLevel &l) { return l.flat; }) &&
         loop.levels.back().dim + 1 == loop.region->rank();
}

/// The arrays of a copy of rows; null: it is none.
static std::pair<Array *, Array *> swapOf(const ElementOp &op,
                                          const MLoopStmt &loop) {
  auto *target = dyn_cast_or_null<ElementExpr>(op.target);
  auto *source = dyn_cast_or_null<ElementExpr>(op.value);
  if (op.kind != ElementOp::Store || op.guard || !target || !source ||
      source->isShifted() || target->array->isContracted() ||
      !source->array->isContracted() ||
      source->array->lines[loop.levels.front().dim] == 1 ||
      target->array->element != source->array->element ||
      !hasPlainRows(*target->array, loop) ||
      !hasPlainRows(*source->array, loop))
    return {};
  return {target->array, source->array};
}

/// Whether an operation reads rows of one of the pairs.
static bool readsRows(const ElementOp &op,
                      ArrayRef<std::pair<Array *, Array *>> swaps) {
  bool found = false;
  for (const Expr *root : {op.value, op.guard})
    if (root)
      forEachExpr(*root, [&](const Expr &e) {
        auto *element = dyn_cast<ElementExpr>(&e);
        found |= element && any_of(swaps, [&](const auto &pair) {
                   return pair.second == element->array;
                 });
      });
  return found;
}

SmallVector<std::pair<Array *, Array *>, 2> findSwaps(const MLoopStmt &loop) {
  SmallVector<std::pair<Array *, Array *>, 2> swaps;
  SmallPtrSet<const Array *, 4> arrays, rows;
  for (const ElementOp &op : loop.body)
    if (op.delay != 0) {
      swaps.push_back(swapOf(op, loop));
      auto [array, source] = swaps.back();
      if (!array || !arrays.insert(array).second || !rows.insert(source).second)
        return {};
    }
  for (const ElementOp &op : loop.body) {
    if (op.delay != 0)
      continue;
    const ElementExpr *target = op.target ? rootElement(op.target) : nullptr;
    // Each row is stored once, everywhere.
    bool isRow = target && op.kind == ElementOp::Store && op.target == target &&
                 !op.guard && rows.erase(target->array);
    if ((target && !isRow && !target->array->isContracted()) ||
        readsRows(op, swaps))
      return {};
  }
  if (!rows.empty())
    return {};
  return swaps;
}

unsigned rowsInFlight(const MLoopStmt &loop) {
  int64_t first = 0, last = 0;
  for (const TimedAccess &access : accessesOf(loop, *rowLevel(loop))) {
    first = std::min(first, access.ahead - access.delay);
    last = std::max(last, access.ahead - access.delay);
  }
  return static_cast<unsigned>(last - first + 1);
}

/// Whether an array has elements that are one for each processor, or that not
/// all of its owners' neighbours can have.
static bool isApart(const Array &array, const MLoopStmt &loop) {
  auto isOdd = [](DimKind kind) {
    return kind == DimKind::Strided || kind == DimKind::Grid;
  };
  return any_of(array.shape, isOdd) || array.isSparse ||
         array.domain != loop.region->domain;
}

StepReach stepReach(const MLoopStmt &loop) {
  StepReach reach;
  unsigned rank = loop.region->rank();
  reach.below.assign(rank, 0);
  reach.above.assign(rank, 0);
  reach.isAlone = is_contained(loop.region->shape, DimKind::Strided) ||
                  is_contained(loop.region->shape, DimKind::Grid);
  SmallPtrSet<const Array *, 8> stored;
  std::vector<TouchedElement> stores;
  for (const ElementOp &op : loop.body) {
    const ElementExpr *target = op.target ? rootElement(op.target) : nullptr;
    if (!target || target->array->isContracted())
      continue;
    reach.isAlone |= target->isShifted() || isApart(*target->array, loop);
    if (stored.insert(target->array).second)
      stores.push_back({target->array, Offset(rank, 0)});
  }
  auto note = [&](const ElementExpr &element) {
    const Array *array = element.array;
    if (array->isContracted()) {
      reach.isAlone |= element.isShifted() || array->fetched;
      return;
    }
    reach.isAlone |= isApart(*array, loop);
    TouchedElement read = {array, element.offset};
    if (!is_contained(reach.touched, read))
      reach.touched.push_back(read);
    for (unsigned d = 0; d < rank && stored.contains(array); ++d) {
      reach.below[d] = std::max(reach.below[d], -element.offset[d]);
      reach.above[d] = std::max(reach.above[d], element.offset[d]);
    }
  };
  for (const ElementOp &op : loop.body)
    forEachExpr(op, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (element && !(op.target && rootElement(op.target) == element))
        note(*element);
    });
  reach.reads = reach.touched.size();
  append_range(reach.touched, stores);
  return reach;
}

namespace {
/// How far beside the own block elements of each array that the loops store are
/// wanted, below and above.
using Needs = DenseMap<const Array *, std::pair<Offset, Offset>>;
} // namespace

/// Makes \p mine as large as \p other, moved by \p offset, in each dimension.
static void widen(std::pair<Offset, Offset> &mine,
                  const std::pair<Offset, Offset> &other,
                  const Offset &offset) {
  for (unsigned d = 0; d < offset.size(); ++d) {
    mine.first[d] = std::max(mine.first[d], other.first[d] - offset[d]);
    mine.second[d] = std::max(mine.second[d], other.second[d] + offset[d]);
  }
}

/// From what is wanted after an iteration, \p needs becomes what is wanted before
/// it; returns how far beside its block each of the loops computes.
static std::vector<std::pair<Offset, Offset>>
wantedBefore(ArrayRef<MLoopStmt> parts, Needs &needs) {
  std::vector<std::pair<Offset, Offset>> beside(parts.size());
  for (size_t p = parts.size(); p-- > 0;) {
    Offset here(parts[p].region->rank(), 0);
    beside[p] = {here, here};
    for (const ElementOp &op : parts[p].body)
      if (op.target)
        widen(beside[p], needs.at(rootElement(op.target)->array), here);
    forEachExpr(parts[p], [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      auto found = element ? needs.find(element->array) : needs.end();
      if (found != needs.end())
        widen(found->second, beside[p], element->offset);
    });
  }
  return beside;
}

/// The elements that the loops touch, those that they read first, each once, as
/// far beside the index as the loop is that touches it.
static void noteTouched(ArrayRef<MLoopStmt> parts, StripReach &reach) {
  auto add = [&](const Array *array, size_t part, const Offset &offset) {
    for (bool isBelow : {true, false}) {
      Offset at = offset;
      for (unsigned d = 0; d < at.size(); ++d)
        at[d] += isBelow ? -reach.beside[part].first[d]
                         : reach.beside[part].second[d];
      if (!is_contained(reach.touched, TouchedElement(array, at)))
        reach.touched.push_back({array, at});
    }
  };
  auto visit = [&](bool isStored) {
    for (auto [p, part] : enumerate(parts))
      for (const ElementOp &op : part.body)
        forEachExpr(op, [&](const Expr &e) {
          auto *element = dyn_cast<ElementExpr>(&e);
          bool isTarget =
              element && op.target && rootElement(op.target) == element;
          if (element && !element->array->isContracted() &&
              isTarget == isStored)
            add(element->array, p, element->offset);
        });
  };
  visit(/*isStored=*/false);
  reach.reads = reach.touched.size();
  visit(/*isStored=*/true);
}

StripReach stripReach(ArrayRef<MLoopStmt> parts) {
  StripReach reach;
  unsigned rank = parts.front().region->rank();
  Offset none(rank, 0);
  Needs needs;
  for (const MLoopStmt &part : parts) {
    reach.isAlone |= any_of(part.region->shape, [](DimKind kind) {
      return kind == DimKind::Strided || kind == DimKind::Grid;
    });
    for (const ElementOp &op : part.body)
      if (op.target)
        needs[rootElement(op.target)->array] = {none, none};
    forEachExpr(part, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      reach.isAlone |=
          isa<RemapExpr>(e) || (element && !element->array->isContracted() &&
                                isApart(*element->array, part));
    });
  }
  reach.beside = wantedBefore(parts, needs);
  // If the next iteration wanted x of all arrays instead of nothing, each loop
  // would compute x more, and so would want x more. What it wants of them is at
  // most the largest of these, so that much more each iteration before.
  reach.below = reach.above = none;
  for (const auto &[array, wanted] : needs)
    for (unsigned d = 0; d < rank; ++d) {
      reach.below[d] = std::max(reach.below[d], wanted.first[d]);
      reach.above[d] = std::max(reach.above[d], wanted.second[d]);
    }
  noteTouched(parts, reach);
  return reach;
}

/// Whether iterations of the M-loop read at another index what it stores.
static bool readsBeside(const StepReach &reach) {
  auto isFar = [](int64_t distance) { return distance != 0; };
  return any_of(reach.below, isFar) || any_of(reach.above, isFar);
}

bool maySeekRoom(const MLoopStmt &loop) {
  return loop.time.most &&
         (loop.time.wraps != 0 || readsBeside(stepReach(loop)));
}

bool mayBring(const MLoopStmt &loop, const Transfer &transfer) {
  StepReach reach = stepReach(loop);
  auto reads = ArrayRef(reach.touched).take_front(reach.reads);
  return readsBeside(reach) && transfer.region == loop.region &&
         !transfer.items.empty() &&
         all_of(transfer.items, [&](const auto &item) {
           return is_contained(reads, TouchedElement(item.first, item.second));
         });
}

std::string whyNotAround(const MLoopStmt &loop, uint32_t wraps) {
  StepReach reach = stepReach(loop);
  if (reach.isAlone)
    return "what it computes beyond its region has no place there";
  for (const auto &[array, offset] : reach.touched)
    for (unsigned d = 0; d < offset.size(); ++d)
      if (offset[d] != 0 && !(wraps >> d & 1))
        return "it reads around in some dimensions, and beyond in others";
  std::string why;
  forEachExpr(loop, [&](const Expr &e) {
    auto *index = dyn_cast<IndexExpr>(&e);
    if (index && wraps >> index->dim & 1)
      why = "it reads the index, which is another one at the region's other "
            "end";
  });
  return why;
}

/// Dimensions beyond whose ends the other end comes.
static bool verifyWraps(Verifying &state, const MLoopStmt &s) {
  uint32_t wraps = s.time.wraps;
  if (wraps == 0)
    return true;
  if (wraps >> s.region->rank() != 0)
    return fail(state, s.range, "the dimensions that wrap are the region's");
  if (!s.time.brings.empty())
    return fail(state, s.range, "time steps that wrap bring nothing");
  std::string why = whyNotAround(s, wraps);
  return why.empty() || fail(state, s.range, "time steps do not wrap: " + why);
}

/// Transfers of which the loop is all points.
static bool verifyBrings(Verifying &state, const MLoopStmt &s) {
  for (const Transfer *transfer : s.time.brings) {
    if (!visible(state, transfer, s.range))
      return false;
    if (!mayBring(s, *transfer))
      return fail(state, s.range,
                  "time steps bring what they read, over their region: " +
                      printedName(*transfer));
  }
  return true;
}

bool verifyCounts(Verifying &state, const TimeSteps &time, SourceRange range) {
  if (!typed(state, time.most, Type::I64, range) ||
      !visible(state, time.taken, range))
    return false;
  if (time.taken->type != Type::I64 || time.taken->storage != Storage::Local)
    return fail(state, range, "time steps are counted in a local i64");
  const Variable *clock = time.clock;
  if (clock && (!visible(state, clock, range) || !clock->type.isInteger() ||
                clock->storage == Storage::Param))
    return fail(state, range, "a clock is an integer, and no parameter");
  return true;
}

bool verifyTimeSteps(Verifying &state, const MLoopStmt &s) {
  if (!s.time.most)
    return true;
  std::string why;
  std::optional<unsigned> least =
      leastLag(state.module, s, state.proc->mayAlias, why);
  if (!least)
    return fail(state, s.range, "an M-loop has time steps, but " + why);
  if (!verifyCounts(state, s.time, s.range))
    return false;
  if (!s.time.swaps.empty() && s.time.swaps != findSwaps(s))
    return fail(state, s.range,
                "arrays take turns that the loop does not copy, or not all do");
  if (!verifyBrings(state, s) || !verifyWraps(state, s))
    return false;
  return s.time.lag >= *least ||
         fail(state, s.range,
              "time steps lag by " + Twine(*least) +
                  " rows at least: what is read of another row is stored "
                  "too early or too late");
}

} // namespace zpl::air
