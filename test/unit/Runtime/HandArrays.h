//===- HandArrays.h - Random arrays and their values ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the random programs over zrt/Abi.h have in common that compare operators
/// with a naive global model: arrays over random regions (ranges, strides,
/// singletons, floods; also empty ones) that hold a function of their indices,
/// masks, and the count of mistakes.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_HANDARRAYS_H
#define ZRT_TEST_HANDARRAYS_H

#include "HandProgram.h"
#include "Random.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <vector>

namespace hand {

inline int32_t seed = 1, rounds = 120;
inline const zrt_loc here = {"operators.z", 1, 1};
inline Random draw(1);
inline int64_t mistakes = 0, compared = 0;

using Index = std::vector<int64_t>;

inline bool isFlooded(const zrt_region &region, int d) {
  return region.floods >> d & 1;
}

inline std::vector<int64_t> indicesOf(const zrt_region &region, int d) {
  std::vector<int64_t> indices;
  const zrt_dim &dim = region.dim[d];
  for (int64_t x = dim.lo; x <= dim.hi; ++x)
    if ((x - dim.align) % dim.stride == 0)
      indices.push_back(x);
  return indices;
}

/// All indices of \p region in row-major order.
inline std::vector<Index> allOf(const zrt_region &region) {
  std::vector<Index> result = {{}};
  for (int d = 0; d < region.rank; ++d) {
    std::vector<Index> longer;
    for (const Index &index : result)
      for (int64_t x : indicesOf(region, d)) {
        longer.push_back(index);
        longer.back().push_back(x);
      }
    result = std::move(longer);
  }
  return result;
}

inline bool isOwn(const zrt_region &region, const Index &index) {
  const zrt_range *own = zrtA_domain(region.rank)->own;
  for (int d = 0; d < region.rank; ++d)
    if (!isFlooded(region, d) && (index[d] < own[d].lo || index[d] > own[d].hi))
      return false;
  return true;
}

inline char *addressOf(const zrt_array &array, const Index &index) {
  uint64_t offset = 0;
  for (int d = 0; d < array.region.rank; ++d)
    if (!isFlooded(array.region, d))
      offset +=
          static_cast<uint64_t>((index[d] - array.region.dim[d].align) /
                                array.region.dim[d].stride * array.pitch[d]);
  return reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(array.origin) +
                                  offset);
}

/// The value at an index of array number \p number; flooded dimensions do not
/// count.
inline double valueAt(int number, const zrt_region &region,
                      const Index &index) {
  int64_t value = number + 1;
  for (int d = 0; d < region.rank; ++d)
    value = value * 31 + (isFlooded(region, d) ? 5 : index[d] + 40);
  return static_cast<double>(value % 1009) / 8;
}

template <typename T>
void fill(zrt_array &array, const std::function<T(const Index &)> &value) {
  for (const Index &index : allOf(array.region))
    if (isOwn(array.region, index)) {
      T element = value(index);
      std::memcpy(addressOf(array, index), &element, sizeof element);
    }
}

template <typename T>
void expect(const zrt_array &array, const zrt_region &region,
            const std::map<Index, T> &values) {
  for (const auto &[index, value] : values) {
    if (!isOwn(region, index))
      continue;
    ++compared;
    if (std::memcmp(addressOf(array, index), &value, sizeof value) != 0)
      ++mistakes;
  }
}

inline zrt_region randomRegion(int rank, bool withFloods) {
  zrt_region region = {};
  region.name = "R";
  region.rank = rank;
  int64_t most = rank == 1 ? 30 : rank == 2 ? 9 : 4;
  for (int d = 0; d < rank; ++d) {
    int64_t lo = draw(-3, 3);
    region.dim[d] = {lo, lo + draw(0, most) - (draw(0, 9) == 0), 1, 0};
    switch (draw(0, withFloods ? 4 : 3)) {
    case 0: {
      int64_t stride = draw(2, 3), align = draw(0, stride - 1);
      region.dim[d].stride = stride;
      region.dim[d].align = align;
      break;
    }
    case 4:
      region.floods |= 1 << d;
      region.dim[d] = {0, 0, 1, 0};
      break;
    default:
      break;
    }
  }
  return region;
}

inline zrt_array make(const zrt_region &region, const zrt_type &type,
                      const char *name) {
  zrt_array array;
  zrtA_array_new(&array, &region, &type, nullptr, nullptr, 0, name, &here);
  return array;
}

inline bool maskAt(const Index &index) {
  int64_t sum = 1;
  for (int64_t x : index)
    sum = sum * 3 + x + 10;
  return sum % 3 != 0;
}

/// An array of booleans with maskAt, or none.
struct RandomMask {
  zrt_array array = {};
  zrt_mask mask = {};
  bool isOpposite = false; ///< the array has the other values
  explicit RandomMask(const zrt_region &region) {
    if (draw(0, 1))
      return;
    array = make(region, hand::Boolean, "M");
    fill<uint8_t>(array, maskAt);
    mask = {&array, static_cast<int32_t>(draw(0, 1))};
  }
  ~RandomMask() { zrtA_array_free(&array, &here); }
  bool leaves(const Index &index) const {
    return !mask.array || (maskAt(index) != isOpposite) == (mask.value != 0);
  }
  /// Gives the array the other values.
  void change() {
    isOpposite = !isOpposite;
    if (mask.array)
      fill<uint8_t>(array, [&](const Index &i) {
        return static_cast<uint8_t>(maskAt(i) != isOpposite);
      });
  }
};

/// The config variables, and three regions of which the runtime knows.
inline void initializeRandom() {
  zrtA_config_given(0, &seed);
  zrtA_config_given(1, &rounds);
  draw = Random(static_cast<unsigned>(seed));
  for (int rank = 1; rank <= 3; ++rank) {
    zrt_region region = randomRegion(rank, false);
    zrtA_region_declare(&region);
  }
}

/// Prints how many mistakes there were; ends the run if nothing was compared.
inline void reportCompared() {
  bool enough = compared > 0;
  reportMistakes(mistakes, here);
  if (!enough && zrtA_locale() == 0)
    zrtA_halt(1, &here);
}

} // namespace hand

#endif // ZRT_TEST_HANDARRAYS_H
