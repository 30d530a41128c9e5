//===- PatternWave.cpp - A wave over a pattern under way ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [S] scan  A := A'@north + A'@west + B;  end;      A, B: [S] double
//
// The program goes through its positions of S one by one. What a prime reads it
// has in an array over S, N for each direction, which starts as A@direction was
// before the wave. Whatever it stores, it *pushes* to the position that reads
// it:
//
//     order     visit 0, 1, 2, ...: the positions in the order of the wave
//     readers   by direction and visit: where what is at this position is read.
//               If it is nowhere, or elsewhere, its own position: N is read
//               there once, and that has been
//
//     for each visit v:  k = order[v]
//                        A[k] = N1[k] + N2[k] + B[k]
//                        N1[readers1[v]] = A[k];  N2[readers2[v]] = A[k]
//
// Who reads what is known from the plan of the fetch A@direction
// (PatternPlan.cpp), which also tells what other processors read.
//
// *Several processors* go through the tiles of a wave over the bounds
// (WavePlan.cpp), by which messages are ordered, so nothing waits forever for
// the same reason. Of the tiles a processor knows those in which it has an index
// or a message; both sides of a message find the tile of each element from its
// index. Tiles are as wide as those of a wave whose elements cost less, as there
// are fewer of them.
//
// Cost: per wave its indices. A plan, which is kept while the pattern is in use,
// takes a sort of the indices, unless they come in row-major order or the
// reverse, and 4 bytes for each index and each direction, and one more.
//
//===----------------------------------------------------------------------===//

#include "Sparse/Waves/PatternWave.h"

#include "Sparse/Facts.h"
#include "Sparse/SparseArray.h"
#include "Transfer/Wave.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>

namespace zrt {

/// Makes one plan.
class PatternWave::Planner {
public:
  Planner(const WaveSetting &setting, const zrt_region &region, Plan &plan)
      : setting(setting), region(region), pattern(*patternOf(region.pattern)),
        rank(region.rank), plan(plan) {}

  void run();

private:
  const int64_t *direction(size_t number) const {
    return different[number].data();
  }
  void findDirections();
  void cut();
  void sortVisits();
  bool comesBefore(int32_t a, int32_t b) const;
  void findTiles();
  void findReaders();
  void addMessages(size_t number, const PatternPlan &matches);
  void add(bool isSent, int partner, size_t number, int32_t position);
  void takeMessages();

  /// Where a message comes: in a tile, before or after it, by the places of
  /// sender and receiver.
  struct Key {
    int64_t tile;
    bool isLate;
    std::vector<int> sender, receiver;
    auto operator<=>(const Key &) const = default;
  };

  const WaveSetting &setting;
  const zrt_region &region;
  const Pattern &pattern;
  const int rank;
  Plan &plan;
  WavePlan tiling;
  std::vector<std::vector<int64_t>> different; ///< directions
  Positions rowOf;                             ///< by position
  std::vector<int64_t> tileOf;      ///< by position; empty: there is one
  std::map<int64_t, size_t> tileAt; ///< by number, its place in plan.tiles
  std::map<Key, Message> messages;
};

void PatternWave::Planner::findDirections() {
  auto count = plan.directions.size() / static_cast<size_t>(rank);
  for (size_t push = 0; push < count; ++push) {
    const int64_t *from = &plan.directions[push * static_cast<size_t>(rank)];
    std::vector<int64_t> wanted(ZRT_MAX_RANK);
    std::copy(from, from + rank, wanted.begin());
    auto known = std::find(different.begin(), different.end(), wanted);
    plan.directionOf.push_back(static_cast<size_t>(known - different.begin()));
    if (known == different.end())
      different.push_back(wanted);
  }
}

/// Cuts the bounds into tiles.
void PatternWave::Planner::cut() {
  std::vector<ShiftItem> items;
  Box box = boxOf(region);
  for (const std::vector<int64_t> &wanted : different) {
    ShiftItem item;
    item.declared = box;
    item.declared.dim[0] = seqOf(Range{0, -1});
    std::copy(wanted.begin(), wanted.end(), item.direction);
    items.push_back(item);
  }
  if (setting.transport.size() == 1 && plan.width == 0)
    items.clear();
  WaveCosts costs = waveCosts(setting.transport, plan.wave);
  if (!items.empty()) {
    double all = 1;
    for (int d = 0; d < rank; ++d)
      all *= static_cast<double>(std::max<int64_t>(size(box.dim[d]), 1));
    auto total = static_cast<double>(totalOf(setting.transport, pattern));
    costs.element *= std::max(total, 1.0) / all;
  }
  tiling = planWave(setting.distribution, box, region.floods, items, plan.wave,
                    costs, setting.transport.rank(), plan.width);
  if (tiling.tiled < 0 && tiling.wave.steps == 0)
    return;
  tileOf.resize(static_cast<size_t>(pattern.count));
  int64_t index[ZRT_MAX_RANK];
  for (int64_t r = 0; r < pattern.rows; ++r) {
    for (int d = 0; d + 1 < rank; ++d)
      index[d] = pattern.row[d][r];
    for (int64_t k = pattern.starts[r]; k < pattern.starts[r + 1]; ++k) {
      index[rank - 1] = pattern.column[k];
      tileOf[static_cast<size_t>(k)] = tiling.tileOf(index);
    }
  }
}

/// Whether the wave comes to position \p a before \p b.
bool PatternWave::Planner::comesBefore(int32_t a, int32_t b) const {
  auto x = static_cast<size_t>(a), y = static_cast<size_t>(b);
  if (!tileOf.empty() && tileOf[x] != tileOf[y])
    return tileOf[x] < tileOf[y];
  for (int i = 0; i < rank; ++i) {
    int d = std::abs(plan.wave.order[i]) - 1;
    int32_t p = d + 1 < rank ? pattern.row[d][rowOf[x]] : pattern.column[a];
    int32_t q = d + 1 < rank ? pattern.row[d][rowOf[y]] : pattern.column[b];
    if (p != q)
      return (p < q) == (plan.wave.order[i] > 0);
  }
  return false;
}

void PatternWave::Planner::sortVisits() {
  plan.order.resize(static_cast<size_t>(pattern.count));
  std::iota(plan.order.begin(), plan.order.end(), 0);
  bool isUp = true, isDown = true;
  for (int i = 0; i < rank; ++i) {
    isUp &= plan.wave.order[i] == i + 1;
    isDown &= plan.wave.order[i] == -(i + 1);
  }
  if (isDown)
    std::reverse(plan.order.begin(), plan.order.end());
  if ((isUp || isDown) && tileOf.empty())
    return;
  rowOf.reserve(plan.order.size());
  for (int64_t r = 0; r < pattern.rows; ++r)
    rowOf.resize(static_cast<size_t>(pattern.starts[r + 1]),
                 static_cast<int32_t>(r));
  std::sort(plan.order.begin(), plan.order.end(),
            [&](int32_t a, int32_t b) { return comesBefore(a, b); });
}

/// The tiles in which visits or messages are.
void PatternWave::Planner::findTiles() {
  auto tileOfVisit = [&](size_t visit) {
    return tileOf.empty() ? 0 : tileOf[static_cast<size_t>(plan.order[visit])];
  };
  for (size_t visit = 0; visit < plan.order.size(); ++visit)
    if (visit == 0 || tileOfVisit(visit) != tileOfVisit(visit - 1))
      tileAt[tileOfVisit(visit)];
  for (const auto &[key, message] : messages)
    tileAt[key.tile];
  for (auto &[number, at] : tileAt) {
    at = plan.tiles.size();
    plan.tiles.emplace_back();
  }
  for (size_t visit = 0; visit < plan.order.size();) {
    Tile &tile = plan.tiles[tileAt[tileOfVisit(visit)]];
    tile.first = static_cast<int64_t>(visit);
    int64_t number = tileOfVisit(visit);
    while (visit < plan.order.size() && tileOfVisit(visit) == number)
      ++visit;
    tile.end = static_cast<int64_t>(visit);
  }
}

/// Adds one element to a message. \p position: where it is, or on the other
/// side where it goes.
void PatternWave::Planner::add(bool isSent, int partner, size_t number,
                               int32_t position) {
  int64_t index[ZRT_MAX_RANK];
  pattern.indexAt(position, index);
  for (int d = 0; d < rank && !isSent; ++d)
    index[d] += direction(number)[d];
  auto placeOf = [&](int processor) {
    return placeInWave(setting.distribution, plan.wave, rank, processor);
  };
  int self = setting.transport.rank();
  Message &message = messages[{
      tiling.tileOf(index), tiling.isLate(direction(number)),
      placeOf(isSent ? self : partner), placeOf(isSent ? partner : self)}];
  message.partner = partner;
  message.isSent = isSent;
  message.places.resize(different.size());
  message.places[number].push_back(position);
}

void PatternWave::Planner::addMessages(size_t number,
                                       const PatternPlan &matches) {
  for (size_t p = 0; p < matches.slotsByOwner().size(); ++p) {
    for (int32_t position : matches.positionsByReader()[p])
      add(true, static_cast<int>(p), number, position);
    for (int64_t slot : matches.slotsByOwner()[p])
      add(false, static_cast<int>(p), number, static_cast<int32_t>(slot));
  }
}

void PatternWave::Planner::findReaders() {
  for (size_t number = 0; number < different.size(); ++number) {
    IndexMove move;
    std::copy(different[number].begin(), different[number].end(),
              move.direction);
    move.bounds = boxOf(region);
    const PatternPlan &matches =
        setting.plans.find(setting.transport, {setting.placement, region},
                           {setting.placement, region}, move);
    Positions byPosition(plan.order.size());
    std::iota(byPosition.begin(), byPosition.end(), 0);
    matches.forEachHere([&](int64_t slot, int32_t position) {
      byPosition[static_cast<size_t>(position)] = static_cast<int32_t>(slot);
    });
    Positions &readers = plan.readers.emplace_back();
    for (int32_t position : plan.order)
      readers.push_back(byPosition[static_cast<size_t>(position)]);
    addMessages(number, matches);
  }
  for (size_t number : plan.directionOf)
    plan.rows.push_back(plan.readers[number].data());
}

void PatternWave::Planner::takeMessages() {
  for (auto &[key, message] : messages) {
    Tile &tile = plan.tiles[tileAt[key.tile]];
    (key.isLate       ? tile.late
     : message.isSent ? tile.sends
                      : tile.receives)
        .push_back(std::move(message));
  }
}

void PatternWave::Planner::run() {
  findDirections();
  cut();
  sortVisits();
  plan.readers.reserve(different.size());
  findReaders();
  findTiles();
  takeMessages();
}

/// The plan of a wave before like this one, or a new one, in place of those
/// whose patterns are gone and of the one that has not been used for longest.
const PatternWave::Plan &
PatternWave::findPlan(const WaveSetting &setting, const zrt_region &region,
                      const zrt_wave &wave, int64_t width,
                      std::span<const int64_t> directions) {
  const Pattern &pattern = *patternOf(region.pattern);
  auto found = std::find_if(plans.begin(), plans.end(), [&](const auto &p) {
    return p->id == pattern.id && p->width == width &&
           std::memcmp(&p->wave, &wave, sizeof wave) == 0 &&
           std::equal(directions.begin(), directions.end(),
                      p->directions.begin(), p->directions.end());
  });
  if (found == plans.end()) {
    std::erase_if(plans, [](const auto &p) { return p->pattern.expired(); });
    if (plans.size() == MostPlans)
      plans.erase(std::min_element(plans.begin(), plans.end(),
                                   [](const auto &a, const auto &b) {
                                     return a->lastUse < b->lastUse;
                                   }));
    auto made = std::make_unique<Plan>();
    made->pattern = pattern.weak_from_this();
    made->id = pattern.id;
    made->wave = wave;
    made->width = width;
    made->directions.assign(directions.begin(), directions.end());
    Planner(setting, region, *made).run();
    plans.push_back(std::move(made));
    found = plans.end() - 1;
  }
  (*found)->lastUse = ++uses;
  return **found;
}

void PatternWave::begin(const WaveSetting &setting, const zrt_region &region,
                        const zrt_push *newPushes, int64_t count,
                        const zrt_wave &wave, int64_t width) {
  transport = &setting.transport;
  pushes.assign(newPushes, newPushes + count);
  current = 0;
  isRunning = false;
  plan = nullptr;
  if (!region.pattern)
    return;
  std::vector<int64_t> directions;
  for (const zrt_push &push : pushes)
    directions.insert(directions.end(), push.direction,
                      push.direction + region.rank);
  plan = &findPlan(setting, region, wave, width, directions);
  visits.order = plan->order.data();
  visits.readers = plan->rows.data();
}

/// Sends or receives what the pushes say. Elements that are to be received lie
/// in the arrays that are pushed to.
void PatternWave::carry(const Message &message) {
  size_t bytes = 0;
  auto forEachPush = [&](auto &&visit) {
    for (size_t n = 0; n < pushes.size(); ++n)
      visit(pushes[n], message.places[plan->directionOf[n]]);
  };
  auto sizeOf = [](const zrt_push &push) {
    return static_cast<size_t>(push.from->type->size);
  };
  forEachPush([&](const zrt_push &push, const Positions &places) {
    bytes += places.size() * sizeOf(push);
  });
  if (bytes == 0)
    return;
  buffer.resize(std::max(buffer.size(), bytes));
  if (!message.isSent)
    transport->receive(message.partner, buffer.data(), bytes);
  char *at = buffer.data();
  forEachPush([&](const zrt_push &push, const Positions &places) {
    ElementCopier copy(push.from->type->size);
    const zrt_array &array = message.isSent ? *push.from : *push.to;
    int64_t step = stepOf(array);
    for (int32_t place : places) {
      char *element = array.origin + place * step;
      message.isSent ? copy(at, element) : copy(element, at);
      at += sizeOf(push);
    }
  });
  if (message.isSent)
    transport->send(message.partner, buffer.data(), bytes);
}

/// What follows the work on a tile.
void PatternWave::endTile() {
  for (const Message &message : plan->tiles[current].sends)
    carry(message);
  for (const Message &message : plan->tiles[current].late)
    carry(message);
  isRunning = false;
  ++current;
}

const zrt_visits *PatternWave::next() {
  if (isRunning)
    endTile();
  for (; plan && current < plan->tiles.size(); endTile()) {
    const Tile &tile = plan->tiles[current];
    for (const Message &message : tile.receives)
      carry(message);
    if (tile.first == tile.end)
      continue;
    visits.first = tile.first;
    visits.end = tile.end;
    isRunning = true;
    return &visits;
  }
  return nullptr;
}

} // namespace zrt
