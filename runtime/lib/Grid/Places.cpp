//===- Places.cpp - Where a processor has scattered indices ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of 1..9 over two parts, with the places of each part's indices:
//
//     cyclic           part 0: 1 3 5 7 9    one segment, places 0..4
//                      part 1: 2 4 6 8
//     blockcyclic(2)   part 0: 1 2  5 6  9  segments 1..2, 5..6, 9..9
//                      part 1: 3 4  7 8     at the places 0, 2, 4 and 0, 2
//
// What a procedure says is taken index by index and joined to segments as long
// as the distance stays (dissertation 4.7.3).
//
// Any range of indices, cut with what a part owns, is one range of places: a
// loop over places is a loop without gaps in memory. Looking one up is a binary
// search in the segments.
//
// Segments that hold the first or last index are continued beyond it, by a
// segment of their own where they have gaps, so that indices of regions that
// were not known when the dimension was distributed have owners, too.
//
//===----------------------------------------------------------------------===//

#include "Grid/Places.h"

#include <algorithm>

namespace zrt {

/// Beyond every index and every index moved by a direction.
static constexpr int64_t FarIndex = int64_t(1) << 36;

Places::Places(const BlockCut &cut) {
  segments.resize(static_cast<size_t>(cut.parts));
  for (int64_t part = 0; part < cut.parts; ++part) {
    Range own = cut.own(part);
    if (!isEmpty(own))
      segments[static_cast<size_t>(part)].push_back({seqOf(own), own.lo});
  }
}

Places Places::cyclic(int64_t first, int64_t parts) {
  Places result;
  int64_t rounds = FarIndex / parts;
  for (int64_t part = 0; part < parts; ++part)
    result.segments.push_back(
        {{{first + part - rounds * parts, first + part + rounds * parts, parts},
          -rounds}});
  return result;
}

void Places::add(int64_t part, const Seq &indices) {
  std::vector<Segment> &list = segments[static_cast<size_t>(part)];
  // What reaches beyond all indices has them at their own numbers, so that
  // places of indices fit 32 bits.
  int64_t first = indices.lo == -FarIndex ? indices.lo : 0;
  int64_t place =
      list.empty() ? first : list.back().place + size(list.back().indices);
  list.push_back({indices, place});
}

Places Places::blockCyclic(Range bounds, int64_t length, int64_t parts) {
  Places result;
  result.segments.resize(static_cast<size_t>(parts));
  if (isEmpty(bounds))
    bounds = {0, 0};
  int64_t part = 0;
  for (int64_t lo = bounds.lo; lo <= bounds.hi; lo += length) {
    bool isLast = lo + length > bounds.hi;
    result.add(part, {lo == bounds.lo ? -FarIndex : lo,
                      isLast ? FarIndex : lo + length - 1, 1});
    part = part + 1 == parts ? 0 : part + 1;
  }
  return result;
}

namespace {

/// Joins the indices of one part, which come in ascending order, to segments.
class Joiner {
public:
  /// Takes one more index; a segment that it does not continue goes to \p done.
  template <typename F> void take(int64_t index, F &&done) {
    if (count == 0) {
      seq = {index, index, 1};
    } else if (count == 1 || index - seq.hi == seq.stride) {
      seq.stride = index - seq.hi;
      seq.hi = index;
    } else {
      done(seq);
      seq = {index, index, 1};
      count = 0;
    }
    ++count;
  }
  template <typename F> void finish(F &&done) {
    if (count > 0)
      done(seq);
  }

private:
  Seq seq;
  int64_t count = 0;
};

} // namespace

Places Places::byOwner(Range bounds, int64_t parts,
                       const std::function<int64_t(int64_t)> &owner) {
  Places result;
  result.segments.resize(static_cast<size_t>(parts));
  if (isEmpty(bounds))
    bounds = {0, 0};
  std::vector<Joiner> joiners(static_cast<size_t>(parts));
  auto addTo = [&](int64_t part) {
    return [&result, part](const Seq &seq) { result.add(part, seq); };
  };
  int64_t first = owner(bounds.lo), part = first;
  result.add(first, {-FarIndex, bounds.lo - 1, 1});
  for (int64_t index = bounds.lo; index <= bounds.hi; ++index) {
    part = index == bounds.lo ? first : owner(index);
    joiners[static_cast<size_t>(part)].take(index, addTo(part));
  }
  for (int64_t p = 0; p < parts; ++p)
    joiners[static_cast<size_t>(p)].finish(addTo(p));
  result.add(part, {bounds.hi + 1, FarIndex, 1});
  return result;
}

Range Places::placesOf(int64_t part, Range range) const {
  const std::vector<Segment> &list = of(part);
  auto from =
      std::partition_point(list.begin(), list.end(), [&](const Segment &s) {
        return s.indices.hi < range.lo;
      });
  auto to = std::partition_point(from, list.end(), [&](const Segment &s) {
    return s.indices.lo <= range.hi;
  });
  if (isEmpty(range) || from == to)
    return EmptyRange;
  --to;
  const Seq &first = from->indices, &last = to->indices;
  int64_t skipped = std::max<int64_t>(range.lo - first.lo, 0);
  int64_t lo = from->place + (skipped + first.stride - 1) / first.stride;
  int64_t hi =
      to->place + (std::min(range.hi, last.hi) - last.lo) / last.stride;
  return lo <= hi ? Range{lo, hi} : EmptyRange;
}

int64_t Places::indexOf(int64_t part, int64_t place) const {
  const std::vector<Segment> &list = of(part);
  auto next =
      std::partition_point(list.begin(), list.end(),
                           [&](const Segment &s) { return s.place <= place; });
  const Segment &segment = *std::prev(next);
  return segment.indices.lo + (place - segment.place) * segment.indices.stride;
}

} // namespace zrt
