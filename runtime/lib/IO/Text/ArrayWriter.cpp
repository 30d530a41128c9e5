//===- ArrayWriter.cpp - Arrays as text -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A distributed array becomes one text, and all processors work on it, however
// few of them own the elements. [1..1000, 1..1000] doubles on two processors:
//
//     round 1    slab 1, rows 1..16, to processor 0     slab 2 to processor 1
//     round 2    slab 3, rows 33..48, to processor 0    slab 4 to processor 1
//     ...
//
// 1. In each round every processor gets one slab, in row-major order.
// 2. Each formats its slab, a newline after each line; where lines end follows
//    from the number of elements before the slab.
// 3. The pieces of the round go to the file in order (OrderedOutput).
//
// A slab has about 256 KiB, of elements or of text; an array no larger than one
// is formatted by processor 0. The cost is that of formatting, divided by the
// number of processors; the elements that travel cost little beside it.
//
//===----------------------------------------------------------------------===//

#include "IO/Text/ArrayWriter.h"

#include "IO/OrderedOutput.h"
#include "IO/Text/ValueText.h"

namespace zrt {

static constexpr int64_t WriteSlabBytes = 256 * 1024;

int64_t lineLength(const Box &region) {
  int64_t length = 1;
  for (int d = 0; d < region.rank; ++d)
    if (size(region.dim[d]) > 1)
      length = size(region.dim[d]);
  return length;
}

/// Appends \p count elements and their line ends; \p before elements of the
/// region came before them.
static void appendElements(std::string &text, const zrt_type &type,
                           const char *elements, int64_t count,
                           const Format *format, int64_t before, int64_t line) {
  int64_t inLine = before % line;
  for (int64_t k = 0; k < count; ++k) {
    appendValue(text, type, elements + k * type.size, format, true);
    if (++inLine == line) {
      text += '\n';
      inLine = 0;
    }
  }
}

void writeArray(ArrayIO &io, File &file, const Format *format) {
  const zrt_type &type = *io.array.type;
  int64_t most = WriteSlabBytes /
                 std::max({type.size, estimateText(type, format), int64_t(1)});
  SlabSequence slabs(io.region, most);
  OrderedOutput output(io.transport, file, size(io.region) <= most);
  int processors = io.transport.size();
  int64_t line = lineLength(io.region), before = 0;
  std::vector<char> elements;
  std::string text;
  for (bool more = true; more;) {
    Box slab, own;
    int count = 0;
    int64_t ownBefore = 0;
    for (; count < processors && (more = slabs.next(slab)); ++count) {
      if (count == io.transport.rank()) {
        own = slab;
        ownBefore = before;
        elements.resize(static_cast<size_t>(size(slab) * type.size));
      }
      gatherSlab(io, slab, count, elements.data());
      before += size(slab);
    }
    if (count == 0)
      break;
    text.clear();
    if (io.transport.rank() < count)
      appendElements(text, type, elements.data(), size(own), format, ownBefore,
                     line);
    output.write(count, text);
  }
  output.finish();
}

} // namespace zrt
