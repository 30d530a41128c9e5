//===- Maps.cpp - The maps of a remap -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// language 8.5. `A#[I, , 3]` over [1..4, 1..6] has three maps: an array, the
// index of dimension 2, and a scalar. At (2, 5) they give (I at (2, 5), 5, 3).
//
// Values are checked before anything is moved: each processor looks at its own
// indices, the least place in row-major order of all that are wrong wins, and
// its owner tells the others what is wrong there, so that all end with the same
// message.
//
//===----------------------------------------------------------------------===//

#include "Remap/Maps.h"

#include <limits>

namespace zrt {

RemapDomain::RemapDomain(const Parallel &parallel, const zrt_region &region,
                         const zrt_map *maps, int mapCount,
                         const zrt_mask &mask)
    : parallel(parallel), region(region), maps(maps), mapCount(mapCount),
      mask(mask),
      part(ownPart(parallel.distribution, region, parallel.transport.rank())),
      whole(boxOf(region)) {
  parallel.distribution.grid.coordinates(parallel.transport.rank(), coordinate);
  for (int d = 0; d < part.rank; ++d)
    counts[d] = size(part.dim[d]);
  arrays.resize(static_cast<size_t>(mapCount));
  for (int k = 0; k < mapCount; ++k)
    if (maps[k].form == ZRT_MAP_ARRAY)
      arrays[static_cast<size_t>(k)] = viewOf(*maps[k].array, part);
  if (mask.array)
    flags = viewOf(*mask.array, part);
}

bool RemapDomain::isTaken(const Cursor &cursor) const {
  if (!mask.array)
    return true;
  auto *flag = reinterpret_cast<const uint8_t *>(addressIn(flags, cursor.at));
  return (*flag != 0) == (mask.value != 0);
}

void RemapDomain::readMaps(Cursor &cursor) const {
  for (int k = 0; k < mapCount; ++k) {
    switch (static_cast<zrt_map_form>(maps[k].form)) {
    case ZRT_MAP_SCALAR:
      cursor.mapped[k] = maps[k].value;
      break;
    case ZRT_MAP_INDEX:
      cursor.mapped[k] = indexOf(cursor, maps[k].dim);
      break;
    case ZRT_MAP_ARRAY: {
      const char *element =
          addressIn(arrays[static_cast<size_t>(k)], cursor.at);
      cursor.mapped[k] = maps[k].array->type->kind == ZRT_I64
                             ? *reinterpret_cast<const int64_t *>(element)
                             : *reinterpret_cast<const int32_t *>(element);
      break;
    }
    }
  }
}

int64_t RemapDomain::placeOf(const Cursor &cursor) const {
  int64_t place = 0;
  for (int d = 0; d < part.rank; ++d) {
    const Seq &all = whole.dim[d];
    if (region.grids >> d & 1)
      place = place * parallel.distribution.grid.extent[d] + coordinate[d];
    else
      place = place * size(all) + (indexOf(cursor, d) - all.lo) / all.stride;
  }
  return place;
}

bool RemapDomain::isFirstCopy() const {
  int floods = region.floods & ~region.grids;
  for (int d = 0; d < part.rank; ++d)
    if ((floods >> d & 1) && coordinate[d] != 0)
      return false;
  return true;
}

namespace {

/// The first wrong value.
struct Offence {
  int64_t place = std::numeric_limits<int64_t>::max();
  int64_t index[ZRT_MAX_RANK] = {};
  int32_t map = 0;
  int64_t value = 0;
};

Offence findOffence(const RemapDomain &domain, const zrt_array &array) {
  Offence offence;
  Seq declared[ZRT_MAX_RANK];
  for (int k = 0; k < domain.mapCount; ++k)
    declared[k] = seqOf(array.region.dim[k]);
  constexpr int64_t None = std::numeric_limits<int64_t>::max();
  domain.forEach([&](const RemapDomain::Cursor &cursor) {
    for (int k = 0; k < domain.mapCount && offence.place == None; ++k) {
      if (array.region.floods >> k & 1 ||
          contains(declared[k], cursor.mapped[k]))
        continue;
      offence.place = domain.placeOf(cursor);
      offence.map = k;
      offence.value = cursor.mapped[k];
      for (int d = 0; d < domain.part.rank; ++d)
        offence.index[d] = domain.indexOf(cursor, d);
    }
  });
  return offence;
}

} // namespace

std::string checkMaps(const RemapDomain &domain, const zrt_array &array,
                      const char *what) {
  Transport &transport = domain.parallel.transport;
  Offence offence = findOffence(domain, array);
  int64_t first = offence.place;
  reduce(transport, &first, ZRT_I64, ZRT_MIN);
  if (first == std::numeric_limits<int64_t>::max())
    return "";
  int32_t owner = offence.place == first ? transport.rank() : transport.size();
  reduce(transport, &owner, ZRT_I32, ZRT_MIN);
  broadcast(transport, everybody(transport), owner, &offence, sizeof offence);
  std::string at;
  for (int d = 0; d < domain.part.rank; ++d)
    at += (d == 0 ? "[" : ", ") +
          (domain.region.grids >> d & 1    ? std::string("::")
           : domain.region.floods >> d & 1 ? std::string("*")
                                           : std::to_string(offence.index[d]));
  return std::string(what) + " reaches outside " +
         (array.name ? array.name : "the array") + ": map " +
         std::to_string(offence.map + 1) + " is " +
         std::to_string(offence.value) + " at " + at + "], but " +
         (array.name ? array.name : "the array") + " is declared over " +
         toString(array.region);
}

} // namespace zrt
