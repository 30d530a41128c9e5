//===- HandRemaps.cpp - Random gathers and windows ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over zrt/Abi.h as the compiler would write it: gathers
// and windows of what they read, by random maps.
// Each processor computes with a naive global model what must be there at its
// own indices, and compares (HandArrays.h). It prints the number of mistakes,
// which has to be 0.
//
//===----------------------------------------------------------------------===//

#include "HandMaps.h"

using namespace hand;

namespace {

/// An element as large as a row that moves whole.
struct Line {
  double numbers[64];
  Line(double number = 0) { std::fill_n(numbers, 64, number); }
};

constexpr zrt_type LineType = [] {
  zrt_type type = hand::Double;
  type.kind = ZRT_OPAQUE;
  type.size = sizeof(Line);
  type.name = "line";
  return type;
}();

/// A gather of elements of \p type, which are made of numbers.
template <typename T> void checkGather(int rank, const zrt_type &type) {
  zrt_region declared = randomRegion(static_cast<int>(draw(1, 3)), true);
  zrt_region region = randomRegion(rank, true);
  if (isEmpty(declared))
    return;
  zrt_array array = make(declared, type, "A");
  zrt_array result = make(region, type, "B");
  fill<T>(array, [&](const Index &i) { return T(valueAt(0, declared, i)); });
  RandomMaps maps(declared, region);
  RandomMask mask(region);
  repeat(maps, mask, [&] {
    fill<T>(result, [&](const Index &) { return T(-7.0); });
    bool isChecked = draw(0, 4) > 0;
    if (isChecked)
      zrtA_check_maps(&array, &region, maps.maps, &mask.mask, 0, "A#[I]",
                      &here);
    zrtA_array_gather(&result, &array, &region, maps.maps, &mask.mask, &here);
    std::map<Index, T> values;
    for (const Index &index : allOf(region))
      values[index] =
          T(mask.leaves(index) ? valueAt(0, declared, maps.at(index)) : -7.0);
    expect(result, region, values);
  });
  zrtA_array_free(&result, &here);
  zrtA_array_free(&array, &here);
}

/// Fills \p result with what a window has at the positions, where the indices are
/// left, and compares it with \p values.
template <typename Left>
void expectInWindow(const zrt_array &window, const zrt_array &positions,
                    zrt_array &result, const zrt_region &region, Left isLeft,
                    const std::map<Index, double> &values) {
  fill<double>(result, [&](const Index &i) {
    if (!isLeft(i))
      return -7.0;
    int32_t at;
    std::memcpy(&at, addressOf(positions, i), sizeof at);
    double value;
    // The origin alone may lie anywhere.
    auto place = reinterpret_cast<uintptr_t>(window.origin) +
                 static_cast<uintptr_t>((at < 0 ? window.pitch[0] : 0) +
                                        at * window.pitch[1]);
    std::memcpy(&value, reinterpret_cast<const void *>(place), sizeof value);
    return value;
  });
  expect(result, region, values);
}

/// Windows of one or two arrays, which travel together then, each for two remaps
/// under different masks.
void checkWindow(int rank) {
  zrt_region declared = randomRegion(static_cast<int>(draw(1, 3)), true);
  zrt_region region = randomRegion(rank, true);
  int arrays = static_cast<int>(draw(1, 2));
  if (isEmpty(declared))
    return;
  zrt_array array[] = {make(declared, hand::Double, "A"),
                       make(declared, hand::Double, "C")};
  zrt_array result = make(region, hand::Double, "B");
  RandomMaps first(declared, region), second(declared, region);
  RandomMask mask(region);
  const RandomMaps *maps[] = {&first, &second};
  repeat(first, mask, [&] {
    zrt_array window[2] = {}, positions[2][2] = {};
    for (int a = 0; a < arrays; ++a) {
      fill<double>(array[a],
                   [&](const Index &i) { return valueAt(a, declared, i); });
      zrt_reference references[2] = {
          {&positions[a][0], first.maps, &mask.mask, 0, "A#[I]", &here},
          {&positions[a][1], second.maps, nullptr, 0, "A#[J]", &here}};
      zrtA_window_fetch(&window[a], &array[a], &region, references, 2,
                        a + 1 < arrays, &here);
    }
    for (int a = 0; a < arrays; ++a) {
      for (int k = 0; k < 2; ++k) {
        auto isLeft = [&](const Index &i) { return k == 1 || mask.leaves(i); };
        std::map<Index, double> values;
        for (const Index &i : allOf(region))
          values[i] = isLeft(i) ? valueAt(a, declared, maps[k]->at(i)) : -7.0;
        expectInWindow(window[a], positions[a][k], result, region, isLeft,
                       values);
        zrtA_array_free(&positions[a][k], &here);
      }
      zrtA_array_free(&window[a], &here);
    }
  });
  zrtA_array_free(&result, &here);
  zrtA_array_free(&array[0], &here);
  zrtA_array_free(&array[1], &here);
}

void entry() {
  for (int32_t round = 0; round < rounds; ++round) {
    int rank = 1 + round % 3;
    checkGather<double>(rank, hand::Double);
    checkGather<Line>(rank, LineType);
    checkWindow(rank);
  }
  reportCompared();
}

} // namespace

int main(int argc, char **argv) {
  return runRandomProgram(argc, argv, "remaps", "120", initializeRandom, entry);
}
