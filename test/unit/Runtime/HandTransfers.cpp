//===- HandTransfers.cpp - Random transfers, checked by each processor ----===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over zrt/Abi.h as the compiler would write it, for regions of every
// rank, with strides and flooded dimensions, also empty and tiny ones, borders,
// directions of any length, and elements of many types and sizes: arrays are
// filled with a function of their indices, transferred, and every element that
// a processor may read is compared with that function. So it knows the right
// answer on any number of processors. It prints the number of mistakes, which
// has to be 0, and the same sum everywhere.
//
//===----------------------------------------------------------------------===//

#include "HandElements.h"
#include "HandProgram.h"
#include "Random.h"

#include <iterator>
#include <vector>

using hand::forOwn;

namespace {

int32_t seed = 1, rounds = 60;
const zrt_loc here = {"transfers.z", 1, 1};
Random random_(1);
int64_t mistakes = 0, compared = 0;

zrt_region randomRegion(int rank) {
  zrt_region region = {};
  region.name = "R";
  region.rank = rank;
  int64_t most = rank <= 2 ? 12 : rank == 3 ? 6 : 3;
  for (int d = 0; d < rank; ++d) {
    int64_t lo = random_(-2, 3), hi = lo + random_(-1, most);
    if (random_(0, 3) > 0)
      hi = std::max(hi, lo + 1);
    region.dim[d] = hand::range(lo, hi);
  }
  return region;
}

struct Set {
  zrt_region region;
  zrt_array array[2];
  zrt_shift shift[4];
  int64_t count;
};

/// Over what an array is stored: all that is read of it, in its declared region
/// or in borders around that.
struct Declaration {
  zrt_region region;
  std::vector<zrt_region> borders;
  zrt_fluff fluff = {};
};

/// The region, wide enough for the directions. Its dimensions have no stride,
/// the stride of the region, or are flooded.
Declaration declarationFor(const zrt_region &region, bool isBordered) {
  Declaration made;
  made.region = region;
  for (int d = 0; d < region.rank; ++d) {
    if ((region.floods >> d & 1) || random_(0, 4) == 0) {
      made.region.floods |= 1 << d;
      made.region.dim[d] = hand::range(0, 0);
    } else if (random_(0, 1)) {
      made.region.dim[d] = hand::range(region.dim[d].lo, region.dim[d].hi);
    }
  }
  if (isBordered)
    made.borders.resize(1);
  return made;
}

/// Widens the declared region or, where there are borders, puts these around
/// it: below and above in one dimension after the other.
void widen(Declaration &made) {
  bool isBordered = !made.borders.empty();
  made.borders.clear();
  zrt_region all = made.region;
  for (int d = 0; d < all.rank; ++d) {
    if (made.region.floods >> d & 1)
      continue;
    zrt_region below = all, above = all;
    zrt_dim &dim = all.dim[d];
    below.dim[d].lo = dim.lo - made.fluff.below[d];
    below.dim[d].hi = dim.lo - 1;
    above.dim[d].lo = dim.hi + 1;
    above.dim[d].hi = dim.hi + made.fluff.above[d];
    dim.lo = below.dim[d].lo;
    dim.hi = above.dim[d].hi;
    made.borders.insert(made.borders.end(), {below, above});
  }
  if (isBordered)
    return;
  made.region = all;
  made.borders.clear();
}

/// A distance that leads from indices of an array to others.
int64_t randomDistance(const zrt_dim &dim) {
  int64_t distance = random_(0, 2) == 0 ? random_(-5, 5) : random_(-1, 1);
  return distance * dim.stride;
}

void makeArray(zrt_array &array, int number, const Declaration &made) {
  zrtA_array_new(
      &array, &made.region,
      hand::ElementTypes[random_(0, std::size(hand::ElementTypes) - 1)],
      &made.fluff, made.borders.data(),
      static_cast<int64_t>(made.borders.size()), number ? "B" : "A", &here);
  auto fill = [&](const int64_t *index) {
    hand::store(array, index, hand::numberAt(number, array.region, index));
  };
  forOwn(made.region, fill);
  for (const zrt_region &border : made.borders)
    forOwn(border, fill);
}

/// Two arrays that are large enough to be read at up to four directions.
void makeSet(Set &set, int rank) {
  set.region = randomRegion(rank);
  for (int d = 0; d < rank; ++d)
    if (random_(0, 3) == 0)
      set.region.dim[d] =
          hand::strided(set.region.dim[d].lo, set.region.dim[d].hi,
                        random_(1, 3), random_(0, 2));
    else if (random_(0, 5) == 0) {
      set.region.dim[d] = hand::range(0, 0);
      set.region.floods |= 1 << d;
    }
  Declaration made[2];
  for (Declaration &one : made)
    one = declarationFor(set.region, random_(0, 2) == 0);
  set.count = random_(1, 4);
  for (int64_t k = 0; k < set.count; ++k) {
    set.shift[k] = {};
    int which = static_cast<int>(random_(0, 1));
    set.shift[k].array = &set.array[which];
    Declaration &one = made[which];
    for (int d = 0; d < rank; ++d) {
      if (set.region.floods >> d & 1)
        continue; // the component is 0
      int64_t distance = randomDistance(one.region.dim[d]);
      set.shift[k].direction[d] = distance;
      one.fluff.below[d] = std::max(one.fluff.below[d], -distance);
      one.fluff.above[d] = std::max(one.fluff.above[d], distance);
    }
  }
  for (int k = 0; k < 2; ++k) {
    widen(made[k]);
    makeArray(set.array[k], k, made[k]);
  }
}

/// Compares the element of \p array at \p place with what \p original has at
/// \p index + \p direction.
void compare(const zrt_array &array, const int64_t *place,
             const zrt_array &original, const int64_t *index,
             const int64_t *direction) {
  int64_t source[ZRT_MAX_RANK];
  for (int d = 0; d < array.region.rank; ++d)
    source[d] = index[d] + direction[d];
  ++compared;
  int number = original.name[0] == 'B';
  if (!hand::isStored(array, place ? place : source,
                      hand::numberAt(number, original.region, source)))
    ++mistakes;
}

void checkTransfer(Set &set, zrt_transfer &transfer) {
  for (int64_t k = 0; k < set.count; ++k)
    zrtA_check_read(set.shift[k].array, &set.region, set.shift[k].direction,
                    "A@d", &here);
  zrtA_at_dr(&transfer, &set.region, set.shift, set.count, &here);
  zrtA_at_sr(&transfer);
  zrtA_at_dn(&transfer);
  for (int64_t k = 0; k < set.count; ++k)
    forOwn(set.region, [&](const int64_t *index) {
      const zrt_array &array = *set.shift[k].array;
      compare(array, nullptr, array, index, set.shift[k].direction);
    });
  zrtA_at_sv(&transfer);
}

void checkShift(const Set &set) {
  zrt_array &array = *set.shift[0].array;
  zrt_array result;
  zrt_view view = {&result, set.shift[0].direction, 0};
  zrtA_array_shift(&array, &set.region, &view, 1, &here);
  if (result.region.floods != array.region.floods)
    ++mistakes;
  forOwn(set.region, [&](const int64_t *index) {
    compare(result, index, array, index, set.shift[0].direction);
  });
  if (hand::isWritten(array.type))
    zrtA_write_array(ZRT_ZOUT, nullptr, &result, &set.region, &here);
  zrtA_array_free(&result, &here);
}

void freeSet(Set &set) {
  zrtA_array_free(&set.array[0], &here);
  zrtA_array_free(&set.array[1], &here);
}

void initialize() {
  zrtA_config_given(0, &seed);
  zrtA_config_given(1, &rounds);
  hand::makeWords();
  random_ = Random(static_cast<unsigned>(seed));
  for (int rank = 1; rank <= ZRT_MAX_RANK; ++rank) {
    zrt_region region = randomRegion(rank);
    zrtA_region_check(&region, &here);
    zrtA_region_declare(&region);
  }
}

void entry() {
  static zrt_transfer transfers[ZRT_MAX_RANK + 1];
  for (int32_t round = 0; round < rounds; ++round) {
    int rank = 1 + round % ZRT_MAX_RANK;
    Set first, second;
    makeSet(first, rank);
    makeSet(second, rank);
    // in turns, so that both plans are found again, by one declared transfer
    for (int turn = 0; turn < 2; ++turn) {
      checkTransfer(first, transfers[rank]);
      checkTransfer(second, transfers[rank]);
    }
    checkShift(first);
    checkShift(second);
    freeSet(first);
    freeSet(second);
  }
  // Flooded copies are compared by all that have them, so only the mistakes
  // are the same on every number of processors.
  hand::reportCompared(compared, here);
  hand::reportMistakes(mistakes, here);
}

} // namespace

int main(int argc, char **argv) {
  return hand::runRandomProgram(argc, argv, "transfers", "60", initialize,
                                entry);
}
