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

#include "Collective/Flood.h"
#include "Collective/Fold.h"
#include "Collective/Scan.h"
#include "Collective/StateScan.h"
#include "Entry/Process.h"
#include "Remap/MapMessage.h"
#include "Remap/Remap.h"
#include "Sort/Sort.h"
#include "Support/Error.h"
#include "Support/Operation.h"

#include <cstring>

using namespace zrt;

static Parallel parallelOf(int rank) {
  Process &p = process();
  return {*p.transport, p.distribution(rank), p.slices, p.exchanges};
}

static zrt_mask maskOf(const zrt_mask *mask) {
  return mask ? *mask : zrt_mask();
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
  return p.slices.along(*p.transport, p.distribution(over->rank).grid, dims);
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

extern "C" {

void zrtA_reduce(void *value, int32_t kind, int32_t reduction,
                 const zrt_region *over, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc);
  if (kind == ZRT_STR)
    shareReduced(value);
  reduce(*process().transport, contributors(over), value, 1, kind, reduction);
}

void zrtA_reduce_states(void *state, int64_t bytes, zrt_state_combine combine,
                        const zrt_region *over, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc);
  reduceStates(*process().transport, contributors(over), state, 1, bytes,
               combine);
}

void zrtA_reduce_begin(zrt_split *split, const void *value, int32_t kind,
                       int32_t reduction, const zrt_region *over,
                       const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc);
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
  OperationScope scope(OperationKind::Reduction, loc);
  begun(*split, over, bytes).begin(state, combine);
}

void zrtA_reduce_end(zrt_split *split, void *value, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc, OperationPart::Needed);
  ZRT_CHECK(split->state);
  --process().strings.underway;
  static_cast<SplitReduction *>(split->state)->end(value);
  split->state = nullptr;
}

void zrtA_array_flood_begin(zrt_split *split, zrt_array *result,
                            const zrt_array *source, const zrt_region *from,
                            const zrt_loc *loc) {
  OperationScope scope(OperationKind::Flood, loc);
  ZRT_CHECK(!split->state);
  split->state = new SplitFlood(parallelOf(from->rank), *result, *source, *from,
                                ++process().lastArrayId, loc);
  process().noteStrings(*result);
  ++process().strings.underway;
}

void zrtA_array_flood_end(zrt_split *split, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Flood, loc, OperationPart::Needed);
  ZRT_CHECK(split->state);
  std::unique_ptr<SplitFlood> flood(static_cast<SplitFlood *>(split->state));
  split->state = nullptr;
  --process().strings.underway;
  flood->end();
}

void zrtA_array_scan_begin(zrt_split *split, zrt_array *result,
                           const zrt_array *source, const zrt_region *region,
                           const zrt_scan *scan, const zrt_array *segment,
                           const zrt_mask *mask, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Scan, loc);
  ZRT_CHECK(!split->state);
  split->state = beginScan(parallelOf(region->rank), *result, *source, *region,
                           *scan, segment, maskOf(mask))
                     .release();
  ++process().strings.underway;
}

void zrtA_array_scan_end(zrt_split *split, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Scan, loc, OperationPart::Needed);
  ZRT_CHECK(split->state);
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
  OperationScope scope(OperationKind::Flood, loc);
  floodArray(parallelOf(from->rank), *result, *source, *from,
             ++process().lastArrayId, loc);
  process().noteStrings(*result);
}

void zrtA_array_flood_panel(zrt_array *result, const zrt_array *source,
                            const zrt_region *from, int32_t dim, int64_t count,
                            const zrt_loc *loc) {
  OperationScope scope(OperationKind::Flood, loc);
  floodPanel(parallelOf(from->rank), *result, *source, *from, dim, count,
             ++process().lastArrayId, loc);
  process().noteStrings(*result);
}

void zrtA_array_combine(zrt_array *array, int32_t dims, int32_t reduction,
                        const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc);
  combineArray(parallelOf(array->region.rank), *array, dims, reduction);
}

void zrtA_array_combine_states(zrt_array *array, int32_t dims,
                               zrt_state_combine combine, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc);
  combineStates(parallelOf(array->region.rank), *array, dims, combine);
}

void zrtA_array_fold(zrt_array *result, const zrt_array *source,
                     const zrt_region *from, int32_t reduction,
                     const zrt_mask *mask, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc);
  foldArray(parallelOf(from->rank), *result, *source, *from, reduction,
            maskOf(mask));
}

void zrtA_fold(void *result, const zrt_array *source, const zrt_region *from,
               int32_t reduction, const zrt_mask *mask, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc);
  foldAll(parallelOf(from->rank), result, *source, *from, reduction,
          maskOf(mask));
}

void zrtA_array_scan(zrt_array *result, const zrt_array *source,
                     const zrt_region *region, const zrt_scan *scan,
                     const zrt_array *segment, const zrt_mask *mask,
                     const zrt_loc *loc) {
  OperationScope scope(OperationKind::Scan, loc);
  scanArray(parallelOf(region->rank), *result, *source, *region, *scan, segment,
            maskOf(mask));
}

void zrtA_array_scan_states(zrt_array *result, const zrt_array *source,
                            const zrt_region *region, const zrt_scan *scan,
                            zrt_state_combine combine,
                            zrt_state_identity identity,
                            const zrt_array *segment, const zrt_mask *mask,
                            const zrt_loc *loc) {
  OperationScope scope(OperationKind::Scan, loc);
  scanStates(parallelOf(region->rank), *result, *source, *region, *scan,
             {source->type->size, combine, identity}, segment, maskOf(mask));
}

void zrtA_check_maps(const zrt_array *array, const zrt_region *region,
                     const zrt_map *maps, const zrt_mask *mask,
                     const char *what, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Check, loc);
  Parallel parallel = parallelOf(region->rank);
  RemapDomain domain(parallel, *region, maps, array->region.rank, maskOf(mask));
  Process &p = process();
  std::string message = checkRemap(
      p.maps, domain, p.distribution(array->region.rank), *array, what, loc);
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
  OperationScope scope(
      inspects ? OperationKind::Inspection : OperationKind::Gather, loc);
  Parallel parallel = parallelOf(region->rank);
  RemapDomain domain(parallel, *region, maps, source->region.rank,
                     maskOf(mask));
  Process &p = process();
  gatherArray(p.maps, domain, p.distribution(source->region.rank), *result,
              *source, loc);
}

void zrtA_array_scatter(zrt_array *target, const zrt_array *source,
                        const zrt_region *region, const zrt_map *maps,
                        zrt_combine combine, int32_t reduction,
                        const zrt_mask *mask, const zrt_loc *loc) {
  Process &p = process();
  Store store =
      Store::of(*target->type, static_cast<size_t>(source->type->size), combine,
                reduction);
  const MapPattern *pattern = p.maps.upcoming();
  bool inspects = pattern && !pattern->scatter(store);
  OperationScope scope(
      inspects ? OperationKind::Inspection : OperationKind::Scatter, loc);
  Parallel parallel = parallelOf(region->rank);
  RemapDomain domain(parallel, *region, maps, target->region.rank,
                     maskOf(mask));
  scatterArray(p.maps, domain, p.distribution(target->region.rank), *target,
               *source, store, loc);
}

void zrtA_array_sort(zrt_array *const *arrays, int64_t count,
                     const zrt_region *region, int32_t descending,
                     zrt_before before, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Sort, loc);
  sortArrays(parallelOf(region->rank), *region, {arrays, arrays + count},
             descending != 0, before, loc);
}

} // extern "C"
