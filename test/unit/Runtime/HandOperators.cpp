//===- HandOperators.cpp - Random floods, scans, folds and remaps ---------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over zrt/Abi.h as the compiler would write it. Arrays over random
// regions (ranges, strides, singletons, floods; also empty ones) hold a
// function of their indices, so each processor can compute with a naive global
// model what an operator must give at its own indices, and compares. It prints
// the number of mistakes, which has to be 0, and how much was compared.
//
//===----------------------------------------------------------------------===//

#include "HandProgram.h"
#include "Random.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <vector>

namespace {

int32_t seed = 1, rounds = 120;
const zrt_loc here = {"operators.z", 1, 1};
Random random(1);
int64_t mistakes = 0, compared = 0;

using Index = std::vector<int64_t>;

bool isFlooded(const zrt_region &region, int d) {
  return region.floods >> d & 1;
}

std::vector<int64_t> indicesOf(const zrt_region &region, int d) {
  std::vector<int64_t> indices;
  const zrt_dim &dim = region.dim[d];
  for (int64_t x = dim.lo; x <= dim.hi; ++x)
    if ((x - dim.align) % dim.stride == 0)
      indices.push_back(x);
  return indices;
}

/// All indices of \p region in row-major order.
std::vector<Index> allOf(const zrt_region &region) {
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

bool isOwn(const zrt_region &region, const Index &index) {
  const zrt_range *own = zrtA_domain(region.rank)->own;
  for (int d = 0; d < region.rank; ++d)
    if (!isFlooded(region, d) && (index[d] < own[d].lo || index[d] > own[d].hi))
      return false;
  return true;
}

char *addressOf(const zrt_array &array, const Index &index) {
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
double valueAt(int number, const zrt_region &region, const Index &index) {
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

zrt_region randomRegion(int rank, bool withFloods) {
  zrt_region region = {};
  region.name = "R";
  region.rank = rank;
  int64_t most = rank == 1 ? 30 : rank == 2 ? 9 : 4;
  for (int d = 0; d < rank; ++d) {
    int64_t lo = random(-3, 3);
    region.dim[d] = {lo, lo + random(0, most) - (random(0, 9) == 0), 1, 0};
    switch (random(0, withFloods ? 4 : 3)) {
    case 0: {
      int64_t stride = random(2, 3), align = random(0, stride - 1);
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

zrt_array make(const zrt_region &region, const zrt_type &type,
               const char *name) {
  zrt_array array;
  zrtA_array_new(&array, &region, &type, nullptr, nullptr, 0, name, &here);
  return array;
}

bool maskAt(const Index &index) {
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
    if (random(0, 1))
      return;
    array = make(region, hand::Boolean, "M");
    fill<uint8_t>(array, maskAt);
    mask = {&array, static_cast<int32_t>(random(0, 1))};
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

//===----------------------------------------------------------------------===//

/// Of \p declared, one index in some dimensions.
zrt_region randomSlice(const zrt_region &declared) {
  zrt_region from = declared;
  for (int d = 0; d < declared.rank; ++d) {
    std::vector<int64_t> indices = indicesOf(declared, d);
    if (isFlooded(declared, d) || indices.empty() || random(0, 1))
      continue;
    int64_t k = indices[static_cast<size_t>(
        random(0, static_cast<int64_t>(indices.size()) - 1))];
    from.dim[d] = {k, k, 1, 0};
    from.singletons |= 1 << d;
  }
  return from;
}

void checkFlood(int rank) {
  zrt_region declared = randomRegion(rank, true), from = randomSlice(declared);
  zrt_array array = make(declared, hand::Double, "A"), result;
  fill<double>(array, [&](const Index &i) { return valueAt(0, declared, i); });
  zrtA_array_flood(&result, &array, &from, &here);
  std::map<Index, double> values;
  for (Index &index : allOf(from)) {
    double value = valueAt(0, declared, index);
    for (int d = 0; d < rank; ++d)
      if (isFlooded(result.region, d))
        index[d] = 0;
    values[index] = value;
  }
  expect(result, result.region, values);
  zrtA_array_free(&result, &here);
  zrtA_array_free(&array, &here);
}

/// What floods of a few indices would give one after the other.
void checkPanel(int rank) {
  zrt_region declared = randomRegion(rank, true), from = randomSlice(declared);
  int dim = static_cast<int>(random(0, rank - 1));
  zrt_dim &only = from.dim[dim], all = declared.dim[dim];
  if (isFlooded(declared, dim) || all.stride != 1 || all.lo > all.hi)
    return;
  int64_t first = random(all.lo, all.hi), count = random(1, all.hi - first + 1);
  only = {first, first, 1, 0};
  from.singletons |= 1 << dim;
  zrt_array array = make(declared, hand::Double, "A"), result;
  fill<double>(array, [&](const Index &i) { return valueAt(0, declared, i); });
  zrtA_array_flood_panel(&result, &array, &from, dim, count, &here);
  for (int64_t k = 0; k < count; ++k) {
    only.lo = only.hi = first + k;
    for (Index &index : allOf(from)) {
      double value = valueAt(0, declared, index);
      if (!isOwn(result.region, index))
        continue;
      ++compared;
      char *place = addressOf(result, index) + k * result.pitch[dim];
      mistakes += std::memcmp(place, &value, sizeof value) != 0;
    }
  }
  zrtA_array_free(&result, &here);
  zrtA_array_free(&array, &here);
}

void checkCombine(int rank) {
  zrt_region region = randomRegion(rank, true);
  int dims = 0;
  for (int d = 0; d < rank; ++d)
    if (isFlooded(region, d) && random(0, 3))
      dims |= 1 << d;
  zrt_array array = make(region, hand::LongInt, "S");
  // Each element becomes the number of processors in the slice.
  fill<int64_t>(array, [&](const Index &) { return 1; });
  zrtA_array_combine(&array, dims, ZRT_SUM, &here);
  int64_t count = 0;
  for (const Index &index : allOf(region))
    if (isOwn(region, index)) {
      int64_t value;
      std::memcpy(&value, addressOf(array, index), sizeof value);
      if (count == 0)
        count = value;
      if (value != count || zrtA_processors() % value != 0)
        ++mistakes;
    }
  zrtA_array_free(&array, &here);
}

/// Several arrays at once, over equal regions and perhaps another one, have the
/// bits that each has alone.
void checkCombineSeveral(int rank) {
  static const int32_t operators[] = {ZRT_SUM, ZRT_MAX, ZRT_PRODUCT, ZRT_MIN};
  zrt_region region = randomRegion(rank, true);
  int dims = region.floods & static_cast<int>(random(0, 15));
  int64_t count = random(2, 4);
  zrt_array together[4], alone[4];
  zrt_combined rows[4];
  for (int64_t k = 0; k < count; ++k) {
    bool isReal = random(0, 1) != 0;
    zrt_region over = region;
    for (int d = 0; d < rank; ++d)
      over.dim[d].hi += !isFlooded(region, d) && random(0, 9) == 0;
    const zrt_type &type = isReal ? hand::Double : hand::LongInt;
    together[k] = make(over, type, "S");
    alone[k] = make(over, type, "T");
    for (zrt_array *array : {&together[k], &alone[k]})
      if (isReal)
        fill<double>(*array, [&](const Index &i) {
          return valueAt(static_cast<int>(k), over, i) *
                 std::sin(zrtA_locale() + 1.0);
        });
      else
        fill<int64_t>(*array, [&](const Index &i) {
          return int64_t(valueAt(0, over, i)) + zrtA_locale();
        });
    int32_t reduction = operators[random(0, 3)];
    rows[k] = {&together[k], nullptr, 8, type.kind, reduction};
    zrtA_array_combine(&alone[k], dims, reduction, &here);
  }
  zrtA_array_combine_several(rows, count, dims, &here);
  for (int64_t k = 0; k < count; ++k) {
    for (const Index &index : allOf(together[k].region))
      if (isOwn(together[k].region, index))
        mistakes += std::memcmp(addressOf(together[k], index),
                                addressOf(alone[k], index), 8) != 0;
    zrtA_array_free(&together[k], &here);
    zrtA_array_free(&alone[k], &here);
  }
}

double combined(int32_t reduction, double a, double b) {
  switch (reduction) {
  case ZRT_SUM:
    return a + b;
  case ZRT_PRODUCT:
    return a * b;
  case ZRT_MAX:
    return std::max(a, b);
  default:
    return std::min(a, b);
  }
}
double identityOf(int32_t reduction) {
  return reduction == ZRT_SUM       ? 0
         : reduction == ZRT_PRODUCT ? 1
         : reduction == ZRT_MAX     ? -INFINITY
                                    : INFINITY;
}

/// docs/Rounding.md: the node (level, number) over a line.
double node(int32_t op, const std::vector<double> &line, int level,
            size_t number) {
  if (level == 0)
    return line[number];
  size_t right = (number * 2 + 1) << (level - 1);
  double left = node(op, line, level - 1, number * 2);
  return right >= line.size()
             ? left
             : combined(op, left, node(op, line, level - 1, number * 2 + 1));
}
double treeOf(int32_t op, const std::vector<double> &line) {
  if (line.empty())
    return identityOf(op);
  int level = 0;
  while ((size_t(1) << level) < line.size())
    ++level;
  return node(op, line, level, 0);
}

/// Folds \p values along dimension \p d, whose index becomes 0.
std::map<Index, double> foldAlong(int32_t op, int d,
                                  const std::map<Index, double> &values) {
  std::map<Index, std::vector<double>> lines;
  for (const auto &[index, value] : values) {
    Index line = index;
    line[d] = 0;
    lines[line].push_back(value);
  }
  std::map<Index, double> result;
  for (const auto &[line, elements] : lines)
    result[line] = treeOf(op, elements);
  return result;
}

double fraction(const Index &index) {
  double value = 0.1;
  for (int64_t x : index)
    value = value * 1.37 + 0.013 * static_cast<double>(x);
  return value;
}

void checkFold(int rank) {
  zrt_region from = randomRegion(rank, false), over = from;
  for (int d = 0; d < rank; ++d)
    if (random(0, 1)) {
      over.floods |= 1 << d;
      over.dim[d] = {0, 0, 1, 0};
    }
  int32_t op = random(0, 1) ? ZRT_SUM : ZRT_PRODUCT;
  zrt_array array = make(from, hand::Double, "A");
  zrt_array result = make(over, hand::Double, "S");
  fill<double>(array, fraction);
  RandomMask mask(from);
  zrtA_array_fold(&result, &array, &from, op, &mask.mask, &here);
  double all = 0;
  zrtA_fold(&all, &array, &from, op, &mask.mask, &here);
  std::map<Index, double> values;
  for (const Index &index : allOf(from))
    values[index] = mask.leaves(index) ? fraction(index) : identityOf(op);
  std::map<Index, double> rest = values;
  for (int d = rank - 1; d >= 0; --d) {
    rest = foldAlong(op, d, rest);
    if (isFlooded(over, d))
      values = foldAlong(op, d, values);
  }
  expect(result, over, values);
  double expected = rest.empty() ? identityOf(op) : rest.begin()->second;
  ++compared;
  if (all != expected)
    ++mistakes;
  zrtA_array_free(&result, &here);
  zrtA_array_free(&array, &here);
}

bool restartsAt(const Index &index) {
  int64_t sum = 0;
  for (int64_t x : index)
    sum = sum * 5 + x + 10;
  return sum % 4 == 0;
}

zrt_scan randomScan(int rank) {
  zrt_scan scan = {};
  std::vector<int32_t> dims;
  for (int d = 1; d <= rank; ++d)
    dims.push_back(random(0, 2) ? d : -d);
  for (int64_t left = static_cast<int64_t>(dims.size()); left > 1; --left)
    std::swap(dims[static_cast<size_t>(left - 1)],
              dims[static_cast<size_t>(random(0, left - 1))]);
  scan.count = static_cast<int32_t>(random(1, rank));
  if (random(0, 1)) { // row-major
    scan.count = rank;
    for (int d = 0; d < rank; ++d)
      dims[d] = rank - d;
  }
  std::copy(dims.begin(), dims.begin() + scan.count, scan.dims);
  scan.reduction = static_cast<int32_t>(random(0, 3));
  scan.inclusive = static_cast<int32_t>(random(0, 1));
  return scan;
}

/// The index as a sort key for the traversal of \p scan; unlisted dimensions
/// first.
Index keyOf(const zrt_scan &scan, const Index &index) {
  Index key = index;
  for (int k = 0; k < scan.count; ++k)
    key[std::abs(scan.dims[k]) - 1] = 0;
  for (int k = scan.count - 1; k >= 0; --k) {
    int64_t x = index[std::abs(scan.dims[k]) - 1];
    key.push_back(scan.dims[k] < 0 ? -x : x);
  }
  return key;
}

void checkScan(int rank, bool reproducible) {
  zrt_region region = randomRegion(rank, false);
  zrt_scan scan = randomScan(rank);
  if (scan.reduction == ZRT_PRODUCT)
    scan.reduction = ZRT_SUM;
  scan.reproducible = reproducible;
  zrt_array array = make(region, hand::Double, "A");
  zrt_array result = make(region, hand::Double, "P"), segment = {};
  fill<double>(array, [&](const Index &i) { return valueAt(0, region, i); });
  fill<double>(result, [&](const Index &) { return -7.0; });
  RandomMask mask(region);
  bool isSegmented = random(0, 1);
  if (isSegmented) {
    segment = make(region, hand::Boolean, "S");
    fill<uint8_t>(segment, restartsAt);
  }
  zrtA_array_scan(&result, &array, &region, &scan,
                  isSegmented ? &segment : nullptr, &mask.mask, &here);
  std::map<Index, Index> order; // by key
  for (const Index &index : allOf(region))
    order[keyOf(scan, index)] = index;
  std::map<Index, double> values;
  Index line;
  double sum = 0;
  for (const auto &[key, index] : order) {
    Index mine(key.begin(), key.begin() + rank);
    bool starts = line.empty() || mine != line;
    if (starts || (isSegmented && restartsAt(index)))
      sum = identityOf(scan.reduction);
    line = mine;
    double next = sum;
    if (mask.leaves(index))
      next = combined(scan.reduction, sum, valueAt(0, region, index));
    values[index] = !mask.leaves(index) ? -7.0 : scan.inclusive ? next : sum;
    sum = next;
  }
  expect(result, region, values);
  zrtA_array_free(&segment, &here);
  zrtA_array_free(&result, &here);
  zrtA_array_free(&array, &here);
}

/// The index with 0 along the first dimension of \p scan: its line.
Index lineOf(const zrt_scan &scan, Index index) {
  index[std::abs(scan.dims[0]) - 1] = 0;
  return index;
}

/// A scan that the program goes through itself: what its own elements begin
/// with is what zrtA_array_carries makes of their sums.
void checkCarries(int rank) {
  zrt_region region = randomRegion(rank, false);
  zrt_scan scan = randomScan(rank);
  scan.reduction = ZRT_SUM;
  zrt_region lines = region;
  int fastest = std::abs(scan.dims[0]) - 1;
  lines.floods |= 1 << fastest;
  lines.dim[fastest] = {0, 0, 1, 0};
  zrt_array carries = make(lines, hand::Double, "C"), flags = {};
  bool isSegmented = random(0, 1);
  if (isSegmented)
    flags = make(lines, hand::Boolean, "F");
  std::map<Index, Index> order; // by key
  for (const Index &index : allOf(region))
    order[keyOf(scan, index)] = index;
  auto restarts = [&](const Index &index) {
    return isSegmented && restartsAt(index);
  };
  std::map<Index, double> sums;
  std::map<Index, uint8_t> begins;
  for (const auto &[key, index] : order) {
    if (!isOwn(region, index))
      continue;
    double &sum = sums[lineOf(scan, index)];
    if (restarts(index)) {
      sum = 0;
      begins[lineOf(scan, index)] = 1;
    }
    sum += valueAt(0, region, index);
  }
  fill<double>(carries, [&](const Index &line) { return sums[line]; });
  if (isSegmented)
    fill<uint8_t>(flags, [&](const Index &line) { return begins[line]; });
  zrtA_array_carries(&carries, isSegmented ? &flags : nullptr, &region, &scan,
                     &here);
  std::map<Index, double> before; // of the own part of each line
  Index last;
  double sum = 0;
  for (const auto &[key, index] : order) {
    Index mine(key.begin(), key.begin() + rank);
    if (last.empty() || mine != last)
      sum = 0;
    last = mine;
    if (isOwn(region, index))
      before.try_emplace(lineOf(scan, index), sum);
    sum = (restarts(index) ? 0 : sum) + valueAt(0, region, index);
  }
  expect(carries, lines, before);
  zrtA_array_free(&flags, &here);
  zrtA_array_free(&carries, &here);
}

void add(void *target, const void *value) {
  // Neither commutative nor associative, so that the order shows.
  double old, added;
  std::memcpy(&old, target, sizeof old);
  std::memcpy(&added, value, sizeof added);
  old = old / 2 + added;
  std::memcpy(target, &old, sizeof old);
}

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
    int64_t way = random(0, 3);
    int64_t row = way == 1 ? random(0, count - 1) : -1;
    if (way == 1)
      varies = static_cast<int>(random(0, region.rank - 1));
    for (int k = 0; k < count; ++k) {
      bool isClosed = way == 0 || (way == 1 ? k != row : random(0, 3) == 0);
      if (isClosed && random(0, 4) > 0 && addClosed(k))
        continue;
      Value value = randomMap(k);
      if (isClosed || random(0, 2) == 0) {
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
      arrays[k] = make(over, random(0, 1) ? hand::LongInt : hand::Integer, "I");
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
    int k = static_cast<int>(random(0, count - 1));
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
    int dim = static_cast<int>(random(0, region.rank - 1));
    if (isFlooded(region, dim) || (dim == varies && varies >= 0))
      return false;
    std::vector<int64_t> all = indicesOf(region, dim);
    for (int tries = 0; tries < 20; ++tries) {
      int64_t from = legal[static_cast<size_t>(
          random(0, static_cast<int64_t>(legal.size()) - 1))];
      int64_t scale = random(-3, 3), modulus = random(1, 12);
      int64_t anchor = all.empty() ? 0 : all.front();
      zrt_map map = {ZRT_MAP_INDEX, dim, 0, nullptr, 0, 0, 0};
      if (tries > 0)
        map = {
            ZRT_MAP_LINEAR, dim, from - scale * anchor, nullptr, scale, 0, 0};
      if (tries > 0 && random(0, 1))
        map = {ZRT_MAP_MODULAR, dim,     random(0, 20), nullptr,
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
    int64_t factor = random(1, 7);
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

bool isEmpty(const zrt_region &region) { return allOf(region).empty(); }

/// Repeats \p once, with new values of maps and mask now and then: schedules
/// are made, used, and must not be when they are stale.
template <typename F>
void repeat(RandomMaps &maps, RandomMask &mask, F &&once) {
  for (int64_t times = random(1, 5); times > 0; --times) {
    once();
    if (random(0, 3) == 0)
      maps.change();
    if (random(0, 5) == 0)
      mask.change();
  }
}

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
  zrt_region declared = randomRegion(static_cast<int>(random(1, 3)), true);
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
    bool isChecked = random(0, 4) > 0;
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
    std::memcpy(&value,
                window.origin + (at < 0 ? window.pitch[0] : 0) +
                    at * window.pitch[1],
                sizeof value);
    return value;
  });
  expect(result, region, values);
}

/// Windows of one or two arrays, which travel together then, each for two remaps
/// under different masks.
void checkWindow(int rank) {
  zrt_region declared = randomRegion(static_cast<int>(random(1, 3)), true);
  zrt_region region = randomRegion(rank, true);
  int arrays = static_cast<int>(random(1, 2));
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

/// A scatter of elements of \p type, combined by \p combine, which the runtime
/// knows as \p reduction.
template <typename T>
void checkScatter(int rank, const zrt_type &type, zrt_combine combine,
                  int32_t reduction) {
  zrt_region declared = randomRegion(static_cast<int>(random(1, 3)), false);
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
  switch (random(0, 4)) {
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

void initialize() {
  zrtA_config_given(0, &seed);
  zrtA_config_given(1, &rounds);
  random = Random(static_cast<unsigned>(seed));
  for (int rank = 1; rank <= 3; ++rank) {
    zrt_region region = randomRegion(rank, false);
    zrtA_region_declare(&region);
  }
}

void entry() {
  for (int32_t round = 0; round < rounds; ++round) {
    int rank = 1 + round % 3;
    checkFlood(rank);
    checkPanel(rank);
    checkCombine(rank);
    checkCombineSeveral(rank);
    checkFold(rank);
    checkScan(rank, false);
    checkScan(rank, true);
    checkCarries(rank);
    checkGather<double>(rank, hand::Double);
    checkGather<Line>(rank, LineType);
    checkWindow(rank);
    checkScatters(rank);
  }
  bool enough = compared > 0;
  hand::reportMistakes(mistakes, here);
  if (!enough && zrtA_locale() == 0)
    zrtA_halt(1, &here);
}

} // namespace

int main(int argc, char **argv) {
  return hand::runRandomProgram(argc, argv, "operators", "120", initialize,
                                entry);
}
