//===- InBlocks.cpp - Arrays of scattered domains, in blocks --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files, scans, floods and remaps go along indices, and their code knows one
// range of them per processor. Over a scattered domain they work on copies:
//
//     [R] B := +||[1] A;      A', B' over R in blocks, over the same grid
//                             A' := A;  B' := +||[1] A';  B := B'
//
// Both movements are one exchange of what changes its processor, each element
// once. Elements that are one per processor of a grid dimension, or flooded,
// stay where they are, since the grid is the same.
//
// A copy has the id of the array: what is known of that by its id (procedures
// that write its elements) holds for it as well.
//
//===----------------------------------------------------------------------===//

#include "Entry/Domains/InBlocks.h"

#include "Entry/Process.h"

namespace zrt {

zrt_region inBlocks(const zrt_region &region) {
  zrt_region result = region;
  if (process().domains.isScattered(region))
    result.domain |= InBlocksBit;
  return result;
}

BlockCopy::BlockCopy(const zrt_array *array, const zrt_region &region,
                     const zrt_loc *loc, bool copies)
    : original(const_cast<zrt_array *>(array)) {
  Process &p = process();
  if (!array || !p.domains.isScattered(array->region))
    return;
  made = std::make_unique<zrt_array>();
  zrt_region part = floodedAs(region, *array);
  part.domain = array->region.domain;
  part = inBlocks(part);
  p.newArray(*made, {part, *array->type, array->name}, loc);
  if (copies && !isEmpty(boxOf(part)))
    p.copyPieces(*made, *original, {{boxOf(part), {}}});
  made->id = array->id;
}

BlockCopy::~BlockCopy() {
  if (!made)
    return;
  process().strings.arrays.erase(made.get());
  destroyArray(*process().transport, *made);
}

void BlockCopy::store() {
  if (made && !isEmpty(boxOf(made->region)))
    process().copyPieces(*original, *made, {{boxOf(made->region), {}}});
}

BlockMask::BlockMask(const zrt_mask *given, const zrt_region &region,
                     const zrt_loc *loc)
    : flags(given ? given->array : nullptr, region, loc),
      mask{flags.array(), given ? given->value : 0} {}

BlockMaps::BlockMaps(const zrt_map *given, int count, const zrt_region &region,
                     const zrt_loc *loc)
    : maps(given, given + count) {
  arrays.reserve(static_cast<size_t>(count));
  for (zrt_map &map : maps)
    if (map.form == ZRT_MAP_ARRAY) {
      arrays.emplace_back(map.array, region, loc);
      map.array = arrays.back().array();
    }
}

} // namespace zrt
