//===- HandTransfers.cpp - Random transfers, checked by each processor ----===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over zrt/Abi.h as the compiler would write it, for regions of every
// rank, also empty and tiny ones, and directions of any length: arrays are
// filled with a function of their indices, transferred, and every element that
// a processor may read is compared with that function. So it knows the right
// answer on any number of processors. It prints the number of mistakes, which
// has to be 0, and the same sum everywhere.
//
//===----------------------------------------------------------------------===//

#include "zrt/Abi.h"

#include <algorithm>
#include <cstring>
#include <random>

namespace {

int32_t seed = 1, rounds = 60;
uint8_t seedGiven, roundsGiven;
const zrt_loc here = {"transfers.z", 1, 1};
std::mt19937 engine;
int64_t mistakes = 0, compared = 0;

int64_t random(int64_t lo, int64_t hi) {
  return lo +
         static_cast<int64_t>(engine() % static_cast<uint64_t>(hi - lo + 1));
}

/// The value of element \p index of array number \p number.
int64_t valueAt(int number, const int64_t *index, int rank) {
  int64_t value = number + 1;
  for (int d = 0; d < rank; ++d)
    value = value * 31 + index[d];
  return value % 1000003;
}

double load(const zrt_array &array, const int64_t *index) {
  const char *address = array.origin;
  for (int d = 0; d < array.region.rank; ++d)
    address += index[d] * array.pitch[d];
  if (array.type == ZRT_BOOL)
    return *address;
  if (array.type == ZRT_I32) {
    int32_t value;
    std::memcpy(&value, address, sizeof value);
    return value;
  }
  double value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

double expected(const zrt_array &array, int number, const int64_t *index) {
  int64_t value = valueAt(number, index, array.region.rank);
  return static_cast<double>(array.type == ZRT_BOOL ? value % 2 : value);
}

void store(zrt_array &array, int number, const int64_t *index) {
  char *address = array.origin;
  for (int d = 0; d < array.region.rank; ++d)
    address += index[d] * array.pitch[d];
  double value = expected(array, number, index);
  if (array.type == ZRT_BOOL) {
    *address = static_cast<char>(value);
  } else if (array.type == ZRT_I32) {
    int32_t narrow = static_cast<int32_t>(value);
    std::memcpy(address, &narrow, sizeof narrow);
  } else {
    std::memcpy(address, &value, sizeof value);
  }
}

/// Runs \p body for this processor's indices of \p region.
template <typename Body> void forOwn(const zrt_region &region, Body body) {
  const zrt_range *own = zrtA_domain(region.rank)->own;
  int64_t lo[ZRT_MAX_RANK], hi[ZRT_MAX_RANK], index[ZRT_MAX_RANK];
  for (int d = 0; d < region.rank; ++d) {
    lo[d] = index[d] = std::max(region.dim[d].lo, own[d].lo);
    hi[d] = std::min(region.dim[d].hi, own[d].hi);
    if (lo[d] > hi[d])
      return;
  }
  while (true) {
    body(index);
    int d = region.rank - 1;
    while (d >= 0 && index[d] == hi[d]) {
      index[d] = lo[d];
      --d;
    }
    if (d < 0)
      return;
    ++index[d];
  }
}

zrt_region randomRegion(int rank) {
  zrt_region region = {};
  region.name = "R";
  region.rank = rank;
  int64_t most = rank <= 2 ? 12 : rank == 3 ? 6 : 3;
  for (int d = 0; d < rank; ++d) {
    int64_t lo = random(-2, 3);
    region.dim[d] = {lo, lo + random(-1, most)};
    if (random(0, 3) > 0)
      region.dim[d].hi = std::max(region.dim[d].hi, lo + 1);
  }
  return region;
}

struct Set {
  zrt_region region;
  zrt_array array[2];
  zrt_shift shift[4];
  int64_t count;
};

/// Two arrays that are large enough to be read at up to four directions.
void makeSet(Set &set, int rank) {
  set.region = randomRegion(rank);
  zrt_region declared[2] = {set.region, set.region};
  zrt_fluff fluff[2] = {};
  set.count = random(1, 4);
  for (int64_t k = 0; k < set.count; ++k) {
    set.shift[k] = {};
    int which = static_cast<int>(random(0, 1));
    set.shift[k].array = &set.array[which];
    for (int d = 0; d < rank; ++d) {
      int64_t distance = random(0, 2) == 0 ? random(-5, 5) : random(-1, 1);
      set.shift[k].direction[d] = distance;
      fluff[which].below[d] = std::max(fluff[which].below[d], -distance);
      fluff[which].above[d] = std::max(fluff[which].above[d], distance);
    }
  }
  static const int32_t types[] = {ZRT_F64, ZRT_I32, ZRT_BOOL};
  for (int k = 0; k < 2; ++k) {
    for (int d = 0; d < rank; ++d) {
      declared[k].dim[d].lo -= fluff[k].below[d];
      declared[k].dim[d].hi += fluff[k].above[d];
    }
    zrtA_array_new(&set.array[k], &declared[k], types[random(0, 2)], &fluff[k],
                   k ? "B" : "A", &here);
    forOwn(declared[k],
           [&](const int64_t *index) { store(set.array[k], k, index); });
  }
}

void compare(const zrt_array &array, const zrt_array &original, int number,
             const int64_t *index, const int64_t *direction) {
  int64_t source[ZRT_MAX_RANK], place[ZRT_MAX_RANK];
  for (int d = 0; d < array.region.rank; ++d) {
    source[d] = index[d] + direction[d];
    place[d] = &array == &original ? source[d] : index[d];
  }
  ++compared;
  if (load(array, place) != expected(original, number, source))
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
      compare(array, array, array.name[0] == 'B', index,
              set.shift[k].direction);
    });
  zrtA_at_sv(&transfer);
}

void checkShift(const Set &set) {
  const zrt_array &array = *set.shift[0].array;
  zrt_array result;
  zrtA_array_shift(&result, &array, &set.region, set.shift[0].direction, &here);
  forOwn(set.region, [&](const int64_t *index) {
    compare(result, array, array.name[0] == 'B', index, set.shift[0].direction);
  });
  zrtA_write_array(ZRT_OUT, nullptr, &result, &set.region, &here);
  zrtA_array_free(&result);
}

void freeSet(Set &set) {
  zrtA_array_free(&set.array[0]);
  zrtA_array_free(&set.array[1]);
}

void initialize() {
  engine.seed(static_cast<unsigned>(seed));
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
  zrtA_reduce(&mistakes, ZRT_I64, ZRT_SUM);
  zrtA_reduce(&compared, ZRT_I64, ZRT_SUM);
  zrtA_write_integer(ZRT_OUT, "%d compared, ", compared, 64, &here);
  zrtA_write_integer(ZRT_OUT, "%d mistakes\n", mistakes, 64, &here);
}

} // namespace

int main(int argc, char **argv) {
  const zrt_config configs[] = {
      {"seed", ZRT_I32, 0, &seed, &seedGiven, "1", "of the random numbers"},
      {"rounds", ZRT_I32, 0, &rounds, &roundsGiven, "60", ""}};
  const zrt_program program = {"transfers", ZRT_TEST_PLUGIN_DIR, "",   configs,
                               2,           initialize,          entry};
  return zrtA_main(argc, argv, &program);
}
