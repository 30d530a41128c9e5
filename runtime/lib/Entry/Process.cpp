//===- Process.cpp - The state of one processor's run ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a rank gets its distribution (dissertation 2.2.2): the program declares
// its global regions,
//
//     region R = [1..n, 1..n];  BigR = [0..n+1, 0..n+1];
//
// and the first array of rank 2, or the first loop that asks for its bounds,
// ends that: the bounding box [0..n+1, 0..n+1] is cut over the grid, and every
// array and region of the rank, declared before or after, follows it. Indices
// outside of the box belong to the processors at the edges. Flooded dimensions
// have no indices and add nothing: [1..n, *] only tells that rows are 1..n.
//
//===----------------------------------------------------------------------===//

#include "Entry/Process.h"

#include "IO/Text/ValueReader.h"
#include "Support/Error.h"

#include <limits>

extern "C" {
/// What debuggers read of a run, which know this name but no types of ours
/// (tools/gdb/zpl.py): the blocks of the ranks that are distributed, by rank,
/// and which processor this is.
struct {
  const zrt_domain *domain[ZRT_MAX_RANK + 1];
  int64_t processor;
} zrt_debugger;
}

namespace zrt {

static Process *theProcess = nullptr;

Process &process() { return *theProcess; }
void setProcess(Process *object) { theProcess = object; }

Process::Process(const zrt_program &program, std::string name,
                 CommandLine options)
    : program(program), name(std::move(name)), options(std::move(options)) {
  for (int rank = 1; rank <= ZRT_MAX_RANK; ++rank)
    ranks[rank].declared = emptyBox(rank);
}

void Process::declareRegion(const zrt_region &region) {
  // Bounds that are no indices are an error of the program, but not of this
  // place; they must only not upset the arithmetic.
  Range indices = {std::numeric_limits<int32_t>::min(),
                   std::numeric_limits<int32_t>::max()};
  Box box = boxOf(region), &declared = ranks[region.rank].declared;
  if (isEmpty(box))
    return;
  for (int d = 0; d < box.rank; ++d)
    if (!(region.floods >> d & 1)) {
      Seq all = hull(declared.dim[d], intersect(box.dim[d], indices));
      declared.dim[d] = seqOf(rangeOf(all));
    }
}

void Process::fix(int rank) {
  ZRT_CHECK(1 <= rank && rank <= ZRT_MAX_RANK);
  RankState &state = ranks[rank];
  ProcessGrid grid;
  std::string error;
  ZRT_CHECK(makeGrid(options.grid, rank, transport->size(), grid, error));
  state.distribution = Distribution(grid, state.declared);
  int place[ZRT_MAX_RANK];
  grid.coordinates(transport->rank(), place);
  for (int d = 0; d < rank; ++d)
    state.domain.own[d] = state.distribution.cut[d].own(place[d]);
  state.fixed = true;
  zrt_debugger.domain[rank] = &state.domain;
  zrt_debugger.processor = transport->rank();
}

void Process::newArray(zrt_array &array, const ArraySpec &spec,
                       const zrt_loc *loc) {
  createArray(*transport, array, spec,
              own(spec.region.rank, spec.region.floods), ++lastArrayId, loc);
  noteStrings(array);
}

void Process::noteStrings(const zrt_array &array) {
  if (hasStrings(*array.type))
    strings.arrays.insert(&array);
}

void Process::newFollower(zrt_array &array, const void *variable,
                          const ArraySpec &spec, bool hasRegion,
                          const zrt_loc *loc) {
  Follower &follower = followers.add(array, variable, spec, hasRegion);
  if (hasRegion)
    return newArray(array, spec, loc);
  zrt_region nothing = withoutIndices(spec.region);
  std::vector<zrt_region> borders = follower.bordersOf(nothing);
  for (zrt_region &border : borders)
    border = withoutIndices(border);
  // Nothing is owned of it, so the rank need not be distributed yet.
  createArray(*transport, array,
              {nothing, spec.type, spec.name, spec.fluff, borders.data(),
               spec.borderCount},
              emptyBox(nothing.rank), ++lastArrayId, loc);
  noteStrings(array);
}

void Process::resizeFollowers(const void *variable, const zrt_region &region,
                              bool preserve, const zrt_loc *loc) {
  if (!ranks[region.rank].fixed)
    declareRegion(region);
  for (Follower &follower : followers.of(variable)) {
    zrt_array old = *follower.array;
    std::vector<zrt_region> borders = follower.bordersOf(region);
    newArray(*follower.array,
             {region, *old.type, old.name, follower.fluffOrNull(),
              borders.data(), static_cast<int64_t>(borders.size())},
             loc);
    if (preserve && follower.hasRegion)
      copyCommon(*follower.array, old, own(region.rank, region.floods));
    follower.hasRegion = true;
    hooks.move(old.id, follower.array->id);
    dropPlansOf(old.id);
    destroyArray(*transport, old);
  }
}

TransferSite &Process::site(zrt_transfer &transfer) {
  if (!transfer.plan) {
    sites.push_back(std::make_unique<TransferSite>());
    transfer.plan = sites.back().get();
  }
  return *static_cast<TransferSite *>(transfer.plan);
}

void Process::dropPlansOf(uint64_t array) {
  for (const std::unique_ptr<TransferSite> &site : sites)
    site->dropPlansOf(array);
  boundaries.dropArray(array);
  views.dropArray(array);
}

void Process::dropPlans() {
  sites.clear();
  boundaries.clear();
  views.clear();
  reductions.clear();
  exchanges.clear();
  maps.clear();
}

} // namespace zrt
