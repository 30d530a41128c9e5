//===- ConvertedArray.cpp - Arrays of other types and orders --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processor 0 takes the file in its order, slab by slab, makes each slab what
// the program wants, and scatters it. In Fortran's order the file is that of
// the array with its dimensions turned around, so its slabs are boxes that
// follow each other there:
//
//     file of shape (4, 3), Fortran's order      slabs of 4 elements
//
//         0 4  8        slab 1: the column 0 1 2 3, scattered as [1..4, 1]
//         1 5  9        slab 2: the column 4 5 6 7
//         2 6 10
//         3 7 11
//
// Memory: a slab in both forms. Cost: one processor's work per element.
//
//===----------------------------------------------------------------------===//

#include "IO/Binary/ConvertedArray.h"

#include "IO/Binary/BinaryArray.h"
#include "Layout/Type.h"
#include "Support/Error.h"

#include <cstring>

namespace zrt {

static constexpr int64_t ConvertedSlabElements = 64 * 1024;

namespace {

/// Where elements come from, on processor 0.
struct ElementSource {
  File &file;
  const zrt_type &type;
  const NumpyArray &found;
  Element from, to;
  int64_t done = 0, all = 1; ///< elements of the file
  std::vector<char> bytes = {};

  ElementSource(File &file, const zrt_type &type, const NumpyArray &found)
      : file(file), type(type), found(found), from(*found.element),
        to(*elementOf(type)) {
    for (int64_t extent : found.shape)
      all *= extent;
  }
};

} // namespace

/// Element number \p number of the file as NumPy's index, "(2, 0)".
static std::string indexText(const NumpyArray &found, int64_t number) {
  std::vector<int64_t> index(found.shape.size());
  size_t rank = index.size();
  for (size_t k = 0; k < rank; ++k) {
    size_t d = found.isFortran ? k : rank - 1 - k; // the fastest first
    index[d] = number % found.shape[d];
    number /= found.shape[d];
  }
  return numpyShape(index);
}

[[noreturn]] static void failRange(const ElementSource &c, int64_t number,
                                   const char *element) {
  fatal(c.file.loc(), ErrorScope::Replicated,
        "%s holds %.17g at %s, which does "
        "not fit type %s",
        c.file.name().c_str(), realLoader(c.from)(element),
        indexText(c.found, number).c_str(), typeText(c.type).c_str());
}

/// The elements of \p slab from a store where they do not lie together.
static void loadElements(ElementSource &c, const ArrayIO *io, const Box &slab) {
  int64_t first[ZRT_MAX_RANK + 1] = {}, count[ZRT_MAX_RANK + 1] = {};
  // Extents of 1 at the front may be missing in the file.
  int skipped = slab.rank - static_cast<int>(c.found.shape.size());
  for (int d = skipped; d < slab.rank; ++d) {
    const Seq &all = io->region.dim[d];
    first[d - skipped] = (slab.dim[d].lo - all.lo) / all.stride;
    count[d - skipped] = size(slab.dim[d]);
  }
  std::string reason =
      c.file.arrayFile().store->load(first, count, c.bytes.data());
  if (!reason.empty())
    fatal(c.file.loc(), ErrorScope::Replicated, "%s %s", c.file.name().c_str(),
          reason.c_str());
}

/// Takes the next elements of the file, those of \p slab, in our byte order.
static void takeElements(ElementSource &c, const ArrayIO *io, const Box &slab) {
  int64_t each = static_cast<int64_t>(sizeOf(c.from)), count = size(slab);
  c.bytes.resize(static_cast<size_t>(count * each));
  if (c.file.kind() == File::Kind::Store &&
      c.file.arrayFile().stored.offset < 0)
    return loadElements(c, io, slab);
  size_t taken = c.file.input.take(c.bytes.data(), c.bytes.size());
  if (taken < c.bytes.size())
    failShort(c.file, c.done * each + static_cast<int64_t>(taken),
              c.all * each);
  if (c.found.isSwapped)
    swapBytes(c.from, c.bytes.data(), static_cast<size_t>(count));
}

/// Takes the next element into \p target.
static void storeElement(ElementSource &c, int64_t place, char *target) {
  const char *element =
      c.bytes.data() + place * static_cast<int64_t>(sizeOf(c.from));
  if (!convert(c.from, element, c.to, target))
    failRange(c, c.done + place, element);
}

/// Calls \p body with the number of each element of \p slab in the order of the
/// file, from 0, and its place in bytes in row-major order.
template <typename Body>
static void forPlaces(const Box &slab, int64_t each, bool isFortran,
                      Body body) {
  int64_t stride[ZRT_MAX_RANK], at[ZRT_MAX_RANK] = {};
  int64_t inner = each;
  for (int d = slab.rank - 1; d >= 0; --d) {
    stride[d] = inner;
    inner *= size(slab.dim[d]);
  }
  int64_t place = 0, count = size(slab);
  for (int64_t k = 0; k < count; ++k) {
    body(k, place);
    int d = isFortran ? 0 : slab.rank - 1;
    int step = isFortran ? 1 : -1;
    for (; d >= 0 && d < slab.rank; d += step) {
      place += stride[d];
      if (++at[d] < size(slab.dim[d]))
        break;
      place -= at[d] * stride[d];
      at[d] = 0;
    }
  }
}

/// Fills \p buffer, in row-major order of \p slab, whose elements follow each
/// other in the file.
static void fillSlab(ElementSource &c, const ArrayIO &io, const Box &slab,
                     char *buffer) {
  int64_t count = size(slab), each = c.type.size;
  takeElements(c, &io, slab);
  forPlaces(slab, each, c.found.isFortran, [&](int64_t k, int64_t place) {
    storeElement(c, k, buffer + place);
  });
  adoptImages(c.file, c.type, buffer, count, c.done * each);
  c.done += count;
}

/// \p box with its dimensions in the other order.
static Box turned(const Box &box) {
  Box result = box;
  for (int d = 0; d < box.rank; ++d)
    result.dim[d] = box.dim[box.rank - 1 - d];
  return result;
}

void readConverted(ArrayIO &io, File &file, const NumpyArray &found) {
  bool isFirst = io.transport.rank() == 0;
  ElementSource source(file, *io.array.type, found);
  SlabSequence slabs(found.isFortran ? turned(io.region) : io.region,
                     ConvertedSlabElements);
  std::vector<char> buffer;
  Box slab;
  while (slabs.next(slab)) {
    Box own = found.isFortran ? turned(slab) : slab;
    if (isFirst) {
      buffer.resize(static_cast<size_t>(size(own) * io.array.type->size));
      fillSlab(source, io, own, buffer.data());
    }
    scatterSlab(io, own, 0, buffer.data());
  }
}

void writeTurned(ArrayIO &io, File &file) {
  bool isFirst = io.transport.rank() == 0;
  int64_t each = io.array.type->size;
  SlabSequence slabs(turned(io.region), ConvertedSlabElements);
  std::vector<char> buffer, bytes;
  Box slab;
  while (slabs.next(slab)) {
    Box own = turned(slab);
    if (isFirst)
      buffer.resize(static_cast<size_t>(size(own) * each));
    gatherSlab(io, own, 0, buffer.data(), /*onRequest=*/true);
    if (!isFirst)
      continue;
    bytes.resize(buffer.size());
    forPlaces(own, each, /*isFortran=*/true, [&](int64_t k, int64_t place) {
      std::memcpy(bytes.data() + k * each, buffer.data() + place,
                  static_cast<size_t>(each));
    });
    file.write({bytes.data(), bytes.size()});
  }
}

void takeConverted(File &file, const zrt_type &type, const NumpyArray &found,
                   void *value) {
  ElementSource source(file, type, found);
  takeElements(source, nullptr, emptyBox(0));
  storeElement(source, 0, static_cast<char *>(value));
  adoptImages(file, type, static_cast<char *>(value), 1, 0);
}

} // namespace zrt
