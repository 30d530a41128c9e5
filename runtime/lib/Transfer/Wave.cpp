//===- Wave.cpp - A wave under way ----------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Per tile: receive what earlier processors have stored in it, let the program
// compute, send what later ones read, exchange what is late (WavePlan.cpp). A
// tile in which this processor owns nothing takes part in the messages only.
//
// Messages are the transport's ordered ones, one per partner and tile, packed.
// What one tile sends is small, and the fluff that it goes to must not be
// written before the receiver has come to that tile; an exchange with its four
// points would have to be planned for each tile.
//
// *Bricks.* Where each element of a row waits for the one before it, a
// processor that works on one row at a time does nothing most of the time: it
// looks some hundred instructions ahead, less than a row. So the program gets
// its tile in bricks of a few columns, whose rows are so short that it works on
// several of them at once, and of so many rows as the cache follows well. Where
// offsets allow tiles they allow bricks.
//
// Plans are kept: a wave in a loop finds that of the last time by its region
// and arrays.
//
// The costs of the model are estimates: a message from program to program takes
// 1 us with shm and 4 us with mpi, an addition in a chain 1 ns. They only
// choose the width.
//
//===----------------------------------------------------------------------===//

#include "Transfer/Wave.h"

#include "Machine/RunFigures.h"
#include "Memory/Array.h"
#include "Transport/Blocks.h"

#include <algorithm>
#include <cstring>

namespace zrt {

/// Measured (bench/run wavefront): from 4 to 12 columns there is little
/// difference; fewer rows cost calls, more of them address translation.
static constexpr int64_t BrickRows = 64, BrickColumns = 8;

/// A message costs so many additions.
static double messageCost(const Transport &transport) {
  const RunFigures &figures = runFigures();
  return (std::strcmp(transport.name(), "shm") == 0
              ? figures.waveShmMessage
              : figures.waveOtherMessage) /
         figures.waveAddition;
}

WaveCosts waveCosts(const Transport &transport, const zrt_wave &wave) {
  return {messageCost(transport), std::max(1.0, double(wave.cost)),
          runFigures().waveRow / runFigures().waveAddition};
}

bool Wave::Known::matches(const zrt_region &otherRegion,
                          const zrt_shift *primed, int64_t count,
                          const zrt_wave &otherWave, int64_t otherWidth) const {
  int rank = region.rank;
  if (rank != otherRegion.rank || region.floods != otherRegion.floods ||
      width != otherWidth || static_cast<int64_t>(ids.size()) != count ||
      std::memcmp(&wave, &otherWave, sizeof wave) != 0 ||
      std::memcmp(region.dim, otherRegion.dim, sizeof(zrt_dim) * rank) != 0)
    return false;
  const int64_t *direction = directions.data();
  for (int64_t k = 0; k < count; ++k, direction += rank)
    if (ids[k] != primed[k].array->id ||
        !std::equal(direction, direction + rank, primed[k].direction))
      return false;
  return true;
}

/// Finds the arrays that exchange anything, in the order of the offsets.
static std::vector<zrt_array *> movedArrays(const Transport &transport,
                                            const zrt_shift *primed,
                                            int64_t count) {
  std::vector<zrt_array *> arrays;
  for (int64_t k = 0; transport.size() > 1 && k < count; ++k)
    if (primed[k].array->type->size != 0 &&
        std::find(arrays.begin(), arrays.end(), primed[k].array) ==
            arrays.end())
      arrays.push_back(primed[k].array);
  return arrays;
}

Wave::Known Wave::makePlan(const Distribution &distribution,
                           const zrt_shift *primed, int64_t count,
                           int64_t width) const {
  Known known{wave, region, {}, {}, width, {}, 0};
  std::vector<ShiftItem> items;
  for (int64_t k = 0; k < count; ++k) {
    zrt_array *array = primed[k].array;
    known.ids.push_back(array->id);
    known.directions.insert(known.directions.end(), primed[k].direction,
                            primed[k].direction + region.rank);
    auto at = std::find(arrays.begin(), arrays.end(), array);
    if (at == arrays.end())
      continue;
    ShiftItem item;
    item.array = static_cast<int>(at - arrays.begin());
    item.declared = declaredHull(*array);
    std::copy(primed[k].direction, primed[k].direction + region.rank,
              item.direction);
    items.push_back(item);
  }
  known.plan = planWave(distribution, boxOf(region), region.floods, items, wave,
                        waveCosts(*transport, wave), transport->rank(), width);
  return known;
}

/// The plan of the wave at hand: that of one before over the same region and
/// arrays, or a new one, in place of the one that has not been used for
/// longest.
const WavePlan &Wave::findPlan(const Distribution &distribution,
                               const zrt_shift *primed, int64_t count,
                               int64_t width) {
  auto found = std::find_if(plans.begin(), plans.end(), [&](const Known &k) {
    return k.matches(region, primed, count, wave, width);
  });
  if (found == plans.end()) {
    if (plans.size() == MaxPlans)
      plans.erase(std::min_element(plans.begin(), plans.end(),
                                   [](const Known &a, const Known &b) {
                                     return a.lastUse < b.lastUse;
                                   }));
    plans.push_back(makePlan(distribution, primed, count, width));
    found = plans.end() - 1;
  }
  found->lastUse = ++uses;
  return found->plan;
}

void Wave::begin(Transport &newTransport, const Distribution &distribution,
                 const zrt_region &newRegion, const zrt_shift *primed,
                 int64_t count, const zrt_wave &newWave, int64_t width) {
  transport = &newTransport;
  region = newRegion;
  wave = newWave;
  arrays = movedArrays(*transport, primed, count);
  plan = &findPlan(distribution, primed, count, width);
  current = 0;
  tileCount = plan->tileCount();
  isRunning = false;
}

/// Fills `blocks` with the elements of \p strips in the current tile; returns
/// their bytes.
size_t Wave::gather(std::span<const WaveStrip> strips) {
  size_t bytes = 0;
  blocks.clear();
  for (const WaveStrip &strip : strips) {
    Box box = intersect(strip.elements.box, now);
    if (isEmpty(box))
      continue;
    blocks.push_back(blockOf(*arrays[strip.elements.array], box));
    bytes += blocks.back().bytes();
  }
  buffer.resize(std::max(buffer.size(), bytes));
  return bytes;
}

void Wave::send(int partner, std::span<const WaveStrip> strips) {
  size_t bytes = gather(strips);
  char *to = buffer.data();
  for (const MemoryBlock &block : blocks) {
    packBlock(block, to);
    to += block.bytes();
  }
  if (bytes != 0)
    transport->send(partner, buffer.data(), bytes);
}

void Wave::receive(int partner, std::span<const WaveStrip> strips) {
  size_t bytes = gather(strips);
  if (bytes != 0)
    transport->receive(partner, buffer.data(), bytes);
  const char *from = buffer.data();
  for (const MemoryBlock &block : blocks) {
    unpackBlock(from, block);
    from += block.bytes();
  }
}

/// Calls \p visit for each run of strips with one partner.
template <typename Visit>
static void forEachPartner(std::span<const WaveStrip> strips, Visit visit) {
  while (!strips.empty()) {
    size_t count = 1;
    while (count < strips.size() && strips[count].partner == strips[0].partner)
      ++count;
    visit(strips[0].partner, strips.first(count));
    strips = strips.subspan(count);
  }
}

/// What follows the work on a tile.
void Wave::endTile() {
  forEachPartner(plan->sends,
                 [&](int partner, auto strips) { send(partner, strips); });
  for (const auto &[isSent, strip] : plan->late) {
    std::span<const WaveStrip> one(&strip, 1);
    if (isSent)
      send(strip.partner, one);
    else
      receive(strip.partner, one);
  }
  isRunning = false;
  ++current;
}

/// The number of bricks along a dimension.
static int64_t along(const Seq &indices, int64_t extent) {
  return (size(indices) + extent - 1) / extent;
}

/// Finds how the part of the tile is cut: into bricks of some rows and columns,
/// one index of all other dimensions.
void Wave::layBricks() {
  brick = 0;
  brickCount = 1;
  int chain = wave.chain - 1, rows = wave.rows - 1;
  bool isCut = wave.steps == 0 && chain >= 0 && rows >= 0 &&
               size(mine.dim[chain]) > 2 * BrickColumns &&
               size(mine.dim[rows]) > 1;
  for (int d = 0; d < region.rank; ++d) {
    extent[d] = !isCut       ? std::max<int64_t>(size(mine.dim[d]), 1)
                : d == chain ? BrickColumns
                : d == rows  ? BrickRows
                             : 1;
    brickCount *= along(mine.dim[d], extent[d]);
  }
}

/// Tells the program of the current brick. They come in the order of the wave,
/// those along a row last.
void Wave::setBrick(zrt_region &tile) {
  Box box = mine;
  int64_t rest = brick;
  auto take = [&](int dim) {
    int64_t count = along(mine.dim[dim], extent[dim]);
    int64_t from = rest % count * extent[dim];
    box.dim[dim] =
        pieceOf(mine.dim[dim], from, from + extent[dim] - 1, plan->isDown(dim));
    rest /= count;
  };
  int last = std::max(wave.chain - 1, 0);
  take(last);
  for (int d = region.rank - 1; d >= 0; --d)
    if (d != last)
      take(d);
  for (int d = 0; d < region.rank; ++d) {
    tile.dim[d] = region.dim[d];
    if (region.floods >> d & 1)
      continue;
    tile.dim[d].lo = box.dim[d].lo;
    tile.dim[d].hi = box.dim[d].hi;
  }
}

bool Wave::next(zrt_region &tile) {
  if (isRunning && ++brick < brickCount) {
    setBrick(tile);
    return true;
  }
  if (isRunning)
    endTile();
  for (; current < tileCount; endTile()) {
    now = plan->tile(current);
    forEachPartner(plan->receives,
                   [&](int partner, auto strips) { receive(partner, strips); });
    mine = intersect(now, plan->own);
    if (isEmpty(mine))
      continue;
    layBricks();
    setBrick(tile);
    return isRunning = true;
  }
  return false;
}

} // namespace zrt
