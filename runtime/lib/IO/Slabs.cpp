//===- Slabs.cpp - Arrays piece by piece ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Files hold arrays in row-major order, processors hold blocks of them. What
// goes between the two is a slab: some rows that are consecutive in row-major
// order. For [1..1000, 1..1000] doubles on a 2 x 2 grid, in slabs of 256 KiB:
//
//     slab 1     rows 1..32     owned by processors 0 and 1, half a row each
//     slab 2     rows 33..64    ...
//     slab 16    rows 481..512  owned by all four
//
// Every processor steps through the same slabs, which are pure arithmetic.
// Gathering one is a message per owner to the processor that works on it,
// scattering the reverse. Elements of a flooded region are on all processors of
// a grid slice: one of them sends its own, all get what is read. In a grid
// dimension each place along it has an index of its own, 0, 1 ... Slabs are
// handled in the same order everywhere, and owners in ascending order, so that
// sends which wait for their receiver do not wait in a circle.
//
//===----------------------------------------------------------------------===//

#include "IO/Slabs.h"

#include "Collective/Collective.h"
#include "Memory/Array.h"
#include "Transport/Blocks.h"

namespace zrt {

SlabSequence::SlabSequence(const Box &region, int64_t most)
    : region(region), done(isEmpty(region)) {
  if (done)
    return;
  most = std::max<int64_t>(most, 1);
  int64_t inner = 1; // elements of one index of dimension `cut`
  cut = region.rank - 1;
  while (cut > 0 && size(region.dim[cut]) <= most / inner) {
    inner *= size(region.dim[cut]);
    --cut;
  }
  thickness = std::max<int64_t>(most / inner, 1);
}

/// The \p count indices of \p seq after the first \p before.
static Seq part(const Seq &seq, int64_t before, int64_t count) {
  int64_t lo = seq.lo + before * seq.stride;
  return intersect(seq, Range{lo, lo + (count - 1) * seq.stride});
}

bool SlabSequence::next(Box &slab) {
  if (done)
    return false;
  slab = region;
  for (int d = 0; d < cut; ++d)
    slab.dim[d] = part(region.dim[d], at[d], 1);
  slab.dim[cut] = part(region.dim[cut], at[cut], thickness);
  at[cut] += thickness;
  int d = cut;
  while (d > 0 && at[d] >= size(region.dim[d])) {
    at[d] = 0;
    ++at[--d];
  }
  done = at[d] >= size(region.dim[d]);
  return true;
}

zrt_region fileRegion(const zrt_region &covering,
                      const Distribution &distribution) {
  zrt_region region = covering;
  for (int d = 0; d < region.rank; ++d)
    if (covering.grids >> d & 1)
      region.dim[d] = {0, distribution.grid.extent[d] - 1, 1, 0};
  region.floods &= ~covering.grids;
  region.grids = 0;
  return region;
}

Box ArrayIO::held(const Box &box, int processor) const {
  Box own = distribution.own(processor, covering.floods);
  int place[ZRT_MAX_RANK];
  distribution.grid.coordinates(processor, place);
  for (int d = 0; d < own.rank; ++d)
    if ((covering.grids >> d & 1) && !isEmpty(own.dim[d]))
      own.dim[d] = {place[d], place[d], 1};
  return intersect(box, own);
}

Box ArrayIO::written(const Box &box, int processor) const {
  int place[ZRT_MAX_RANK];
  distribution.grid.coordinates(processor, place);
  int floods = covering.floods & ~covering.grids;
  for (int d = 0; d < box.rank; ++d)
    if ((floods >> d & 1) && place[d] != 0)
      return emptyBox(box.rank);
  return held(box, processor);
}

std::vector<int> ArrayIO::holders(const Box &box) const {
  if (covering.floods == 0)
    return writers(box);
  std::vector<int> result;
  for (int processor = 0; processor < transport.size(); ++processor)
    if (!isEmpty(held(box, processor)))
      result.push_back(processor);
  return result;
}

/// The memory of \p part within a buffer that holds all of \p slab.
static MemoryBlock blockInSlab(char *buffer, const Box &slab, const Box &part,
                               int64_t elementSize) {
  MemoryBlock block;
  block.base = buffer;
  block.elementSize = elementSize;
  block.rank = slab.rank;
  int64_t stride = elementSize;
  for (int d = slab.rank - 1; d >= 0; --d) {
    block.base +=
        (part.dim[d].lo - slab.dim[d].lo) / slab.dim[d].stride * stride;
    block.count[d] = size(part.dim[d]);
    block.stride[d] = stride;
    stride *= size(slab.dim[d]);
  }
  return block;
}

/// The target's side of gatherSlab.
static void collectParts(ArrayIO &io, const Box &slab, char *buffer,
                         bool onRequest) {
  int self = io.transport.rank();
  std::vector<int> writers = io.writers(slab);
  const char request = 1;
  if (onRequest)
    for (int writer : writers)
      if (writer != self)
        io.transport.send(writer, &request, sizeof request);
  for (int writer : writers) {
    Box part = io.written(slab, writer);
    MemoryBlock target = blockInSlab(buffer, slab, part, io.array.type->size);
    if (writer == self) {
      copyBlock(blockOf(io.array, part), target);
      continue;
    }
    io.message.resize(static_cast<size_t>(target.bytes()));
    io.transport.receive(writer, io.message.data(), io.message.size());
    unpackBlock(io.message.data(), target);
  }
}

void gatherSlab(ArrayIO &io, const Box &slab, int target, char *buffer,
                bool onRequest) {
  int self = io.transport.rank();
  if (self == target)
    return collectParts(io, slab, buffer, onRequest);
  Box part = io.written(slab, self);
  if (isEmpty(part))
    return;
  char request;
  if (onRequest)
    io.transport.receive(target, &request, sizeof request);
  MemoryBlock block = blockOf(io.array, part);
  io.message.resize(static_cast<size_t>(block.bytes()));
  packBlock(block, io.message.data());
  io.transport.send(target, io.message.data(), io.message.size());
}

void scatterSlab(ArrayIO &io, const Box &slab, int source, const char *buffer) {
  int self = io.transport.rank();
  Box held = io.held(slab, self);
  if (self != source) {
    if (isEmpty(held))
      return;
    MemoryBlock block = blockOf(io.array, held);
    io.message.resize(static_cast<size_t>(block.bytes()));
    io.transport.receive(source, io.message.data(), io.message.size());
    return unpackBlock(io.message.data(), block);
  }
  for (int holder : io.holders(slab)) {
    Box part = io.held(slab, holder);
    // A MemoryBlock is of memory to read or to write; this one is read.
    MemoryBlock from = blockInSlab(const_cast<char *>(buffer), slab, part,
                                   io.array.type->size);
    if (holder == self) {
      copyBlock(from, blockOf(io.array, part));
      continue;
    }
    io.message.resize(static_cast<size_t>(from.bytes()));
    packBlock(from, io.message.data());
    io.transport.send(holder, io.message.data(), io.message.size());
  }
}

std::vector<int64_t> gatherNumbers(Transport &transport, int64_t number) {
  return allNumbers(transport, everybody(transport), number);
}

void broadcastStrings(Transport &transport, std::vector<std::string> &strings) {
  std::string all;
  for (const std::string &text : strings)
    all.append(text.c_str(), text.size() + 1); // with the zero at the end
  int64_t counts[2] = {static_cast<int64_t>(strings.size()),
                       static_cast<int64_t>(all.size())};
  broadcast(transport, counts, sizeof counts);
  all.resize(static_cast<size_t>(counts[1]));
  if (!all.empty())
    broadcast(transport, all.data(), all.size());
  strings.resize(static_cast<size_t>(counts[0]));
  size_t at = 0;
  for (std::string &text : strings) {
    text = all.c_str() + at;
    at += text.size() + 1;
  }
}

} // namespace zrt
