//===- Image.h - Arrays as pictures -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_IMAGE_IMAGE_H
#define ZRT_IO_IMAGE_IMAGE_H

#include "IO/File.h"
#include "IO/Slabs.h"

namespace zrt {

/// Writes an array of rank 2 as a whole file (`*.png`), a pixel per element,
/// the first row at the top, the least finite value in the first colour and the
/// greatest in the last. Collective; uses bounded memory on every processor.
void writeHeatMap(ArrayIO &io, File &file);

} // namespace zrt

#endif // ZRT_IO_IMAGE_IMAGE_H
