//===- AbiTimeSteps.cpp - Entry for loops with time steps -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over one processor's indices takes as many iterations as pay. Between
// processors its arrays need room beside their blocks, for k iterations k times
// what a transfer needs. On one processor nobody does, so no array is made with
// it: it moves to other storage when a loop first asks, as for views
// (AbiShifts.cpp). That must not be while something else looks into the
// storage; then iterations are executed one by one.
//
// A loop that wraps needs room around its region as well, also on one processor.
//
// What the caches are like processor 0 tells the others, once: all of them must
// choose the same number.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"
#include "Entry/Process.h"
#include "IO/Text/ValueReader.h"
#include "Machine/RunFigures.h"
#include "Memory/Array.h"
#include "Support/Operation.h"
#include "Transfer/GhostPlan.h"
#include "Transfer/StepGhosts.h"

using namespace zrt;

/// Those of processor 0, in equal shares.
static const Caches &commonCaches(Process &p) {
  if (!p.caches) {
    Caches caches = machineCaches(p.transport->size());
    if (p.transport->size() > 1)
      broadcast(*p.transport, &caches, sizeof caches);
    p.caches = caches;
  }
  return *p.caches;
}

/// Whether the array may have this room: it has it, or may move. What lies around
/// the region must be around the array, too.
static bool mayHaveRoom(const zrt_array &array, const zrt_region &region,
                        const zrt_fluff &room) {
  Process &p = process();
  if (array.region.is_sparse || array.region.domain != region.domain ||
      hasStrings(*array.type) || (room.wraps && array.border_count > 0))
    return false;
  for (int d = 0; d < region.rank; ++d) {
    const zrt_dim &mine = array.region.dim[d], &all = region.dim[d];
    if (mine.stride != 1)
      return false;
    if (room.wraps && (array.region.floods >> d & 1) == 0 &&
        (mine.lo != all.lo || mine.hi != all.hi))
      return false;
  }
  return (!array.borrowed && isWithin(room, array.keeper->room, region.rank)) ||
         (!array.borrowed && array.keeper->views == 0 &&
          p.strings.underway == 0);
}

/// Gives all arrays of the loop room for so many \p steps, if all may have it.
static bool makeRoom(const StepLoop &what, const Distribution &distribution,
                     int64_t steps, const zrt_loc *loc) {
  Process &p = process();
  std::vector<StepArray> arrays = stepArrays(what, distribution, steps);
  for (StepArray &each : arrays) {
    for (int d = 0; d < what.region.rank; ++d)
      if (each.array->region.floods >> d & 1)
        each.room.below[d] = each.room.above[d] = 0;
      else if (what.wraps(d))
        each.room.wraps |= 1 << d;
      else if (!distribution.distributed(d))
        each.room.below[d] = each.room.above[d] = 0;
    if (!mayHaveRoom(*each.array, what.region, each.room))
      return false;
  }
  for (const StepArray &each : arrays) {
    zrt_array &array = *each.array;
    if (isWithin(each.room, array.keeper->room, what.region.rank))
      continue;
    p.dropPlansOf(array.id);
    widenArray(*p.transport, array,
               widened(array.keeper->room, each.room, array.region),
               p.own(array.region), loc);
  }
  return true;
}

/// The plan of a loop that has none; null if its arrays cannot have the room now.
/// Those of a loop that wraps are not asked again: their bounds stay.
static StepPlan *makePlan(StepGhosts &site, const StepLoop &what,
                          int64_t rowBytes, const zrt_loc *loc) {
  Process &p = process();
  const Distribution &distribution = p.distribution(what.region);
  int64_t steps = stepsBetween(what, distribution, *p.transport, rowBytes,
                               what.loop.forced ? Caches{} : commonCaches(p));
  if (steps > 1 && !makeRoom(what, distribution, steps, loc)) {
    if (!what.loop.wraps)
      return nullptr;
    steps = 1;
  }
  return &site.add(StepPlan(*p.transport, distribution, what, steps));
}

/// Whether an iteration reads at another index what the one before has stored.
/// If not, all iterations need the same of other processors.
static bool readsBeside(const zrt_time_loop &loop) {
  for (int d = 0; d < ZRT_MAX_RANK; ++d)
    if (loop.below[d] != 0 || loop.above[d] != 0)
      return true;
  return false;
}

/// That of one processor.
static int64_t stepsHere(const zrt_region &region, const zrt_time_loop &loop,
                         int64_t rowBytes) {
  if (loop.forced)
    return loop.forced;
  return timeSteps(size(seqOf(region.dim[loop.rows])), rowBytes, loop,
                   commonCaches(process()), /*isShared=*/false);
}

/// So many as the loop's plan says, up to \p most, after what they need has
/// come; 1 without an exchange. Collective.
static int64_t stepsOfPlan(zrt_transfer &place, const StepLoop &what,
                           int64_t rowBytes, int64_t most, const zrt_loc *loc) {
  Process &p = process();
  StepGhosts &site = p.stepGhosts(place);
  StepPlan *plan = site.find(what);
  if (plan && plan->steps() == 1)
    return 1;
  OperationScope scope(what.loop.wraps ? OperationKind::Shift
                                       : OperationKind::Transfer,
                       loc, p.domainName(what.region));
  if (!plan)
    plan = makePlan(site, what, rowBytes, loc);
  if (!plan || plan->steps() == 1)
    return 1;
  plan->exchange();
  return std::min(most, plan->steps());
}

/// Those between processors, of at least two, after their exchange.
static int64_t stepsAfterExchange(zrt_transfer &place, const StepLoop &what,
                                  int64_t rowBytes, int64_t most,
                                  const zrt_loc *loc) {
  const zrt_time_loop &loop = what.loop;
  if (loop.alone || most == 1)
    return 1;
  if (!readsBeside(loop))
    return loop.forced ? std::min(most, loop.forced) : 1;
  return stepsOfPlan(place, what, rowBytes, most, loc);
}

/// Those of a loop that wraps, after what lies around its region has come; 0: not
/// several.
static int64_t stepsAround(zrt_transfer &place, const StepLoop &what,
                           int64_t rowBytes, int64_t most, const zrt_loc *loc) {
  int64_t steps = most == 1 ? 1 : stepsOfPlan(place, what, rowBytes, most, loc);
  return steps == 1 ? 0 : steps;
}

extern "C" {

int64_t zrtA_time_steps(zrt_transfer *place, const zrt_region *region,
                        const zrt_time_loop *loop, const zrt_shift *touched,
                        int64_t count, int64_t rowBytes, int64_t most,
                        const zrt_loc *loc) {
  if (loop->wraps)
    return stepsAround(*place, {*region, *loop, touched, count}, rowBytes, most,
                       loc);
  if (process().transport->size() == 1)
    return std::min(most, stepsHere(*region, *loop, rowBytes));
  return stepsAfterExchange(*place, {*region, *loop, touched, count}, rowBytes,
                            most, loc);
}

int64_t zrtA_strip_steps(zrt_transfer *place, const zrt_region *region,
                         const zrt_time_loop *loop, const zrt_shift *touched,
                         int64_t count, int64_t rowBytes, int64_t most,
                         int32_t sweeps, const zrt_loc *loc) {
  Process &p = process();
  int64_t rows = size(seqOf(region->dim[loop->rows]));
  if (rows < 1 || rowBytes < 1)
    return 1;
  const Caches &caches = commonCaches(p);
  if (p.transport->size() == 1)
    return std::min(most, loop->forced != 0 ? loop->forced
                                            : stripSteps(rowBytes, rows, *loop,
                                                         sweeps, caches));
  // In the caches one sweep takes longer in its parts than as it is.
  double here = double(rows) * double(rowBytes) / p.transport->size();
  if (sweeps < 2 && loop->forced == 0 &&
      here < double(caches.last) * runFigures().lastShare)
    return 1;
  return stepsAfterExchange(*place, {*region, *loop, touched, count}, rowBytes,
                            most, loc);
}

int64_t zrtA_strip_rows(int64_t rowBytes, int64_t rows, int64_t behind,
                        int64_t iterations, int64_t forced) {
  Process &p = process();
  bool isAlone = p.transport->size() == 1;
  if (rows < 1 || rowBytes < 1 || (!isAlone && iterations == 1))
    return 0;
  if (forced != 0)
    return forced;
  int64_t fit = stripRows(rowBytes, rows, behind, commonCaches(p));
  return fit == 0 && iterations > 1 ? rows : fit;
}

} // extern "C"
