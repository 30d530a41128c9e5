//===- BoxBlocks.cpp - Boxes of remaps as memory --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is large goes through one exchange of the transport, from array to array.
// Making an exchange costs more than a few small messages, so what is small is
// packed, and goes as one message to each partner.
//
//===----------------------------------------------------------------------===//

#include "Remap/Boxes/BoxBlocks.h"

#include "Remap/Messages.h"
#include "Transport/Blocks.h"
#include "Transport/PairOrder.h"

#include <algorithm>

namespace zrt {

BoxEnds endsOf(const RemapDomain &domain, const ClosedMaps &maps,
               const Distribution &remote, const zrt_array &remapped) {
  return {maps, domain.region, remapped.region, domain.parallel.distribution,
          remote};
}

MemoryBlock regionalBlock(const zrt_array &array, const BoxPiece &piece,
                          int rank) {
  Box box;
  box.rank = rank;
  for (int d = 0; d < rank; ++d)
    box.dim[d] = piece.laps[d].indices;
  ElementView view = viewOf(array, box);
  MemoryBlock block;
  block.base = view.base;
  block.elementSize = array.type->size;
  block.rank = rank;
  std::copy_n(view.count, rank, block.count);
  std::copy_n(view.step, rank, block.stride);
  return block;
}

MemoryBlock remappedBlock(const zrt_array &array, const BoxPiece &piece,
                          const ClosedMaps &maps) {
  MemoryBlock block;
  block.elementSize = array.type->size;
  block.rank = maps.rank;
  for (int d = 0; d < maps.rank; ++d)
    block.count[d] = size(piece.laps[d].indices);
  uint64_t offset = 0;
  for (int k = 0; k < maps.mapCount; ++k) {
    if (array.region.floods >> k & 1)
      continue;
    const zrt_dim &declared = array.region.dim[k];
    int d = maps.dimOf[k];
    int64_t value = d < 0 ? maps.scalar[k] : piece.laps[d].first[k];
    int64_t position = (value - declared.align) / declared.stride;
    offset +=
        static_cast<uint64_t>(position) * static_cast<uint64_t>(array.pitch[k]);
    if (d >= 0 && block.count[d] > 1)
      block.stride[d] +=
          piece.laps[d].step[k] / declared.stride * array.pitch[k];
  }
  block.base = reinterpret_cast<char *>(
      reinterpret_cast<uintptr_t>(array.origin) + offset);
  return block;
}

/// One message to each partner, in rounds as exchangeAll. Collective.
static void sendPairs(Transport &transport, const std::vector<Pair> &pairs) {
  int size = transport.size(), self = transport.rank();
  for (int round = 0; round < size; ++round) {
    int partner = (round - self + size) % size;
    auto pair = std::find_if(pairs.begin(), pairs.end(), [&](const Pair &each) {
      return each.partner == partner;
    });
    if (pair == pairs.end())
      continue;
    Bytes out(static_cast<size_t>(bytesOf(pair->sends)));
    Bytes in(static_cast<size_t>(bytesOf(pair->receives)));
    char *to = out.data();
    for (const MemoryBlock &block : pair->sends) {
      packBlock(block, to);
      to += block.bytes();
    }
    bool isEven = out.size() == in.size();
    if (isEven)
      transport.exchange(partner, out.data(), in.data(), out.size());
    if (!isEven && self < partner && !out.empty())
      transport.send(partner, out.data(), out.size());
    if (!isEven && !in.empty())
      transport.receive(partner, in.data(), in.size());
    if (!isEven && self > partner && !out.empty())
      transport.send(partner, out.data(), out.size());
    const char *from = in.data();
    for (const MemoryBlock &block : pair->receives) {
      unpackBlock(from, block);
      from += block.bytes();
    }
  }
}

void movePairs(Transport &transport, std::vector<Pair> pairs, bool isLarge,
               const std::function<void()> &meanwhile) {
  if (!isLarge || transport.size() == 1) {
    sendPairs(transport, pairs);
    meanwhile();
    return;
  }
  bool takesPart = !pairs.empty();
  orderPairs(transport, pairs);
  std::unique_ptr<Exchange> exchange = transport.makeExchange(std::move(pairs));
  if (takesPart) {
    exchange->destinationReady();
    exchange->sourceReady();
  }
  meanwhile();
  if (takesPart) {
    exchange->destinationNeeded();
    exchange->sourceVolatile();
  }
}

} // namespace zrt
