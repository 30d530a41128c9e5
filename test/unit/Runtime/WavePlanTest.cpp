//===- WavePlanTest.cpp - The plans of waves fit each other ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For random grids, regions with strides, offsets that have an order, and
// widths of tiles, all processors are played through, tile by tile in the order
// that WavePlan.h promises: what each one receives has been sent before, in the
// same messages; what an index reads has been stored or has arrived when its
// tile is computed; and each index is computed once, by its owner.
//
//===----------------------------------------------------------------------===//

#include "Transfer/WavePlan.h"
#include "Random.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

using namespace zrt;

namespace {

using Index = std::vector<int64_t>;

struct WaveCase {
  Distribution distribution;
  Box region;
  std::vector<ShiftItem> items;
  zrt_wave wave = {};
  int64_t width = 0;
};

/// An offset that the wave meets (docs/ArrayIR.md).
void makeOffset(Random &random, const WaveCase &made, int64_t *offset) {
  int rank = made.region.rank;
  bool isSettled = false, isZero = true;
  for (int i = 0; i < rank; ++i) {
    int dim = std::abs(made.wave.order[i]) - 1;
    int64_t sign = made.wave.order[i] > 0 ? 1 : -1;
    int64_t least = -3, most = isSettled ? 3 : 0;
    // Behind a step anything goes; elsewhere nothing along the traversal.
    offset[dim] = sign * random(least, most);
    isZero &= offset[dim] == 0;
    if (i < made.wave.steps && offset[dim] != 0)
      isSettled = true;
  }
  if (isZero)
    offset[std::abs(made.wave.order[0]) - 1] = made.wave.order[0] > 0 ? -1 : 1;
}

WaveCase randomWaveCase(unsigned seed) {
  Random random(seed);
  WaveCase made;
  int rank = static_cast<int>(random(1, 3));
  ProcessGrid grid;
  grid.rank = rank;
  Box bounds = emptyBox(rank);
  made.region = emptyBox(rank);
  int64_t most = rank == 3 ? 5 : 9;
  for (int d = 0; d < rank; ++d) {
    grid.extent[d] = static_cast<int>(random(1, 3));
    bounds.dim[d] = {random(-2, 2), random(0, most)};
    made.region.dim[d] = seqOf({random(-1, 3), random(1, most)},
                               std::max<int64_t>(random(-3, 3), 1), 0);
    made.wave.order[d] = d + 1;
  }
  if (isEmpty(bounds))
    bounds = emptyBox(rank);
  if (isEmpty(made.region))
    made.region = emptyBox(rank);
  made.distribution = Distribution(grid, bounds);
  for (int d = rank - 1; d > 0; --d)
    std::swap(made.wave.order[d], made.wave.order[random(0, d)]);
  for (int d = 0; d < rank; ++d)
    if (random(0, 1))
      made.wave.order[d] *= -1;
  made.wave.steps = static_cast<int>(std::max<int64_t>(random(-2, rank), 0));
  for (int64_t k = random(1, 4); k > 0; --k) {
    ShiftItem item;
    item.array = static_cast<int>(random(0, 1));
    item.declared = made.region;
    for (int d = 0; d < rank; ++d)
      item.declared.dim[d] = {-20, 20};
    makeOffset(random, made, item.direction);
    made.items.push_back(item);
  }
  made.width = random(0, 4);
  return made;
}

void forEachIndex(const Box &box, const std::function<void(Index)> &visit,
                  Index prefix = {}) {
  size_t d = prefix.size();
  if (static_cast<int>(d) == box.rank)
    return visit(prefix);
  for (int64_t x = box.dim[d].lo; x <= box.dim[d].hi; x += box.dim[d].stride) {
    prefix.push_back(x);
    forEachIndex(box, visit, prefix);
    prefix.pop_back();
  }
}

Index moved(Index index, const int64_t *offset) {
  for (size_t d = 0; d < index.size(); ++d)
    index[d] += offset[d];
  return index;
}

bool holds(const Box &box, const Index &index) {
  for (int d = 0; d < box.rank; ++d)
    if (!contains(box.dim[d], index[d]))
      return false;
  return true;
}

/// All processors of a case.
class Play {
public:
  explicit Play(const WaveCase &made) : made(made) {
    int processors = made.distribution.grid.size();
    for (int p = 0; p < processors; ++p)
      plans.push_back(planWave(made.distribution, made.region, 0, made.items,
                               made.wave, {100, 1, 1}, p, made.width));
    known.resize(processors);
    for (int p = 0; p < processors; ++p)
      order.push_back(p);
    std::sort(order.begin(), order.end(),
              [&](int a, int b) { return place(a) < place(b); });
  }

  void run() {
    for (const WavePlan &plan : plans)
      ASSERT_EQ(plan.tileCount(), plans[0].tileCount());
    for (int64_t k = 0; k < plans[0].tileCount(); ++k) {
      Box tile = plans[0].tile(k);
      forEachIndex(tile, [&](const Index &index) {
        EXPECT_EQ(plans[0].tileOf(index.data()), k);
      });
      for (int p : order) {
        for (const WaveStrip &strip : plans[p].receives)
          receive(p, strip, tile);
        compute(p, intersect(tile, plans[p].own));
        for (const WaveStrip &strip : plans[p].sends)
          send(p, strip, tile);
      }
      exchangeLate(tile);
    }
    for (const auto &[pair, queue] : messages)
      EXPECT_TRUE(queue.empty()) << "not received";
    size_t indices = isEmpty(made.region) ? 0 : size(made.region);
    EXPECT_EQ(computed.size(), indices);
  }

private:
  struct Element {
    int array;
    Index index;
    auto operator<=>(const Element &) const = default;
  };
  using Message = std::vector<Element>;

  Index place(int processor) const {
    int coordinate[ZRT_MAX_RANK];
    made.distribution.grid.coordinates(processor, coordinate);
    Index result;
    for (int i = 0; i < made.region.rank; ++i) {
      int dim = made.wave.order[i];
      result.push_back(dim > 0 ? coordinate[dim - 1] : -coordinate[-dim - 1]);
    }
    return result;
  }

  static Message elements(const WaveStrip &strip, const Box &tile) {
    Message result;
    Box box = intersect(strip.elements.box, tile);
    if (!isEmpty(box))
      forEachIndex(box, [&](const Index &index) {
        result.push_back({strip.elements.array, index});
      });
    return result;
  }

  void send(int p, const WaveStrip &strip, const Box &tile) {
    Message message = elements(strip, tile);
    for (const Element &element : message)
      EXPECT_TRUE(known[p].contains(element)) << "sent before it is stored";
    if (!message.empty())
      messages[{p, strip.partner}].push_back(message);
  }

  void receive(int p, const WaveStrip &strip, const Box &tile) {
    Message message = elements(strip, tile);
    if (message.empty())
      return;
    std::vector<Message> &queue = messages[{strip.partner, p}];
    ASSERT_FALSE(queue.empty()) << "received before it is sent";
    EXPECT_EQ(queue.front(), message);
    queue.erase(queue.begin());
    known[p].insert(message.begin(), message.end());
  }

  /// In the one order of all messages, a receiver comes behind its sender.
  void exchangeLate(const Box &tile) {
    for (size_t i = 0; i < plans.size(); ++i)
      for (const auto &[isSent, strip] : plans[i].late)
        if (isSent)
          send(static_cast<int>(i), strip, tile);
    for (size_t i = 0; i < plans.size(); ++i)
      for (const auto &[isSent, strip] : plans[i].late)
        if (!isSent)
          receive(static_cast<int>(i), strip, tile);
  }

  /// In some order that is right within a tile: again and again what can be.
  void compute(int p, const Box &box) {
    if (isEmpty(box))
      return;
    std::set<Index> waiting;
    forEachIndex(box, [&](const Index &index) { waiting.insert(index); });
    for (bool progress = true; progress;) {
      progress = false;
      for (auto at = waiting.begin(); at != waiting.end();) {
        if (!isReady(p, *at)) {
          ++at;
          continue;
        }
        EXPECT_TRUE(computed.insert(*at).second) << "computed twice";
        known[p].insert({0, *at});
        known[p].insert({1, *at});
        at = waiting.erase(at);
        progress = true;
      }
    }
    EXPECT_TRUE(waiting.empty()) << "an element has not arrived";
  }

  bool isReady(int p, const Index &index) const {
    for (const ShiftItem &item : made.items) {
      Index read = moved(index, item.direction);
      if (holds(made.region, read) && !known[p].contains({item.array, read}))
        return false;
    }
    return true;
  }

  const WaveCase &made;
  std::vector<WavePlan> plans;
  std::vector<int> order; ///< processors, as the wave comes to them
  std::vector<std::set<Element>> known; ///< stored or received, by processor
  std::map<std::pair<int, int>, std::vector<Message>> messages;
  std::set<Index> computed;
};

} // namespace

TEST(WavePlan, RandomWavesComplete) {
  for (unsigned seed = 0; seed < 3000 && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    WaveCase made = randomWaveCase(seed);
    Play(made).run();
  }
}

TEST(WavePlan, TilesFollowTheCosts) {
  ProcessGrid grid;
  grid.rank = 2;
  grid.extent[0] = 2;
  Box region;
  region.rank = 2;
  region.dim[0] = {1, 2000};
  region.dim[1] = {1, 2000};
  Distribution distribution(grid, region);
  ShiftItem north;
  north.declared = region;
  north.direction[0] = -1;
  zrt_wave wave = {{1, 2}, 0, 4, 0, 0, 1};
  auto width = [&](WaveCosts costs) {
    return planWave(distribution, region, 0, {north}, wave, costs, 0).width;
  };
  // sqrt(1000 * 2000 / (4 * 1000 * 1)), and with 1000 rows in each tile.
  EXPECT_EQ(width({1000, 4, 0}), 22);
  EXPECT_EQ(width({1000, 4, 10}), 74);
  // Messages that cost nothing or all.
  EXPECT_EQ(width({0, 4, 0}), 1);
  EXPECT_EQ(width({1e12, 4, 0}), 2000);
}

TEST(WavePlan, TilesOfRowsAreGroupsOfThem) {
  ProcessGrid grid;
  grid.rank = 2;
  grid.extent[1] = 2;
  Box region;
  region.rank = 2;
  region.dim[0] = {1, 2000};
  region.dim[1] = {1, 2000};
  Distribution distribution(grid, region);
  ShiftItem west;
  west.declared = region;
  west.direction[1] = -1;
  auto width = [&](zrt_wave wave) {
    return planWave(distribution, region, 0, {west}, wave, {1000, 4, 0}, 0)
        .width;
  };
  EXPECT_EQ(width({{1, 2}, 0, 4, 0, 1, 1}), 22);
  EXPECT_EQ(width({{1, 2}, 0, 4, 0, 1, 8}), 24);
  EXPECT_EQ(width({{1, 2}, 0, 4, 0, 1, 11}), 22);
  EXPECT_EQ(width({{1, 2}, 0, 4, 0, 2, 8}), 22);
}

TEST(WavePlan, NothingToSendIsOneTile) {
  ProcessGrid grid;
  grid.rank = 2;
  grid.extent[0] = 4;
  Box region;
  region.rank = 2;
  region.dim[0] = {1, 20};
  region.dim[1] = {1, 20};
  Distribution distribution(grid, region);
  ShiftItem west;
  west.declared = region;
  west.direction[1] = -1;
  zrt_wave wave = {{1, 2}, 1, 4, 2, 1, 1};
  WavePlan plan =
      planWave(distribution, region, 0, {west}, wave, {1000, 4, 10}, 1);
  EXPECT_EQ(plan.tileCount(), 1);
  EXPECT_TRUE(plan.sends.empty() && plan.receives.empty() && plan.late.empty());
  EXPECT_TRUE(plan.tile(0) == region);
}
