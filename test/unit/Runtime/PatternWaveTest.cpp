//===- PatternWaveTest.cpp - Waves over patterns --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For random grids, patterns, orders, offsets that these meet, and widths of
// tiles, every processor goes through its visits as a program does; together
// they compute what one goes through index by index, and nothing waits forever,
// even where a send waits until it is received.
//
//===----------------------------------------------------------------------===//

#include "Sparse/Waves/PatternWave.h"
#include "HandTypes.h"
#include "Random.h"
#include "ThreadTransport.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

using namespace zrt;

namespace {

using Index = std::array<int64_t, ZRT_MAX_RANK>;
using Values = std::map<Index, int64_t>;

constexpr int64_t Elsewhere = -5;
const zrt_loc Here = {"t.z", 1, 1};

/// A wave that stores A := 3 * A + A'@d1 + 2 * A'@d2 + ... + 1.
struct PlayedWave {
  Distribution distribution;
  Placement placement;
  zrt_region region = {};
  zrt_wave order = {};
  int64_t width = 0;
  std::vector<Index> directions;
  Values before; ///< at the indices of the pattern
};

Index movedBy(Index index, const Index &direction) {
  for (size_t d = 0; d < index.size(); ++d)
    index[d] += direction[d];
  return index;
}

int64_t valueAt(const Values &values, const Index &index) {
  auto found = values.find(index);
  return found == values.end() ? Elsewhere : found->second;
}

int64_t computed(int64_t own, const std::vector<int64_t> &read) {
  int64_t sum = 3 * own + 1;
  for (size_t k = 0; k < read.size(); ++k)
    sum += static_cast<int64_t>(k + 1) * read[k];
  return sum % 1000003;
}

/// An offset that the wave meets (docs/ArrayIR.md).
Index randomDirection(Random &random, const PlayedWave &made) {
  Index direction = {};
  bool isSettled = false, isZero = true;
  for (int i = 0; i < made.region.rank; ++i) {
    auto dim = static_cast<size_t>(std::abs(made.order.order[i]) - 1);
    int64_t sign = made.order.order[i] > 0 ? 1 : -1;
    direction[dim] = sign * random(-2, isSettled ? 2 : 0);
    isZero &= direction[dim] == 0;
    isSettled |= i < made.order.steps && direction[dim] != 0;
  }
  if (isZero)
    direction[static_cast<size_t>(std::abs(made.order.order[0]) - 1)] =
        made.order.order[0] > 0 ? -1 : 1;
  return direction;
}

PlayedWave randomWave(Random &random) {
  PlayedWave made;
  int rank = static_cast<int>(random(1, 3));
  int64_t most = rank == 1 ? 30 : rank == 2 ? 9 : 5;
  made.region.rank = static_cast<int16_t>(rank);
  made.region.is_sparse = 1;
  ProcessGrid grid;
  grid.rank = rank;
  Box bounds = emptyBox(rank);
  for (int d = 0; d < rank; ++d) {
    grid.extent[d] = static_cast<int>(random(1, rank == 1 ? 5 : 3));
    int64_t stride = std::max<int64_t>(random(-2, 2), 1);
    made.region.dim[d] = {1, most * stride, stride, 1 % stride};
    bounds.dim[d] = {random(-1, 2), random(2, most * stride)};
    made.order.order[d] = d + 1;
  }
  made.distribution = Distribution(grid, bounds);
  made.placement.grid = grid;
  for (int d = 0; d < rank; ++d)
    made.placement.dims[d] = Places(made.distribution.cut[d]);
  for (int d = rank - 1; d > 0; --d)
    std::swap(made.order.order[d], made.order.order[random(0, d)]);
  for (int d = 0; d < rank; ++d)
    made.order.order[d] *= random(0, 1) ? 1 : -1;
  made.order.steps = static_cast<int>(std::max<int64_t>(random(-2, rank), 0));
  made.width = random(0, 4);
  for (int64_t k = random(1, 3); k > 0; --k)
    made.directions.push_back(randomDirection(random, made));
  for (int64_t k = random(0, most * most); k > 0; --k) {
    Index index = {};
    for (int d = 0; d < rank; ++d)
      index[static_cast<size_t>(d)] =
          1 + made.region.dim[d].stride * random(0, most - 1);
    made.before[index] = random(0, 99);
  }
  return made;
}

/// What the wave makes, index by index.
Values expected(const PlayedWave &wave) {
  std::vector<Index> order;
  for (const auto &[index, value] : wave.before)
    order.push_back(index);
  std::sort(order.begin(), order.end(), [&](const Index &a, const Index &b) {
    for (int i = 0; i < wave.region.rank; ++i) {
      int dim = wave.order.order[i];
      auto d = static_cast<size_t>(std::abs(dim) - 1);
      if (a[d] != b[d])
        return (a[d] < b[d]) == (dim > 0);
    }
    return false;
  });
  Values result = wave.before;
  for (const Index &index : order) {
    std::vector<int64_t> read;
    for (const Index &direction : wave.directions)
      read.push_back(valueAt(result, movedBy(index, direction)));
    result[index] = computed(result[index], read);
  }
  return result;
}

/// One processor's indices and elements.
class Part {
public:
  Part(const PlayedWave &wave, Transport &transport)
      : wave(wave), transport(transport),
        owners(wave.placement, wave.region.rank, transport.rank()) {
    makePattern();
    fill(stored, nullptr);
    for (const Index &direction : wave.directions)
      fill(read.emplace_back(), &direction);
  }

  void run(PatternWave &under) {
    zrt_region region = wave.region;
    region.pattern = pattern.get();
    std::vector<zrt_array> arrays;
    arrays.push_back(arrayOf(stored));
    for (std::vector<int64_t> &list : read)
      arrays.push_back(arrayOf(list));
    std::vector<zrt_push> pushes;
    for (size_t k = 0; k < read.size(); ++k) {
      zrt_push &push = pushes.emplace_back();
      push.from = &arrays[0];
      push.to = &arrays[k + 1];
      std::copy(wave.directions[k].begin(), wave.directions[k].end(),
                push.direction);
    }
    under.begin({transport, wave.placement, wave.distribution, plans}, region,
                pushes.data(), static_cast<int64_t>(pushes.size()), wave.order,
                wave.width);
    while (const zrt_visits *visits = under.next())
      for (int64_t v = visits->first; v < visits->end; ++v)
        visit(*visits, v);
  }

  void addTo(Values &all) const {
    for (size_t k = 0; k < indices.size(); ++k)
      all[indices[k]] = stored[k];
  }

private:
  void makePattern() {
    PatternBuilder builder(owners, 1, "S", &Here);
    auto outer = static_cast<size_t>(wave.region.rank - 1);
    for (const auto &[index, value] : wave.before) {
      if (owners.owner(index.data()) != transport.rank())
        continue;
      int32_t at[ZRT_MAX_RANK];
      std::copy(index.begin(), index.end(), at);
      if (indices.empty() || !std::equal(index.begin(), index.begin() + outer,
                                         indices.back().begin()))
        builder.startRow(at);
      builder.add(at[outer]);
      indices.push_back(index);
    }
    pattern = builder.finish();
  }
  void fill(std::vector<int64_t> &list, const Index *direction) {
    for (const Index &index : indices)
      list.push_back(
          valueAt(wave.before, direction ? movedBy(index, *direction) : index));
  }
  zrt_array arrayOf(std::vector<int64_t> &list) {
    zrt_array array = {};
    array.origin = reinterpret_cast<char *>(list.data());
    array.pitch[wave.region.rank - 1] = sizeof(int64_t);
    array.region = wave.region;
    array.type = &hand::LongInt;
    return array;
  }
  void visit(const zrt_visits &visits, int64_t v) {
    auto position = static_cast<size_t>(visits.order[v]);
    std::vector<int64_t> values;
    for (const std::vector<int64_t> &list : read)
      values.push_back(list[position]);
    stored[position] = computed(stored[position], values);
    for (size_t k = 0; k < read.size(); ++k)
      read[k][static_cast<size_t>(visits.readers[k][v])] = stored[position];
  }

  const PlayedWave &wave;
  Transport &transport;
  IndexOwners owners;
  PatternPlans plans;
  PatternPtr pattern;
  std::vector<Index> indices;
  std::vector<int64_t> stored;
  std::vector<std::vector<int64_t>> read;
};

/// What all processors make of it.
Values made(const PlayedWave &wave, bool sendsBlock) {
  ThreadRun shared;
  shared.processors = wave.distribution.grid.size();
  shared.sendsBlock = sendsBlock;
  std::vector<std::unique_ptr<Transport>> transports;
  for (int p = 0; p < shared.processors; ++p)
    transports.push_back(std::make_unique<ThreadTransport>(shared, p));
  std::mutex lock;
  Values result;
  onEach(transports, [&](Transport &transport) {
    PatternWave under;
    Part first(wave, transport);
    first.run(under);
    std::lock_guard held(lock);
    first.addTo(result);
  });
  return result;
}

TEST(PatternWave, RandomWavesComputeWhatOneProcessorDoes) {
  Random random(11);
  for (int round = 0; round < 120; ++round) {
    SCOPED_TRACE(round);
    PlayedWave wave = randomWave(random);
    EXPECT_EQ(made(wave, round % 2 == 0), expected(wave));
  }
}

} // namespace
