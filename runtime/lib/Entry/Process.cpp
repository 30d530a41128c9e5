//===- Process.cpp - The state of one processor's run ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays are made here, and made anew when a region variable or a distribution
// is assigned: the descriptor stays, with another id, and all that points at
// the storage is forgotten.
//
//===----------------------------------------------------------------------===//

#include "Entry/Process.h"

#include "Entry/Domains/PlacesAgreement.h"
#include "IO/Text/ValueReader.h"
#include "Support/Error.h"
#include "Transport/PluginLoader.h"

#include <algorithm>

extern "C" {
/// What debuggers read of a run, which know this name but no types of ours
/// (tools/gdb/zpl.py): the blocks of the ranks that are distributed, by rank,
/// and which processor this is; the blocks of the program's own domains, by
/// their number - 1, null where positions are places; of these domains the
/// segments in each dimension, likewise.
struct {
  const zrt_domain *domain[ZRT_MAX_RANK + 1];
  int64_t processor;
  const zrt_domain *const *named;
  const zrt::OwnSegments *const *scattered;
} zrt_debugger;
}

namespace zrt {

static Process *theProcess = nullptr;

Process &process() { return *theProcess; }
void setProcess(Process *object) { theProcess = object; }
bool hasProcess() { return theProcess != nullptr; }

Process::Process(const zrt_program &program, std::string name,
                 CommandLine options, int place, int places)
    : program(program), name(std::move(name)), options(std::move(options)),
      strings(place, places), domains(program, this->options.grid),
      debuggerDomains(static_cast<size_t>(program.domain_count)),
      debuggerSegments(debuggerDomains.size()),
      ownSegments(debuggerDomains.size()) {
  files.plugins = pluginFolder(program.plugin_dir);
}

/// What \p self has of a scattered domain.
static std::unique_ptr<OwnSegments> segmentsOf(const Placement &placement,
                                               int self) {
  auto made = std::make_unique<OwnSegments>();
  int at[ZRT_MAX_RANK];
  placement.grid.coordinates(self, at);
  for (int d = 0; d < placement.grid.rank; ++d) {
    const std::vector<Segment> &own = placement.dims[d].of(at[d]);
    made->dims[d] = {static_cast<int64_t>(own.size()), own.data()};
  }
  return made;
}

DomainState &Process::domainAt(int32_t reference) {
  DomainState &state = domains.stateAt(reference);
  if (state.fixed) [[likely]]
    return state;
  zrt_region region = {};
  if (reference < 0)
    region = domains.regionIn(-reference);
  else
    region.rank = static_cast<int16_t>(reference);
  return domain(region);
}

void Process::fix(const zrt_region &region) {
  domains.fix(region, transport->rank(), transport->size());
  zrt_debugger.processor = transport->rank();
  zrt_debugger.named = debuggerDomains.data();
  zrt_debugger.scattered = debuggerSegments.data();
  const zrt_domain *block = &domains.stateOf(region).domain;
  int32_t number = region.domain & ~InBlocksBit;
  if (number == 0) {
    zrt_debugger.domain[region.rank] = block;
    return;
  }
  size_t place = static_cast<size_t>(number - 1);
  if (!program.domains[number - 1].is_scattered) {
    debuggerDomains[place] = block;
    return;
  }
  ownSegments[place] = segmentsOf(domains.placementOf(domains.regionIn(number)),
                                  transport->rank());
  debuggerSegments[place] = ownSegments[place].get();
}

void Process::create(zrt_array &array, const ArraySpec &spec,
                     const zrt_loc *loc) {
  if (!domains.isScattered(spec.region))
    return createArray(*transport, array, spec, own(spec.region), ++lastArrayId,
                       loc);
  domain(spec.region);
  zrt_region all = spec.region;
  for (int64_t k = 0; k < spec.borderCount; ++k)
    for (int d = 0; d < all.rank; ++d) {
      Seq more = hull(seqOf(all.dim[d]), seqOf(spec.borders[k].dim[d]));
      all.dim[d].lo = more.lo;
      all.dim[d].hi = more.hi;
    }
  Box places = domains.placesOf(all, transport->rank());
  createPlaced(*transport, array, spec,
               isEmpty(places) ? emptyBox(all.rank) : places, ++lastArrayId,
               loc);
}

void Process::agreeOnPlaces(const zrt_region &region) {
  DomainState &state = domain(region);
  if (state.isAgreed || region.domain <= 0 || region.domain >= InBlocksBit)
    return;
  state.isAgreed = true;
  checkPlacesAgree(region.domain);
}

void Process::newArray(zrt_array &array, const ArraySpec &spec,
                       const zrt_loc *loc) {
  agreeOnPlaces(spec.region);
  domains.checkHolds(spec.region, loc);
  create(array, spec, loc);
  noteStrings(array);
  if (spec.region.domain > 0 && spec.region.domain < InBlocksBit)
    domains.stateOf(spec.region).arrays.push_back(&array);
}

void Process::forget(const zrt_array &array) {
  if (array.region.domain <= 0 || array.region.domain >= InBlocksBit)
    return;
  std::vector<zrt_array *> &list = domains.stateOf(array.region).arrays;
  auto last = std::find(list.rbegin(), list.rend(), &array);
  if (last != list.rend())
    list.erase(std::next(last).base());
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
  // Nothing is owned of it, so the domain need not be distributed yet.
  createArray(*transport, array,
              {nothing, spec.type, spec.name, spec.fluff, borders.data(),
               spec.borderCount},
              emptyBox(nothing.rank), ++lastArrayId, loc);
  noteStrings(array);
  if (nothing.domain > 0)
    domains.stateOf(nothing).arrays.push_back(&array);
}

void Process::copyPieces(zrt_array &target, const zrt_array &source,
                         const std::vector<CopyPiece> &pieces) {
  if (!domains.isScattered(target.region) &&
      target.region.domain == source.region.domain)
    return Copy(*transport, distribution(target.region), target, source, pieces)
        .run();
  copyOf(*transport, {placement(target.region), target},
         {placement(source.region), source}, pieces)
      .run();
}

/// The boxes that arrays have in common, as pieces of a copy, each index once.
static std::vector<CopyPiece> commonPieces(const zrt_array &target,
                                           const zrt_array &source) {
  std::vector<Box> boxes;
  for (const Box &there : declaredBoxes(target))
    for (const Box &here : declaredBoxes(source))
      if (Box common = intersect(there, here); !isEmpty(common))
        boxes.push_back(common);
  std::vector<CopyPiece> pieces;
  for (const Box &box : boxes) {
    std::vector<Box> rest = {box};
    for (const CopyPiece &known : pieces) {
      std::vector<Box> smaller;
      for (const Box &part : rest)
        cutOff(part, known.target, smaller);
      rest = std::move(smaller);
    }
    for (const Box &part : rest)
      pieces.push_back({part, {}});
  }
  return pieces;
}

void Process::copyKept(zrt_array &target, const zrt_array &old) {
  if (domains.isScattered(target.region))
    return copyPieces(target, old, commonPieces(target, old));
  copyCommon(target, old, own(target.region));
}

void Process::redistribute(const std::vector<int32_t> &numbers,
                           const std::vector<Placement> &old, bool keeps,
                           const zrt_loc *loc) {
  for (size_t k = 0; k < numbers.size(); ++k) {
    zrt_region any = domains.regionIn(numbers[k]);
    placedShifts.dropDomain(numbers[k]);
    agreeOnPlaces(any);
    for (zrt_array *array : domain(any).arrays) {
      zrt_array before = *array;
      if (before.borrowed || before.region.is_sparse)
        continue;
      zrt_fluff room = before.keeper->room;
      domains.checkHolds(before.region, loc);
      create(*array,
             {before.region, *before.type, before.name, &room, before.borders,
              before.border_count},
             loc);
      if (keeps)
        copyOf(*transport, {domains.placementOf(any), *array}, {old[k], before},
               commonPieces(*array, before))
            .run();
      hooks.move(before.id, array->id);
      dropPlansOf(before.id);
      destroyArray(*transport, before);
    }
  }
  redistributeSparse(numbers, old, keeps, loc);
}

void Process::resizeFollowers(const void *variable, const zrt_region &region,
                              bool preserve, const zrt_loc *loc) {
  domains.declareRegion(region);
  for (Follower &follower : followers.of(variable)) {
    zrt_array old = *follower.array;
    forget(*follower.array);
    std::vector<zrt_region> borders = follower.bordersOf(region);
    newArray(*follower.array,
             {region, *old.type, old.name, follower.fluffOrNull(),
              borders.data(), static_cast<int64_t>(borders.size())},
             loc);
    if (preserve && follower.hasRegion)
      copyKept(*follower.array, old);
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

StepGhosts &Process::stepGhosts(zrt_transfer &place) {
  if (!place.plan) {
    stepSites.push_back(std::make_unique<StepGhosts>());
    place.plan = stepSites.back().get();
  }
  return *static_cast<StepGhosts *>(place.plan);
}

void Process::dropPlansOf(uint64_t array) {
  for (const std::unique_ptr<StepGhosts> &site : stepSites)
    site->dropPlansOf(array);
  for (const std::unique_ptr<TransferSite> &site : sites)
    site->dropPlansOf(array);
  boundaries.dropArray(array);
  views.dropArray(array);
  placedShifts.dropArray(array);
}

void Process::dropPlans() {
  sites.clear();
  stepSites.clear();
  boundaries.clear();
  views.clear();
  placedShifts.clear();
  reductions.clear();
  exchanges.clear();
  windows.clear();
  boxes.clear();
  maps.clear();
  sparse.plans.clear();
  sparse.wave.clear();
  sparse.borders.clear();
}

} // namespace zrt
