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
//    makes them those of the array. Where the range is fixed this is left out;
// 2. rows go to processor 0 in slabs; each element becomes a pixel, or several
//    (Painter), and goes into the picture.
//
// Three arrays of the same shape, `write(f, R, G, B)`, go the second way slab by
// slab side by side. Integers, booleans and enumerations are seen as doubles.
// The cost is that of compressing, by processor 0.
//
//===----------------------------------------------------------------------===//

#include "IO/Image/Image.h"

#include "Collective/Collective.h"
#include "Formats/Film.h"
#include "Layout/Type.h"
#include "Memory/ElementView.h"
#include "Support/Error.h"

namespace zrt {

static constexpr int64_t ImageSlabBytes = 256 * 1024;

std::vector<PictureNumber> pictureNumbers(const zrt_type &type) {
  std::optional<Element> whole = elementOf(type);
  if (whole)
    return isComplex(*whole) ? std::vector<PictureNumber>()
                             : std::vector<PictureNumber>{{0, *whole}};
  std::vector<PictureNumber> numbers;
  auto add = [&](int64_t offset, const zrt_type &part) {
    std::optional<Element> element = elementOf(part);
    if (element && !isComplex(*element))
      numbers.push_back({offset, *element});
  };
  bool isTriple = type.kind == ZRT_RECORD && type.count == 3;
  for (int32_t k = 0; isTriple && k < 3; ++k)
    add(type.fields[k].offset, *type.fields[k].type);
  if (type.kind == ZRT_ARRAY && type.size == 3 * type.element->size)
    for (int64_t k = 0; k < 3; ++k)
      add(k * type.element->size, *type.element);
  return numbers.size() == 3 ? numbers : std::vector<PictureNumber>();
}

namespace {

/// The numbers of a pixel: which array has each of them.
struct PixelPart {
  size_t array;
  int64_t offset;
  RealLoader *load;
};

/// What the picture is made of; ends the run if there can be none.
struct ImageSource {
  std::vector<PixelPart> parts;
  bool isIntegral = true;

  ImageSource(const std::vector<ArrayIO> &arrays, const File &file) {
    std::string reason = collect(arrays);
    const ArrayIO &first = arrays[0];
    if (reason.empty() && isEmpty(first.region))
      reason = "there is no element in " + toString(first.covering);
    if (reason.empty()) {
      const PictureStyle &style = const_cast<File &>(file).arrayFile().style;
      reason =
          checkPicture(style, static_cast<int>(parts.size()),
                       size(first.region.dim[0]), size(first.region.dim[1]));
      if (!reason.empty())
        reason = "it " + reason;
    }
    if (!reason.empty())
      fatal(file.loc(), ErrorScope::Replicated,
            "cannot write a picture to %s: %s", file.name().c_str(),
            reason.c_str());
  }

private:
  std::string collect(const std::vector<ArrayIO> &arrays) {
    for (size_t k = 0; k < arrays.size(); ++k) {
      const ArrayIO &io = arrays[k];
      if (io.region.rank != 2)
        return "it needs arrays of rank 2, not " +
               std::to_string(io.region.rank);
      std::vector<PictureNumber> numbers = pictureNumbers(*io.array.type);
      if (numbers.empty())
        return "it needs elements that are numbers or have three of them, not "
               "of type " +
               typeText(*io.array.type);
      for (const PictureNumber &number : numbers) {
        parts.push_back({k, number.offset, realLoader(number.element)});
        isIntegral &= !isFloating(number.element);
      }
      for (int d = 0; d < 2; ++d)
        if (size(io.region.dim[d]) != size(arrays[0].region.dim[d]))
          return "its arrays have different extents: " +
                 toString(arrays[0].covering) + " and " + toString(io.covering);
    }
    if (parts.size() == 1 || parts.size() == 3)
      return "";
    return "it is made of one array, or of three for red, green and blue, not "
           "of " +
           std::to_string(arrays.size());
  }
};

PictureRange findRange(ArrayIO &io, RealLoader *load) {
  PictureRange range;
  Box held = io.held(io.region, io.transport.rank());
  ElementView view = viewOf(io.array, held);
  forEachLine(view.rank, view.count, 1, [&](const int64_t *at) {
    const char *row = addressIn(view, at);
    for (int64_t k = 0; k < view.count[1]; ++k)
      range.include(load(row + k * view.step[1]));
  });
  reduce(io.transport, &range.low, ZRT_F64, ZRT_MIN);
  reduce(io.transport, &range.high, ZRT_F64, ZRT_MAX);
  return range;
}

/// Hands over what the painter has made, on processor 0; keeps it for a film.
void handOver(Painter &painter, File &file, std::string &frame) {
  if (!painter.error().empty())
    fatal(file.loc(), ErrorScope::Replicated, "%s", painter.error().c_str());
  if (file.isFilm())
    frame += painter.takeBytes();
  else
    file.write(painter.takeBytes());
}

/// Adds a picture to a film, on processor 0.
void addFrame(File &file, const std::string &frame) {
  int rate = filmRate(file.fileName().part);
  std::string reason =
      rate < 0 ? "has '" + file.fileName().part +
                     "' after the colon, but a film has 1 to 1000 pictures a "
                     "second"
      : !file.isRegular() ? "is no regular file, which a film must be"
                          : addToFilm(file.descriptor(), frame, rate);
  if (!reason.empty())
    fatal(file.loc(), ErrorScope::Replicated, "%s %s", file.name().c_str(),
          reason.c_str());
}

/// The next slab of one array, on processor 0 its elements.
struct Stream {
  SlabSequence slabs;
  Box slab = {};
  std::vector<char> elements = {};

  Stream(const ArrayIO &io, int64_t most) : slabs(io.region, most) {}
  bool next(ArrayIO &io) {
    if (!slabs.next(slab))
      return false;
    if (io.transport.rank() == 0)
      elements.resize(static_cast<size_t>(size(slab) * io.array.type->size));
    gatherSlab(io, slab, 0, elements.data(), /*onRequest=*/true);
    return true;
  }
};

} // namespace

/// Paints the slabs at hand, on processor 0.
static void paint(const std::vector<ArrayIO> &arrays, const ImageSource &source,
                  const std::vector<Stream> &streams, Painter &painter) {
  double values[3];
  for (int64_t k = 0, count = size(streams[0].slab); k < count; ++k) {
    for (size_t n = 0; n < source.parts.size(); ++n) {
      const PixelPart &part = source.parts[n];
      const char *element = streams[part.array].elements.data() +
                            k * arrays[part.array].array.type->size;
      values[n] = part.load(element + part.offset);
    }
    painter.add(values);
  }
}

void writePicture(std::vector<ArrayIO> &arrays, File &file) {
  ImageSource source(arrays, file);
  const PictureStyle &style = file.arrayFile().style;
  int numbers = static_cast<int>(source.parts.size());
  std::optional<PictureRange> fixed =
      rangeOf(style, numbers == 3, source.isIntegral);
  PictureRange range =
      fixed ? *fixed : findRange(arrays[0], source.parts[0].load);
  std::unique_ptr<Painter> painter;
  if (arrays[0].transport.rank() == 0)
    painter = std::make_unique<Painter>(style, numbers, range,
                                        size(arrays[0].region.dim[0]),
                                        size(arrays[0].region.dim[1]));
  int64_t bytes = 1;
  for (const ArrayIO &io : arrays)
    bytes = std::max(bytes, io.array.type->size);
  std::vector<Stream> streams;
  for (const ArrayIO &io : arrays)
    streams.emplace_back(io, ImageSlabBytes / bytes);
  std::string frame;
  for (bool more = true; more;) {
    for (size_t k = 0; k < arrays.size(); ++k)
      more = streams[k].next(arrays[k]);
    if (!more || !painter)
      continue;
    paint(arrays, source, streams, *painter);
    handOver(*painter, file, frame);
  }
  if (!painter)
    return;
  painter->finish();
  handOver(*painter, file, frame);
  if (file.isFilm())
    addFrame(file, frame);
}

} // namespace zrt
