//===- AbiInput.cpp - Entries for input -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// read, bread and eof: `while !eof(f) do read(f, x, A); end` calls
//
//     while (!zrtA_eof(f, &loc)) {
//       zrtA_read(f, NULL, &x, &real, &loc);
//       zrtA_read_array(f, NULL, &A, &R, &loc);
//     }
//
// What processor 0 reads all get, so that they go on alike.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"
#include "Entry/FileStatement.h"
#include "IO/Binary/BinaryArray.h"
#include "IO/Binary/Numpy.h"
#include "IO/Checkpoint/CheckpointFile.h"
#include "IO/Image/Image.h"
#include "IO/Matrix/MatrixFile.h"
#include "IO/Sparse/SparseFile.h"
#include "IO/Stored/StoredArray.h"
#include "IO/Table/Table.h"
#include "IO/Text/ArrayReader.h"
#include "Layout/Type.h"
#include "Support/Error.h"
#include "Support/Operation.h"

using namespace zrt;

/// Notes that the one array in \p file is read.
static void completeNumpy(File &file) {
  if (file.isComplete)
    fatal(file.loc(), ErrorScope::Replicated,
          "%s holds one array, which was read before", file.name().c_str());
  file.isComplete = true;
}

/// Says what \p reason says of \p file, once for a statement.
static void warn(const File &file, const std::string &reason) {
  Process &p = process();
  if (reason.empty() || !p.isFirst() || !p.files.isNewWarning(file.loc()))
    return;
  p.files.flush();
  printWarning(file.loc(), "%s %s", file.name().c_str(), reason.c_str());
}

/// Reads an array that is all that its file holds.
static void readWhole(ArrayIO &io, File &file) {
  if (file.kind() == File::Kind::Image)
    return readPicture(io, file);
  if (file.kind() == File::Kind::Matrix)
    return readMatrix(io, file);
  if (file.kind() == File::Kind::Table)
    return readTable(io, file);
  completeNumpy(file);
  warn(file, file.kind() == File::Kind::Store ? readStored(io, file)
                                              : readNumpy(io, file));
}

/// Reads a value of a store: an array of rank 0, or an attribute.
static void readStoredItem(File &file, const zrt_type &type, void *value) {
  Process &p = process();
  if (kindOf(type) == ZRT_STR) {
    collectSharedIfDue();
    std::string text = readStoredText(*p.transport, file);
    *static_cast<const char **>(value) = p.strings.shared.intern(text);
    return;
  }
  if (!isAttribute(file))
    completeNumpy(file);
  warn(file, readStoredValue(*p.transport, file, type, value));
}

/// Reads a sparse array at the indices of its own region.
static void readSparseItem(const zrt_array &array, const zrt_region &region,
                           File &file, zrt_file number, const char *format,
                           const zrt_loc *loc) {
  Process &p = process();
  checkSparseItem(array, region, file, loc);
  if (file.kind() == File::Kind::Matrix)
    return readSparseMatrix(*p.transport, array, file);
  if (zrt_element_io procedure = p.hooks.reader(array))
    return readSparseElements(*p.transport, array, number, procedure,
                              shareAlike);
  Format own;
  const Format *chosen = chooseFormat(format, *array.type, own, loc);
  collectSharedIfDue();
  readSparse(*p.transport, array, p.strings.shared, file, chosen);
}

extern "C" {

int32_t zrtA_eof(zrt_file file, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Input, loc);
  Process &p = process();
  File &source = p.files.reading(file, loc);
  int32_t ended = 0;
  if (p.isFirst()) {
    size_t ahead = 0;
    while (isBlank(source.input.peek(ahead)))
      ++ahead;
    ended = source.input.peek(ahead) == InputBuffer::End;
  }
  broadcast(*p.transport, &ended, sizeof ended);
  return ended;
}

void zrtA_read(zrt_file file, const char *format, void *value,
               const zrt_type *type, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Input, loc);
  Process &p = process();
  File &source = p.files.reading(file, loc);
  if (source.kind() == File::Kind::Numpy) {
    completeNumpy(source);
    return warn(source, readNumpyValue(*p.transport, source, *type, value));
  }
  if (source.kind() == File::Kind::Store)
    return readStoredItem(source, *type, value);
  checkPlain(source, loc);
  Format own;
  const Format *chosen = chooseFormat(format, *type, own, loc);
  collectSharedIfDue();
  readValue(*p.transport, p.strings.shared, source, *type, value, chosen);
}

void zrtA_read_array(zrt_file file, const char *format, zrt_array *array,
                     const zrt_region *region, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Input, loc);
  Process &p = process();
  File &source = p.files.reading(file, loc);
  if (region->is_sparse)
    return readSparseItem(*array, *region, source, file, format, loc);
  BlockCopy copy = writable(*array, *region, loc);
  zrt_region covering = inBlocks(*region);
  ArrayIO io = writesArray(*copy.array(), covering, loc);
  if (source.kind() != File::Kind::Plain) {
    readWhole(io, source);
  } else if (zrt_element_io procedure = p.hooks.reader(*array)) {
    readElements(io, file, procedure, shareAlike);
  } else {
    Format own;
    const Format *chosen = chooseFormat(format, *array->type, own, loc);
    collectSharedIfDue();
    readArray(io, p.strings.shared, source, chosen);
  }
  copy.store();
}

void zrtA_bread(zrt_file file, void *value, const zrt_type *type,
                const zrt_loc *loc) {
  OperationScope scope(OperationKind::Input, loc);
  Process &p = process();
  File &source = p.files.reading(file, loc);
  if (source.kind() == File::Kind::Checkpoint) {
    collectSharedIfDue();
    return readItemValue(*p.transport, p.strings.shared, source, *type, value);
  }
  checkImage(*type, loc);
  readImage(*p.transport, source, *type, value);
}

void zrtA_bread_array(zrt_file file, zrt_array *array, const zrt_region *region,
                      const zrt_loc *loc) {
  OperationScope scope(OperationKind::Input, loc);
  File &source = process().files.reading(file, loc);
  if (source.kind() == File::Kind::Checkpoint)
    return readStateArray(*array, *region, source, loc);
  checkImage(*array->type, loc);
  if (region->is_sparse) {
    checkSparseItem(*array, *region, source, loc);
    return readSparseImages(*process().transport, *array, source);
  }
  BlockCopy copy = writable(*array, *region, loc);
  zrt_region covering = inBlocks(*region);
  ArrayIO io = writesArray(*copy.array(), covering, loc);
  readImages(io, source);
  copy.store();
}

void zrtA_bind_read(zrt_array *array, zrt_element_io procedure) {
  process().hooks.setReader(*array, procedure);
}

void zrtA_bind_like(zrt_array *array, const zrt_array *like) {
  ElementHooks &hooks = process().hooks;
  hooks.setReader(*array, hooks.reader(*like));
  hooks.setWriter(*array, hooks.writer(*like));
}

} // extern "C"
