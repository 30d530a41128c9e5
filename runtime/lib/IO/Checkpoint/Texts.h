//===- Texts.h - Values with strings in checkpoints -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_CHECKPOINT_TEXTS_H
#define ZRT_IO_CHECKPOINT_TEXTS_H

#include "IO/File.h"
#include "IO/Slabs.h"
#include "Memory/StringArena.h"

namespace zrt {

/// A type with all that it is made of: "record x: double; s: string; end".
std::string imageTypeText(const zrt_type &type);

/// The images of \p count values, in which lengths stand for strings, each with
/// the bytes of these behind it.
std::string imagesWithTexts(const zrt_type &type, const char *values,
                            int64_t count);

/// Reads those into \p values on processor 0; all processors get the strings.
/// Collective. A file that ends before ends the run.
void readImagesWithTexts(Transport &transport, StringArena &arena, File &file,
                         const zrt_type &type, char *values, int64_t count);

/// The same for the elements of an array, slab by slab, through processor 0.
void writeTexts(ArrayIO &io, File &file);
void readTexts(ArrayIO &io, StringArena &arena, File &file);

} // namespace zrt

#endif // ZRT_IO_CHECKPOINT_TEXTS_H
