//===- IndexOwners.cpp - Who owns an index, and where ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Sparse indices come one by one, so their owners are asked for one by one:
// dimension by dimension, since all distributions are products. In blocks it is
// a binary search among their ends; in a scattered dimension each part is asked
// whether one of its segments has the index, this processor first. What this
// processor has in one piece is answered at once.
//
//===----------------------------------------------------------------------===//

#include "Sparse/IndexOwners.h"

#include "Support/Error.h"

#include <algorithm>

namespace zrt {

IndexOwners::IndexOwners(const Placement &placement, int rank, int self)
    : rank(rank), self(self), placement(placement),
      dims(static_cast<size_t>(rank)) {
  int at[ZRT_MAX_RANK];
  placement.grid.coordinates(self, at);
  for (int d = 0; d < rank; ++d) {
    Dim &dim = dims[static_cast<size_t>(d)];
    const Places &places = placement.dims[d];
    dim.at = at[d];
    const std::vector<Segment> &own = places.of(at[d]);
    if (!own.empty() && own.back().indices.stride == 1)
      dim.own = rangeOf(own.back().indices);
    if (placement.isScattered)
      continue;
    for (int64_t part = 0; part < places.parts(); ++part)
      for (const Segment &segment : places.of(part)) {
        dim.ends.push_back(segment.indices.hi);
        dim.parts.push_back(static_cast<int>(part));
      }
  }
}

int IndexOwners::search(int d, int64_t index) const {
  const Dim &dim = dims[static_cast<size_t>(d)];
  const Places &places = placement.dims[d];
  if (!placement.isScattered) {
    auto end = std::lower_bound(dim.ends.begin(), dim.ends.end(), index);
    return dim.parts[static_cast<size_t>(end - dim.ends.begin())];
  }
  int64_t parts = places.parts();
  for (int64_t step = 0; step < parts; ++step) {
    int64_t part = (dim.at + step) % parts;
    if (!isEmpty(places.placesOf(part, {index, index})))
      return static_cast<int>(part);
  }
  internalError(__FILE__, __LINE__, "an index without an owner");
}

std::vector<Seq> IndexOwners::partsOf(int d, const Seq &indices) const {
  std::vector<Seq> result;
  for (const Segment &segment :
       placement.dims[d].of(dims[static_cast<size_t>(d)].at))
    if (Seq own = intersect(indices, segment.indices); !isEmpty(own))
      result.push_back(own);
  return result;
}

std::vector<int32_t> IndexOwners::ownOf(int d, const Seq &indices) const {
  std::vector<int32_t> result;
  for (const Seq &own : partsOf(d, indices))
    for (int64_t index = own.lo; index <= own.hi; index += own.stride)
      result.push_back(static_cast<int32_t>(index));
  return result;
}

} // namespace zrt
