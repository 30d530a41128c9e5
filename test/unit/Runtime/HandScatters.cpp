//===- HandScatters.cpp - Random scatters ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over zrt/Abi.h as the compiler would write it: scatters
// by random maps, of which two may have one element, combined in order.
// Each processor computes with a naive global model what must be there at its
// own indices, and compares (HandArrays.h). It prints the number of mistakes,
// which has to be 0.
//
//===----------------------------------------------------------------------===//

#include "HandMaps.h"

using namespace hand;

namespace {

void add(void *target, const void *value) {
  // Neither commutative nor associative, so that the order shows.
  double old, added;
  std::memcpy(&old, target, sizeof old);
  std::memcpy(&added, value, sizeof added);
  old = old / 2 + added;
  std::memcpy(target, &old, sizeof old);
}

/// A scatter of elements of \p type, combined by \p combine, which the runtime
/// knows as \p reduction.
template <typename T>
void checkScatter(int rank, const zrt_type &type, zrt_combine combine,
                  int32_t reduction) {
  zrt_region declared = randomRegion(static_cast<int>(draw(1, 3)), false);
  zrt_region region = randomRegion(rank, true);
  if (isEmpty(declared))
    return;
  zrt_array target = make(declared, type, "A");
  zrt_array source = make(region, type, "B");
  auto before = [&](const Index &i) {
    return static_cast<T>(valueAt(0, declared, i));
  };
  auto value = [&](const Index &i) {
    return static_cast<T>(valueAt(1, region, i));
  };
  fill<T>(source, value);
  RandomMaps maps(declared, region);
  RandomMask mask(region);
  repeat(maps, mask, [&] {
    fill<T>(target, before);
    zrtA_check_maps(&target, &region, maps.maps, &mask.mask, 0, "A#[I]", &here);
    zrtA_array_scatter(&target, &source, &region, maps.maps, combine, reduction,
                       &mask.mask, "A", &here);
    std::map<Index, T> values;
    for (const Index &index : allOf(declared))
      values[index] = before(index);
    for (const Index &index : allOf(region)) {
      if (!mask.leaves(index))
        continue;
      T &old = values[maps.at(index)], added = value(index);
      if (combine)
        combine(&old, &added);
      else
        old = added;
    }
    expect(target, declared, values);
  });
  zrtA_array_free(&source, &here);
  zrtA_array_free(&target, &here);
}

void addIntegers(void *target, const void *value) {
  int32_t a, b;
  std::memcpy(&a, target, sizeof a);
  std::memcpy(&b, value, sizeof b);
  a += b;
  std::memcpy(target, &a, sizeof a);
}

void greaterInteger(void *target, const void *value) {
  int32_t a, b;
  std::memcpy(&a, target, sizeof a);
  std::memcpy(&b, value, sizeof b);
  a = std::max(a, b);
  std::memcpy(target, &a, sizeof a);
}

void addReals(void *target, const void *value) {
  double a, b;
  std::memcpy(&a, target, sizeof a);
  std::memcpy(&b, value, sizeof b);
  a += b;
  std::memcpy(target, &a, sizeof a);
}

void checkScatters(int rank) {
  switch (draw(0, 4)) {
  case 0:
    checkScatter<double>(rank, hand::Double, nullptr, -1);
    break;
  case 1:
    checkScatter<double>(rank, hand::Double, add, -1);
    break;
  case 2:
    checkScatter<double>(rank, hand::Double, addReals, ZRT_SUM);
    break;
  case 3:
    checkScatter<int32_t>(rank, hand::Integer, addIntegers, ZRT_SUM);
    break;
  default:
    checkScatter<int32_t>(rank, hand::Integer, greaterInteger, ZRT_MAX);
    break;
  }
}

void entry() {
  for (int32_t round = 0; round < rounds; ++round) {
    int rank = 1 + round % 3;
    checkScatters(rank);
  }
  reportCompared();
}

} // namespace

int main(int argc, char **argv) {
  return runRandomProgram(argc, argv, "scatters", "120", initializeRandom,
                          entry);
}
