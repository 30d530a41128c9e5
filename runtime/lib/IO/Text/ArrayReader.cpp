//===- ArrayReader.cpp - Reading values and arrays of text ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processor 0 reads, the others get what is theirs: of a scalar its bytes, of
// an array slab after slab of its elements:
//
//     [1..1000, 1..1000] read(f, A)      16 rows read, sent to their owners,
//                                        16 rows read, ...
//
// A string is a pointer that must be the same everywhere. Processor 0 tells the
// texts that it found in the value or slab to all, each makes them in the same
// order, and processor 0 puts the pointers into the elements before it sends
// them.
//
// Where a number ends, and so where the next one starts, is known to who has
// read all before; reading text is serial. Large data is better kept in binary
// files, which all processors read at once.
//
//===----------------------------------------------------------------------===//

#include "IO/Text/ArrayReader.h"

#include "Collective/Collective.h"
#include "IO/Text/ValueReader.h"

#include <cstring>

namespace zrt {

static constexpr int64_t ReadSlabBytes = 256 * 1024;

void makeStrings(Transport &transport, StringArena &arena,
                 std::vector<ValueReader::FoundString> &found) {
  std::vector<std::string> texts;
  for (ValueReader::FoundString &one : found)
    texts.push_back(std::move(one.text));
  broadcastStrings(transport, texts);
  for (size_t k = 0; k < texts.size(); ++k) {
    const char *string = arena.intern(texts[k]);
    if (k < found.size())
      std::memcpy(found[k].address, &string, sizeof string);
  }
  found.clear();
}

void readValue(Transport &transport, StringArena &arena, File &file,
               const zrt_type &type, void *address, const Format *format) {
  ValueReader reader(file.input, file.name());
  if (transport.rank() == 0)
    reader.read(type, address, format);
  if (hasStrings(type))
    makeStrings(transport, arena, reader.strings);
  if (type.size > 0)
    broadcast(transport, address, static_cast<size_t>(type.size));
}

void readArray(ArrayIO &io, StringArena &arena, File &file,
               const Format *format) {
  const zrt_type &type = *io.array.type;
  bool isFirst = io.transport.rank() == 0, strings = hasStrings(type);
  SlabSequence slabs(io.region,
                     ReadSlabBytes / std::max<int64_t>(type.size, 1));
  ValueReader reader(file.input, file.name());
  std::vector<char> elements;
  Box slab;
  while (slabs.next(slab)) {
    if (isFirst) {
      elements.assign(static_cast<size_t>(size(slab) * type.size), 0);
      for (int64_t k = 0; k < size(slab); ++k)
        reader.read(type, elements.data() + k * type.size, format);
    }
    if (strings)
      makeStrings(io.transport, arena, reader.strings);
    scatterSlab(io, slab, 0, elements.data());
  }
}

} // namespace zrt
