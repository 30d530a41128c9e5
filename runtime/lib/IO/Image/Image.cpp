//===- Image.cpp - Arrays as pictures -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `write(open("a.png", file_write), A)` makes a heat map in two passes:
//
// 1. every processor finds its least and greatest finite value; a reduction
//    makes them those of the array;
// 2. rows go to processor 0 in slabs; each element becomes one byte, its place
//    between the two as a colour (HeatColours), and goes into the picture
//    (PngWriter).
//
// Integers, booleans and enumerations are seen as doubles. The cost is that of
// compressing, by processor 0.
//
//===----------------------------------------------------------------------===//

#include "IO/Image/Image.h"

#include "Collective/Collective.h"
#include "IO/Image/PngWriter.h"
#include "Layout/Type.h"
#include "Memory/ElementView.h"
#include "Support/Error.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace zrt {

static constexpr int64_t ImageSlabBytes = 256 * 1024;

namespace {

template <typename T> double loadAs(const char *address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return static_cast<double>(value);
}

using Loader = double(const char *element);

/// How elements become doubles; null if they do not.
Loader *loaderOf(const zrt_type &type) {
  switch (kindOf(type)) {
  case ZRT_BOOL:
  case ZRT_CHAR:
  case ZRT_U8:
    return loadAs<uint8_t>;
  case ZRT_I8:
    return loadAs<int8_t>;
  case ZRT_I16:
    return loadAs<int16_t>;
  case ZRT_U16:
    return loadAs<uint16_t>;
  case ZRT_I32:
  case ZRT_ENUM:
    return loadAs<int32_t>;
  case ZRT_U32:
    return loadAs<uint32_t>;
  case ZRT_I64:
    return loadAs<int64_t>;
  case ZRT_U64:
    return loadAs<uint64_t>;
  case ZRT_F32:
    return loadAs<float>;
  case ZRT_F64:
    return loadAs<double>;
  case ZRT_F80:
    return loadAs<long double>;
  case ZRT_C32:
  case ZRT_C64:
  case ZRT_C80:
  case ZRT_STR:
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    return nullptr;
  }
  internalError(__FILE__, __LINE__, "kind of an element");
}

/// The least and the greatest finite value of the array.
struct Scale {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Scale findScale(ArrayIO &io, Loader *load) {
  Scale scale;
  Box held = io.held(io.region, io.transport.rank());
  ElementView view = viewOf(io.array, held);
  forEachLine(view.rank, view.count, 1, [&](const int64_t *at) {
    const char *row = addressIn(view, at);
    for (int64_t k = 0; k < view.count[1]; ++k) {
      double value = load(row + k * view.step[1]);
      if (!std::isfinite(value))
        continue;
      scale.low = std::min(scale.low, value);
      scale.high = std::max(scale.high, value);
    }
  });
  reduce(io.transport, &scale.low, ZRT_F64, ZRT_MIN);
  reduce(io.transport, &scale.high, ZRT_F64, ZRT_MAX);
  return scale;
}

/// Ends the run if there can be no picture of the array.
Loader *checkImage(const ArrayIO &io, const File &file) {
  Loader *load = loaderOf(*io.array.type);
  std::string reason;
  if (io.region.rank != 2)
    reason =
        "it needs an array of rank 2, not " + std::to_string(io.region.rank);
  else if (!load)
    reason = "it needs elements that are numbers, not of type " +
             typeText(*io.array.type);
  else if (isEmpty(io.region))
    reason = "there is no element in " + toString(io.covering);
  else if (size(io.region.dim[0]) > PngWriter::MostPixels ||
           size(io.region.dim[1]) > PngWriter::MostPixels)
    reason = toString(io.covering) + " has too many rows or columns";
  if (!reason.empty())
    fatal(file.loc(), ErrorScope::Replicated,
          "cannot write a heat map to %s: %s", file.name().c_str(),
          reason.c_str());
  return load;
}

} // namespace

void writeHeatMap(ArrayIO &io, File &file) {
  Loader *load = checkImage(io, file);
  Scale scale = findScale(io, load);
  bool isFirst = io.transport.rank() == 0;
  int64_t bytes = io.array.type->size, width = size(io.region.dim[1]);
  std::unique_ptr<PngWriter> picture;
  if (isFirst)
    picture = std::make_unique<PngWriter>(file, width, size(io.region.dim[0]),
                                          heatColours());
  SlabSequence slabs(io.region, ImageSlabBytes / bytes);
  std::vector<char> elements;
  std::vector<uint8_t> row; // slabs may end within one
  Box slab;
  while (slabs.next(slab)) {
    if (isFirst)
      elements.resize(static_cast<size_t>(size(slab) * bytes));
    gatherSlab(io, slab, 0, elements.data(), /*onRequest=*/true);
    for (int64_t k = 0; isFirst && k < size(slab); ++k) {
      row.push_back(
          colourOf(load(elements.data() + k * bytes), scale.low, scale.high));
      if (static_cast<int64_t>(row.size()) == width) {
        picture->writeRow(row.data());
        row.clear();
      }
    }
  }
  if (isFirst)
    picture->finish();
}

} // namespace zrt
