//===- HandMaps.h - Random maps of indices ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Maps for the random programs of gathers and scatters: constant, by index, or
/// arrays of any integer type, over all or one of the dimensions.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_HANDMAPS_H
#define ZRT_TEST_HANDMAPS_H

#include "HandArrays.h"

namespace hand {

/// The maps of one remap, and what they are.
struct RandomMaps {
  using Value = std::function<int64_t(const Index &)>;
  zrt_map maps[ZRT_MAX_RANK] = {};
  zrt_array arrays[ZRT_MAX_RANK] = {};
  std::vector<Value> values;
  zrt_region declared, region;
  int count;
  int varies = -1; ///< the only dimension along which arrays vary; -1: all

  /// Of \p array over \p region; null dimensions of the array are not empty.
  RandomMaps(const zrt_region &array, const zrt_region &region)
      : declared(array), region(region), count(array.rank) {
    // All in closed form, arrays among them, or one array that permutes rows.
    int64_t way = draw(0, 3);
    int64_t row = way == 1 ? draw(0, count - 1) : -1;
    if (way == 1)
      varies = static_cast<int>(draw(0, region.rank - 1));
    for (int k = 0; k < count; ++k) {
      bool isClosed = way == 0 || (way == 1 ? k != row : draw(0, 3) == 0);
      if (isClosed && draw(0, 4) > 0 && addClosed(k))
        continue;
      Value value = randomMap(k);
      if (isClosed || draw(0, 2) == 0) {
        int64_t fixed = value({3});
        maps[k] = {ZRT_MAP_SCALAR, 0, fixed, nullptr, 0, 0, 0};
        values.push_back([fixed](const Index &) { return fixed; });
        continue;
      }
      values.push_back(value);
      zrt_region over = region;
      for (int d = 0; d < over.rank; ++d)
        if (varies >= 0 && d != varies) {
          over.floods |= 1 << d;
          over.dim[d] = {0, 0, 1, 0};
        }
      arrays[k] = make(over, draw(0, 1) ? hand::LongInt : hand::Integer, "I");
      store(k);
      maps[k] = {ZRT_MAP_ARRAY, 0, 0, &arrays[k], 0, 0, 0};
    }
  }
  ~RandomMaps() {
    for (zrt_array &array : arrays)
      zrtA_array_free(&array, &here);
  }
  /// Other values for one of the arrays, if there is one.
  void change() {
    int k = static_cast<int>(draw(0, count - 1));
    if (maps[k].form != ZRT_MAP_ARRAY)
      return;
    values[static_cast<size_t>(k)] = randomMap(k);
    store(k);
  }
  Index at(const Index &index) const {
    Index result;
    for (const auto &value : values)
      result.push_back(value(index));
    return result;
  }

private:
  /// A map that follows from an index, if one of a few that are tried has
  /// indices of the array only.
  bool addClosed(int k) {
    std::vector<int64_t> legal = indicesOf(declared, k);
    int dim = static_cast<int>(draw(0, region.rank - 1));
    if (isFlooded(region, dim) || (dim == varies && varies >= 0))
      return false;
    std::vector<int64_t> all = indicesOf(region, dim);
    for (int tries = 0; tries < 20; ++tries) {
      int64_t from = legal[static_cast<size_t>(
          draw(0, static_cast<int64_t>(legal.size()) - 1))];
      int64_t scale = draw(-3, 3), modulus = draw(1, 12);
      int64_t anchor = all.empty() ? 0 : all.front();
      zrt_map map = {ZRT_MAP_INDEX, dim, 0, nullptr, 0, 0, 0};
      if (tries > 0)
        map = {
            ZRT_MAP_LINEAR, dim, from - scale * anchor, nullptr, scale, 0, 0};
      if (tries > 0 && draw(0, 1))
        map = {ZRT_MAP_MODULAR, dim,     draw(0, 20),  nullptr,
               scale,           modulus, legal.front()};
      Value value = [map, dim](const Index &index) {
        int64_t x = index[static_cast<size_t>(dim)];
        int64_t linear = map.scale * x + map.value;
        return map.form == ZRT_MAP_INDEX    ? x
               : map.form == ZRT_MAP_LINEAR ? linear
                                            : linear % map.modulus + map.shift;
      };
      bool isLegal = std::all_of(all.begin(), all.end(), [&](int64_t x) {
        Index index(static_cast<size_t>(region.rank), x);
        return std::find(legal.begin(), legal.end(), value(index)) !=
               legal.end();
      });
      if (!isLegal)
        continue;
      maps[k] = map;
      values.push_back(value);
      return true;
    }
    return false;
  }
  Value randomMap(int k) const {
    std::vector<int64_t> legal = indicesOf(declared, k);
    int64_t factor = draw(1, 7);
    int only = varies;
    return [legal, factor, only](const Index &index) {
      int64_t sum = factor;
      for (size_t d = 0; d < index.size(); ++d)
        if (only < 0 || static_cast<int>(d) == only)
          sum = sum * factor + index[d];
      auto n = static_cast<int64_t>(legal.size());
      return legal[static_cast<size_t>((sum % n + n) % n)];
    };
  }
  void store(int k) {
    const auto &value = values[static_cast<size_t>(k)];
    if (arrays[k].type == &hand::LongInt)
      fill<int64_t>(arrays[k], value);
    else
      fill<int32_t>(arrays[k], [&](const Index &i) {
        return static_cast<int32_t>(value(i));
      });
  }
};

inline bool isEmpty(const zrt_region &region) { return allOf(region).empty(); }

/// Repeats \p once, with new values of maps and mask now and then: schedules
/// are made, used, and must not be when they are stale.
template <typename F>
void repeat(RandomMaps &maps, RandomMask &mask, F &&once) {
  for (int64_t times = draw(1, 5); times > 0; --times) {
    once();
    if (draw(0, 3) == 0)
      maps.change();
    if (draw(0, 5) == 0)
      mask.change();
  }
}

} // namespace hand

#endif // ZRT_TEST_HANDMAPS_H
