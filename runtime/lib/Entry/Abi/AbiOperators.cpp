//===- AbiOperators.cpp - Entries for array operators ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floods, reductions, scans and remaps: the C functions of Abi.h over the
// layers Collective and Remap. `[R] B := A#[I] + >>[1, ] A;` comes here as
//
//     zrtA_check_maps(&A, &R, maps, &mask, "A#[I]", &loc);
//     zrtA_array_gather(&T1, &A, &R, maps, &mask, &loc);
//     zrtA_array_flood(&T2, &A, &S, &loc);
//     ... the M-loop ...
//
//===----------------------------------------------------------------------===//

#include "Collective/AlgorithmTools.h"
#include "Collective/Flood.h"
#include "Collective/Fold.h"
#include "Collective/Scan.h"
#include "Collective/StateScan.h"
#include "Entry/Domains/InBlocks.h"
#include "Entry/Domains/PlacedFlood.h"
#include "Entry/Process.h"
#include "Entry/Sparse/SparseElements.h"
#include "Entry/Sparse/SparseRegions.h"
#include "Entry/Sparse/SparseRemap.h"
#include "Entry/Sparse/SparseSort.h"
#include "IO/Text/ValueReader.h"
#include "Remap/MapMessage.h"
#include "Remap/Remap.h"
#include "Sort/Sort.h"
#include "Support/Error.h"
#include "Support/Operation.h"

#include <cstring>

using namespace zrt;

static Parallel parallelOf(const zrt_region &region) {
  Process &p = process();
  return {*p.transport, p.distribution(region), p.slices, p.exchanges};
}

static bool isScattered(const zrt_region &region) {
  return process().domains.isScattered(region);
}

/// The name of the domain of \p region for tables of costs; null: a default
/// one, or no region.
static const char *domainOf(const zrt_region *region) {
  return region ? process().domainName(*region) : nullptr;
}

namespace {

/// Where a remap takes place, in blocks.
struct BlockRemap {
  zrt_region region;
  Parallel parallel;
  BlockMask flags;
  BlockMaps maps;
  RemapDomain domain;

  BlockRemap(const zrt_region &given, const zrt_map *givenMaps, int mapCount,
             const zrt_mask *mask, const zrt_loc *loc)
      : region(inBlocks(given)), parallel(parallelOf(region)),
        flags(mask, given, loc), maps(givenMaps, mapCount, given, loc),
        domain(parallel, region, maps.maps.data(), mapCount, flags.mask) {}
  BlockRemap(const BlockRemap &) = delete;
};

/// A remap over a dense region, or a sparse one.
struct AnyRemap {
  std::optional<BlockRemap> blocks;
  std::optional<SparseRemap> sparse;

  AnyRemap(const zrt_region &region, const zrt_map *maps, int mapCount,
           const zrt_mask *mask, const zrt_loc *loc) {
    if (region.is_sparse)
      sparse.emplace(usable(region, loc), maps, mapCount, mask);
    else
      blocks.emplace(region, maps, mapCount, mask, loc);
  }
  const RemapDomain &domain() const {
    return blocks ? blocks->domain : sparse->domain();
  }
};

/// What is remapped: a dense array, in blocks, or a sparse one.
struct AnyRemapped {
  std::optional<BlockCopy> blocks;
  std::optional<SparseElements> sparse;
  zrt_array *array;
  Remote remote;

  AnyRemapped(const zrt_array *given, const zrt_loc *loc)
      : blocks(given->region.is_sparse
                   ? std::nullopt
                   : std::optional<BlockCopy>(std::in_place, given,
                                              given->region, loc)),
        sparse(given->region.is_sparse
                   ? std::optional<SparseElements>(std::in_place, given->region)
                   : std::nullopt),
        array(blocks ? blocks->array() : const_cast<zrt_array *>(given)),
        remote(process().distribution(inBlocks(array->region)),
               sparse ? &*sparse : nullptr) {}
  AnyRemapped(const AnyRemapped &) = delete;
};

} // namespace

/// What a zrt_split points to whose operator is done at once.
static const char Finished = 0;

/// Whether the operator of \p split is done, which it then forgets.
static bool wasFinished(zrt_split &split) {
  bool finished = split.state == &Finished;
  if (finished)
    split.state = nullptr;
  return finished;
}

/// Those that combine values of a region, of those with equal ones this one;
/// all if there is no region.
static const Slice &contributors(const zrt_region *over) {
  Process &p = process();
  // In a grid dimension the processors' values are different ones.
  int floods = over ? over->floods & ~over->grids : 0;
  if (floods == 0)
    return p.slices.all(*p.transport);
  int dims = ((1 << over->rank) - 1) & ~floods;
  return p.slices.along(*p.transport, p.distribution(*over).grid, dims);
}

/// The reduction of values of \p bytes bytes that \p split stands for from here
/// to its end.
static SplitReduction &begun(zrt_split &split, const zrt_region *over,
                             int64_t bytes) {
  ZRT_CHECK(!split.state);
  Process &p = process();
  ++p.strings.underway;
  SplitReduction &reduction = p.reductions.next(
      *p.transport, contributors(over), static_cast<size_t>(bytes));
  split.state = &reduction;
  return reduction;
}

/// The string of one processor at \p value, null where it had no element, is
/// made one that may travel.
static void shareReduced(void *value) {
  const char *text;
  std::memcpy(&text, value, sizeof text);
  shareString(text);
  std::memcpy(value, &text, sizeof text);
}

/// Tells \p record of the values, and makes strings among them such that may
/// travel.
static void describe(RecordReducer &record, const zrt_combined *values,
                     int64_t count) {
  record.clear();
  for (const zrt_combined *one = values; one < values + count; ++one) {
    if (one->combine) {
      record.add(static_cast<size_t>(one->bytes), one->combine, 1);
      continue;
    }
    if (one->kind == ZRT_STR)
      shareReduced(one->value);
    record.add(operatorTable(one->kind, one->reduction), 1);
  }
}

static void pack(const RecordReducer &record, const zrt_combined *values,
                 int64_t count, char *to) {
  std::memset(to, 0, record.size); // what is between values travels, too
  for (size_t k = 0; k < static_cast<size_t>(count); ++k)
    std::memcpy(to + record.offset(k), values[k].value,
                static_cast<size_t>(values[k].bytes));
}

static void unpack(const RecordReducer &record, const char *from,
                   const zrt_combined *values, int64_t count) {
  for (size_t k = 0; k < static_cast<size_t>(count); ++k)
    std::memcpy(values[k].value, from + record.offset(k),
                static_cast<size_t>(values[k].bytes));
}

extern "C" {

void zrtA_reduce_several(const zrt_combined *values, int64_t count,
                         const zrt_region *over, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, domainOf(over));
  RecordReducer reducer;
  describe(reducer, values, count);
  Scratch record(reducer.size);
  pack(reducer, values, count, record.data());
  reduceRecord(*process().transport, contributors(over), reducer,
               record.data());
  unpack(reducer, record.data(), values, count);
}

void zrtA_reduce(void *value, int32_t kind, int32_t reduction,
                 const zrt_region *over, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, domainOf(over));
  if (kind == ZRT_STR)
    shareReduced(value);
  reduce(*process().transport, contributors(over), value, 1, kind, reduction);
}

void zrtA_reduce_states(void *state, int64_t bytes, zrt_state_combine combine,
                        const zrt_region *over, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, domainOf(over));
  reduceStates(*process().transport, contributors(over), state, 1, bytes,
               combine);
}

void zrtA_reduce_begin(zrt_split *split, const void *value, int32_t kind,
                       int32_t reduction, const zrt_region *over,
                       const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, domainOf(over));
  const OperatorTable &table = operatorTable(kind, reduction);
  const char *text;
  if (kind == ZRT_STR) {
    std::memcpy(&text, value, sizeof text);
    shareReduced(&text);
    value = &text;
  }
  begun(*split, over, table.size).begin(value, table);
}

void zrtA_reduce_states_begin(zrt_split *split, const void *state,
                              int64_t bytes, zrt_state_combine combine,
                              const zrt_region *over, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, domainOf(over));
  begun(*split, over, bytes).begin(state, combine);
}

void zrtA_reduce_end(zrt_split *split, void *value, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, OperationPart::Needed);
  ZRT_CHECK(split->state);
  --process().strings.underway;
  static_cast<SplitReduction *>(split->state)->end(value);
  split->state = nullptr;
}

void zrtA_reduce_several_begin(zrt_split *split, const zrt_combined *values,
                               int64_t count, const zrt_region *over,
                               const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, domainOf(over));
  RecordReducer reducer;
  describe(reducer, values, count);
  Scratch record(reducer.size);
  pack(reducer, values, count, record.data());
  begun(*split, over, static_cast<int64_t>(reducer.size))
      .begin(record.data(), std::move(reducer));
}

void zrtA_reduce_several_end(zrt_split *split, const zrt_combined *values,
                             int64_t count, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, OperationPart::Needed);
  ZRT_CHECK(split->state);
  --process().strings.underway;
  auto &reduction = *static_cast<SplitReduction *>(split->state);
  Scratch record(reduction.record().size);
  reduction.end(record.data());
  unpack(reduction.record(), record.data(), values, count);
  split->state = nullptr;
}

void zrtA_array_flood_begin(zrt_split *split, zrt_array *result,
                            const zrt_array *source, const zrt_region *from,
                            const zrt_loc *loc) {
  OperationScope scope(OperationKind::Flood, loc, domainOf(from));
  ZRT_CHECK(!split->state);
  if (isScattered(*from)) {
    zrtA_array_flood(result, source, from, loc);
    split->state = const_cast<char *>(&Finished);
    return;
  }
  split->state = new SplitFlood(parallelOf(*from), *result, *source, *from,
                                ++process().lastArrayId, loc);
  process().noteStrings(*result);
  ++process().strings.underway;
}

void zrtA_array_flood_end(zrt_split *split, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Flood, loc, OperationPart::Needed);
  ZRT_CHECK(split->state);
  if (wasFinished(*split))
    return;
  std::unique_ptr<SplitFlood> flood(static_cast<SplitFlood *>(split->state));
  split->state = nullptr;
  --process().strings.underway;
  flood->end();
}

void zrtA_array_scan_begin(zrt_split *split, zrt_array *result,
                           const zrt_array *source, const zrt_region *region,
                           const zrt_scan *scan, const zrt_array *segment,
                           const zrt_mask *mask, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Scan, loc, domainOf(region));
  ZRT_CHECK(!split->state);
  if (isScattered(*region)) {
    zrtA_array_scan(result, source, region, scan, segment, mask, loc);
    split->state = const_cast<char *>(&Finished);
    return;
  }
  split->state = beginScan(parallelOf(*region), *result, *source, *region,
                           *scan, segment, mask ? *mask : zrt_mask())
                     .release();
  ++process().strings.underway;
}

void zrtA_array_scan_end(zrt_split *split, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Scan, loc, OperationPart::Needed);
  ZRT_CHECK(split->state);
  if (wasFinished(*split))
    return;
  std::unique_ptr<SplitScan> begun(static_cast<SplitScan *>(split->state));
  split->state = nullptr;
  --process().strings.underway;
  begun->end();
}

void zrtA_broadcast(void *value, int64_t bytes, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Broadcast, loc);
  broadcast(*process().transport, value, static_cast<size_t>(bytes));
}

void zrtA_array_flood(zrt_array *result, const zrt_array *source,
                      const zrt_region *from, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Flood, loc, domainOf(from));
  if (isScattered(*from))
    return floodPlaced(*result, *source, *from, loc);
  floodArray(parallelOf(*from), *result, *source, *from,
             ++process().lastArrayId, loc);
  process().noteStrings(*result);
}

void zrtA_array_flood_panel(zrt_array *result, const zrt_array *source,
                            const zrt_region *from, int32_t dim, int64_t count,
                            const zrt_loc *loc) {
  OperationScope scope(OperationKind::Flood, loc, domainOf(from));
  floodPanel(parallelOf(*from), *result, *source, *from, dim, count,
             ++process().lastArrayId, loc);
  process().noteStrings(*result);
}

void zrtA_array_flood_slot(zrt_array *result, const zrt_array *source,
                           const zrt_region *from, int32_t dim, int64_t slot,
                           int64_t count, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Flood, loc, domainOf(from));
  Parallel parallel = parallelOf(*from);
  if (slot == 0)
    makeSlots(parallel, *result, *source, *from, dim, count,
              ++process().lastArrayId, loc);
  floodSlot(parallel, *result, *source, *from, dim, slot);
  process().noteStrings(*result);
}

void zrtA_array_combine(zrt_array *array, int32_t dims, int32_t reduction,
                        const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, domainOf(&array->region));
  BlockCopy copy(array, array->region, loc);
  combineArray(parallelOf(copy.array()->region), *copy.array(), dims,
               reduction);
  copy.store();
}

void zrtA_array_combine_states(zrt_array *array, int32_t dims,
                               zrt_state_combine combine, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, domainOf(&array->region));
  BlockCopy copy(array, array->region, loc);
  combineStates(parallelOf(copy.array()->region), *copy.array(), dims, combine);
  copy.store();
}

void zrtA_array_combine_several(const zrt_combined *arrays, int64_t count,
                                int32_t dims, const zrt_loc *loc) {
  auto array = [&](int64_t k) {
    return static_cast<zrt_array *>(arrays[k].value);
  };
  const zrt_region &first = array(0)->region;
  OperationScope scope(OperationKind::Reduction, loc, domainOf(&first));
  std::vector<BlockCopy> copies;
  std::vector<CombinedArray> combined;
  bool isJoint = true;
  for (int64_t k = 0; k < count; ++k) {
    // Regions that are equal in their domain are so in blocks.
    isJoint = isJoint && areEqual(first, array(k)->region);
    copies.emplace_back(array(k), array(k)->region, loc);
    combined.push_back(
        {copies.back().array(), arrays[k].reduction, arrays[k].combine});
  }
  combineArrays(parallelOf(combined.front().array->region), combined, dims,
                isJoint);
  for (BlockCopy &copy : copies)
    copy.store();
}

void zrtA_array_fold(zrt_array *result, const zrt_array *source,
                     const zrt_region *from, int32_t reduction,
                     const zrt_mask *mask, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, domainOf(from));
  zrt_region blocks = inBlocks(*from);
  BlockCopy to(result, result->region, loc), of(source, *from, loc);
  foldArray(parallelOf(blocks), *to.array(), *of.array(), blocks, reduction,
            BlockMask(mask, *from, loc).mask);
  to.store();
}

void zrtA_fold(void *result, const zrt_array *source, const zrt_region *from,
               int32_t reduction, const zrt_mask *mask, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, domainOf(from));
  zrt_region blocks = inBlocks(*from);
  foldAll(parallelOf(blocks), result, *BlockCopy(source, *from, loc).array(),
          blocks, reduction, BlockMask(mask, *from, loc).mask);
}

void zrtA_array_scan(zrt_array *result, const zrt_array *source,
                     const zrt_region *region, const zrt_scan *scan,
                     const zrt_array *segment, const zrt_mask *mask,
                     const zrt_loc *loc) {
  OperationScope scope(OperationKind::Scan, loc, domainOf(region));
  zrt_region blocks = inBlocks(*region);
  BlockCopy to(result, *region, loc), of(source, *region, loc),
      segments(segment, *region, loc);
  scanArray(parallelOf(blocks), *to.array(), *of.array(), blocks, *scan,
            segments.array(), BlockMask(mask, *region, loc).mask);
  to.store();
}

void zrtA_array_carries(zrt_array *carries, const zrt_array *restarts,
                        const zrt_region *region, const zrt_scan *scan,
                        const zrt_loc *loc) {
  OperationScope scope(OperationKind::Scan, loc, domainOf(region));
  ZRT_CHECK(!isScattered(*region));
  carriesOf(parallelOf(*region), *carries, restarts, *region, *scan);
}

void zrtA_array_scan_states(zrt_array *result, const zrt_array *source,
                            const zrt_region *region, const zrt_scan *scan,
                            zrt_state_combine combine,
                            zrt_state_identity identity,
                            const zrt_array *segment, const zrt_mask *mask,
                            const zrt_loc *loc) {
  OperationScope scope(OperationKind::Scan, loc, domainOf(region));
  zrt_region blocks = inBlocks(*region);
  BlockCopy to(result, *region, loc), of(source, *region, loc),
      segments(segment, *region, loc);
  scanStates(parallelOf(blocks), *to.array(), *of.array(), blocks, *scan,
             {source->type->size, combine, identity}, segments.array(),
             BlockMask(mask, *region, loc).mask);
  to.store();
}

void zrtA_check_maps(const zrt_array *array, const zrt_region *region,
                     const zrt_map *maps, const zrt_mask *mask, int64_t sets,
                     const char *what, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Check, loc, domainOf(region));
  AnyRemap remap(*region, maps, array->region.rank, mask, loc);
  Process &p = process();
  std::optional<SparseElements> elements;
  if (array->region.is_sparse)
    elements.emplace(array->region);
  Remote remote(p.distribution(inBlocks(array->region)),
                elements ? &*elements : nullptr);
  std::string message =
      checkRemap(p.maps, remap.domain(), remote, *array, what, sets, loc);
  if (!message.empty())
    fatal(loc, ErrorScope::Replicated, "%s", message.c_str());
}

void zrtA_fail_map(const zrt_array *array, const zrt_region *region,
                   const int64_t *at, int32_t map, int64_t value,
                   const char *what, const zrt_loc *loc) {
  std::string message = mapMessage(*array, *region, at, map, value, what);
  fatal(loc, ErrorScope::Local, "%s", message.c_str());
}

void zrtA_array_gather(zrt_array *result, const zrt_array *source,
                       const zrt_region *region, const zrt_map *maps,
                       const zrt_mask *mask, const zrt_loc *loc) {
  const MapPattern *pattern = process().maps.upcoming();
  bool inspects = pattern && !pattern->gather;
  OperationScope scope(inspects ? OperationKind::Inspection
                                : OperationKind::Gather,
                       loc, domainOf(region));
  AnyRemap remap(*region, maps, source->region.rank, mask, loc);
  AnyRemapped of(source, loc);
  MapMemory &memory = process().maps;
  if (remap.sparse) {
    zrt_array vector = remap.sparse->vectorOf(*result);
    return gatherArray(memory, remap.domain(), of.remote, vector, *of.array,
                       loc);
  }
  BlockCopy to(result, *region, loc);
  gatherArray(memory, remap.domain(), of.remote, *to.array(), *of.array, loc);
  to.store();
}

void zrtA_array_scatter(zrt_array *target, const zrt_array *source,
                        const zrt_region *region, const zrt_map *maps,
                        zrt_combine combine, int32_t reduction,
                        const zrt_mask *mask, const char *what,
                        const zrt_loc *loc) {
  Process &p = process();
  Store store =
      Store::of(*target->type, static_cast<size_t>(source->type->size), combine,
                reduction);
  const MapPattern *pattern = p.maps.upcoming();
  bool inspects = pattern && !pattern->scatter(store);
  OperationScope scope(inspects ? OperationKind::Inspection
                                : OperationKind::Scatter,
                       loc, domainOf(region));
  AnyRemap remap(*region, maps, target->region.rank, mask, loc);
  AnyRemapped to(target, loc);
  int64_t missing[ZRT_MAX_RANK];
  bool isGood =
      remap.sparse
          ? scatterArray(p.maps, remap.domain(), to.remote, *to.array,
                         remap.sparse->vectorOf(*source), store, missing, loc)
          : scatterArray(p.maps, remap.domain(), to.remote, *to.array,
                         *BlockCopy(source, *region, loc).array(), store,
                         missing, loc);
  if (!isGood)
    failMissing(*target, missing, what, loc);
  if (combine && hasStrings(*target->type))
    shareStrings(*to.array); // that the procedure has made
  if (to.blocks)
    to.blocks->store();
}

void zrtA_modify_add_maps(const zrt_pattern **at, const zrt_region *region,
                          const zrt_map *maps, const zrt_mask *mask,
                          const zrt_loc *loc) {
  OperationScope scope(OperationKind::Pattern, loc, domainOf(region));
  Addition &addition = modifyOf(at).addition;
  AnyRemap remap(*region, maps, addition.region.rank, mask, loc);
  zrt_array bounds = {}; // what the maps name elements of, for messages
  bounds.region = inBlocks(addition.region);
  bounds.region.is_sparse = 0;
  std::string name = nameOfRegion(addition.region);
  bounds.name = name.c_str();
  std::string message = checkMaps(remap.domain(), bounds, "what is added");
  if (!message.empty())
    fatal(loc, ErrorScope::Replicated, "%s", message.c_str());
  Strips strips(remap.domain());
  Strip strip;
  while (strips.next(strip))
    for (int64_t k = 0; k < strip.count; ++k) {
      int64_t index[ZRT_MAX_RANK];
      for (int d = 0; d < addition.region.rank; ++d)
        index[d] = strip.mapped[d][k];
      addition.add(index, /*isReplicated=*/false);
    }
}

void zrtA_array_sort(zrt_array *const *arrays, int64_t count,
                     const zrt_region *region, int32_t descending,
                     zrt_before before, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Sort, loc, domainOf(region));
  if (region->is_sparse)
    return sortSparse(*region, {arrays, arrays + count}, descending != 0,
                      before, loc);
  zrt_region blocks = inBlocks(*region);
  std::vector<BlockCopy> copies;
  std::vector<zrt_array *> sorted;
  for (int64_t k = 0; k < count; ++k) {
    copies.emplace_back(arrays[k], *region, loc);
    sorted.push_back(copies.back().array());
  }
  sortArrays(parallelOf(blocks), blocks, sorted, descending != 0, before, loc);
  for (BlockCopy &copy : copies)
    copy.store();
}

} // extern "C"
