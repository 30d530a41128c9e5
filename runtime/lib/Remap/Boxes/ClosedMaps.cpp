//===- ClosedMaps.cpp - Maps that follow from indices ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `A#[(Index1 + 5) % 8, 9 - Index2]` over [0..7, 1..4]: dimension 1 has two laps,
//
//     indices 0..2   first 5, step 1
//     indices 3..7   first 0, step 1
//
// and dimension 2 has one, 1..4, first 8, step -1.
//
// Each map of a dimension cuts the laps that the maps before have left:
// remainders where the quotient changes, all other maps nowhere. Programs
// compute in 32 bits; where a value would not fit into those there are no laps.
//
// Cost: in proportion to the laps.
//
//===----------------------------------------------------------------------===//

#include "Remap/Boxes/ClosedMaps.h"

#include <limits>

namespace zrt {

namespace {

bool fits(int64_t value) {
  return value >= std::numeric_limits<int32_t>::min() &&
         value <= std::numeric_limits<int32_t>::max();
}

/// The \p count indices of a lap from number \p from on.
Lap slice(const Lap &lap, int64_t from, int64_t count) {
  Lap part = lap;
  if (count <= 0) {
    part.indices = EmptySeq;
    return part;
  }
  part.indices.lo = lap.indices.lo + from * lap.indices.stride;
  part.indices.hi = part.indices.lo + (count - 1) * lap.indices.stride;
  for (int k = 0; k < ZRT_MAX_RANK; ++k)
    part.first[k] += from * lap.step[k];
  return part;
}

/// Whether scale * x + value fits at all \p indices; sums of what fits do not
/// overflow.
bool fitsAlong(const zrt_map &map, const Seq &indices) {
  return fits(indices.lo) && fits(indices.hi) && fits(map.scale) &&
         fits(map.value) && fits(map.scale * indices.lo + map.value) &&
         fits(map.scale * indices.hi + map.value);
}

/// Adds the parts of \p lap in which the quotient of map \p k stays the same;
/// false if they are too many, or a number is negative.
bool addTurns(const zrt_map &map, int k, const Lap &lap,
              std::vector<Lap> &parts) {
  int64_t step = lap.step[k], count = size(lap.indices);
  if (map.modulus <= 0 ||
      std::min(lap.first[k], lap.first[k] + (count - 1) * step) < 0)
    return false;
  for (int64_t from = 0; from < count;) {
    int64_t at = lap.first[k] + from * step, rest = at % map.modulus;
    int64_t turn = step > 0   ? (map.modulus - 1 - rest) / step + 1
                   : step < 0 ? rest / -step + 1
                              : count;
    turn = std::min(turn, count - from);
    Lap part = slice(lap, from, turn);
    part.first[k] = rest + map.shift;
    if (parts.size() == MostLaps || !fits(map.shift) || !fits(map.modulus) ||
        !fits(part.first[k]) || !fits(part.first[k] + (turn - 1) * step))
      return false;
    parts.push_back(part);
    from += turn;
  }
  return true;
}

/// Cuts \p laps for map \p k; false if there are none then.
bool addMap(const zrt_map &map, int k, std::vector<Lap> &laps) {
  std::vector<Lap> parts;
  for (Lap lap : laps) {
    zrt_map linear = map;
    if (map.form == ZRT_MAP_INDEX) {
      linear.scale = 1;
      linear.value = 0;
    }
    if (map.form != ZRT_MAP_INDEX && !fitsAlong(linear, lap.indices))
      return false;
    lap.first[k] = linear.scale * lap.indices.lo + linear.value;
    lap.step[k] = linear.scale * lap.indices.stride;
    if (map.form != ZRT_MAP_MODULAR)
      parts.push_back(lap);
    else if (!addTurns(map, k, lap, parts))
      return false;
  }
  laps = std::move(parts);
  return true;
}

} // namespace

Seq Lap::values(int k) const {
  int64_t count = size(indices);
  if (count == 0)
    return EmptySeq;
  int64_t last = first[k] + (count - 1) * step[k];
  if (step[k] == 0)
    return {first[k], first[k], 1};
  return {std::min(first[k], last), std::max(first[k], last),
          count == 1 ? 1 : std::abs(step[k])};
}

Lap atIndices(const Lap &lap, Range range) {
  Seq part = intersect(lap.indices, range);
  if (isEmpty(part))
    return slice(lap, 0, 0);
  return slice(lap, (part.lo - lap.indices.lo) / lap.indices.stride,
               size(part));
}

Lap whereValues(const Lap &lap, int k, Range range) {
  Seq values = lap.values(k);
  Range wanted = intersect(rangeOf(values), range);
  if (isEmpty(wanted))
    return slice(lap, 0, 0);
  int64_t step = lap.step[k];
  if (step == 0)
    return lap;
  // The numbers of the first and the last index, counted from the other end
  // where values fall.
  int64_t low = (wanted.lo - values.lo + std::abs(step) - 1) / std::abs(step);
  int64_t high = (wanted.hi - values.lo) / std::abs(step);
  int64_t from = step > 0 ? low : size(lap.indices) - 1 - high;
  return slice(lap, from, high - low + 1);
}

bool ClosedMaps::isUnused(int d) const {
  int64_t count = 0;
  for (const Lap &lap : laps[d]) {
    count += size(lap.indices);
    for (int k = 0; k < mapCount; ++k)
      if (dimOf[k] == d && lap.step[k] != 0)
        return false;
  }
  return laps[d].size() == 1 && count > 1;
}

bool ClosedMaps::isOneToOne(int d) const {
  if (laps[d].size() == 1 && size(laps[d][0].indices) <= 1)
    return true;
  for (int k = 0; k < mapCount; ++k) {
    if (dimOf[k] != d)
      continue;
    std::vector<Seq> images;
    bool isGood = true;
    for (const Lap &lap : laps[d]) {
      isGood &= lap.step[k] != 0 || size(lap.indices) <= 1;
      images.push_back(lap.values(k));
    }
    std::sort(images.begin(), images.end(),
              [](const Seq &a, const Seq &b) { return a.lo < b.lo; });
    for (size_t n = 1; n < images.size(); ++n)
      isGood &= images[n - 1].hi < images[n].lo;
    if (isGood)
      return true;
  }
  return false;
}

bool ClosedMaps::areAllIn(const zrt_region &declared) const {
  for (int d = 0; d < rank; ++d)
    if (laps[d].empty())
      return true;
  for (int k = 0; k < mapCount; ++k) {
    if (declared.floods >> k & 1)
      continue;
    Seq all = seqOf(declared.dim[k]);
    if (dimOf[k] < 0 && !contains(all, scalar[k]))
      return false;
    if (dimOf[k] >= 0)
      for (const Lap &lap : laps[dimOf[k]])
        if (!contains(all, lap.values(k)))
          return false;
  }
  return true;
}

std::optional<ClosedMaps> closedMaps(const zrt_region &region,
                                     const zrt_map *maps, int mapCount) {
  ClosedMaps closed;
  closed.rank = region.rank;
  closed.mapCount = mapCount;
  Box box = boxOf(region);
  for (int d = 0; d < region.rank; ++d)
    if (!isEmpty(box.dim[d])) {
      closed.laps[d].emplace_back();
      closed.laps[d][0].indices = box.dim[d];
    }
  for (int k = 0; k < mapCount; ++k) {
    const zrt_map &map = maps[k];
    closed.dimOf[k] = -1;
    switch (static_cast<zrt_map_form>(map.form)) {
    case ZRT_MAP_ARRAY:
      return std::nullopt;
    case ZRT_MAP_SCALAR:
      closed.scalar[k] = map.value;
      break;
    case ZRT_MAP_INDEX:
    case ZRT_MAP_LINEAR:
    case ZRT_MAP_MODULAR:
      closed.dimOf[k] = map.dim;
      if (!addMap(map, k, closed.laps[map.dim]))
        return std::nullopt;
      break;
    }
  }
  return closed;
}

} // namespace zrt
