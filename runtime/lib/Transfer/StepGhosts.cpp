//===- StepGhosts.cpp - Time steps between processors ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Four iterations of a stencil of one row on two processors, in one sweep:
//
//     rows              ... 97 98 99 100 | 101 102 103 104 105 ...
//     received by the upper one            101 102 103 104
//     iteration 0 of it computes as well   101 102 103
//     iteration 1, 2                       101 102;  101
//     iteration 3                          its own rows only
//
// Each processor computes what its later iterations need of others' rows, from
// the same values by the same operations, so that it is what these have to the
// last bit. One exchange does for four iterations. In two distributed
// dimensions the corners are received and computed as well: all is boxes.
//
// An array that the loop does not store is read in the same indices, so it must
// be there as far; one that it only stores has room.
//
// A loop that wraps needs the same around its region, on one processor, too: its
// ghosts are those of `A@^d`, from the region's other end. Blocks must be as wide
// as what is needed of them.
//
// Model, in seconds, of what an iteration of k takes on the processor with the
// smallest block:
//
//   its share of one exchange          (messages + bytes) / k
//   its share of the arrays' bytes that come from memory, if they are not in
//   the caches                         bytes / k
//   what it computes                   bytes x what lies beside the block
//
// Of the numbers up to that which suits the caches (which are shared) the one
// is taken that takes the least. It follows from figures and bounds that all
// processors have alike, so they choose the same one.
//
// Cost: that of a transfer's plan, once; then of an exchange.
//
//===----------------------------------------------------------------------===//

#include "Transfer/StepGhosts.h"

#include "Machine/RunFigures.h"
#include "Memory/Array.h"
#include "Transfer/GhostPlan.h"
#include "Transfer/TransferSite.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace zrt {

std::vector<StepArray> stepArrays(const StepLoop &what,
                                  const Distribution &distribution,
                                  int64_t steps) {
  std::vector<StepArray> arrays;
  for (int64_t k = 0; k < what.count; ++k) {
    const zrt_shift &shift = what.touched[k];
    auto at =
        std::find_if(arrays.begin(), arrays.end(), [&](const StepArray &known) {
          return known.array == shift.array;
        });
    if (at == arrays.end())
      at = arrays.insert(at, {shift.array});
    at->isRead |= k < what.loop.reads;
    for (int d = 0; d < what.region.rank; ++d) {
      at->room.below[d] = std::max(at->room.below[d], -shift.direction[d]);
      at->room.above[d] = std::max(at->room.above[d], shift.direction[d]);
    }
  }
  for (StepArray &each : arrays)
    for (int d = 0; d < what.region.rank; ++d)
      if (distribution.distributed(d) || what.wraps(d)) {
        each.room.below[d] += (steps - 1) * what.loop.below[d];
        each.room.above[d] += (steps - 1) * what.loop.above[d];
      }
  return arrays;
}

//===----------------------------------------------------------------------===//
// How many
//===----------------------------------------------------------------------===//

/// The least extents that a processor has of the region, if it has any of it.
static Box leastBlock(const StepLoop &what, const Distribution &distribution,
                      int processors) {
  Box region = boxOf(what.region), least = region;
  for (int q = 0; q < processors; ++q) {
    Box own = intersect(region, distribution.own(q, what.region.floods));
    if (isEmpty(own))
      continue;
    for (int d = 0; d < region.rank; ++d)
      if (size(own.dim[d]) < size(least.dim[d]))
        least.dim[d] = own.dim[d];
  }
  return least;
}

namespace {

/// What the model knows of a loop on the processor with the smallest block.
struct StepModel {
  const StepLoop &what;
  const Distribution &distribution;
  Box block;
  double bytes;    ///< of the block in all arrays
  bool isInMemory; ///< they are not in its part of the caches
  bool isShm;      ///< processors exchange by shared memory

  /// The part of the block's indices that the box has which reaches for
  /// \p steps iterations beside it, at least 1.
  double extended(int64_t steps) const {
    double part = 1;
    for (int d = 0; d < block.rank; ++d)
      if (distribution.distributed(d) || what.wraps(d))
        part *= 1 + static_cast<double>(
                        steps * (what.loop.below[d] + what.loop.above[d])) /
                        static_cast<double>(size(block.dim[d]));
    return part;
  }

  /// What \p steps iterations compute of what one does, without neighbours.
  double work(int64_t steps) const {
    double sum = 0;
    for (int64_t left = 0; left < steps; ++left)
      sum += extended(left);
    return sum;
  }

  /// Blocks in a dimension, without the own one, of which \p steps iterations
  /// need something: more than two if blocks are thin.
  double blocksReached(int d, int64_t steps) const {
    int64_t extent = size(block.dim[d]), reached = 0;
    for (int64_t reach : {what.loop.below[d], what.loop.above[d]})
      reached += (steps * reach + extent - 1) / extent;
    return static_cast<double>(
        std::min<int64_t>(reached, distribution.grid.extent[d] - 1));
  }

  /// Partners of an exchange: of one step across faces, of several also across
  /// edges and corners.
  double partners(int64_t steps) const {
    double faces = 0, all = 1;
    for (int d = 0; d < block.rank; ++d) {
      faces += blocksReached(d, steps);
      all *= 1 + blocksReached(d, steps);
    }
    return steps > 1 ? all - 1 : faces;
  }

  /// Seconds of one of \p steps iterations.
  double cost(int64_t steps) const {
    const RunFigures &figures = runFigures();
    double message = isShm ? figures.waveShmMessage : figures.waveOtherMessage;
    double byte = isShm ? figures.shmByte : figures.otherByte;
    double exchange =
        partners(steps) * message + (extended(steps) - 1) * bytes * byte;
    double memory = isInMemory ? bytes * figures.stepMemoryByte : 0;
    double compute = work(steps) * bytes * figures.stepByte;
    if (steps > 1 && what.loop.swaps)
      compute *= figures.stepTurns;
    return (exchange + memory + compute) / static_cast<double>(steps);
  }
};

} // namespace

/// As many iterations as need nothing of blocks behind the next one, where the
/// loop wraps; 1 if one needs that already.
static int64_t mostAround(const StepLoop &what, const Box &block) {
  int64_t most = INT64_MAX;
  // So far does an access lead, and each iteration before the last one farther.
  auto note = [&](int64_t extent, int64_t distance, int64_t reach) {
    int64_t left = extent - std::max<int64_t>(distance, 0);
    if (left < 0)
      most = 1;
    else if (reach != 0)
      most = std::min(most, 1 + left / reach);
  };
  for (int64_t k = 0; k < what.count; ++k)
    for (int d = 0; d < block.rank; ++d)
      if (what.wraps(d)) {
        int64_t extent = size(block.dim[d]);
        int64_t distance = what.touched[k].direction[d];
        note(extent, -distance, what.loop.below[d]);
        note(extent, distance, what.loop.above[d]);
      }
  return most;
}

int64_t stepsBetween(const StepLoop &what, const Distribution &distribution,
                     const Transport &transport, int64_t rowBytes,
                     const Caches &caches) {
  Box region = boxOf(what.region);
  if (isEmpty(region))
    return 1;
  Box block = leastBlock(what, distribution, transport.size());
  if (what.loop.forced)
    return std::min(what.loop.forced, mostAround(what, block));
  double inRow = static_cast<double>(rowBytes);
  for (int d = 0; d < region.rank; ++d)
    if (d != what.loop.rows)
      inRow *= static_cast<double>(size(block.dim[d])) /
               static_cast<double>(size(region.dim[d]));
  int64_t rows = size(block.dim[what.loop.rows]);
  int64_t most = timeSteps(rows, static_cast<int64_t>(inRow), what.loop, caches,
                           /*isShared=*/transport.size() > 1);
  most = std::min(most, mostAround(what, block));
  double bytes = inRow * static_cast<double>(rows);
  StepModel model{what,
                  distribution,
                  block,
                  bytes,
                  bytes >
                      static_cast<double>(caches.last) * runFigures().lastShare,
                  std::strcmp(transport.name(), "shm") == 0};
  int64_t best = 1;
  for (int64_t steps = 2; steps <= most; ++steps)
    if (model.cost(steps) < model.cost(best))
      best = steps;
  return best;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// What every processor needs of the arrays' elements. Leaves these in
/// \p arrays.
static std::vector<ShiftItem> itemsOf(const StepLoop &what,
                                      const std::vector<StepArray> &touched,
                                      std::vector<zrt_array *> &arrays) {
  std::vector<ShiftItem> items;
  for (const StepArray &each : touched) {
    if (!each.isRead || each.array->type->size == 0)
      continue;
    ShiftItem item;
    item.array = static_cast<int>(arrays.size());
    item.declared = declaredHull(*each.array);
    item.floods = each.array->region.floods;
    for (int d = 0; d < what.region.rank; ++d) {
      item.direction[d] = -each.room.below[d];
      item.more[d] = each.room.below[d] + each.room.above[d];
    }
    items.push_back(item);
    arrays.push_back(each.array);
  }
  return items;
}

/// The exchange of a loop that does not wrap.
static Copy ghostsBeside(Transport &transport, const Distribution &distribution,
                         const StepLoop &what,
                         const std::vector<StepArray> &touched) {
  std::vector<zrt_array *> arrays;
  std::vector<ShiftItem> items = itemsOf(what, touched, arrays);
  std::vector<Pair> pairs = pairsOf(
      planTransfer(distribution, boxOf(what.region), items, transport.rank()),
      arrays, distribution);
  bool takesPart = !pairs.empty();
  std::unique_ptr<Exchange> exchange = transport.makeExchange(std::move(pairs));
  if (!takesPart)
    exchange.reset();
  return Copy(std::move(exchange), {});
}

/// All directions in which an array has room: faces, edges and corners.
static std::vector<GhostShift> aroundOf(const StepArray &each, int rank) {
  std::vector<GhostShift> shifts(1);
  shifts[0].wraps = true;
  for (int d = 0; d < rank; ++d)
    for (int64_t distance : {-each.room.below[d], each.room.above[d]})
      if (distance != 0)
        for (size_t k = 0, known = shifts.size(); k < known; ++k)
          if (shifts[k].direction[d] == 0) {
            GhostShift shift = shifts[k];
            shift.direction[d] = distance;
            shifts.push_back(shift);
          }
  shifts.erase(shifts.begin());
  return shifts;
}

/// The exchange of a loop that wraps, with what it copies here.
static Copy ghostsAround(Transport &transport, const Distribution &distribution,
                         const StepLoop &what,
                         const std::vector<StepArray> &touched) {
  std::map<int, Pair> pairs;
  std::vector<Copy::Local> here;
  for (const StepArray &each : touched) {
    const zrt_array &array = *each.array;
    std::vector<GhostShift> shifts = aroundOf(each, what.region.rank);
    if (!each.isRead || array.type->size == 0 || shifts.empty())
      continue;
    GhostParts parts =
        planGhosts(distribution, {array.region, /*hasBorders=*/false},
                   what.region, shifts, transport.rank());
    for (const PartnerGhosts &both : parts.partners) {
      Pair &pair = pairs.try_emplace(both.partner, Pair{both.partner, {}, {}})
                       .first->second;
      for (const CopyPiece &piece : both.sends)
        pair.sends.push_back(blockOf(array, piece.target, piece.source));
      for (const CopyPiece &piece : both.receives)
        pair.receives.push_back(blockOf(array, piece.target));
    }
    for (const CopyPiece &piece : parts.here)
      here.push_back({blockOf(array, piece.target, piece.source),
                      blockOf(array, piece.target)});
  }
  std::vector<Pair> all;
  for (auto &[partner, pair] : pairs)
    all.push_back(std::move(pair));
  bool takesPart = !all.empty();
  std::unique_ptr<Exchange> exchange;
  if (transport.size() > 1)
    exchange = transport.makeExchange(std::move(all));
  if (!takesPart)
    exchange.reset();
  return Copy(std::move(exchange), std::move(here));
}

StepPlan::StepPlan(Transport &transport, const Distribution &distribution,
                   const StepLoop &what, int64_t steps)
    : most(steps), region(what.region) {
  for (int64_t k = 0; k < what.count; ++k)
    ids.push_back(what.touched[k].array->id);
  std::vector<StepArray> touched = stepArrays(what, distribution, steps);
  for (StepArray &each : touched)
    each.array->planned = 1;
  if (steps == 1)
    return;
  auto makeGhosts = what.loop.wraps ? ghostsAround : ghostsBeside;
  ghosts = makeGhosts(transport, distribution, what, touched);
}

void StepPlan::exchange() { ghosts.run(); }

bool StepPlan::matches(const StepLoop &what) const {
  if (static_cast<int64_t>(ids.size()) != what.count ||
      region.rank != what.region.rank ||
      std::memcmp(region.dim, what.region.dim,
                  sizeof(zrt_dim) * static_cast<size_t>(region.rank)) != 0)
    return false;
  for (int64_t k = 0; k < what.count; ++k)
    if (ids[static_cast<size_t>(k)] != what.touched[k].array->id)
      return false;
  return true;
}

bool StepPlan::uses(uint64_t id) const {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

StepPlan *StepGhosts::find(const StepLoop &what) {
  auto found =
      std::find_if(plans.rbegin(), plans.rend(),
                   [&](const StepPlan &plan) { return plan.matches(what); });
  return found == plans.rend() ? nullptr : &*found;
}

StepPlan &StepGhosts::add(StepPlan plan) {
  if (plans.size() == MaxPlans)
    plans.erase(plans.begin());
  return plans.emplace_back(std::move(plan));
}

void StepGhosts::dropPlansOf(uint64_t id) {
  std::erase_if(plans, [id](const StepPlan &plan) { return plan.uses(id); });
}

} // namespace zrt
