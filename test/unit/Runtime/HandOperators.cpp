//===- HandOperators.cpp - Random floods, scans and folds -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over zrt/Abi.h as the compiler would write it: floods,
// panels, combines, folds, scans and carries over random regions.
// Each processor computes with a naive global model what must be there at its
// own indices, and compares (HandArrays.h). It prints the number of mistakes,
// which has to be 0.
//
//===----------------------------------------------------------------------===//

#include "HandArrays.h"

using namespace hand;

namespace {

/// Of \p declared, one index in some dimensions.
zrt_region randomSlice(const zrt_region &declared) {
  zrt_region from = declared;
  for (int d = 0; d < declared.rank; ++d) {
    std::vector<int64_t> indices = indicesOf(declared, d);
    if (isFlooded(declared, d) || indices.empty() || draw(0, 1))
      continue;
    int64_t k = indices[static_cast<size_t>(
        draw(0, static_cast<int64_t>(indices.size()) - 1))];
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
  int dim = static_cast<int>(draw(0, rank - 1));
  zrt_dim &only = from.dim[dim], all = declared.dim[dim];
  if (isFlooded(declared, dim) || all.stride != 1 || all.lo > all.hi)
    return;
  int64_t first = draw(all.lo, all.hi), count = draw(1, all.hi - first + 1);
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
    if (isFlooded(region, d) && draw(0, 3))
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
  int dims = region.floods & static_cast<int>(draw(0, 15));
  int64_t count = draw(2, 4);
  zrt_array together[4], alone[4];
  zrt_combined rows[4];
  for (int64_t k = 0; k < count; ++k) {
    bool isReal = draw(0, 1) != 0;
    zrt_region over = region;
    for (int d = 0; d < rank; ++d)
      over.dim[d].hi += !isFlooded(region, d) && draw(0, 9) == 0;
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
    int32_t reduction = operators[draw(0, 3)];
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
    if (draw(0, 1)) {
      over.floods |= 1 << d;
      over.dim[d] = {0, 0, 1, 0};
    }
  int32_t op = draw(0, 1) ? ZRT_SUM : ZRT_PRODUCT;
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
    dims.push_back(draw(0, 2) ? d : -d);
  for (int64_t left = static_cast<int64_t>(dims.size()); left > 1; --left)
    std::swap(dims[static_cast<size_t>(left - 1)],
              dims[static_cast<size_t>(draw(0, left - 1))]);
  scan.count = static_cast<int32_t>(draw(1, rank));
  if (draw(0, 1)) { // row-major
    scan.count = rank;
    for (int d = 0; d < rank; ++d)
      dims[d] = rank - d;
  }
  std::copy(dims.begin(), dims.begin() + scan.count, scan.dims);
  scan.reduction = static_cast<int32_t>(draw(0, 3));
  scan.inclusive = static_cast<int32_t>(draw(0, 1));
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
  bool isSegmented = draw(0, 1);
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
  bool isSegmented = draw(0, 1);
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
  }
  reportCompared();
}

} // namespace

int main(int argc, char **argv) {
  return runRandomProgram(argc, argv, "operators", "120", initializeRandom,
                          entry);
}
