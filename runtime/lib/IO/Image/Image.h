//===- Image.h - Arrays as pictures -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_IMAGE_IMAGE_H
#define ZRT_IO_IMAGE_IMAGE_H

#include "IO/ArrayFile.h"
#include "IO/Slabs.h"

namespace zrt {

/// A number of an element: where it is, and of which type.
struct PictureNumber {
  int64_t offset;
  Element element;
};

/// The numbers of an element: itself, or the three of a record or indexed
/// array; none if it has others.
std::vector<PictureNumber> pictureNumbers(const zrt_type &type);

/// Writes arrays of rank 2 as one picture, a pixel per element, the first row at
/// the top: one of numbers, in the colours that the file's style says, or three
/// of numbers or one with three in each element, as red, green and blue.
/// Collective; uses bounded memory on every processor.
void writePicture(std::vector<ArrayIO> &arrays, File &file);

/// Reads the next colour of a picture into an array of numbers, or all three
/// into one with three in each element: samples as they are into integers, from
/// 0 to 1 into floating types. Collective; processor 0 keeps the pixels until
/// the last colour is read.
void readPicture(ArrayIO &io, File &file);

} // namespace zrt

#endif // ZRT_IO_IMAGE_IMAGE_H
