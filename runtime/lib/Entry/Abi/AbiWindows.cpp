//===- AbiWindows.cpp - The C ABI: windows of remaps ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What loops read and write elements of other processors through. The arrays
// are in blocks: the compiler leaves scattered domains to gathers and scatters.
//
//     zrtA_window_fetch(&W, &A, &R, references, 2, 0, &loc);
//     ... a loop over R ...
//     zrtA_array_free(&W, &loc);
//
//===----------------------------------------------------------------------===//

#include "Entry/Process.h"
#include "Remap/Boxes/BoxRemap.h"
#include "Remap/Images.h"
#include "Remap/Remap.h"
#include "Remap/Windows.h"
#include "Support/Error.h"
#include "Support/Operation.h"

using namespace zrt;

static Parallel surroundings(const zrt_region &region) {
  Process &p = process();
  return {*p.transport, p.distribution(region), p.slices, p.exchanges};
}

/// Checks the maps of a reference; the number of their pattern, 0 if none is
/// remembered.
static uint64_t checkedPattern(const Reference &reference,
                               const zrt_reference &given,
                               const zrt_array &source) {
  MapMemory &memory = process().maps;
  RemapShape shape(reference.domain, process().distribution(source.region),
                   source);
  if (const MapPattern *known =
          memory.recognize(reference.domain, shape, given.sets, given.loc))
    return known->number;
  std::string message = checkMaps(reference.domain, source, given.what);
  if (!message.empty())
    fatal(given.loc, ErrorScope::Replicated, "%s", message.c_str());
  const MapPattern *made =
      memory.remember(reference.domain, shape, given.sets, given.loc);
  return made ? made->number : 0;
}

/// What becomes of values that meet elements: they are combined by an enum
/// zrt_reduction, or -1: stored.
static Store storeFor(const zrt_type &type, int32_t reduction) {
  return reduction < 0 ? Store::copies(static_cast<size_t>(type.size))
                       : Store::combines(type, reduction);
}

namespace {

/// What the references of a window name, with maps that have been checked.
struct Named {
  Parallel parallel;
  std::vector<std::unique_ptr<RemapDomain>> domains;
  std::vector<Reference> references;
  std::vector<uint64_t> patterns; ///< their numbers

  Named(const zrt_array &array, const zrt_region &region,
        const zrt_reference *given, int64_t count)
      : parallel(surroundings(region)) {
    const Distribution &remote = process().distribution(array.region);
    for (const zrt_reference *each = given; each < given + count; ++each) {
      domains.push_back(std::make_unique<RemapDomain>(
          parallel, region, each->maps, array.region.rank,
          each->mask ? *each->mask : zrt_mask()));
      references.push_back({*domains.back(),
                            {remote, *domains.back(), array},
                            *each->positions});
      OperationScope scope(OperationKind::Check, each->loc);
      patterns.push_back(checkedPattern(references.back(), *each, array));
    }
  }
  Named(const Named &) = delete;

  bool inspects() const { return !process().windows.knows(patterns); }
  /// Makes what the caller gets but for the elements of others.
  Window &open(zrt_array &window, const zrt_loc *loc) const;
};

Window &Named::open(zrt_array &window, const zrt_loc *loc) const {
  Process &p = process();
  Window &found = p.windows.find(p.maps, loc, patterns, references);
  uint64_t first = p.lastArrayId + 1;
  p.lastArrayId += references.size() + 1;
  found.open(references, window, first);
  return found;
}

} // namespace

extern "C" {

void zrtA_maps_written(int64_t sets) { process().maps.noteWrites(sets); }

void zrtA_note_map(const zrt_array *array, const zrt_region *region,
                   const int64_t *at, int32_t map, int64_t value,
                   const char *what, const zrt_loc *loc) {
  process().mapNotes.note(*array, *region, at, map, value, what, loc);
}

void zrtA_window_confirm(const zrt_loc *loc) {
  OperationScope scope(OperationKind::Check, loc);
  process().mapNotes.confirm(*process().transport, loc);
}

void zrtA_window_fetch(zrt_array *window, const zrt_array *source,
                       const zrt_region *region,
                       const zrt_reference *references, int64_t count,
                       int32_t more, const zrt_loc *loc) {
  Named named(*source, *region, references, count);
  OperationScope scope(named.inspects() ? OperationKind::Inspection
                                        : OperationKind::Gather,
                       loc);
  process().windows.fetch(*process().transport, named.open(*window, loc),
                          more != 0);
}

void zrtA_window_collect(zrt_array *window, const zrt_array *array,
                         const zrt_region *region,
                         const zrt_reference *references, int64_t count,
                         int32_t reduction, int32_t more, const zrt_loc *loc) {
  Named named(*array, *region, references, count);
  OperationScope scope(named.inspects() ? OperationKind::Inspection
                                        : OperationKind::Scatter,
                       loc);
  Store store = storeFor(*array->type, reduction);
  Window &opened = named.open(*window, loc);
  if (store.isCopy)
    opened.findLast(named.references.front());
  process().windows.collect(*process().transport, opened, store, more != 0);
}

void zrtA_window_copy(zrt_array *copy, const zrt_array *source,
                      const zrt_loc *loc) {
  OperationScope scope(OperationKind::Gather, loc);
  copyWhole(surroundings(source->region), *copy, *source,
            ++process().lastArrayId, loc);
}

void zrtA_window_image(zrt_array *image, const zrt_array *array,
                       int32_t reduction, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Allocation, loc);
  makeImage(surroundings(array->region), *image, *array,
            Store::combines(*array->type, reduction), ++process().lastArrayId,
            loc);
}

void zrtA_window_merge(zrt_array *array, const zrt_array *image,
                       int32_t reduction, int32_t more, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Scatter, loc);
  Store store = storeFor(*array->type, reduction);
  if (image->borrowed) {
    Windows &windows = process().windows;
    windows.deliver(windows.of(*image), store, more != 0);
    return;
  }
  process().mapNotes.confirm(*process().transport, loc);
  mergeImages(surroundings(array->region), *array, *image, store);
}

void zrtA_boxes_begin(const zrt_array *source, const zrt_region *region,
                      const zrt_map *maps, const char *what,
                      const zrt_loc *loc) {
  Process &p = process();
  Parallel parallel = surroundings(*region);
  RemapDomain domain(parallel, *region, maps, source->region.rank, zrt_mask());
  {
    OperationScope scope(OperationKind::Check, loc);
    std::string message = checkMaps(domain, *source, what);
    if (!message.empty())
      fatal(loc, ErrorScope::Replicated, "%s", message.c_str());
  }
  OperationScope scope(OperationKind::Gather, loc);
  std::optional<ClosedMaps> closed = boxMaps(domain, *source);
  ZRT_CHECK(closed);
  p.boxesLoc = loc;
  p.boxes.begin(domain, *closed, p.distribution(source->region), *source);
}

int32_t zrtA_boxes_next(zrt_region *box, zrt_array *window) {
  Process &p = process();
  OperationScope scope(OperationKind::Gather, p.boxesLoc,
                       OperationPart::Needed);
  return p.boxes.next(*box, *window);
}

} // extern "C"
