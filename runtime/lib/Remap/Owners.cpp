//===- Owners.cpp - Who owns what a remap names ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A over [1..8, 1..6] on 2 x 2 processors: A[5, 4] is the first element of
// processor 3, whose block is [5..8, 4..6]; A[6, 5] is its element at the
// place 1 * 3 + 1.
//
// A strip is looked up dimension by dimension, each by a short loop over arrays.
// Few blocks are compared with each index; of many, an index mostly has the
// owner of the one before it, so there is a division only where the owner
// changes. Where all owners are this processor, which two comparisons per index
// find out, nobody is looked up at all.
//
// A grid dimension of A has one element per processor; the map names an index,
// and means the element of whoever owns that.
//
// Of a sparse array nothing is computed: all elements are found first, and looked
// up by the number of the index that names them. Places begin at 1, so that the
// value elsewhere, which lies before the elements, is one of these. A schedule
// that is used again needs no search.
//
//===----------------------------------------------------------------------===//

#include "Remap/Owners.h"
#include "Collective/Collective.h"
#include "Remap/Messages.h"

#include <algorithm>
#include <limits>

namespace zrt {

bool ownersAgree(const Distribution &a, const Distribution &b) {
  bool same = a.grid.rank == b.grid.rank;
  for (int d = 0; same && d < a.grid.rank; ++d)
    same = a.grid.extent[d] == b.grid.extent[d] &&
           a.cut[d].parts == b.cut[d].parts &&
           a.cut[d].bounds == b.cut[d].bounds &&
           a.cut[d].points == b.cut[d].points;
  return same;
}

RemappedArray::RemappedArray(const Remote &remote, const RemapDomain &domain,
                             const zrt_array &array, Copies copies)
    : array(array), distribution(remote.distribution), domain(domain),
      sparse(remote.search), rank(array.region.rank) {
  distribution.grid.coordinates(domain.parallel.transport.rank(), own);
  Box declared = boxOf(array.region);
  for (int d = 0; d < rank; ++d) {
    if (copies == Copies::First && isFlooded(d) && own[d] != 0 &&
        !(array.region.grids >> d & 1)) {
      own[d] = 0;
      isAsked = false;
    }
    isMapped[d] = !isFlooded(d) ||
                  ((array.region.grids >> d & 1) && !domain.isOwnPlace(d));
    // Who owns nothing ends where the one before does.
    int64_t end = std::numeric_limits<int64_t>::min();
    for (int64_t p = 0; p < distribution.grid.extent[d]; ++p) {
      Range all = distribution.cut[d].own(p);
      blocks[d].push_back(isFlooded(d) ? declared.dim[d]
                                       : intersect(declared.dim[d], all));
      end = isEmpty(all) ? end : all.hi;
      ends[d].push_back(end);
    }
  }
}

void RemappedArray::search() {
  if (sparse)
    found = sparse->find(domain);
}

/// The first index of this processor that is not stored, behind a 1; a 0: all are.
std::vector<int64_t> RemappedArray::missingHere() const {
  std::vector<int64_t> first(static_cast<size_t>(rank) + 1);
  Strips strips(domain);
  Strip strip;
  while (!found.areAllStored && strips.next(strip)) {
    int64_t number = domain.numberOf(strip.at);
    for (int64_t k = 0; k < strip.count; ++k) {
      if (found.places[static_cast<size_t>(number + strip.along[k])] != 0)
        continue;
      std::vector<int64_t> named = {1};
      for (int d = 0; d < rank; ++d)
        named.push_back(strip.mapped[d][k]);
      if (first[0] == 0 || named < first)
        first = std::move(named);
    }
  }
  return first;
}

bool RemappedArray::findMissing(int64_t *index) const {
  if (!sparse)
    return false;
  Transport &transport = domain.parallel.transport;
  int32_t isMissing = !found.areAllStored;
  reduce(transport, &isMissing, ZRT_I32, ZRT_MAX);
  if (isMissing == 0)
    return false;
  std::vector<Bytes> firsts(static_cast<size_t>(transport.size()),
                            messageOf(missingHere()));
  std::vector<int64_t> least;
  for (const Bytes &message : exchangeAll(transport, std::move(firsts))) {
    auto other = numbersIn<int64_t>(message);
    if (other[0] != 0 && (least.empty() || other < least))
      least = std::move(other);
  }
  if (least.empty()) // no index at all
    return false;
  std::copy(least.begin() + 1, least.end(), index);
  return true;
}

/// What was found for \p strip; \p owners may be null.
void RemappedArray::takeFound(const Strip &strip, int *owners,
                              int64_t *places) const {
  int64_t first = domain.numberOf(strip.at);
  int self = domain.parallel.transport.rank();
  for (int64_t k = 0; k < strip.count; ++k) {
    auto number = static_cast<size_t>(first + strip.along[k]);
    places[k] = found.places[number];
    if (owners)
      owners[k] = found.owners.empty() ? self : found.owners[number];
  }
}

/// How much the number of a processor grows with its coordinate \p d.
int RemappedArray::weightOf(int d) const {
  int next[ZRT_MAX_RANK] = {};
  next[d] = 1;
  return distribution.grid.processor(next);
}

void RemappedArray::find(const Strip &strip, int *owners,
                         int64_t *places) const {
  if (sparse)
    return takeFound(strip, owners, places);
  std::fill_n(places, strip.count, 0);
  int at[Strip::Most], coordinates[ZRT_MAX_RANK];
  std::copy(own, own + rank, coordinates);
  for (int d = 0; d < rank; ++d)
    if (isMapped[d])
      coordinates[d] = 0;
  std::fill_n(owners, strip.count, distribution.grid.processor(coordinates));
  for (int d = 0; d < rank; ++d) {
    findAlong(d, strip, at, places);
    if (isSettled(d))
      continue;
    int weight = weightOf(d);
    for (int64_t k = 0; k < strip.count; ++k)
      owners[k] += at[k] * weight;
  }
}

/// Whether comparing with all blocks costs less than a division where the owner
/// changes.
bool RemappedArray::isShort(int d) const {
  return !isSettled(d) && !isFlooded(d) && ends[d].size() <= 8 &&
         array.region.dim[d].stride == 1;
}

/// findAlong if isShort: no branches, whoever owns what.
void RemappedArray::findAmongFew(int d, const Strip &strip, int *at,
                                 int64_t *places) const {
  const int64_t *mapped = strip.mapped[d];
  std::fill_n(at, strip.count, 0);
  for (size_t p = 0; p + 1 < ends[d].size(); ++p) {
    int64_t end = ends[d][p];
    for (int64_t k = 0; k < strip.count; ++k)
      at[k] += mapped[k] > end;
  }
  int64_t lo[8], extent[8];
  for (size_t p = 0; p < blocks[d].size(); ++p) {
    lo[p] = blocks[d][p].lo;
    extent[p] = size(blocks[d][p]);
  }
  for (int64_t k = 0; k < strip.count; ++k)
    places[k] = places[k] * extent[at[k]] + mapped[k] - lo[at[k]];
}

/// In \p at the owners' coordinates along \p d; \p places goes on with it.
void RemappedArray::findAlong(int d, const Strip &strip, int *at,
                              int64_t *places) const {
  if (isShort(d)) {
    findAmongFew(d, strip, at, places);
    return;
  }
  int owner = own[d];
  const Seq *block = &ownBlock(d);
  const int64_t *mapped = strip.mapped[d];
  bool isOne = isSettled(d);
  for (int64_t k = 0; k < strip.count; ++k) {
    int64_t index = mapped[k];
    // Mostly the same as that of the index before.
    if (!isOne && (index < block->lo || index > block->hi)) {
      owner = static_cast<int>(distribution.cut[d].owner(index));
      block = &blocks[d][static_cast<size_t>(owner)];
    }
    int64_t step = isFlooded(d)         ? 0
                   : block->stride == 1 ? index - block->lo
                                        : (index - block->lo) / block->stride;
    at[k] = owner;
    places[k] = places[k] * size(*block) + step;
  }
}

bool RemappedArray::areAllHere(const Strip &strip) const {
  if (sparse) {
    int owners[Strip::Most];
    int64_t places[Strip::Most];
    takeFound(strip, owners, places);
    return std::all_of(owners, owners + strip.count, [&](int owner) {
      return owner == domain.parallel.transport.rank();
    });
  }
  bool all = isAsked;
  for (int d = 0; d < rank && all; ++d) {
    if (isSettled(d))
      continue;
    Range block =
        isFlooded(d) ? distribution.cut[d].own(own[d]) : rangeOf(ownBlock(d));
    for (int64_t k = 0; k < strip.count; ++k)
      all &=
          (block.lo <= strip.mapped[d][k]) & (strip.mapped[d][k] <= block.hi);
  }
  return all;
}

void RemappedArray::findPlacesHere(const Strip &strip, int64_t *places) const {
  if (sparse)
    return takeFound(strip, nullptr, places);
  std::fill_n(places, strip.count, 0);
  for (int d = 0; d < rank; ++d) {
    const Seq &block = ownBlock(d);
    const int64_t *mapped = strip.mapped[d];
    int64_t extent = size(block), lo = block.lo;
    if (isFlooded(d))
      for (int64_t k = 0; k < strip.count; ++k)
        places[k] *= extent;
    else if (block.stride == 1)
      for (int64_t k = 0; k < strip.count; ++k)
        places[k] = places[k] * extent + (mapped[k] - lo);
    else
      for (int64_t k = 0; k < strip.count; ++k)
        places[k] = places[k] * extent + (mapped[k] - lo) / block.stride;
  }
}

void RemappedArray::findHere(const Strip &strip, uint64_t *offsets) const {
  if (sparse) {
    int64_t places[Strip::Most];
    takeFound(strip, nullptr, places);
    for (int64_t k = 0; k < strip.count; ++k)
      offsets[k] = offsetOfFound(places[k]);
    return;
  }
  std::fill_n(offsets, strip.count, 0);
  for (int d = 0; d < rank; ++d) {
    const zrt_dim &dim = array.region.dim[d];
    const int64_t *mapped = strip.mapped[d];
    auto pitch = static_cast<uint64_t>(array.pitch[d]);
    if (isFlooded(d))
      continue;
    if (dim.stride == 1)
      for (int64_t k = 0; k < strip.count; ++k)
        offsets[k] += static_cast<uint64_t>(mapped[k] - dim.align) * pitch;
    else
      for (int64_t k = 0; k < strip.count; ++k)
        offsets[k] += static_cast<uint64_t>(position(mapped[k], d)) * pitch;
  }
}

uint64_t RemappedArray::offsetOf(int64_t place) const {
  if (sparse)
    return offsetOfFound(place);
  uint64_t offset = 0;
  for (int d = rank - 1; d >= 0; --d) {
    const Seq &block = ownBlock(d);
    int64_t extent = size(block), step = place;
    if (d > 0) {
      step = place % extent;
      place /= extent;
    }
    if (!isFlooded(d))
      offset += static_cast<uint64_t>(
          position(block.lo + step * block.stride, d) * array.pitch[d]);
  }
  return offset;
}

int64_t RemappedArray::elementsOf(int processor) const {
  if (sparse)
    return sparse->counts[static_cast<size_t>(processor)] + 1;
  int coordinates[ZRT_MAX_RANK];
  distribution.grid.coordinates(processor, coordinates);
  int64_t count = 1;
  for (int d = 0; d < rank; ++d)
    count *= size(blocks[d][static_cast<size_t>(coordinates[d])]);
  return count;
}

int64_t RemappedArray::mostElements() const {
  if (sparse)
    return *std::max_element(sparse->counts.begin(), sparse->counts.end()) + 1;
  int64_t most = 1;
  for (int d = 0; d < rank; ++d) {
    int64_t along = 0;
    for (const Seq &block : blocks[d])
      along = std::max(along, size(block));
    most *= along;
  }
  return most;
}

ElementView RemappedArray::here() const {
  if (sparse) {
    ElementView view;
    view.rank = 1;
    view.count[0] = elementsOf(domain.parallel.transport.rank());
    view.step[0] = array.pitch[rank - 1];
    view.base = array.origin - view.step[0];
    return view;
  }
  Box block;
  block.rank = rank;
  for (int d = 0; d < rank; ++d)
    block.dim[d] = ownBlock(d);
  return viewOf(array, block);
}

} // namespace zrt
