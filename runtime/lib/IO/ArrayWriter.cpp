//===- ArrayWriter.cpp - Arrays as text -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A distributed array becomes one text. Processor 0 walks over the region in
// slabs, pieces of some rows that are consecutive in row-major order. For
// [1..1000, 1..1000] doubles on a 2 x 2 grid:
//
//     slab 1     rows 1..32     owned by processors 0 and 1, half a row each
//     slab 2     rows 33..64    ...
//     slab 16    rows 481..512  owned by all four
//
// 1. Every processor steps through the same slabs, which are pure arithmetic.
// 2. Processor 0 asks each owner of a part with one byte. Only then does the
//    owner pack its part and send it: however slow the terminal is, nobody is
//    more than one piece ahead. All owners of a slab pack at the same time.
// 3. Each part is unpacked into its place in the slab's memory.
// 4. Elements are formatted in order, a newline after each run of the innermost
//    dimension that has more than one index.
//
// A slab has at most 256 KiB, if need be a part of one row. The cost is that of
// formatting, done by processor 0.
//
//===----------------------------------------------------------------------===//

#include "IO/ArrayWriter.h"

#include "Memory/Array.h"
#include "Memory/StorageShape.h"
#include "Transport/Blocks.h"

namespace zrt {

static constexpr int64_t SlabBytes = 256 * 1024;
static constexpr size_t TextBytes = 32 * 1024;

SlabSequence::SlabSequence(const Box &region, int64_t most)
    : region(region), done(isEmpty(region)) {
  if (done)
    return;
  int64_t inner = 1; // elements of one index of dimension `cut`
  cut = region.rank - 1;
  while (cut > 0 && size(region.dim[cut]) <= most / inner) {
    inner *= size(region.dim[cut]);
    --cut;
  }
  thickness = std::max<int64_t>(most / inner, 1);
  for (int d = 0; d < region.rank; ++d)
    at[d] = region.dim[d].lo;
}

bool SlabSequence::next(Box &slab) {
  if (done)
    return false;
  slab = region;
  for (int d = 0; d < cut; ++d)
    slab.dim[d] = {at[d], at[d]};
  slab.dim[cut] = {at[cut],
                   std::min(at[cut] + thickness - 1, region.dim[cut].hi)};
  at[cut] = slab.dim[cut].hi + 1;
  int d = cut;
  while (d > 0 && at[d] > region.dim[d].hi) {
    at[d] = region.dim[d].lo;
    ++at[--d];
  }
  done = at[d] > region.dim[d].hi;
  return true;
}

namespace {

/// Formats elements that come in row-major order and ends the lines.
class ElementPrinter {
public:
  ElementPrinter(TextOutput &output, int32_t stream, const Format &format,
                 int32_t type, const Box &region)
      : output(output), stream(stream), format(format), type(type) {
    for (int d = 0; d < region.rank; ++d)
      if (size(region.dim[d]) > 1)
        lineLength = size(region.dim[d]);
  }

  void print(const char *elements, int64_t count) {
    int64_t bytes = elementSize(type);
    for (int64_t k = 0; k < count; ++k) {
      appendElement(text, format, type, elements + k * bytes);
      if (++inLine == lineLength) {
        text += '\n';
        inLine = 0;
      }
      if (text.size() >= TextBytes)
        flush();
    }
  }

  void flush() {
    output.write(stream, text);
    text.clear();
  }

private:
  TextOutput &output;
  int32_t stream;
  const Format &format;
  int32_t type;
  int64_t lineLength = 1;
  int64_t inLine = 0;
  std::string text;
};

/// The memory of \p part within a buffer that holds all of \p slab.
MemoryBlock blockInSlab(std::vector<char> &buffer, const Box &slab,
                        const Box &part, int64_t elementSize) {
  MemoryBlock block;
  block.base = buffer.data();
  block.elementSize = elementSize;
  block.rank = slab.rank;
  int64_t stride = elementSize;
  for (int d = slab.rank - 1; d >= 0; --d) {
    block.base += (part.dim[d].lo - slab.dim[d].lo) * stride;
    block.count[d] = size(part.dim[d]);
    block.stride[d] = stride;
    stride *= size(slab.dim[d]);
  }
  return block;
}

/// Processor 0's side of one slab: fills \p buffer with its elements.
void gatherSlab(Transport &transport, const Distribution &distribution,
                const zrt_array &array, const Box &slab,
                std::vector<char> &buffer, std::vector<char> &message) {
  int64_t bytes = elementSize(array.type);
  buffer.resize(static_cast<size_t>(size(slab) * bytes));
  std::vector<int> owners = distribution.owners(slab);
  const char request = 1;
  for (int owner : owners)
    if (owner != 0)
      transport.send(owner, &request, sizeof request);
  for (int owner : owners) {
    Box part = intersect(slab, distribution.own(owner));
    MemoryBlock target = blockInSlab(buffer, slab, part, bytes);
    if (owner == 0) {
      copyBlock(blockOf(array, part, ZRT_MAX_RANK), target);
      continue;
    }
    message.resize(static_cast<size_t>(target.bytes()));
    transport.receive(owner, message.data(), message.size());
    unpackBlock(message.data(), target);
  }
}

/// The side of a processor that owns \p part of a slab.
void sendPart(Transport &transport, const zrt_array &array, const Box &part,
              std::vector<char> &message) {
  char request;
  transport.receive(0, &request, sizeof request);
  MemoryBlock block = blockOf(array, part, ZRT_MAX_RANK);
  message.resize(static_cast<size_t>(block.bytes()));
  packBlock(block, message.data());
  transport.send(0, message.data(), message.size());
}

} // namespace

void writeArray(Transport &transport, const Distribution &distribution,
                TextOutput &output, int32_t stream, const Format &format,
                const zrt_array &array, const Box &region) {
  SlabSequence slabs(region, SlabBytes / elementSize(array.type));
  std::vector<char> buffer, message;
  Box slab;
  if (transport.rank() != 0) {
    Box own = distribution.own(transport.rank());
    while (slabs.next(slab)) {
      Box part = intersect(slab, own);
      if (!isEmpty(part))
        sendPart(transport, array, part, message);
    }
    return;
  }
  ElementPrinter printer(output, stream, format, array.type, region);
  while (slabs.next(slab)) {
    gatherSlab(transport, distribution, array, slab, buffer, message);
    printer.print(buffer.data(), size(slab));
  }
  printer.flush();
}

} // namespace zrt
