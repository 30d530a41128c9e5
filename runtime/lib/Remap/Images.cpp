//===- Images.cpp - Remapped arrays as a whole ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     Charge#[Cell] += 1      10^6 particles, 10^4 points
//
// Where an array has far fewer elements than there are indices, it costs less
// to have all of it on each processor than to find out which elements these
// indices name. What is read is copied before the loop. What is combined is
// combined in an image of its own on each processor, an accumulator per element,
// and behind the loop the owners combine the images in the order of the
// processors, so that results are the same whenever messages come.
//
// Cost: each processor gets what the others have of the array, or sends what the
// others have of the image; a look at each element of an image.
//
//===----------------------------------------------------------------------===//

#include "Remap/Images.h"

#include "Memory/Array.h"
#include "Memory/ElementView.h"
#include "Remap/Messages.h"
#include "Transport/Blocks.h"

namespace zrt {

/// The indices that each processor owns.
static std::vector<Box> partsOf(const Parallel &parallel,
                                const zrt_region &region) {
  std::vector<Box> parts;
  for (int p = 0; p < parallel.transport.size(); ++p)
    parts.push_back(ownPart(parallel.distribution, region, p));
  return parts;
}

static Bytes packed(const zrt_array &array, const Box &part) {
  if (isEmpty(part))
    return {};
  MemoryBlock block = blockOf(array, part);
  Bytes bytes(static_cast<size_t>(block.bytes()));
  packBlock(block, bytes.data());
  return bytes;
}

/// A whole array on this processor.
static void createWhole(const Parallel &parallel, zrt_array &made,
                        const zrt_array &array, uint64_t id,
                        const zrt_loc *loc) {
  createArray(parallel.transport, made, {array.region, *array.type, array.name},
              boxOf(array.region), id, loc);
}

/// Exchanges messages of parts: message p is of part outOf(p), what comes from p
/// of part inOf(p). Collective.
template <typename InOf>
static std::vector<Bytes>
exchangeParts(const Parallel &parallel, const zrt_array &array,
              std::vector<Bytes> messages, InOf &&inOf) {
  std::vector<int64_t> coming;
  for (size_t p = 0; p < messages.size(); ++p) {
    const Box &part = inOf(p);
    coming.push_back(isEmpty(part) ? 0 : size(part) * array.type->size);
  }
  bool isLarge = size(boxOf(array.region)) >= 1 << 15;
  return exchangeSized(parallel.transport, std::move(messages), coming,
                       isLarge);
}

void copyWhole(const Parallel &parallel, zrt_array &copy,
               const zrt_array &source, uint64_t id, const zrt_loc *loc) {
  createWhole(parallel, copy, source, id, loc);
  std::vector<Box> parts = partsOf(parallel, source.region);
  auto self = static_cast<size_t>(parallel.transport.rank());
  std::vector<Bytes> messages(parts.size(), packed(source, parts[self]));
  messages = exchangeParts(parallel, source, std::move(messages),
                           [&](size_t p) -> const Box & { return parts[p]; });
  for (size_t p = 0; p < parts.size(); ++p)
    if (!isEmpty(parts[p]))
      unpackBlock(messages[p].data(), blockOf(copy, parts[p]));
}

void makeImage(const Parallel &parallel, zrt_array &image,
               const zrt_array &array, const Store &store, uint64_t id,
               const zrt_loc *loc) {
  createWhole(parallel, image, array, id, loc);
  ElementView view = viewOf(image, boxOf(array.region));
  int last = view.rank - 1;
  forEachLine(view.rank, view.count, last, [&](const int64_t *at) {
    store.reset(addressIn(view, at), view.count[last]);
  });
}

/// Each element of \p part meets the next of \p values.
static void meetPart(zrt_array &array, const Box &part, const char *values,
                     const Store &store) {
  constexpr int64_t Most = 256;
  ElementView view = viewOf(array, part);
  int last = view.rank - 1;
  uint64_t to[Most], from[Most];
  forEachLine(view.rank, view.count, last, [&](const int64_t *at) {
    char *row = addressIn(view, at);
    for (int64_t first = 0; first < view.count[last]; first += Most) {
      int64_t count = std::min(Most, view.count[last] - first);
      for (int64_t k = 0; k < count; ++k) {
        to[k] = static_cast<uint64_t>((first + k) * view.step[last]);
        from[k] = static_cast<uint64_t>(k) * store.size;
      }
      store.between(row, to, values, from, count);
      values += static_cast<size_t>(count) * store.size;
    }
  });
}

void mergeImages(const Parallel &parallel, zrt_array &array,
                 const zrt_array &image, const Store &store) {
  std::vector<Box> parts = partsOf(parallel, array.region);
  const Box &own = parts[static_cast<size_t>(parallel.transport.rank())];
  std::vector<Bytes> messages;
  for (const Box &part : parts)
    messages.push_back(packed(image, part));
  messages = exchangeParts(parallel, array, std::move(messages),
                           [&](size_t) -> const Box & { return own; });
  if (!isEmpty(own))
    for (const Bytes &message : messages)
      meetPart(array, own, message.data(), store);
}

} // namespace zrt
