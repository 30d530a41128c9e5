//===- ArrayReader.h - Reading values and arrays of text --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_TEXT_ARRAYREADER_H
#define ZRT_IO_TEXT_ARRAYREADER_H

#include "IO/File.h"
#include "IO/Slabs.h"
#include "IO/Text/Format.h"
#include "IO/Text/ValueReader.h"
#include "Memory/StringArena.h"

namespace zrt {

/// Makes the strings that processor 0 has found on all, and stores them there.
/// Collective.
void makeStrings(Transport &transport, StringArena &arena,
                 std::vector<ValueReader::FoundString> &found);

/// Reads one value, the same on all processors afterwards. \p format is null
/// for the default. Collective.
void readValue(Transport &transport, StringArena &arena, File &file,
               const zrt_type &type, void *address, const Format *format);

/// Reads the elements of \p io in row-major order. Collective; uses bounded
/// memory on every processor.
void readArray(ArrayIO &io, StringArena &arena, File &file,
               const Format *format);

} // namespace zrt

#endif // ZRT_IO_TEXT_ARRAYREADER_H
