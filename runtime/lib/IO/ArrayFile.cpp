//===- ArrayFile.cpp - Files that hold one array --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may ask for the shape of an array before it reads it:
//
//     f := open("a.npy", file_read);
//     region R = [1..shape(f, 1), 1..shape(f, 2)];
//
// so the header is taken once, by the first question or by the read. Processor
// 0 tells the others what it says.
//
//===----------------------------------------------------------------------===//

#include "IO/ArrayFile.h"

#include "Collective/Collective.h"
#include "IO/Slabs.h"
#include "IO/Stored/StoredArray.h"
#include "IO/Table/Table.h"
#include "Layout/Box.h"
#include "Layout/Type.h"
#include "Support/Error.h"

namespace zrt {

/// On processor 0; the reason of a failure, or "".
static std::string startMatrix(File &file, ArrayFile &known) {
  known.reader = std::make_unique<MatrixReader>(
      [&file](char *to, size_t count) { return file.input.take(to, count); });
  if (!known.reader->start(known.matrix))
    return known.reader->error();
  known.isAtStart = true;
  known.array.shape = {known.matrix.rows, known.matrix.columns};
  known.array.element = elementOf(known.matrix.field);
  return "";
}

void restartMatrix(File &file, ArrayFile &known) {
  if (!known.isAtStart) {
    if (!file.isRegular())
      fatal(file.loc(), ErrorScope::Replicated,
            "%s was read before, and cannot be read again: it is no regular "
            "file",
            file.name().c_str());
    file.setPosition(0);
    std::string reason = startMatrix(file, known);
    if (!reason.empty())
      fatal(file.loc(), ErrorScope::Replicated, "%s %s", file.name().c_str(),
            reason.c_str());
  }
  known.isAtStart = false;
}

/// On processor 0; the reason of a failure, or "".
static std::string takeStart(File &file, ArrayFile &known) {
  if (file.kind() == File::Kind::Matrix)
    return startMatrix(file, known);
  if (file.kind() == File::Kind::Store)
    return findStored(file, known);
  if (file.kind() == File::Kind::Table)
    return findTable(file, known);
  auto source = [&](char *to, size_t count) {
    return file.input.take(to, count);
  };
  if (file.kind() == File::Kind::Numpy) {
    const char *reason = takeNumpyHeader(source, known.array);
    return reason ? reason : "";
  }
  known.start.resize(PngStartBytes);
  known.start.resize(source(known.start.data(), PngStartBytes));
  if (const char *reason = readPngStart(known.start, known.shape))
    return std::string(reason);
  known.array.shape = {known.shape.height, known.shape.width};
  known.array.element = known.shape.bits == 8 ? Element::U8 : Element::U16;
  return "";
}

/// Gives all processors what processor 0 knows.
static void broadcastArray(Transport &transport, ArrayFile &known) {
  NumpyArray &array = known.array;
  std::vector<int64_t> numbers = {
      array.element ? static_cast<int64_t>(*array.element) : -1,
      array.isSwapped,
      array.isFortran,
      known.shape.width,
      known.shape.height,
      known.shape.bits,
      known.shape.colours,
      known.matrix.field,
      known.matrix.symmetry,
      known.matrix.isSparse,
      known.matrix.entries,
      known.stored.offset,
      known.stored.lacksOnes};
  constexpr size_t Fixed = 13;
  numbers.insert(numbers.end(), array.shape.begin(), array.shape.end());
  int64_t count = static_cast<int64_t>(numbers.size());
  broadcast(transport, &count, sizeof count);
  numbers.resize(static_cast<size_t>(count));
  broadcast(transport, numbers.data(), numbers.size() * sizeof(int64_t));
  array.element = std::nullopt;
  if (numbers[0] >= 0)
    array.element = static_cast<Element>(numbers[0]);
  array.isSwapped = numbers[1] != 0;
  array.isFortran = numbers[2] != 0;
  known.shape = {numbers[3], numbers[4], static_cast<int>(numbers[5]),
                 static_cast<int>(numbers[6])};
  known.matrix.field = static_cast<MatrixKind::Field>(numbers[7]);
  known.matrix.symmetry = static_cast<MatrixKind::Symmetry>(numbers[8]);
  known.matrix.isSparse = numbers[9] != 0;
  known.matrix.entries = numbers[10];
  known.stored.offset = numbers[11];
  known.stored.lacksOnes = numbers[12] != 0;
  array.shape.assign(numbers.begin() + Fixed, numbers.end());
  std::vector<std::string> texts = {array.descr, known.stored.path};
  broadcastStrings(transport, texts);
  array.descr = texts[0];
  known.stored.path = texts[1];
}

ArrayFile &describe(Transport &transport, File &file) {
  ArrayFile &known = file.arrayFile();
  if (known.isDescribed)
    return known;
  if (transport.rank() == 0)
    if (std::string reason = takeStart(file, known); !reason.empty())
      fatal(file.loc(), ErrorScope::Replicated, "%s %s", file.name().c_str(),
            reason.c_str());
  broadcastArray(transport, known);
  known.isDescribed = true;
  return known;
}

std::optional<Element> elementOf(const zrt_type &type) {
  switch (kindOf(type)) {
  case ZRT_BOOL:
    return Element::Bool;
  case ZRT_CHAR:
  case ZRT_U8:
    return Element::U8;
  case ZRT_I8:
    return Element::I8;
  case ZRT_I16:
    return Element::I16;
  case ZRT_U16:
    return Element::U16;
  case ZRT_I32:
  case ZRT_ENUM:
    return Element::I32;
  case ZRT_U32:
    return Element::U32;
  case ZRT_I64:
    return Element::I64;
  case ZRT_U64:
    return Element::U64;
  case ZRT_F32:
    return Element::F32;
  case ZRT_F64:
    return Element::F64;
  case ZRT_F80:
    return Element::F80;
  case ZRT_C32:
    return Element::C32;
  case ZRT_C64:
    return Element::C64;
  case ZRT_C80:
    return Element::C80;
  case ZRT_STR:
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    return std::nullopt;
  }
  internalError(__FILE__, __LINE__, "kind of an element");
}

std::vector<int64_t> shapeOf(const zrt_region &region) {
  Box box = boxOf(region);
  std::vector<int64_t> shape;
  for (int d = 0; d < box.rank; ++d)
    shape.push_back(size(box.dim[d]));
  return shape;
}

} // namespace zrt
