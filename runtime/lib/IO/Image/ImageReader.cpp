//===- ImageReader.cpp - Pictures as arrays -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The first read decodes the whole picture on processor 0, which keeps the
// pixels until their last colour is read: three arrays, `read(f, R, G, B)`, are
// three reads. Slabs of elements are filled there and scattered.
//
//     sample 64 of 255    ->    64 in an integer, 0.25098... in a double
//
//===----------------------------------------------------------------------===//

#include "IO/Image/Image.h"
#include "Layout/Type.h"
#include "Support/Error.h"

namespace zrt {

static constexpr int64_t PictureSlabBytes = 256 * 1024;

/// Ends the run if the picture does not fit the array.
static void checkFits(const ArrayIO &io, const File &file,
                      const ArrayFile &known, size_t numbers) {
  std::string reason;
  zrt_region region = fileRegion(io.covering, io.distribution);
  std::vector<int64_t> shape = shapeOf(region);
  if (numbers == 0)
    reason = "is a picture: it is read into numbers, or into records of three, "
             "not into elements of type " +
             typeText(*io.array.type);
  else if (shape != known.array.shape)
    reason = "has the shape " + numpyShape(known.array.shape) +
             ", rows and columns, but the region is " + toString(region) +
             ", of shape " + numpyShape(shape);
  else if (known.coloursRead == known.shape.colours)
    reason =
        known.shape.colours == 1
            ? "is a grey picture: it holds one array, which was read before"
            : "holds three colours, which were read before";
  else if (numbers == 3 && known.coloursRead > 0)
    reason = "has been read in part; records take all colours at once";
  if (!reason.empty())
    fatal(file.loc(), ErrorScope::Replicated, "%s %s", file.name().c_str(),
          reason.c_str());
}

/// Decodes the rest of the file, on processor 0.
static void decode(File &file, ArrayFile &known) {
  constexpr size_t Chunk = 64 * 1024;
  std::string all = std::move(known.start);
  for (size_t taken = Chunk; taken == Chunk;) {
    size_t before = all.size();
    all.resize(before + Chunk);
    taken = file.input.take(all.data() + before, Chunk);
    all.resize(before + taken);
  }
  known.pixels.shape = known.shape;
  std::string error = decodePng(all, known.pixels);
  if (!error.empty())
    fatal(file.loc(), ErrorScope::Replicated, "%s %s", file.name().c_str(),
          error.c_str());
}

/// Stores a pixel's samples in an element; ends the run if one does not fit.
static void storePixel(const ArrayIO &io, const File &file,
                       const ArrayFile &known,
                       const std::vector<PictureNumber> &numbers, int64_t pixel,
                       char *element) {
  int64_t row = pixel / known.shape.width, column = pixel % known.shape.width;
  for (size_t k = 0; k < numbers.size(); ++k) {
    int colour =
        known.shape.colours == 1 ? 0 : known.coloursRead + static_cast<int>(k);
    uint32_t sample = known.pixels.sample(row, column, colour);
    if (storeSample(numbers[k].element, element + numbers[k].offset, sample,
                    known.pixels.most()))
      continue;
    fatal(file.loc(), ErrorScope::Replicated,
          "%s holds %u at %s, which does not fit type %s", file.name().c_str(),
          sample, numpyShape({row, column}).c_str(),
          typeText(*io.array.type).c_str());
  }
}

void readPicture(ArrayIO &io, File &file) {
  ArrayFile &known = describe(io.transport, file);
  std::vector<PictureNumber> numbers = pictureNumbers(*io.array.type);
  checkFits(io, file, known, numbers.size());
  bool isFirst = io.transport.rank() == 0;
  if (isFirst && known.coloursRead == 0)
    decode(file, known);
  int64_t bytes = std::max<int64_t>(io.array.type->size, 1), pixel = 0;
  SlabSequence slabs(io.region, PictureSlabBytes / bytes);
  std::vector<char> elements;
  Box slab;
  while (slabs.next(slab)) {
    if (isFirst)
      elements.assign(static_cast<size_t>(size(slab) * bytes), 0);
    for (int64_t k = 0; isFirst && k < size(slab); ++k)
      storePixel(io, file, known, numbers, pixel++,
                 elements.data() + k * bytes);
    scatterSlab(io, slab, 0, elements.data());
  }
  known.coloursRead += numbers.size() == 3 ? known.shape.colours : 1;
  if (known.coloursRead == known.shape.colours)
    known.pixels.bytes.reset();
}

} // namespace zrt
