//===- AbiOutput.cpp - Entries for output and the end of a run ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// write, writeln and bwrite: `writeln("x = %d": x, A)` calls
//
//     zrtA_write(ZRT_ZOUT, "x = %d", &x, &integer, &loc);
//     zrtA_write_array(ZRT_ZOUT, NULL, &A, &R, &loc);
//     zrtA_write_text(ZRT_ZOUT, "\n", 1, &loc);
//     zrtA_written(ZRT_ZOUT);
//
// Scalars are replicated, so processor 0 alone formats and writes them; arrays
// are the work of all.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"
#include "Entry/FileStatement.h"
#include "Entry/RunEnd.h"
#include "IO/Binary/BinaryArray.h"
#include "IO/Binary/Numpy.h"
#include "IO/Checkpoint/CheckpointFile.h"
#include "IO/Image/Image.h"
#include "IO/Matrix/MatrixFile.h"
#include "IO/Sparse/SparseFile.h"
#include "IO/Stored/StoredArray.h"
#include "IO/Table/Table.h"
#include "IO/Text/ArrayWriter.h"
#include "IO/Text/ValueText.h"
#include "Layout/Type.h"
#include "Support/Error.h"
#include "Support/Operation.h"

using namespace zrt;

/// Notes that what a file of its own format holds is written.
static void completeWhole(File &file) {
  if (file.isFilm()) {
    file.isComplete = true; // and it may get another picture
    return;
  }
  bool isUsed = file.isComplete;
  // A store may get another array, and a table other rows.
  if (file.kind() != File::Kind::Store && file.kind() != File::Kind::Table &&
      !isUsed && process().isFirst() && file.isRegular())
    isUsed = file.position() != 0;
  if (isUsed)
    fatal(file.loc(), ErrorScope::Replicated,
          "%s is not empty: files of this kind hold one array",
          file.name().c_str());
  file.isComplete = true;
}

/// Writes an array as all that its file holds; of a picture it may be a part.
static void writeWhole(ArrayIO &io, File &file) {
  std::vector<PicturePart> &parts = file.arrayFile().parts;
  if (parts.empty())
    completeWhole(file);
  if (file.kind() == File::Kind::Numpy)
    return writeNumpy(io, file);
  if (file.kind() == File::Kind::Matrix)
    return writeMatrix(io, file);
  if (file.kind() == File::Kind::Store)
    return writeStored(io, file);
  parts.push_back({&io.array, io.covering});
}

/// Makes a picture or a table of the arrays that the statement has named.
static void finishParts(File &file) {
  OperationScope scope(OperationKind::Output, file.loc());
  Process &p = process();
  std::vector<PicturePart> parts;
  parts.swap(file.arrayFile().parts);
  std::vector<ArrayIO> arrays;
  for (const PicturePart &part : parts)
    arrays.push_back(
        {*p.transport, p.distribution(part.region), *part.array, part.region});
  if (file.kind() == File::Kind::Table)
    return writeTable(arrays, file);
  writePicture(arrays, file);
}

static void writeAsText(ArrayIO &io, File &file, zrt_file number,
                        const char *format, const zrt_loc *loc) {
  Process &p = process();
  if (zrt_element_io procedure = p.hooks.writer(io.array))
    return writeElements(io, file, number, procedure);
  Format own;
  const Format *chosen = chooseFormat(format, *io.array.type, own, loc);
  bool isError = number == ZRT_ZERR;
  if (isError)
    p.write(number, ""); // what was written before comes before it
  writeArray(io, file, chosen);
  if (isError)
    p.write(number, "");
}

/// Writes a sparse array at the indices of its own region.
static void writeSparseItem(const zrt_array &array, const zrt_region &region,
                            File &file, zrt_file number, const char *format,
                            const zrt_loc *loc) {
  Process &p = process();
  checkSparseItem(array, region, file, loc);
  if (file.kind() == File::Kind::Matrix) {
    completeWhole(file);
    return writeSparseMatrix(*p.transport, array, file);
  }
  if (zrt_element_io procedure = p.hooks.writer(array))
    return writeSparseElements(*p.transport, array, file, number, procedure);
  Format own;
  const Format *chosen = chooseFormat(format, *array.type, own, loc);
  bool isError = number == ZRT_ZERR;
  if (isError)
    p.write(number, ""); // as for dense ones
  writeSparse(*p.transport, array, file, chosen);
  if (isError)
    p.write(number, "");
}

extern "C" {

void zrtA_write_text(zrt_file file, const char *text, int64_t length,
                     const zrt_loc *loc) {
  OperationScope scope(OperationKind::Output, loc);
  Process &p = process();
  File &target = p.files.writing(file, loc);
  std::string_view all(text, static_cast<size_t>(length));
  if (target.isComplete && all == "\n")
    return; // writeln of a whole array
  if (target.kind() == File::Kind::Store && isAttribute(target)) {
    completeWhole(target);
    return writeStoredText(*p.transport, target, all);
  }
  checkPlain(target, loc);
  p.write(file, all);
}

void zrtA_write(zrt_file file, const char *format, const void *value,
                const zrt_type *type, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Output, loc);
  Process &p = process();
  File &target = p.files.writing(file, loc);
  if (target.kind() == File::Kind::Numpy) {
    completeWhole(target);
    return writeNumpyValue(*p.transport, target, *type, value);
  }
  if (target.kind() == File::Kind::Store) {
    completeWhole(target);
    if (kindOf(*type) == ZRT_STR)
      return writeStoredText(*p.transport, target,
                             *static_cast<const char *const *>(value));
    return writeStoredValue(*p.transport, target, *type, value);
  }
  checkPlain(target, loc);
  Format own;
  const Format *chosen = chooseFormat(format, *type, own, loc);
  if (!p.isFirst())
    return;
  std::string text;
  appendValue(text, *type, value, chosen, false);
  p.files.write(file, text);
}

void zrtA_write_array(zrt_file file, const char *format, const zrt_array *array,
                      const zrt_region *region, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Output, loc);
  Process &p = process();
  File &target = p.files.writing(file, loc);
  if (region->is_sparse)
    return writeSparseItem(*array, *region, target, file, format, loc);
  auto copy = std::make_shared<BlockCopy>(readable(*array, *region, loc));
  zrt_region covering = inBlocks(*region);
  ArrayIO io = readsArray(*copy->array(), covering, loc);
  if (target.kind() == File::Kind::Plain)
    return writeAsText(io, target, file, format, loc);
  writeWhole(io, target);
  p.pictured.push_back(std::move(copy));
}

void zrtA_bwrite(zrt_file file, const void *value, const zrt_type *type,
                 const zrt_loc *loc) {
  OperationScope scope(OperationKind::Output, loc);
  Process &p = process();
  File &target = p.files.writing(file, loc);
  if (target.kind() == File::Kind::Checkpoint)
    return writeItemValue(*p.transport, target, *type, value);
  checkImage(*type, loc);
  writeImage(*p.transport, target, *type, value);
}

void zrtA_bwrite_array(zrt_file file, const zrt_array *array,
                       const zrt_region *region, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Output, loc);
  File &target = process().files.writing(file, loc);
  if (target.kind() == File::Kind::Checkpoint)
    return writeStateArray(*array, *region, target, loc);
  checkImage(*array->type, loc);
  if (region->is_sparse) {
    checkSparseItem(*array, *region, target, loc);
    return writeSparseImages(*process().transport, *array, target);
  }
  BlockCopy copy = readable(*array, *region, loc);
  zrt_region covering = inBlocks(*region);
  ArrayIO io = readsArray(*copy.array(), covering, loc);
  writeImages(io, target);
}

void zrtA_written(zrt_file file) {
  Process &p = process();
  File *target = p.files.openFile(file);
  if (target && target->kind() != File::Kind::Plain &&
      !target->arrayFile().parts.empty())
    finishParts(*target);
  p.pictured.clear();
  if (!p.isFirst())
    return;
  // A statement of an array's own procedure is part of the array's statement.
  if (operationState().inside)
    p.files.deferHandOver(file);
  else
    p.files.handOver(file);
}

void zrtA_bind_write(zrt_array *array, zrt_element_io procedure) {
  process().hooks.setWriter(*array, procedure);
}

void zrtA_halt(int32_t status, const zrt_loc *loc) {
  Process &p = process();
  {
    OperationScope scope(OperationKind::End, loc);
    p.write(ZRT_ZERR, p.tuning.finish());
    if (p.isFirst())
      p.files.flush();
    barrier(*p.transport); // what was written is out
  }
  if (status < 1 || status > 255)
    fatal(loc, ErrorScope::Replicated,
          "the status of 'halt' is %d, and must be 1 to 255",
          static_cast<int>(status));
  p.observation.finish();
  offerError(p.name + ": halted with status " + std::to_string(status) + '\n',
             /*replicated=*/true, status);
  abortRun(status);
}

void zrtA_missing_return(const char *name, const zrt_loc *loc) {
  fatal(loc, ErrorScope::Replicated, "function %s ended without return", name);
}

} // extern "C"
