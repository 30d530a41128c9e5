//===- BoxLoop.cpp - Gathers that a loop reads box by box -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] B := B + A#[Index2, Index1]          R = [1..8, 1..8], two processors
//
// Of the indices that processor 0 owns, [1..4, 1..8], the first half of each row
// names own elements: the loop over [1..4, 1..4] reads A itself. The others name
// A[5..8, 1..4], of processor 1, which arrive meanwhile in a buffer, in the order
// in which A has them, so both sides move rows. The loop over [1..4, 5..8] reads
// them through a window: an array like A whose origin is moved so that the index
// (5, 1) is the begin of the buffer, and whose pitches are those of the buffer. So
// no array is made of the result of the gather, and it is the loop that transposes.
//
// Along a dimension of the region that several maps name, the last of them walks
// through the buffer, and the others have a pitch of 0.
//
// Cost: planning as BoxPlan.h says. Elements of others are copied once, or as the
// transport does; own ones are not.
//
//===----------------------------------------------------------------------===//

#include "Remap/Boxes/BoxLoop.h"

#include "Remap/Boxes/BoxBlocks.h"
#include "Transport/PairOrder.h"

#include <algorithm>

namespace zrt {

/// The map that walks along the dimension of the region that map \p k names;
/// -1: \p k is a scalar.
static int walkerOf(const ClosedMaps &maps, int k) {
  int dim = maps.dimOf[k], walker = -1;
  for (int other = 0; dim >= 0 && other < maps.mapCount; ++other)
    if (maps.dimOf[other] == dim)
      walker = other;
  return walker;
}

/// The indices of dimensions that no map names are those of one element.
static BoxPiece elementsOf(BoxPiece piece, const ClosedMaps &maps) {
  for (int d = 0; d < maps.rank; ++d)
    if (maps.isUnused(d)) {
      int64_t first = piece.laps[d].indices.lo;
      piece.laps[d] = atIndices(piece.laps[d], {first, first});
    }
  return piece;
}

MemoryBlock BoxLoop::inSourceOrder(const MemoryBlock &block) const {
  MemoryBlock ordered;
  ordered.base = block.base;
  ordered.elementSize = block.elementSize;
  for (int k = 0; k < maps.mapCount; ++k)
    if (walkerOf(maps, k) == k) {
      ordered.count[ordered.rank] = block.count[maps.dimOf[k]];
      ordered.stride[ordered.rank++] = block.stride[maps.dimOf[k]];
    }
  return ordered;
}

/// Makes a block one of its own memory, in its order: rows lie side by side, but
/// for gaps between long ones that would share few sets of the caches when they
/// are crossed. The bytes that it takes.
static int64_t layOut(MemoryBlock &block) {
  constexpr int64_t Line = 64, Unlucky = 1024;
  int64_t stride = block.elementSize;
  for (int n = block.rank - 1; n >= 0; --n) {
    block.stride[n] = stride;
    stride *= block.count[n];
    if (n == block.rank - 1 && stride % Unlucky == 0)
      stride += (Line + block.elementSize - 1) / block.elementSize *
                block.elementSize;
  }
  return stride;
}

void BoxLoop::begin(const RemapDomain &domain, const ClosedMaps &closed,
                    const Distribution &remote, const zrt_array &from) {
  Transport &transport = domain.parallel.transport;
  maps = closed;
  source = &from;
  region = domain.region;
  own.clear();
  arriving.clear();
  visited = 0;
  BoxPlan plan =
      planBoxes(endsOf(domain, maps, remote, from), transport.rank());
  for (const BoxPiece &piece : plan.here)
    own.push_back({piece, {}});
  size_t bytes = 0;
  std::vector<size_t> places; // in the buffer, of what arrives
  std::vector<Pair> pairs;
  for (const PartnerPieces &pieces : plan.partners) {
    Pair &pair = pairs.emplace_back();
    pair.partner = pieces.partner;
    for (const BoxPiece &piece : pieces.owned)
      pair.sends.push_back(
          inSourceOrder(remappedBlock(from, elementsOf(piece, maps), maps)));
    for (const BoxPiece &piece : pieces.held) {
      MemoryBlock block =
          inSourceOrder(remappedBlock(from, elementsOf(piece, maps), maps));
      places.push_back(bytes);
      bytes += static_cast<size_t>(layOut(block));
      pair.receives.push_back(block);
      arriving.push_back({piece, block});
    }
  }
  if (bytes > capacity) {
    buffer.reset(new char[bytes]);
    capacity = bytes;
  }
  size_t next = 0;
  for (Pair &pair : pairs)
    for (MemoryBlock &block : pair.receives) {
      block.base = buffer.get() + places[next];
      arriving[next++].arrived.base = block.base;
    }
  if (!domain.isLarge() || transport.size() == 1) {
    movePairs(transport, std::move(pairs), /*isLarge=*/false, [] {});
    return;
  }
  takesPart = !pairs.empty();
  orderPairs(transport, pairs);
  exchange = transport.makeExchange(std::move(pairs));
  if (takesPart) {
    exchange->destinationReady();
    exchange->sourceReady();
  }
}

void BoxLoop::describe(const Window &window, zrt_array &array) const {
  array = *source;
  if (!window.arrived.base)
    return;
  // Numbers without sign wrap around as addresses do.
  uint64_t before = 0; ///< from the index 0 to the first one
  int walked = 0;
  for (int k = 0; k < maps.mapCount; ++k) {
    int dim = maps.dimOf[k];
    bool walks = walkerOf(maps, k) == k;
    bool isLast = k == maps.mapCount - 1; // its pitch is the element's size
    array.pitch[k] = walks    ? window.arrived.stride[walked++]
                     : isLast ? window.arrived.elementSize
                              : 0;
    int64_t first = dim < 0 ? maps.scalar[k] : window.piece.laps[dim].first[k];
    before +=
        static_cast<uint64_t>(first) * static_cast<uint64_t>(array.pitch[k]);
  }
  array.origin = reinterpret_cast<decltype(array.origin)>(
      reinterpret_cast<uintptr_t>(window.arrived.base) - before);
}

bool BoxLoop::next(zrt_region &box, zrt_array &window) {
  if (visited == own.size() && exchange && takesPart)
    exchange->destinationNeeded();
  if (visited == own.size() + arriving.size()) {
    if (exchange && takesPart)
      exchange->sourceVolatile();
    exchange.reset();
    return false;
  }
  const Window &now =
      visited < own.size() ? own[visited] : arriving[visited - own.size()];
  ++visited;
  for (int d = 0; d < region.rank; ++d) {
    box.dim[d] = region.dim[d];
    box.dim[d].lo = now.piece.laps[d].indices.lo;
    box.dim[d].hi = now.piece.laps[d].indices.hi;
  }
  describe(now, window);
  return true;
}

void BoxLoop::clear() {
  exchange.reset();
  buffer.reset();
  capacity = 0;
}

} // namespace zrt
