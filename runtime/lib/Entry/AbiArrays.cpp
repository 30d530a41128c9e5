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

#include "Entry/Legality.h"
#include "Entry/Process.h"
#include "Memory/Array.h"
#include "Support/Error.h"

using namespace zrt;

extern "C" {

void zrtA_region_declare(const zrt_region *region) {
  process().declareRegion(*region);
}

void zrtA_region_check(const zrt_region *region, const zrt_loc *loc) {
  std::string message = boundMessage(*region);
  if (!message.empty())
    fatal(loc, ErrorScope::Replicated, "%s", message.c_str());
}

const zrt_domain *zrtA_domain(int32_t rank) {
  return &process().rankState(rank).domain;
}

void zrtA_array_new(zrt_array *array, const zrt_region *region,
                    const zrt_type *type, const zrt_fluff *fluff,
                    const char *name, const zrt_loc *loc) {
  Process &p = process();
  createArray(*p.transport, *array, *region, *type, fluff, name,
              p.own(region->rank), ++p.lastArrayId, loc);
}

void zrtA_array_free(zrt_array *array) {
  Process &p = process();
  if (array->id == 0)
    return;
  p.dropPlansOf(array->id);
  p.hooks.drop(array->id);
  destroyArray(*p.transport, *array);
}

void zrtA_array_shift(zrt_array *result, const zrt_array *array,
                      const zrt_region *region, const int64_t *direction,
                      const zrt_loc *loc) {
  Process &p = process();
  const Distribution &distribution = p.distribution(region->rank);
  uint64_t id = ++p.lastArrayId;
  if (!distribution.crosses(direction)) {
    borrowArray(*result, *array, *region, direction, id);
    return;
  }
  createArray(*p.transport, *result, *region, *array->type, nullptr,
              array->name, p.own(region->rank), id, loc);
  shiftElements(*p.transport, distribution, *result, *array, direction);
}

void zrtA_array_copy(zrt_array *target, const zrt_array *source,
                     const zrt_region *region) {
  static const int64_t nowhere[ZRT_MAX_RANK] = {};
  copyElements(*target, *source,
               intersect(boxOf(*region), process().own(region->rank)), nowhere);
}

void zrtA_check_read(const zrt_array *array, const zrt_region *region,
                     const int64_t *direction, const char *what,
                     const zrt_loc *loc) {
  if (isWithin(array->region, *region, direction)) [[likely]]
    return;
  fatal(loc, ErrorScope::Replicated, "%s",
        outsideMessage(*array, *region, direction, what, "reads").c_str());
}

void zrtA_check_write(const zrt_array *array, const zrt_region *region,
                      const int64_t *direction, const char *what,
                      const zrt_loc *loc) {
  if (isWithin(array->region, *region, direction)) [[likely]]
    return;
  fatal(loc, ErrorScope::Replicated, "%s",
        outsideMessage(*array, *region, direction, what, "writes").c_str());
}

void zrtA_check_formal(const zrt_array *array, const zrt_region *formal,
                       const char *what, const zrt_loc *loc) {
  if (array->region.rank == formal->rank &&
      boxOf(array->region) == boxOf(*formal)) [[likely]]
    return;
  fatal(loc, ErrorScope::Replicated, "%s",
        formalMessage(*array, *formal, what).c_str());
}

void zrtA_at_dr(zrt_transfer *transfer, const zrt_region *region,
                const zrt_shift *shifts, int64_t count, const zrt_loc *) {
  Process &p = process();
  if (p.transport->size() == 1)
    return;
  p.site(*transfer).destinationReady(*p.transport, p.distribution(region->rank),
                                     *region, shifts, count);
}

void zrtA_at_sr(zrt_transfer *transfer) {
  if (transfer->plan)
    static_cast<TransferSite *>(transfer->plan)->sourceReady();
}

void zrtA_at_dn(zrt_transfer *transfer) {
  if (transfer->plan)
    static_cast<TransferSite *>(transfer->plan)->destinationNeeded();
}

void zrtA_at_sv(zrt_transfer *transfer) {
  if (transfer->plan)
    static_cast<TransferSite *>(transfer->plan)->sourceVolatile();
}

} // extern "C"
