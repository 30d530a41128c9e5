//===- Texts.cpp - Values with strings in checkpoints ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A string in memory is a pointer. Two records with the strings "tea" and "" are
//
//     | 3, as 8 bytes | price | tea | 0, as 8 bytes | price |
//
// in a file. Strings must be at the same addresses on all processors, so each of
// them makes those that processor 0 has read, in the same order.
//
//===----------------------------------------------------------------------===//

#include "IO/Checkpoint/Texts.h"

#include "Collective/Collective.h"
#include "Formats/Checkpoint.h"
#include "IO/Binary/BinaryArray.h"
#include "IO/Text/ArrayReader.h"
#include "Layout/Type.h"

#include <cstring>

namespace zrt {

static constexpr int64_t TextSlabBytes = 256 * 1024;

static std::string imageFieldsText(const zrt_type &type) {
  std::string text = type.kind == ZRT_RECORD ? "record " : "union ";
  for (int32_t k = 0; k < type.count; ++k)
    text += std::string(type.fields[k].name) + ": " +
            imageTypeText(*type.fields[k].type) + "; ";
  return text + "end";
}

std::string imageTypeText(const zrt_type &type) {
  if (type.kind == ZRT_RECORD || type.kind == ZRT_UNION)
    return imageFieldsText(type);
  if (type.kind == ZRT_ENUM) {
    std::string text = "(";
    for (int32_t k = 0; k < type.count; ++k)
      text += (k == 0 ? "" : ", ") + std::string(type.enumerators[k].name) +
              " = " + std::to_string(type.enumerators[k].value);
    return text + ")";
  }
  if (type.kind != ZRT_ARRAY)
    return type.name;
  std::string text = "array [";
  for (int32_t d = 0; d < type.count; ++d)
    text += (d == 0 ? "" : ", ") + std::to_string(type.bounds[d].lo) + ".." +
            std::to_string(type.bounds[d].hi);
  return text + "] of " + imageTypeText(*type.element);
}

/// Calls \p visit with the place of each string in a value, in order.
template <typename Visit>
static void forEachString(const zrt_type &type, char *value, Visit visit) {
  if (type.kind == ZRT_STR)
    return visit(value);
  if (type.kind == ZRT_RECORD)
    for (int32_t k = 0; k < type.count; ++k)
      forEachString(*type.fields[k].type, value + type.fields[k].offset, visit);
  if (type.kind != ZRT_ARRAY || type.element->size == 0)
    return;
  for (int64_t k = 0; k < type.size / type.element->size; ++k)
    forEachString(*type.element, value + k * type.element->size, visit);
}

std::string imagesWithTexts(const zrt_type &type, const char *values,
                            int64_t count) {
  std::string all;
  for (int64_t k = 0; k < count; ++k) {
    std::string image(values + k * type.size, static_cast<size_t>(type.size));
    std::string texts;
    forEachString(type, image.data(), [&](char *place) {
      const char *string;
      std::memcpy(&string, place, sizeof string);
      int64_t length = string ? static_cast<int64_t>(std::strlen(string)) : 0;
      std::memcpy(place, &length, sizeof length);
      if (length > 0)
        texts.append(string, static_cast<size_t>(length));
    });
    all += image + texts;
  }
  return all;
}

/// Takes bytes of the item at hand. On processor 0.
static void takeBytes(File &file, char *to, int64_t bytes) {
  auto wanted = static_cast<size_t>(bytes);
  size_t found = file.input.take(to, wanted);
  if (found < wanted)
    failShort(file, static_cast<int64_t>(found), bytes);
  file.itemSum->append(to, wanted);
}

/// Takes the text whose length stands at \p place.
static ValueReader::FoundString takeText(File &file, char *place) {
  constexpr int64_t Most = 1 << 16; // a wrong length takes no memory
  int64_t length;
  std::memcpy(&length, place, sizeof length);
  ValueReader::FoundString found = {"", place};
  for (int64_t done = 0; done < length;) {
    int64_t some = std::min(length - done, Most);
    found.text.resize(static_cast<size_t>(done + some));
    takeBytes(file, found.text.data() + done, some);
    done += some;
  }
  return found;
}

void readImagesWithTexts(Transport &transport, StringArena &arena, File &file,
                         const zrt_type &type, char *values, int64_t count) {
  std::vector<ValueReader::FoundString> strings;
  for (int64_t k = 0; k < count && transport.rank() == 0; ++k) {
    char *value = values + k * type.size;
    takeBytes(file, value, type.size);
    forEachString(type, value, [&](char *place) {
      strings.push_back(takeText(file, place));
    });
  }
  makeStrings(transport, arena, strings);
}

/// Goes through the region slab by slab, with room for one on processor 0.
template <typename Work> static void forEachTextSlab(ArrayIO &io, Work work) {
  const int64_t bytes = io.array.type->size;
  SlabSequence slabs(io.region, TextSlabBytes / bytes);
  std::vector<char> buffer;
  Box slab;
  while (slabs.next(slab)) {
    if (io.transport.rank() == 0)
      buffer.resize(static_cast<size_t>(size(slab) * bytes));
    work(slab, buffer.data());
  }
}

void writeTexts(ArrayIO &io, File &file) {
  forEachTextSlab(io, [&](const Box &slab, char *buffer) {
    gatherSlab(io, slab, 0, buffer, /*onRequest=*/true);
    if (io.transport.rank() == 0)
      file.write(imagesWithTexts(*io.array.type, buffer, size(slab)));
  });
}

void readTexts(ArrayIO &io, StringArena &arena, File &file) {
  forEachTextSlab(io, [&](const Box &slab, char *buffer) {
    readImagesWithTexts(io.transport, arena, file, *io.array.type, buffer,
                        size(slab));
    scatterSlab(io, slab, 0, buffer);
  });
}

} // namespace zrt
