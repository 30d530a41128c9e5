//===- Balance.cpp - Distributions by weights -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `[R] balance(D, W)` with W over [1..4, 1..4] and a grid of 2 x 2:
//
//     1 1 1 1    4    sums of rows: cut behind row 3
//     1 1 1 1    4
//     1 1 1 1    4
//     1 1 1 9   12
//
//     4 4 4 12        sums of columns: cut behind column 3
//
// Each dimension is cut by itself, by the sums over the others.
//
// Cost: one pass over the weights, and a reduction of as many numbers as the
// dimensions have indices.
//
//===----------------------------------------------------------------------===//

#include "Entry/Domains/Balance.h"

#include "Collective/OwnPart.h"
#include "Entry/Domains/InBlocks.h"
#include "Entry/Process.h"
#include "Layout/BalancedCut.h"
#include "Memory/ElementView.h"
#include "Support/Error.h"

#include <cmath>
#include <limits>

namespace zrt {

namespace {

/// The sums of all dimensions, one dimension after the other, and behind them
/// how many weights are none.
struct WeightSums {
  Box box;
  std::vector<double> values;
  size_t start[ZRT_MAX_RANK] = {};

  explicit WeightSums(const Box &box) : box(box) {
    size_t total = 0;
    for (int d = 0; d < box.rank; ++d) {
      start[d] = total;
      total += static_cast<size_t>(size(box.dim[d]));
    }
    values.resize(total + 1);
  }
  void add(int d, int64_t index, double weight) {
    if (contains(rangeOf(box.dim[d]), Range{index, index}))
      values[start[d] + static_cast<size_t>(index - box.dim[d].lo)] += weight;
  }
  std::vector<double> of(int d) const {
    auto first = values.begin() + static_cast<std::ptrdiff_t>(start[d]);
    return {first, first + size(box.dim[d])};
  }
};

} // namespace

/// Adds the weights of \p part, which this processor has.
static void addPart(WeightSums &sums, const zrt_array &weights, const Box &part,
                    const zrt_region &region, const zrt_mask &mask) {
  if (isEmpty(part))
    return;
  ElementView from = viewOf(weights, part);
  ElementView flags = mask.array ? viewOf(*mask.array, part) : ElementView();
  int last = part.rank - 1;
  auto indexAt = [&](int d, int64_t count) {
    return part.dim[d].lo + count * part.dim[d].stride;
  };
  auto isTaken = [&](const int64_t *at, int64_t k) {
    if (!mask.array)
      return true;
    const char *flag = addressIn(flags, at) + k * flags.step[last];
    return (*reinterpret_cast<const uint8_t *>(flag) != 0) == (mask.value != 0);
  };
  forEachLine(part.rank, from.count, last, [&](const int64_t *at) {
    const char *read = addressIn(from, at);
    double line = 0;
    for (int64_t k = 0; k < from.count[last]; ++k, read += from.step[last]) {
      double weight = *reinterpret_cast<const double *>(read);
      if (!isTaken(at, k))
        continue;
      if (!std::isfinite(weight) || weight < 0)
        ++sums.values.back();
      line += weight;
      if (!(region.floods >> last & 1))
        sums.add(last, indexAt(last, k), weight);
    }
    for (int d = 0; d < last; ++d)
      if (!(region.floods >> d & 1))
        sums.add(d, indexAt(d, at[d]), line);
  });
}

std::vector<std::vector<int64_t>> balancedPoints(int32_t number,
                                                 const zrt_array &weights,
                                                 const zrt_region &region,
                                                 const zrt_mask *mask,
                                                 const zrt_loc *loc) {
  Process &p = process();
  Transport &transport = *p.transport;
  zrt_region blocks = inBlocks(region);
  WeightSums sums(p.domains.boxOver(number));
  BlockCopy copy(&weights, region, loc);
  BlockMask flags(mask, region, loc);
  addPart(sums, *copy.array(),
          ownPart(p.distribution(blocks), blocks, transport.rank()), blocks,
          flags.mask);
  reduce(transport, p.slices.all(transport), sums.values.data(),
         static_cast<int64_t>(sums.values.size()), ZRT_F64, ZRT_SUM);
  if (sums.values.back() != 0)
    fatal(loc, ErrorScope::Replicated,
          "a weight is negative or not finite, so nothing is balanced by it");
  ProcessGrid grid = p.domains.gridOver(number, transport.size());
  std::vector<std::vector<int64_t>> points(static_cast<size_t>(grid.rank));
  for (int d = 0; d < grid.rank; ++d) {
    if (grid.extent[d] == 1)
      continue;
    for (int64_t cut : balancedCut(sums.of(d), grid.extent[d]))
      points[d].push_back(sums.box.dim[d].lo + cut - 1);
    points[d].front() = std::numeric_limits<int32_t>::min() - int64_t(1);
    points[d].back() = std::numeric_limits<int32_t>::max();
  }
  return points;
}

} // namespace zrt
