//===- OwnSteps.cpp - Own indices of one dimension by number --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     1..20 by 3 in blocks of 5, dealt out to two      own here: 1 4 13
//                                                      steps:    0 1  2
//
// Steps number the own indices of a dimension; of one piece, with any stride,
// the index is computed, of several, as in block-cyclic distributions, it is
// looked up in a list.
//
// Pieces of indices that a program writes, in any order, become ranges of steps:
// cut to what is there, sorted and joined. Windows are as many pieces as there
// are. Mostly each row has its few pieces in the order of the row before, which
// is tried first.
//
// Cost: of a step a few instructions, or a binary search; of ranges sorting them.
//
//===----------------------------------------------------------------------===//

#include "Sparse/OwnSteps.h"

#include <numeric>

namespace zrt {

OwnSteps::OwnSteps(const IndexOwners &owners, int d, const Seq &indices) {
  std::vector<Seq> parts = owners.partsOf(d, indices);
  for (const Seq &part : parts)
    total += size(part);
  if (parts.empty())
    return;
  lo = parts.front().lo;
  stride = parts.front().stride;
  if (parts.size() == 1)
    return;
  list.reserve(static_cast<size_t>(total));
  for (const Seq &part : parts)
    for (int64_t index = part.lo; index <= part.hi; index += part.stride)
      list.push_back(static_cast<int32_t>(index));
}

int64_t OwnSteps::searchFrom(int64_t index, int64_t begin, int64_t end) const {
  if (!list.empty())
    return std::lower_bound(list.begin() + begin, list.begin() + end, index) -
           list.begin();
  if (index <= lo)
    return begin;
  return std::clamp((index - lo + stride - 1) / stride, begin, end);
}

void PieceSteps::start(const OwnSteps &theAlong, int64_t theBegin,
                       int64_t theEnd) {
  along = &theAlong;
  begin = theBegin;
  end = theEnd;
  lo = along->at(begin);
  hi = along->at(end - 1);
}

/// Makes ranges of all pieces, if these come in order.
bool PieceSteps::join(std::span<const zrt_piece> pieces) {
  int64_t origin = begin - lo;
  count = 0;
  for (size_t number : order) {
    int64_t from = std::max(pieces[number].from, lo) + origin;
    int64_t to = std::min(pieces[number].to, hi) + origin;
    if (from > to)
      continue;
    StepRange *last = count > 0 ? &ranges[count - 1] : nullptr;
    if (!last || from > last->end)
      ranges[count++] = {from, to + 1};
    else if (from >= last->begin)
      last->end = std::max(last->end, to + 1);
    else
      return false;
  }
  return true;
}

void PieceSteps::sort(std::span<const zrt_piece> pieces) {
  ranges.resize(pieces.size() + 1);
  order.resize(pieces.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t one, size_t other) {
    return std::max(pieces[one].from, lo) < std::max(pieces[other].from, lo);
  });
}

std::span<const StepRange>
PieceSteps::of(std::span<const zrt_piece> pieces,
               std::span<const zrt_windows> windows) {
  if (windows.empty() && along->isDense()) {
    if (order.size() != pieces.size() || !join(pieces)) {
      sort(pieces);
      join(pieces);
    }
    return std::span(ranges).first(count);
  }
  order.clear();
  ranges.clear();
  for (const zrt_piece &piece : pieces)
    add(piece.from, piece.to);
  for (const zrt_windows &each : windows)
    add(each);
  auto isBefore = [](const StepRange &a, const StepRange &b) {
    return a.begin < b.begin;
  };
  if (!std::is_sorted(ranges.begin(), ranges.end(), isBefore))
    std::sort(ranges.begin(), ranges.end(), isBefore);
  size_t kept = 0;
  for (const StepRange &range : ranges)
    if (kept > 0 && range.begin <= ranges[kept - 1].end)
      ranges[kept - 1].end = std::max(ranges[kept - 1].end, range.end);
    else
      ranges[kept++] = range;
  return std::span(ranges).first(kept);
}

void PieceSteps::add(int64_t from, int64_t to) {
  from = std::max(from, lo);
  to = std::min(to, hi);
  if (from > to)
    return;
  StepRange range = {along->firstFrom(from, begin, end),
                     along->firstFrom(to + 1, begin, end)};
  if (range.begin == range.end)
    return;
  ranges.push_back(range);
}

void PieceSteps::add(const zrt_windows &windows) {
  int64_t from = std::max(windows.from, lo), to = std::min(windows.to, hi);
  if (from > to || windows.width <= 0)
    return;
  // The last window that begins at `from` or before it, and those behind.
  int64_t beyond = (from - windows.base) % windows.period;
  int64_t at = from - (beyond < 0 ? beyond + windows.period : beyond);
  for (; at <= to; at += windows.period)
    add(std::max(at, from), std::min(at + windows.width - 1, to));
}

} // namespace zrt
