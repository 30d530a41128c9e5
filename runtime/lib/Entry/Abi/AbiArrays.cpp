//===- AbiArrays.cpp - Entries for regions, arrays and transfers ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The C functions of Abi.h that generated code calls, each a line or a few over
// the layers below. Jacobi's main loop, say, is here as
//
//     zrtA_at_dr(&transfer, &R, shifts, 4, &loc);   // plan found, fluff free
//     zrtA_at_sr(&transfer);
//     zrtA_at_dn(&transfer);
//     ... the M-loop ...
//     zrtA_at_sv(&transfer);
//
// On one processor the four points return at once.
//
//===----------------------------------------------------------------------===//

#include "Entry/Domains/InBlocks.h"
#include "Entry/Legality.h"
#include "Entry/Process.h"
#include "Entry/Sparse/SparseRegions.h"
#include "Layout/RegionOps.h"
#include "Machine/MachineCache.h"
#include "Memory/Array.h"
#include "Support/Error.h"
#include "Support/Operation.h"
#include "Transfer/Copy.h"

using namespace zrt;

/// Ends the run if there is a message.
static void check(const std::string &message, const zrt_loc *loc) {
  if (!message.empty()) [[unlikely]]
    fatal(loc, ErrorScope::Replicated, "%s", message.c_str());
}

/// Ends the run: \p region, moved, is not within \p array.
static void failOutside(const zrt_array &array, const zrt_region &region,
                        const int64_t *direction, const char *what,
                        const char *verb, const zrt_loc *loc) {
  const Follower *follower = process().followers.find(array);
  bool isNothing = follower && !follower->hasRegion;
  check(isNothing ? nothingMessage(array, what, verb)
                  : outsideMessage(array, region, direction, what, verb),
        loc);
}

/// The bounds of \p region are not within \p array: ends the run unless all of
/// its indices are, if it is sparse.
static void checkOutside(const zrt_array &array, const zrt_region &region,
                         const int64_t *direction, const char *what,
                         const char *verb, const zrt_loc *loc) {
  if (!region.is_sparse || array.region.grids != 0)
    return failOutside(array, region, direction, what, verb, loc);
  OperationScope scope(OperationKind::Check, loc);
  checkStored(array, region, direction, what, verb, loc);
}

/// Fills \p target by \p pieces of \p source.
static void copyFrom(zrt_array &target, const zrt_array &source,
                     const std::vector<CopyPiece> &pieces) {
  process().copyPieces(target, source, pieces);
}

/// As copyFrom, one piece after the other, where the mask leaves it. What comes
/// from other processors comes into temporaries with the indices of the target,
/// the mask as well.
static void copyWhere(zrt_array &target, const zrt_array &source,
                      const std::vector<CopyPiece> &pieces,
                      const zrt_mask &mask, const zrt_loc *loc) {
  Process &p = process();
  const Distribution &distribution = p.distribution(target.region);
  int self = p.transport->rank();
  if (p.transport->size() == 1)
    return copyOwnWhere(distribution, self, target, source, pieces, mask);
  ArraySpec spec{target.region, *source.type,   nullptr,
                 nullptr,       target.borders, target.border_count};
  ArraySpec flagSpec{target.region, *mask.array->type, nullptr,
                     nullptr,       target.borders,    target.border_count};
  zrt_array values, flags;
  p.newArray(values, spec, loc);
  p.newArray(flags, flagSpec, loc);
  for (const CopyPiece &piece : pieces) {
    copyFrom(values, source, {piece});
    copyFrom(flags, *mask.array, {piece});
    copyOwnWhere(distribution, self, target, values, {{piece.target, {}}},
                 {&flags, mask.value});
  }
  for (zrt_array *temporary : {&values, &flags}) {
    p.forget(*temporary);
    destroyArray(*p.transport, *temporary);
  }
}

/// What a boundary statement copies. Ends the run unless all of it is stored.
static std::vector<CopyPiece>
borderPieces(bool reflects, const zrt_array &array, const zrt_region &base,
             const int64_t *direction, const zrt_loc *loc) {
  std::vector<CopyPiece> pieces =
      reflects ? reflectBorder(base, direction) : wrapBorder(base, direction);
  std::vector<Box> sources;
  for (const CopyPiece &piece : pieces)
    sources.push_back(applied(piece.source, piece.target));
  check(borderMessage(array, base, direction, sources,
                      reflects ? "reflect" : "wrap"),
        loc);
  return pieces;
}

/// The copy of a boundary statement, which is made after the check.
static Copy &boundaryCopy(const BoundaryStatement &statement,
                          const zrt_loc *loc) {
  Process &p = process();
  if (Copy *known = p.boundaries.find(statement))
    return *known;
  const auto &[kind, array, base, direction] = statement;
  std::vector<CopyPiece> pieces = borderPieces(
      kind == BoundaryStatement::Reflect, array, base, direction, loc);
  if (p.domains.isScattered(base)) {
    CopyEnd both = {p.placement(base), array};
    return p.boundaries.add(statement,
                            copyOf(*p.transport, both, both, pieces));
  }
  return p.boundaries.add(statement, Copy(*p.transport, p.distribution(base),
                                          array, array, pieces));
}

static void fillBoundary(zrt_array &array, BoundaryStatement::Kind kind,
                         const zrt_region &base, const int64_t *direction,
                         const zrt_loc *loc) {
  if (isEmpty(boxOf(base)))
    return;
  BoundaryStatement statement{kind, array, base, direction};
  if (array.region.is_sparse) {
    borderPieces(kind == BoundaryStatement::Reflect, array, base, direction,
                 loc); // for the check
    return fillSparseBoundary(array, statement, loc);
  }
  array.planned = 1;
  boundaryCopy(statement, loc).run();
}

/// A later point of a transfer; on one processor there is nothing to it.
static void atPoint(zrt_transfer *transfer, OperationPart part,
                    void (TransferSite::*point)()) {
  if (!transfer->plan)
    return;
  auto &site = *static_cast<TransferSite *>(transfer->plan);
  OperationScope scope(OperationKind::Transfer, site.loc, part);
  (site.*point)();
}

extern "C" {

void zrtA_region_declare(const zrt_region *region) {
  process().domains.declareRegion(*region);
}

void zrtA_region_check(const zrt_region *region, const zrt_loc *loc) {
  check(boundMessage(*region), loc);
}

void zrtA_region_by(zrt_region *region, const int64_t *direction) {
  *region = regionBy(*region, direction);
}

int64_t zrtA_stream_bytes(void) {
  Process &p = process();
  if (!p.streamBytes)
    p.streamBytes = streamBytes(p.transport->size());
  return *p.streamBytes;
}

int32_t zrtA_way(zrt_ways *ways, int32_t size) {
  return process().tuning.way(*ways, size);
}

void zrtA_way_taken(zrt_ways *ways, int64_t indices) {
  process().tuning.taken(*ways, indices);
}

const zrt_domain *zrtA_domain(int32_t rank) {
  return &process().domainAt(rank).domain;
}

int64_t zrtA_region_parts(const zrt_region *region, int32_t dim) {
  const Distribution &distribution = process().distribution(*region);
  return distribution.distributed(dim) ? distribution.grid.extent[dim] : 1;
}

void zrtA_array_new(zrt_array *array, const zrt_region *region,
                    const zrt_type *type, const zrt_fluff *fluff,
                    const zrt_region *borders, int64_t borderCount,
                    const char *name, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Allocation, loc,
                       process().domainName(*region));
  process().newArray(*array,
                     {*region, *type, name, fluff, borders, borderCount}, loc);
}

void zrtA_array_follow(zrt_array *array, int64_t *key, const zrt_region *region,
                       const zrt_type *type, const zrt_fluff *fluff,
                       const zrt_region *borders, int64_t borderCount,
                       const char *name, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Allocation, loc,
                       process().domainName(*region));
  bool hasRegion = key[4 * region->rank + 1] != 0;
  process().newFollower(*array, key,
                        {*region, *type, name, fluff, borders, borderCount},
                        hasRegion, loc);
}

void zrtA_arrays_resize(int64_t *key, const zrt_region *region,
                        int32_t preserve, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Allocation, loc,
                       process().domainName(*region));
  process().resizeFollowers(key, *region, preserve != 0, loc);
}

void zrtA_array_new_like(zrt_array *array, const zrt_region *region,
                         const zrt_type *type, const zrt_fluff *fluff,
                         const zrt_array *like, const char *name,
                         const zrt_loc *loc) {
  OperationScope scope(OperationKind::Allocation, loc,
                       process().domainName(*region));
  zrtA_array_new(array, region, type, fluff, like->borders, like->border_count,
                 name, loc);
  for (int64_t k = 0; k < like->border_count; ++k)
    copyFrom(*array, *like, {{boxOf(like->borders[k]), {}}});
}

void zrtA_array_free(zrt_array *array, const zrt_loc *loc) {
  if (array->id == 0)
    return;
  OperationScope scope(OperationKind::Allocation, loc,
                       process().domainName(array->region));
  Process &p = process();
  p.followers.drop(*array);
  p.forget(*array);
  if (array->planned)
    p.dropPlansOf(array->id);
  p.hooks.drop(array->id);
  p.strings.arrays.erase(array);
  destroyArray(*p.transport, *array);
}

void zrtA_array_part(zrt_array *result, const zrt_array *array, void *origin,
                     const zrt_type *type) {
  partOfElements(*result, *array, origin, *type, ++process().lastArrayId);
}

void zrtA_array_put(zrt_array *target, const zrt_array *source,
                    const zrt_region *region, const int64_t *direction,
                    int32_t wraps, const zrt_mask *mask, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Shift, loc,
                       process().domainName(*region));
  Box box = boxOf(*region);
  bool isMasked = mask && mask->array;
  if (isEmpty(box) || target->type->size == 0)
    return;
  if (wraps && !isMasked)
    box = lastWrapped(box, target->region);
  std::vector<CopyPiece> pieces =
      wraps ? wrapIntoPieces(box, target->region, direction)
            : std::vector<CopyPiece>{shiftIntoPiece(box, direction)};
  if (isMasked) {
    BlockCopy all(target, target->region, loc);
    BlockMask flags(mask, *region, loc);
    copyWhere(*all.array(), *BlockCopy(source, *region, loc).array(), pieces,
              flags.mask, loc);
    all.store();
  } else {
    copyFrom(*target, *source, pieces);
  }
}

void zrtA_wrap(zrt_array *array, const zrt_region *base,
               const int64_t *direction, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Boundary, loc,
                       process().domainName(*base));
  fillBoundary(*array, BoundaryStatement::Wrap, *base, direction, loc);
}

void zrtA_reflect(zrt_array *array, const zrt_region *base,
                  const int64_t *direction, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Boundary, loc,
                       process().domainName(*base));
  fillBoundary(*array, BoundaryStatement::Reflect, *base, direction, loc);
}

void zrtA_check_read(const zrt_array *array, const zrt_region *region,
                     const int64_t *direction, const char *what,
                     const zrt_loc *loc) {
  if (!isWithin(*array, *region, direction)) [[unlikely]]
    checkOutside(*array, *region, direction, what, "reads", loc);
}

void zrtA_check_write(const zrt_array *array, const zrt_region *region,
                      const int64_t *direction, const char *what,
                      const zrt_loc *loc) {
  if (!isWithin(*array, *region, direction)) [[unlikely]]
    checkOutside(*array, *region, direction, what, "writes", loc);
}

void zrtA_check_wrap(const zrt_array *array, const zrt_region *region,
                     const int64_t *direction, const char *what,
                     const zrt_loc *loc) {
  check(wrapMessage(*array, *region, direction, what), loc);
}

void zrtA_check_border(const zrt_array *array, const zrt_region *base,
                       const int64_t *direction, int32_t reflects,
                       const zrt_loc *loc) {
  if (!isEmpty(boxOf(*base)))
    borderPieces(reflects != 0, *array, *base, direction, loc);
}

void zrtA_check_conform(const zrt_region *from, const zrt_region *over,
                        const char *what, const zrt_loc *loc) {
  check(conformMessage(*from, *over, what), loc);
}

void zrtA_check_mask(const zrt_array *mask, const zrt_region *region,
                     const char *what, const zrt_loc *loc) {
  if (isWithin(*mask, *region, nullptr)) [[likely]]
    return;
  if (region->is_sparse)
    return checkOutside(*mask, *region, nullptr, what, "is read", loc);
  check(maskMessage(*mask, *region, what), loc);
}

void zrtA_check_formal(const zrt_array *array, const zrt_region *formal,
                       const char *what, const zrt_loc *loc) {
  check(formalMessage(*array, *formal, what), loc);
  if (array->region.is_sparse || formal->is_sparse)
    check(patternMessage(*array, *formal, what), loc);
}

void zrtA_at_dr(zrt_transfer *transfer, const zrt_region *region,
                const zrt_shift *shifts, int64_t count, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Transfer, loc,
                       process().domainName(*region));
  Process &p = process();
  if (p.transport->size() == 1)
    return;
  TransferSite &site = p.site(*transfer);
  site.loc = loc;
  ++p.strings.underway;
  bool isTight = region->is_sparse && region->pattern;
  site.destinationReady(*p.transport, p.distribution(*region),
                        isTight ? tightRegion(*region, loc) : *region, shifts,
                        count);
}

void zrtA_at_sr(zrt_transfer *transfer) {
  atPoint(transfer, OperationPart::SourceReady, &TransferSite::sourceReady);
}

void zrtA_at_dn(zrt_transfer *transfer) {
  atPoint(transfer, OperationPart::Needed, &TransferSite::destinationNeeded);
}

void zrtA_at_sv(zrt_transfer *transfer) {
  atPoint(transfer, OperationPart::Volatile, &TransferSite::sourceVolatile);
  process().strings.underway -= transfer->plan ? 1 : 0;
}

const zrt_domain *zrtA_at_piece(zrt_transfer *const *transfers, int64_t count,
                                int32_t rank, int32_t number) {
  Process &p = process();
  if (p.transport->size() == 1)
    return number == 0 ? &p.domainAt(rank).domain : nullptr;
  auto reachOf = [](const zrt_transfer *transfer) {
    return static_cast<TransferSite *>(transfer->plan)->reach();
  };
  if (number == 0) {
    p.pieces.begin(p.domainAt(rank).domain,
                   p.domainAt(rank).distribution.grid.rank);
    for (int64_t k = 0; k < count; ++k)
      if (const Reach *reach = reachOf(transfers[k]))
        p.pieces.leaveOut(*reach);
    p.pieces.cut();
  }
  for (int64_t k = 0; k < count; ++k) {
    bool comesLater = p.pieces.size() > 1 && reachOf(transfers[k]);
    if (number == (comesLater ? 1 : 0))
      zrtA_at_dn(transfers[k]);
  }
  return p.pieces.find(number);
}

void zrtA_wave_begin(const zrt_region *region, const zrt_shift *primed,
                     int64_t count, const zrt_wave *wave, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Wave, loc, process().domainName(*region));
  Process &p = process();
  p.waveLoc = loc;
  p.wave.begin(*p.transport, p.distribution(*region), *region, primed, count,
               *wave);
}

int32_t zrtA_wave_next(zrt_region *tile) {
  Process &p = process();
  OperationScope scope(OperationKind::Wave, p.waveLoc, OperationPart::Needed);
  return p.wave.next(*tile);
}

void zrtA_tiles_begin(const zrt_region *const *regions, int64_t count,
                      int64_t bytes, int32_t isApart) {
  Process &p = process();
  p.tiles.begin(p.domain(*regions[0]).domain, regions, count, bytes,
                isApart != 0);
}

const zrt_domain *zrtA_tiles_next(void) { return process().tiles.next(); }

int32_t zrtA_regions_disjoint(const zrt_region *const *regions, int64_t count) {
  return areDisjoint(regions, count) ? 1 : 0;
}

} // extern "C"
