//===- AbiSparse.cpp - Entries for sparse regions and arrays --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sparse regions as the program sees them: `modify S begin add [i, j]; end;` is
//
//     zrtA_modify_begin(&S.pattern, &S, &loc);
//     int64_t index[2] = {i, j};
//     zrtA_modify_add(&S.pattern, index, 1, &loc);
//     zrtA_modify_end(&S.pattern, &loc);
//
// and `[R] B := A@east` with a sparse A
//
//     zrtA_fetch(&B, &A, &R, east, 0, &loc);
//
//===----------------------------------------------------------------------===//

#include "Entry/Process.h"
#include "Entry/Sparse/Agreement.h"
#include "Entry/Sparse/SparseRegions.h"
#include "IO/Checkpoint/CheckpointFile.h"
#include "IO/Matrix/MatrixFile.h"
#include "Sparse/BoxSelection.h"
#include "Sparse/Facts.h"
#include "Sparse/MergedPatterns.h"
#include "Sparse/SparseArray.h"
#include "Support/Error.h"
#include "Support/Operation.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

using namespace zrt;

/// Indices of patterns whose memory counts.
constexpr int64_t LargeCount = int64_t(1) << 18;

/// Gives memory that the allocator keeps back to the system: what is added is
/// more than what remains of it, and arrays over the region come next.
static void giveBackMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

/// Adds the indices that the item at hand of a checkpoint lists; how many.
static int64_t readState(Transport &transport, File &file, Addition &addition) {
  return readItemIndices(transport, file, addition.region,
                         [&](const int64_t *index) {
                           return addition.add(index, /*isReplicated=*/false);
                         });
}

/// Ends the run: there is no element of \p target for \p index of the region
/// that the plan is for.
[[noreturn]] static void failStore(const zrt_array &target,
                                   const PatternPlan &plan,
                                   const int64_t *index, const char *what,
                                   const zrt_loc *loc) {
  int64_t named[ZRT_MAX_RANK];
  plan.move.apply(index, named);
  failMissing(target, named, what, loc);
}

extern "C" {

void zrtA_pattern_set(const zrt_pattern **at, const zrt_region *result,
                      int32_t operation, const zrt_region *value,
                      const zrt_mask *mask, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Pattern, loc);
  zrt_region from = usable(*value, loc);
  zrt_mask chosen = mask ? *mask : zrt_mask{nullptr, 0};
  bool isKept =
      operation == ZRT_PATTERN_AND || operation == ZRT_PATTERN_AND_NOT;
  if (isKept)
    usable(*result, loc);
  checkAgreement({*result, &from, operation, {}, loc});
  if (operation == ZRT_PATTERN_AND && !from.is_sparse &&
      from.domain == result->domain)
    return setPattern(at, *result, keptPattern(*result, from, chosen, loc),
                      loc);
  PatternPtr selected = maskedPattern(*result, from, chosen, loc);
  setPattern(
      at, *result,
      combinedPattern(*result, operation, from, std::move(selected), loc), loc);
}

zrt_box *zrtA_select_begin(const zrt_region *result, int32_t operation,
                           const zrt_region *value, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Pattern, loc);
  PatternPtr among;
  if (operation == ZRT_PATTERN_AND) {
    zrt_region there = *result;
    there.domain = value->domain;
    among = takenPattern(there, usable(*result, loc), nullptr, loc);
  }
  return new BoxSelection(ownersOf(*value), *value, std::move(among),
                          ++process().sparse.lastId, result->name, loc);
}

int32_t zrtA_select_next(zrt_box *box, int32_t answer) {
  return static_cast<BoxSelection *>(box)->next(answer);
}

void zrtA_pattern_select(const zrt_pattern **at, const zrt_region *result,
                         int32_t operation, const zrt_region *value,
                         zrt_box *box, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Pattern, loc);
  std::unique_ptr<BoxSelection> selection(static_cast<BoxSelection *>(box));
  checkAgreement({*result, value, operation, {}, loc});
  PatternPtr selected = selection->finish();
  selection.reset();
  setPattern(
      at, *result,
      combinedPattern(*result, operation, *value, std::move(selected), loc),
      loc);
}

void zrtA_pattern_take(const zrt_pattern **at, const zrt_region *result,
                       const zrt_region *source, const int64_t *direction,
                       const zrt_loc *loc) {
  OperationScope scope(OperationKind::Pattern, loc);
  setPattern(at, *result,
             takenPattern(*result, usable(*source, loc), direction, loc), loc);
}

void zrtA_pattern_read(const zrt_pattern **at, const zrt_region *result,
                       zrt_file number, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Input, loc);
  Process &p = process();
  File &file = p.files.reading(number, loc);
  bool isState = file.kind() == File::Kind::Checkpoint;
  if (file.kind() != File::Kind::Matrix && !isState)
    fatal(loc, ErrorScope::Replicated,
          "%s holds no pattern: it is not in Matrix Market's format (*.mtx)",
          file.name().c_str());
  checkAgreement({*result, nullptr, 0, {}, loc});
  const Placement &placement = p.placement(*result);
  IndexOwners owners(placement, result->rank, p.transport->rank());
  Addition addition(*result, owners, loc);
  int64_t count = isState ? readState(*p.transport, file, addition)
                          : readIndices(*p.transport, file, addition);
  zrt_region region = *result;
  PatternPtr pattern =
      addition.finish(*p.transport, patternBuilder(owners, region, loc));
  region.pattern = pattern.get();
  if (!isState && totalOf(*p.transport, *pattern) != count)
    failTwice(*p.transport, file, region);
  setPattern(at, region, std::move(pattern), loc);
}

void zrtA_pattern_drop(const zrt_pattern **at) {
  Process &p = process();
  auto known = p.sparse.patterns.find(at);
  *at = nullptr;
  if (known == p.sparse.patterns.end())
    return;
  PatternPtr old = known->second.pattern;
  p.sparse.patterns.erase(known);
  if (!p.followers.has(at))
    return;
  zrt_region region = p.followers.of(at).front().array->region;
  setPattern(at, region, nullptr, nullptr);
}

void zrtA_modify_begin(const zrt_pattern **at, const zrt_region *region,
                       const zrt_loc *loc) {
  OperationScope scope(OperationKind::Pattern, loc);
  Process &p = process();
  auto [known, isNew] = p.sparse.modifies.try_emplace(at);
  if (!isNew) {
    const zrt_loc *since = known->second->addition.loc;
    fatal(loc, ErrorScope::Replicated,
          "region %s is being modified already, since %s:%d:%d",
          nameOfRegion(*region).c_str(), since->file, since->line,
          since->column);
  }
  known->second = std::make_unique<SparseRegions::Modify>(
      p.placement(*region), *region, *p.transport, loc);
}

void zrtA_modify_add(const zrt_pattern **at, const int64_t *index,
                     int32_t replicated, const zrt_loc *loc) {
  const SparseRegions &sparse = process().sparse;
  SparseRegions::Modify &modify =
      sparse.lastAt == at ? *sparse.last : modifyOf(at); // mostly the same
  Addition &addition = modify.addition;
  if (replicated && modify.isDivided)
    addition.noteShared(index);
  if (addition.add(index, replicated != 0)) [[likely]]
    return;
  const zrt_region &region = addition.region;
  fatal(loc, replicated ? ErrorScope::Replicated : ErrorScope::Local,
        "index %s is added to region %s, whose bounds are %s",
        indexText(region.rank, index).c_str(), nameOfRegion(region).c_str(),
        toString(region).c_str());
}

void zrtA_modify_end(const zrt_pattern **at, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Pattern, loc);
  Process &p = process();
  SparseRegions::Modify &modify = modifyOf(at);
  zrt_region region = modify.addition.region;
  checkAgreement({region, nullptr, 0, modify.addition.shared, loc});
  PatternPtr pattern = modify.addition.finish(
      *p.transport, patternBuilder(modify.owners, region, loc));
  if (modify.old && modify.old->total != 0)
    pattern = united(modify.old.get(), pattern.get(),
                     patternBuilder(modify.owners, region, loc));
  p.sparse.lastAt = nullptr;
  p.sparse.modifies.erase(at);
  bool isLarge = pattern->count >= LargeCount;
  setPattern(at, region, std::move(pattern), loc);
  if (isLarge)
    giveBackMemory();
}

int64_t zrtA_pattern_size(const zrt_region *region, const zrt_loc *loc) {
  if (!region->is_sparse)
    return size(boxOf(*region));
  OperationScope scope(OperationKind::Pattern, loc);
  return totalOf(*process().transport,
                 *patternOf(usable(*region, loc).pattern));
}

int32_t zrtA_pattern_inside_here(const zrt_region *region,
                                 const int64_t *index) {
  Box box = boxOf(*region);
  int32_t at[ZRT_MAX_RANK];
  for (int d = 0; d < box.rank; ++d) {
    if (!contains(box.dim[d], index[d]))
      return 0;
    at[d] = static_cast<int32_t>(index[d]);
  }
  if (!region->is_sparse)
    return 1;
  const Pattern *pattern = patternOf(region->pattern);
  return pattern && PatternFinder(*pattern).find(at, at[box.rank - 1]) >= 0;
}

int32_t zrtA_pattern_inside(const zrt_region *region, const int64_t *index,
                            const zrt_loc *loc) {
  OperationScope scope(OperationKind::Pattern, loc);
  int32_t isInside = zrtA_pattern_inside_here(region, index);
  if (usable(*region, loc).pattern && process().transport->size() > 1)
    reduce(*process().transport, &isInside, ZRT_I32, ZRT_MAX);
  return isInside;
}

void zrtA_sparse_new(zrt_array *array, const zrt_pattern **at,
                     const zrt_region *region, const zrt_type *type,
                     const char *name, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Allocation, loc);
  newSparse(*array, at, *region, *type, name, loc);
}

void zrtA_fetch(zrt_array *target, const zrt_array *source,
                const zrt_region *region, const int64_t *direction,
                int32_t wraps, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Fetch, loc);
  patternPlan(usable(*region, loc), *source, direction, wraps != 0)
      .fetch(*process().transport, *target, *source);
}

void zrtA_fetch_row(const zrt_array *array, const int64_t *index, int64_t lo,
                    int64_t hi, void *row) {
  fetchRow(*array, index, {lo, hi}, static_cast<char *>(row));
}

int64_t zrtA_seek_row(const zrt_pattern *pattern, int64_t from,
                      const int64_t *index) {
  return seekRow(*patternOf(pattern), from, index);
}

int64_t zrtA_seek_column(const zrt_pattern *pattern, int64_t from, int64_t to,
                         int64_t column) {
  return seekColumn(*pattern, from, to, column);
}

void zrtA_store(zrt_array *target, const int64_t *direction, int32_t wraps,
                const zrt_array *source, const zrt_region *region,
                const zrt_mask *mask, const char *what, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Store, loc);
  Transport &transport = *process().transport;
  zrt_mask chosen = mask ? *mask : zrt_mask{nullptr, 0};
  PatternPlan &plan =
      patternPlan(usable(*region, loc), *target, direction, wraps != 0);
  int64_t index[ZRT_MAX_RANK];
  if (plan.findMissing(transport, chosen, index))
    failStore(*target, plan, index, what, loc);
  plan.store(transport, *target, *source, chosen);
}

void zrtA_pattern_wave_begin(const zrt_region *region, const zrt_push *pushes,
                             int64_t count, const zrt_wave *wave,
                             const zrt_loc *loc) {
  OperationScope scope(OperationKind::Wave, loc, process().domainName(*region));
  Process &p = process();
  p.waveLoc = loc;
  zrt_region over = usable(*region, loc);
  p.sparse.wave.begin(
      {*p.transport, p.placement(over), p.distribution(over), p.sparse.plans},
      over, pushes, count, *wave);
}

const zrt_visits *zrtA_pattern_wave_next(void) {
  Process &p = process();
  OperationScope scope(OperationKind::Wave, p.waveLoc, OperationPart::Needed);
  return p.sparse.wave.next();
}

} // extern "C"
