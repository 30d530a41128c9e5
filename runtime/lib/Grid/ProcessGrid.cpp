//===- ProcessGrid.cpp - Processors arranged in dimensions ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From `-p12 -r2` to the grids of all ranks:
//
//     rank 1   12             all processors, always
//     rank 2   2 x 6          the rows were given
//     rank 3   2 x 3 x 2      the other dimensions as even as possible
//
// Completing searches all ways to write the remaining processors as an ordered
// product that does not increase, and keeps the one of the smallest sum, which
// is the one with the smallest block surface for a cubic region. The larger
// extents come first since blocks that are cut across rows leave rows whole,
// and these are contiguous in memory. The search visits the divisors of p a few
// times, once per run and rank.
//
// A wave goes through the processors of a dimension one after the other, but
// through those beside it at the same time. So larger extents are for
// dimensions along which no wave travels. Where one travels along all of them
// the last takes the largest: tiles are then rows of one processor, as long as
// they can be (2000 x 2000 on two processors: 1 x 2 takes 0.7 of the time of
// 2 x 1).
//
//===----------------------------------------------------------------------===//

#include "Grid/ProcessGrid.h"

#include <algorithm>

namespace zrt {

int ProcessGrid::size() const {
  int n = 1;
  for (int d = 0; d < rank; ++d)
    n *= extent[d];
  return n;
}

void ProcessGrid::coordinates(int processor, int *coordinate) const {
  for (int d = rank - 1; d >= 0; --d) {
    coordinate[d] = processor % extent[d];
    processor /= extent[d];
  }
}

int ProcessGrid::processor(const int *coordinate) const {
  int number = 0;
  for (int d = 0; d < rank; ++d)
    number = number * extent[d] + coordinate[d];
  return number;
}

int requestedProcessors(const GridRequest &request) {
  if (request.processors > 0)
    return request.processors;
  int product = 0;
  for (int n : request.levels)
    if (n > 0)
      product = std::max(product, 1) * n;
  for (int rank = 1; rank <= ZRT_MAX_RANK && product == 0; ++rank)
    for (int n : request.extents[rank])
      product = std::max(product, 1) * n;
  for (auto named = request.named.begin();
       named != request.named.end() && product == 0; ++named)
    for (int n : named->second)
      product = std::max(product, 1) * n;
  return product;
}

/// All divisors of \p product, the largest first: pairs up to its root.
static std::vector<int> divisors(int product) {
  std::vector<int> large, small;
  for (int d = 1; d * d <= product; ++d) {
    if (product % d != 0)
      continue;
    large.push_back(product / d);
    if (d * d < product)
      small.push_back(d);
  }
  large.insert(large.end(), small.rbegin(), small.rend());
  return large;
}

/// Writes \p product as \p count factors, none above \p limit and none above
/// the one before, of the smallest sum. False if there is no such product.
static bool splitEvenly(int product, int count, int limit, int *factors) {
  if (count == 0)
    return product == 1;
  int rest[ZRT_MAX_RANK];
  int bestSum = -1;
  for (int first : divisors(product)) {
    if (first > limit || !splitEvenly(product / first, count - 1, first, rest))
      continue;
    int sum = first;
    for (int k = 0; k + 1 < count; ++k)
      sum += rest[k];
    if (bestSum >= 0 && sum >= bestSum)
      continue;
    bestSum = sum;
    factors[0] = first;
    std::copy(rest, rest + count - 1, factors + 1);
  }
  return bestSum >= 0;
}

/// What the user said about the grid of \p rank, for messages: "-r2 -c3".
static std::string describe(const GridRequest &request, int rank) {
  std::string text;
  if (!request.extents[rank].empty()) {
    for (int n : request.extents[rank])
      text += (text.empty() ? "-g" : "x") + std::to_string(n);
    return text;
  }
  for (int d = 0; d < std::min(rank, 3); ++d)
    if (request.levels[d] > 0)
      text += (text.empty() ? "-" : " -") + std::string(1, "rcl"[d]) +
              std::to_string(request.levels[d]);
  return text;
}

/// Writes the extents that the request fixes for \p rank, 0 for the others.
static void fixedExtents(const GridRequest &request, int rank, int *fixed) {
  std::fill(fixed, fixed + rank, 0);
  if (!request.extents[rank].empty()) {
    std::copy(request.extents[rank].begin(), request.extents[rank].end(),
              fixed);
    return;
  }
  int named = 0;
  for (int d = 0; d < 3; ++d)
    if (request.levels[d] > 0)
      named = d + 1;
  for (int d = 0; d < std::min(rank, 3); ++d)
    if (!(d == rank - 1 && named > rank) && rank > 1)
      fixed[d] = request.levels[d];
}

/// The dimensions, those first that are to have larger extents.
static std::vector<int> byPreference(int waves, int rank) {
  std::vector<int> dims;
  for (int d = 0; d < rank; ++d)
    if (!(waves >> d & 1))
      dims.push_back(d);
  for (int d = rank - 1; d >= 0; --d)
    if (waves >> d & 1)
      dims.push_back(d);
  return dims;
}

bool makeGrid(const GridRequest &request, int rank, int processors,
              ProcessGrid &grid, std::string &error) {
  int fixed[ZRT_MAX_RANK];
  fixedExtents(request, rank, fixed);
  int remaining = processors, open = 0;
  for (int d = 0; d < rank; ++d) {
    if (fixed[d] == 0) {
      ++open;
      continue;
    }
    if (remaining % fixed[d] != 0)
      remaining = 0;
    remaining /= fixed[d];
  }
  int factors[ZRT_MAX_RANK];
  if (remaining == 0 || !splitEvenly(remaining, open, remaining, factors)) {
    error = std::to_string(processors) + " processors do not make a grid of " +
            std::to_string(rank) + " dimensions with " +
            describe(request, rank);
    return false;
  }
  grid = ProcessGrid();
  grid.rank = rank;
  int next = 0;
  for (int d : byPreference(request.waves[rank], rank))
    grid.extent[d] = fixed[d] != 0 ? fixed[d] : factors[next++];
  return true;
}

bool completeGrid(const std::vector<int> &fixed, int processors,
                  ProcessGrid &grid) {
  int remaining = processors, open = 0, factors[ZRT_MAX_RANK];
  for (int extent : fixed) {
    open += extent == 0;
    if (extent != 0)
      remaining = remaining % extent == 0 ? remaining / extent : 0;
  }
  if (remaining == 0 || !splitEvenly(remaining, open, remaining, factors))
    return false;
  grid = ProcessGrid();
  grid.rank = static_cast<int>(fixed.size());
  int next = 0;
  for (int d = 0; d < grid.rank; ++d)
    grid.extent[d] = fixed[d] != 0 ? fixed[d] : factors[next++];
  return true;
}

std::string toString(const std::vector<int> &extents) {
  std::string text;
  for (int extent : extents)
    text += (text.empty() ? "" : " x ") +
            (extent == 0 ? std::string("?") : std::to_string(extent));
  return text;
}

bool checkGrids(const GridRequest &request, int processors,
                std::string &error) {
  ProcessGrid grid;
  for (int rank = 1; rank <= ZRT_MAX_RANK; ++rank)
    if (!makeGrid(request, rank, processors, grid, error))
      return false;
  return true;
}

} // namespace zrt
