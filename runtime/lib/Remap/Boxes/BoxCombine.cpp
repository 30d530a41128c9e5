//===- BoxCombine.cpp - Boxes whose elements are combined -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     C#[Index2, Index1] += A
//
// Values come to a buffer first, in the order in which the target has the
// elements that they meet: a copy in tiles, and a loop along both. Those that are
// here need a buffer of the cache's size only. No element has two sources, so it
// does not matter when they come.
//
//===----------------------------------------------------------------------===//

#include "Machine/RunFigures.h"
#include "Remap/Boxes/BoxBlocks.h"
#include "Remap/Boxes/BoxRemap.h"
#include "Transport/Blocks.h"

#include <algorithm>
#include <numeric>

namespace zrt {

namespace {

/// Where the values for the elements of a block are put at \p base, so that both
/// are in the same order.
MemoryBlock valuesLike(const MemoryBlock &elements, size_t size, char *base) {
  MemoryBlock values = elements;
  values.base = base;
  values.elementSize = static_cast<int64_t>(size);
  std::vector<int> order(static_cast<size_t>(elements.rank));
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return std::abs(elements.stride[a]) < std::abs(elements.stride[b]);
  });
  int64_t stride = values.elementSize;
  for (int d : order) {
    values.stride[d] = stride;
    stride *= elements.count[d];
  }
  return values;
}

/// Each element of a block meets its value.
void meetAll(const Store &store, const MemoryBlock &elements,
             const MemoryBlock &values) {
  constexpr int64_t Most = 256;
  uint64_t to[Most], from[Most];
  int line = 0; // the dimension in which elements lie closest
  for (int d = 1; d < elements.rank; ++d)
    if (elements.count[line] == 1 ||
        (elements.count[d] > 1 && values.stride[d] < values.stride[line]))
      line = d;
  const int64_t count = elements.count[line];
  const bool isSideBySide =
      elements.stride[line] == static_cast<int64_t>(store.elementSize) &&
      values.stride[line] == static_cast<int64_t>(store.size);
  for (int64_t k = 0; k < std::min(Most, count); ++k) {
    to[k] = static_cast<uint64_t>(k * elements.stride[line]);
    from[k] = static_cast<uint64_t>(k * values.stride[line]);
  }
  forEachLine(elements.rank, elements.count, line, [&](const int64_t *at) {
    char *element = elements.base, *value = values.base;
    for (int d = 0; d < elements.rank; ++d) {
      element += at[d] * elements.stride[d];
      value += at[d] * values.stride[d];
    }
    if (isSideBySide) {
      store.byNumbers(element, nullptr, value, nullptr, count);
      return;
    }
    for (int64_t k = 0; k < count; k += Most)
      store.between(element + k * elements.stride[line], to,
                    value + k * values.stride[line], from,
                    std::min(Most, count - k));
  });
}

/// So many bytes of values stay in the cache.
int64_t cachedBytes() { return int64_t(runFigures().boxBytes); }

/// Elements meet the values of a block that are here, in parts of which neither
/// side is much longer than wide, through \p buffer of cachedBytes() or an
/// element.
void meetHere(const Store &store, const MemoryBlock &source,
              const MemoryBlock &elements, char *buffer) {
  int longest = static_cast<int>(
      std::max_element(source.count, source.count + source.rank) -
      source.count);
  const int64_t half = source.count[longest] / 2;
  if (source.bytes() > cachedBytes() && half > 0) {
    MemoryBlock values = source, met = elements;
    values.count[longest] = met.count[longest] = half;
    meetHere(store, values, met, buffer);
    values.count[longest] = met.count[longest] = source.count[longest] - half;
    values.base += half * source.stride[longest];
    met.base += half * elements.stride[longest];
    meetHere(store, values, met, buffer);
    return;
  }
  MemoryBlock values = valuesLike(elements, store.size, buffer);
  copyBlock(source, values);
  meetAll(store, elements, values);
}

} // namespace

void combineBoxes(const RemapDomain &domain, const ClosedMaps &maps,
                  const Distribution &remote, zrt_array &target,
                  const zrt_array &source, const Store &store) {
  Transport &transport = domain.parallel.transport;
  BoxPlan plan =
      planBoxes(endsOf(domain, maps, remote, target), transport.rank());
  std::vector<LocalCopy> met; // values that come, elements that they meet
  int64_t bytes = 0;
  for (const PartnerPieces &pieces : plan.partners)
    for (const BoxPiece &piece : pieces.owned) {
      MemoryBlock elements = remappedBlock(target, piece, maps);
      met.push_back({valuesLike(elements, store.size, nullptr), elements});
      bytes += met.back().from.bytes();
    }
  std::unique_ptr<char[]> buffer(new char[static_cast<size_t>(bytes)]);
  bytes = 0;
  for (LocalCopy &each : met) {
    each.from.base = buffer.get() + bytes;
    bytes += each.from.bytes();
  }
  std::vector<Pair> pairs;
  size_t next = 0;
  for (const PartnerPieces &pieces : plan.partners) {
    Pair pair;
    pair.partner = pieces.partner;
    for (const BoxPiece &piece : pieces.held)
      pair.sends.push_back(regionalBlock(source, piece, maps.rank));
    for (size_t k = 0; k < pieces.owned.size(); ++k)
      pair.receives.push_back(met[next++].from);
    pairs.push_back(std::move(pair));
  }
  movePairs(transport, std::move(pairs), domain.isLarge(), [&] {
    std::unique_ptr<char[]> part(
        new char[std::max(static_cast<size_t>(cachedBytes()), store.size)]);
    for (const BoxPiece &piece : plan.here)
      meetHere(store, regionalBlock(source, piece, maps.rank),
               remappedBlock(target, piece, maps), part.get());
  });
  for (const LocalCopy &each : met)
    meetAll(store, each.to, each.from);
}

} // namespace zrt
