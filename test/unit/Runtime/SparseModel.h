//===- SparseModel.h - What sparse regions and arrays should be -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The model of HandSparse.cpp: beside each region the set of its indices, beside
/// each array the number of each element, the same on every processor, and
/// comparisons of what a processor owns with them.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_SPARSEMODEL_H
#define ZRT_TEST_SPARSEMODEL_H

#include "HandElements.h"
#include "HandProgram.h"
#include "Random.h"

#include <array>
#include <cstdio>
#include <iterator>
#include <map>
#include <set>
#include <vector>

using hand::forAll;

namespace {

int32_t seed = 1, rounds = 60;
bool isScattered = false; ///< all regions, in domains of the program
const zrt_loc here = {"sparse.z", 1, 1};
Random random_(1);
int64_t mistakes = 0, compared = 0;

using Index = std::array<int64_t, ZRT_MAX_RANK>;
using Indices = std::set<Index>;

Index indexOf(int rank, const int64_t *index) {
  Index result = {};
  std::copy(index, index + rank, result.begin());
  return result;
}

/// Where this processor has indices of the scattered domains, by rank, while
/// they are distributed as they are; empty: it has not.
std::map<Index, std::vector<int64_t>> places[ZRT_MAX_RANK + 1];

const std::vector<int64_t> &placesOf(const zrt_region &region,
                                     const Index &index) {
  auto [known, isNew] = places[region.rank].try_emplace(index);
  if (!isNew)
    return known->second;
  zrt_region one = region;
  one.is_sparse = 0;
  for (int d = 0; d < region.rank; ++d)
    one.dim[d] = hand::range(index[size_t(d)], index[size_t(d)]);
  zrt_domain found;
  zrtA_places(&one, &found);
  bool isHere = true;
  for (int d = 0; d < region.rank; ++d)
    isHere &= found.own[d].lo <= found.own[d].hi;
  for (int d = 0; d < region.rank && isHere; ++d)
    known->second.push_back(found.own[d].lo);
  return known->second;
}

bool isOwn(const zrt_region &region, const Index &index) {
  if (region.domain > 0)
    return !placesOf(region, index).empty();
  const zrt_domain *domain = zrtA_domain(region.rank);
  for (int d = 0; d < region.rank; ++d)
    if (index[size_t(d)] < domain->own[d].lo ||
        index[size_t(d)] > domain->own[d].hi)
      return false;
  return true;
}

template <typename Body> void forOwn(const zrt_region &region, Body body) {
  forAll(region, [&](const int64_t *i) {
    if (isOwn(region, indexOf(region.rank, i)))
      body(i);
  });
}

char *addressOf(const zrt_array &array, const int64_t *index) {
  if (array.region.domain == 0)
    return hand::addressOf(array, index);
  char *address = array.origin;
  const auto &at = placesOf(array.region, indexOf(array.region.rank, index));
  for (size_t d = 0; d < at.size(); ++d)
    address += at[d] * array.pitch[d];
  return address;
}

/// A sparse region, and the indices that it should have.
struct Sparse {
  zrt_region region;
  Indices indices;

  const zrt_pattern **at() { return &region.pattern; }
  /// This processor's indices, as the pattern has them.
  std::vector<Index> own() const {
    std::vector<Index> result;
    const zrt_pattern *p = region.pattern;
    for (int64_t r = 0; p && r < p->rows; ++r)
      for (int64_t k = p->starts[r]; k < p->starts[r + 1]; ++k) {
        Index index = {};
        for (int d = 0; d + 1 < region.rank; ++d)
          index[size_t(d)] = p->row[d][r];
        index[size_t(region.rank - 1)] = p->column[k];
        result.push_back(index);
      }
    return result;
  }
  void compare() const {
    std::vector<Index> expected, found = own();
    for (const Index &index : indices)
      if (isOwn(region, index))
        expected.push_back(index);
    ++compared;
    mistakes += found != expected;
  }
};

/// A sparse array, and what it should hold.
struct Values {
  zrt_array array;
  std::map<Index, int64_t> numbers;
  int64_t elsewhere = 0;

  char *elsewhereAddress() {
    return array.origin - array.pitch[array.region.rank - 1];
  }
  int64_t at(const Index &index) const {
    auto found = numbers.find(index);
    return found == numbers.end() ? elsewhere : found->second;
  }
  /// What following the region does to the numbers.
  void follow(const Indices &indices) {
    std::map<Index, int64_t> next;
    for (const Index &index : indices)
      next[index] = at(index);
    numbers = next;
  }
};

bool isElement(const zrt_type *type, const char *address, int64_t number) {
  hand::Element element = hand::elementOf(type, number);
  return std::memcmp(address, element.bytes, size_t(type->size)) == 0;
}
void put(const zrt_type *type, char *address, int64_t number) {
  hand::Element element = hand::elementOf(type, number);
  std::memcpy(address, element.bytes, size_t(type->size));
}

void compare(Values &values, const Sparse &sparse) {
  const zrt_type *type = values.array.type;
  int64_t k = 0, step = values.array.pitch[values.array.region.rank - 1];
  for (const Index &index : sparse.own()) {
    ++compared;
    mistakes +=
        !isElement(type, values.array.origin + k++ * step, values.at(index));
  }
  mistakes += !isElement(type, values.elsewhereAddress(), values.elsewhere);
}

/// Gives all elements those of array number \p name.
void fill(Values &values, const Sparse &sparse, int name) {
  const zrt_type *type = values.array.type;
  int64_t k = 0, step = values.array.pitch[values.array.region.rank - 1];
  auto number = [&](const Index &index) {
    return hand::numberAt(name, sparse.region, index.data());
  };
  values.elsewhere = name * 17 + 5;
  put(type, values.elsewhereAddress(), values.elsewhere);
  for (const Index &index : sparse.own())
    put(type, values.array.origin + k++ * step, number(index));
  for (const Index &index : sparse.indices)
    values.numbers[index] = number(index);
}

const zrt_type *randomType() {
  return hand::ElementTypes[random_(0, std::size(hand::ElementTypes) - 1)];
}

zrt_region randomRegion(int rank, const char *name) {
  zrt_region region = {};
  region.name = name;
  region.rank = int16_t(rank);
  region.domain = int16_t(isScattered ? rank : 0);
  int64_t most = rank <= 2 ? 11 : rank == 3 ? 6 : 2;
  for (int d = 0; d < rank; ++d) {
    int64_t lo = random_(-2, 3), hi = lo + random_(0, most);
    region.dim[d] = random_(0, 3) ? hand::range(lo, hi)
                                  : hand::strided(lo, hi, random_(2, 3), lo);
  }
  return region;
}

/// A dense array of flags and the indices at which they are `value`.
struct Flags {
  zrt_array array;
  zrt_mask mask;
  Indices chosen;
};

void makeFlags(Flags &flags, const zrt_region &region, int64_t per) {
  zrtA_array_new(&flags.array, &region, &hand::Boolean, nullptr, nullptr, 0,
                 "M", &here);
  flags.mask = {&flags.array, int32_t(random_(0, 1))};
  forAll(region, [&](const int64_t *i) {
    bool isChosen = random_(0, per) == 0;
    Index index = indexOf(region.rank, i);
    if (isChosen)
      flags.chosen.insert(index);
    if (isOwn(region, index))
      *addressOf(flags.array, i) = char(isChosen == (flags.mask.value != 0));
  });
}

} // namespace

#endif // ZRT_TEST_SPARSEMODEL_H
