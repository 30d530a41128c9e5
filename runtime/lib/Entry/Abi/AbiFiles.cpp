//===- AbiFiles.cpp - Entries for files -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// File variables. `f := open("a.txt", file_write); close(f)` calls
//
//     f = zrtA_open("a.txt", ZRT_FILE_WRITE, &loc);
//     zrtA_close(f, &loc);
//
// All processors hold the same number; processor 0 does the work.
//
//===----------------------------------------------------------------------===//

#include "Entry/Process.h"
#include "IO/ArrayFile.h"
#include "IO/Checkpoint/CheckpointFile.h"
#include "Support/Error.h"
#include "Support/Operation.h"

using namespace zrt;

extern "C" {

zrt_file zrtA_open(const char *name, int32_t mode, const zrt_loc *loc) {
  OperationScope scope(OperationKind::File, loc);
  Process &p = process();
  return p.files.open(*p.transport, name, mode);
}

void zrtA_close(zrt_file file, const zrt_loc *loc) {
  OperationScope scope(OperationKind::File, loc);
  Process &p = process();
  File *open = p.files.openFile(file);
  if (open && open->kind() == File::Kind::Checkpoint) {
    open->setLocation(loc);
    finishCheckpoint(*p.transport, *open);
  }
  p.files.close(*p.transport, file, loc);
}

zrt_file zrtA_open_picture(const char *name, const char *colours,
                           int32_t isFixed, double low, double high,
                           int32_t scale, const zrt_loc *loc) {
  OperationScope scope(OperationKind::File, loc);
  Process &p = process();
  PictureStyle style;
  style.colours = colours;
  style.isFixed = isFixed != 0;
  style.low = low;
  style.high = high;
  style.scale = scale;
  std::string reason = checkStyle(style);
  if (!reason.empty())
    fatal(loc, ErrorScope::Replicated, "%s", reason.c_str());
  zrt_file number = p.files.open(*p.transport, name, ZRT_FILE_WRITE);
  if (File *file = p.files.openFile(number)) {
    file->becomePicture();
    file->arrayFile().style = style;
  }
  return number;
}

/// What the array in \p number is like; ends the run if it holds none.
static ArrayFile &described(zrt_file number, const zrt_loc *loc) {
  Process &p = process();
  File &file = p.files.reading(number, loc);
  if (file.kind() == File::Kind::Plain)
    fatal(loc, ErrorScope::Replicated,
          "%s has no shape: its name does not end as that of a format with "
          "shapes does, .npy, .csv, .h5, .hdf5, .nc, .vti, .pvd, .png or .mtx",
          file.name().c_str());
  return describe(*p.transport, file);
}

int32_t zrtA_file_rank(zrt_file number, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Input, loc);
  return static_cast<int32_t>(described(number, loc).array.shape.size());
}

int32_t zrtA_file_shape(zrt_file number, int32_t dim, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Input, loc);
  const ArrayFile &known = described(number, loc);
  const File &file = process().files.reading(number, loc);
  std::vector<int64_t> shape = known.array.shape;
  if (file.kind() == File::Kind::Image)
    shape.push_back(known.shape.colours);
  if (dim < 1 || dim > static_cast<int64_t>(shape.size()))
    fatal(loc, ErrorScope::Replicated,
          "%s has the shape %s: there is no dimension %d", file.name().c_str(),
          numpyShape(shape).c_str(), dim);
  int64_t extent = shape[static_cast<size_t>(dim) - 1];
  if (extent > INT32_MAX)
    fatal(loc, ErrorScope::Replicated,
          "%s has the shape %s: so many indices are no region",
          file.name().c_str(), numpyShape(shape).c_str());
  return static_cast<int32_t>(extent);
}

const char *zrtA_file_element(zrt_file number, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Input, loc);
  const ArrayFile &known = described(number, loc);
  return known.array.element ? nameOf(*known.array.element) : "";
}

int32_t zrtA_same_file(zrt_file a, zrt_file b) {
  return a == b || (FileTable::isNull(a) && FileTable::isNull(b));
}

} // extern "C"
