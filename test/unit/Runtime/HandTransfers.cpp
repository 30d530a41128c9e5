//===- HandTransfers.cpp - Random transfers, checked by each processor ----===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over zrt/Abi.h as the compiler would write it, for regions of every
// rank, also empty and tiny ones, directions of any length, and elements of
// many types and sizes, strings among them: arrays are filled with a function
// of their indices, transferred, and every element that a processor may read is
// compared with that function. So it knows the right answer on any number of
// processors. It prints the number of mistakes, which has to be 0, and the same
// sum everywhere.
//
//===----------------------------------------------------------------------===//

#include "HandTypes.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <random>
#include <string>

namespace {

int32_t seed = 1, rounds = 60;
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

struct Particle {
  double x;
  int8_t kind;
  int32_t count[2];
};
constexpr zrt_range Two[] = {{1, 2}}, Many[] = {{-7, 292}}, None[] = {{1, 0}};
constexpr zrt_type Pair = hand::array(hand::Integer, 8, Two);
constexpr zrt_field ParticleFields[] = {
    {"x", offsetof(Particle, x), &hand::Double},
    {"kind", offsetof(Particle, kind), &hand::SByte},
    {"count", offsetof(Particle, count), &Pair}};
constexpr zrt_type ParticleType =
    hand::record("particle", sizeof(Particle), ParticleFields);
constexpr zrt_type Bytes = hand::array(hand::UByte, 300, Many);
constexpr zrt_type Nothing = hand::array(hand::Double, 0, None);

constexpr int64_t WordCount = 500;
const char *words[WordCount];

/// The image in memory of element number \p value.
struct Element {
  alignas(16) unsigned char bytes[300] = {};

  template <typename T> void set(T value, size_t at = 0) {
    std::memcpy(bytes + at, &value, sizeof value);
  }
};

Element elementOf(const zrt_type *type, int64_t value) {
  Element element;
  if (type == &hand::Double)
    element.set(static_cast<double>(value));
  else if (type == &hand::Integer)
    element.set(static_cast<int32_t>(value));
  else if (type == &hand::Boolean)
    element.set(static_cast<uint8_t>(value % 2));
  else if (type == &hand::ShortInt)
    element.set(static_cast<int16_t>(value));
  else if (type == &hand::Quad)
    element.set(static_cast<double>(value), 2); // any 16 bytes
  else if (type == &hand::String)
    element.set(words[value % WordCount]);
  else if (type == &Bytes)
    for (size_t k = 0; k < sizeof element.bytes; ++k)
      element.bytes[k] = static_cast<unsigned char>(value * 7 + k);
  else if (type == &ParticleType) {
    element.set(static_cast<double>(value), offsetof(Particle, x));
    element.set(static_cast<int8_t>(value), offsetof(Particle, kind));
    element.set(static_cast<int32_t>(value), offsetof(Particle, count));
    element.set(static_cast<int32_t>(-value), offsetof(Particle, count) + 4);
  }
  return element;
}

constexpr const zrt_type *Types[] = {
    &hand::Double, &hand::Integer, &hand::Boolean, &hand::ShortInt, &hand::Quad,
    &hand::String, &Bytes,         &ParticleType,  &Nothing};

/// Types that this program writes: bytes of quads here are no numbers.
bool isWritten(const zrt_type *type) {
  return type == &hand::Double || type == &hand::Integer ||
         type == &hand::Boolean || type == &hand::String ||
         type == &ParticleType;
}

char *addressOf(const zrt_array &array, const int64_t *index) {
  char *address = array.origin;
  for (int d = 0; d < array.region.rank; ++d)
    address += index[d] * array.pitch[d];
  return address;
}

Element expected(const zrt_array &array, int number, const int64_t *index) {
  return elementOf(array.type, valueAt(number, index, array.region.rank));
}

void store(zrt_array &array, int number, const int64_t *index) {
  Element element = expected(array, number, index);
  std::memcpy(addressOf(array, index), element.bytes,
              static_cast<size_t>(array.type->size));
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
  for (int k = 0; k < 2; ++k) {
    for (int d = 0; d < rank; ++d) {
      declared[k].dim[d].lo -= fluff[k].below[d];
      declared[k].dim[d].hi += fluff[k].above[d];
    }
    zrtA_array_new(&set.array[k], &declared[k],
                   Types[random(0, std::size(Types) - 1)], &fluff[k],
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
  Element element = expected(original, number, source);
  if (std::memcmp(addressOf(array, place), element.bytes,
                  static_cast<size_t>(array.type->size)) != 0)
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
  if (isWritten(array.type))
    zrtA_write_array(ZRT_ZOUT, nullptr, &result, &set.region, &here);
  // The same by a copy: of the part of the region that the original has.
  zrt_array copy;
  zrtA_array_new(&copy, &array.region, array.type, nullptr, "copy", &here);
  zrtA_array_copy(&copy, &array, &array.region);
  static const int64_t nowhere[ZRT_MAX_RANK] = {};
  forOwn(array.region, [&](const int64_t *index) {
    compare(copy, array, array.name[0] == 'B', index, nowhere);
  });
  zrtA_array_free(&copy);
  zrtA_array_free(&result);
}

void freeSet(Set &set) {
  zrtA_array_free(&set.array[0]);
  zrtA_array_free(&set.array[1]);
}

void initialize() {
  zrtA_config_given(0, &seed);
  zrtA_config_given(1, &rounds);
  for (int64_t k = 0; k < WordCount; ++k)
    words[k] = zrtA_string(("w" + std::to_string(k)).c_str());
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
  zrtA_write(ZRT_ZOUT, "%d compared, ", &compared, &hand::LongInt, &here);
  zrtA_write(ZRT_ZOUT, "%d mistakes\n", &mistakes, &hand::LongInt, &here);
}

} // namespace

int main(int argc, char **argv) {
  const zrt_config configs[] = {
      {"seed", &hand::Integer, "1", "of the random numbers"},
      {"rounds", &hand::Integer, "60", ""}};
  const zrt_program program = {"transfers", ZRT_TEST_PLUGIN_DIR, "",   configs,
                               2,           initialize,          entry};
  return zrtA_main(argc, argv, &program);
}
