//===- WavePlan.cpp - Tiles of a wave and what they exchange --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pipelining (Lewis and Snyder): rows over two processors, A'@north. If the
// second waited for all of the first one's last row, they would work one after
// the other. So columns are cut into tiles,
//
//       tile 0  1  2  3
//     p0   #  #  #  .       # done, + at it, . to do
//     p1   #  +  .  .
//
// and p1 does tile k as soon as p0 has done it.
//
// *Which dimension.* Where no offset of the wave goes up and down in one
// dimension any cut into tiles is right, if tiles come in the direction of the
// traversal. Cut is the dimension with the fewest processors, for processors
// that follow each other along it wait for whole blocks; of several the
// first one, so that rows stay long. If rows and columns are distributed it is
// one of these.
//
// *How wide.* With n indices in the tiled dimension and c others to each of
// them, and D processors before the last one in the other dimensions, a tile of
// width w takes
//
//     (n / w + D) * (message + rows + element * c * w)
//
// until the last processor is done; the best w is sqrt((message + rows) * n /
// (element * c * D)). `rows` is what it costs to enter the innermost loop c
// times more, if it is that one that is cut. Where the program works on several
// rows at a time and rows are cut, a tile has a multiple of them.
//
// *Steps.* [-1,1] and [-1,-1] together cannot be cut so: a row needs the one
// before as a whole. Then a tile is one index of each of the first dimensions,
// and elements at offsets that go from one such index to another are *late*:
// both sides send and receive them when a tile is done.
//
// *Who exchanges what.* For an offset d processor p reads ((own(p) in R) moved
// by d). What of it lies in R and belongs to q is sent by q, each element with
// the tile it is in; outside of R nothing is stored, so a transfer before the
// wave has brought it. That is right for any distance and block size, also
// across several processors.
//
// *No deadlock.* Let pos be a processor's place in the grid, in the order of
// the wave. A processor receives from those with lower pos, in ascending
// order, works, sends to those with higher pos, in ascending order, then
// exchanges late strips by (pos of the sender, pos of the receiver). So every
// processor goes through its messages in the order of (tile, late or not,
// sender, receiver), which is one order for all: the first message under way
// has both its sides ready, even if a send waits for its receiver.
//
//===----------------------------------------------------------------------===//

#include "Transfer/WavePlan.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace zrt {

namespace {

/// Makes one plan.
class Planner {
public:
  Planner(const Distribution &distribution, int floods,
          const std::vector<ShiftItem> &items, int self, WavePlan &plan)
      : distribution(distribution), floods(floods), items(items), self(self),
        plan(plan) {}

  void run(const WaveCosts &costs, int64_t width);

private:
  bool crosses(const ShiftItem &item) const {
    return distribution.crosses(item.direction, floods);
  }
  bool isLate(const ShiftItem &item) const {
    return plan.isLate(item.direction);
  }
  int64_t parts(int dim) const {
    return floods >> dim & 1 ? 1 : distribution.grid.extent[dim];
  }
  int64_t share(int dim) const;
  int waitingAlong(int tiled) const;
  void cut(const WaveCosts &costs, int64_t width);
  std::vector<int> position(int processor) const {
    return placeInWave(distribution, plan.wave, plan.region.rank, processor);
  }
  Box part(int processor) const {
    return intersect(plan.region, distribution.own(processor, floods));
  }
  void addStrips(bool areLate);
  void joinInto(std::vector<WaveStrip> &strips, std::vector<WaveStrip> &list);

  const Distribution &distribution;
  const int floods;
  const std::vector<ShiftItem> &items;
  const int self;
  WavePlan &plan;
};

} // namespace

/// The indices that a processor has in \p dim, about.
int64_t Planner::share(int dim) const {
  int64_t count = size(plan.region.dim[dim]);
  return std::max<int64_t>((count + parts(dim) - 1) / parts(dim), 1);
}

/// How many processors the last one waits for if \p tiled is cut.
int Planner::waitingAlong(int tiled) const {
  int waiting = 0;
  for (int d = 0; d < plan.region.rank; ++d) {
    bool isMoved = false;
    for (const ShiftItem &item : items)
      isMoved |= item.direction[d] != 0;
    if (d != tiled && isMoved)
      waiting += static_cast<int>(parts(d) - 1);
  }
  return waiting;
}

/// Decides how the region is cut.
void Planner::cut(const WaveCosts &costs, int64_t width) {
  if (plan.wave.steps != 0)
    return;
  for (int d = 0; d < plan.region.rank; ++d)
    if (!(floods >> d & 1) && size(plan.region.dim[d]) > 1 &&
        (plan.tiled < 0 || parts(d) < parts(plan.tiled)))
      plan.tiled = d;
  int waiting = plan.tiled < 0 ? 0 : waitingAlong(plan.tiled);
  if (waiting == 0 && width == 0) {
    plan.tiled = -1;
    return;
  }
  if (plan.tiled < 0)
    return;
  double others = 1;
  for (int d = 0; d < plan.region.rank; ++d)
    if (d != plan.tiled)
      others *= static_cast<double>(share(d));
  int64_t most = share(plan.tiled);
  bool cutsRows = plan.tiled == plan.region.rank - 1;
  double each = costs.message + (cutsRows ? others * costs.row : 0);
  double best = std::sqrt(each * static_cast<double>(most) /
                          (costs.element * others * waiting));
  plan.width = width;
  if (width != 0)
    return;
  plan.width = static_cast<int64_t>(
      std::clamp(std::round(best), 1.0, static_cast<double>(most)));
  if (plan.tiled == plan.wave.rows - 1 && plan.wave.group > 1)
    plan.width +=
        (plan.wave.group - plan.width % plan.wave.group) % plan.wave.group;
}

/// Adds the strips of one partner, joined, to \p list.
void Planner::joinInto(std::vector<WaveStrip> &strips,
                       std::vector<WaveStrip> &list) {
  std::map<int, std::vector<Box>> boxes;
  for (const WaveStrip &strip : strips)
    boxes[strip.elements.array].push_back(strip.elements.box);
  for (auto &[array, joined] : boxes) {
    joinBoxes(joined);
    for (const Box &box : joined)
      list.push_back({strips[0].partner, strips[0].isLate, {array, box}});
  }
}

void Planner::addStrips(bool areLate) {
  // By the places of sender and receiver.
  using Key = std::pair<std::vector<int>, std::vector<int>>;
  std::map<Key, std::vector<WaveStrip>> sends, receives;
  std::vector<int> here = position(self);
  for (const ShiftItem &item : items) {
    if (!crosses(item) || isLate(item) != areLate)
      continue;
    Box stored = intersect(plan.region, item.declared);
    auto read = [&](int processor) {
      return intersect(shift(part(processor), item.direction), stored);
    };
    Box needed = isEmpty(plan.own) ? plan.own : read(self);
    for (int owner : distribution.owners(needed, floods, self))
      if (owner != self)
        receives[{position(owner), here}].push_back(
            {owner, areLate, {item.array, intersect(needed, part(owner))}});
    Box mine = intersect(stored, plan.own);
    if (isEmpty(mine))
      continue;
    Box readAt = intersect(shift(mine, item.direction, -1), plan.region);
    for (int reader : distribution.owners(readAt, floods, self))
      if (reader != self)
        sends[{here, position(reader)}].push_back(
            {reader, areLate, {item.array, intersect(read(reader), mine)}});
  }
  if (!areLate) {
    for (auto &[key, strips] : sends)
      joinInto(strips, plan.sends);
    for (auto &[key, strips] : receives)
      joinInto(strips, plan.receives);
    return;
  }
  for (auto &[key, strips] : receives)
    sends[key] = strips;
  for (auto &[key, strips] : sends) {
    std::vector<WaveStrip> joined;
    joinInto(strips, joined);
    for (const WaveStrip &strip : joined)
      plan.late.push_back({key.first == here, strip});
  }
}

void Planner::run(const WaveCosts &costs, int64_t width) {
  plan.own = part(self);
  bool anyCrosses = false;
  for (const ShiftItem &item : items)
    anyCrosses |= crosses(item);
  if (!anyCrosses && width == 0) {
    plan.wave.steps = 0;
    return;
  }
  cut(costs, width);
  addStrips(/*areLate=*/false);
  addStrips(/*areLate=*/true);
}

std::vector<int> placeInWave(const Distribution &distribution,
                             const zrt_wave &wave, int rank, int processor) {
  int coordinate[ZRT_MAX_RANK];
  distribution.grid.coordinates(processor, coordinate);
  std::vector<int> result;
  for (int i = 0; i < rank; ++i) {
    int dim = wave.order[i];
    result.push_back(dim > 0 ? coordinate[dim - 1] : -coordinate[-dim - 1]);
  }
  return result;
}

bool WavePlan::isLate(const int64_t *direction) const {
  for (int i = 0; i < wave.steps; ++i)
    if (direction[std::abs(wave.order[i]) - 1] != 0)
      return true;
  return false;
}

int64_t WavePlan::tileCount() const {
  int64_t count = 1;
  for (int i = 0; i < wave.steps; ++i)
    count *= size(region.dim[std::abs(wave.order[i]) - 1]);
  if (tiled >= 0)
    count *= (size(region.dim[tiled]) + width - 1) / width;
  return isEmpty(region) ? 0 : count;
}

Seq pieceOf(const Seq &seq, int64_t from, int64_t to, bool down) {
  int64_t last = size(seq) - 1;
  to = std::min(to, last);
  if (down) {
    std::swap(from, to);
    from = last - from;
    to = last - to;
  }
  return seqOf(Range{seq.lo + from * seq.stride, seq.lo + to * seq.stride},
               seq.stride, seq.lo);
}

bool WavePlan::isDown(int dim) const {
  return std::find(wave.order, wave.order + region.rank, -(dim + 1)) !=
         wave.order + region.rank;
}

Box WavePlan::tile(int64_t tile) const {
  Box result = region;
  for (int i = wave.steps - 1; i >= 0; --i) {
    int dim = std::abs(wave.order[i]) - 1;
    int64_t count = size(region.dim[dim]), at = tile % count;
    tile /= count;
    result.dim[dim] = pieceOf(region.dim[dim], at, at, wave.order[i] < 0);
  }
  if (tiled < 0)
    return result;
  int64_t from = tile * width;
  result.dim[tiled] =
      pieceOf(region.dim[tiled], from, from + width - 1, isDown(tiled));
  return result;
}

int64_t WavePlan::tileOf(const int64_t *index) const {
  auto numberAlong = [&](int dim) {
    const Seq &seq = region.dim[dim];
    int64_t number = (index[dim] - seq.lo) / seq.stride;
    return isDown(dim) ? size(seq) - 1 - number : number;
  };
  if (tiled >= 0)
    return numberAlong(tiled) / width;
  int64_t result = 0;
  for (int i = 0; i < wave.steps; ++i) {
    int dim = std::abs(wave.order[i]) - 1;
    result = result * size(region.dim[dim]) + numberAlong(dim);
  }
  return result;
}

WavePlan planWave(const Distribution &distribution, const Box &region,
                  int floods, const std::vector<ShiftItem> &items,
                  const zrt_wave &wave, const WaveCosts &costs, int self,
                  int64_t width) {
  WavePlan plan;
  plan.region = region;
  plan.wave = wave;
  if (isEmpty(region)) {
    plan.own = region;
    return plan;
  }
  Planner(distribution, floods, items, self, plan).run(costs, width);
  return plan;
}

} // namespace zrt
