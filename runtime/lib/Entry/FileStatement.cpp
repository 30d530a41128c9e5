//===- FileStatement.cpp - What file entries have in common ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The checks before a file is touched. `write(f, "%d": A)` needs a format that
// fits the elements of A, a region within A and a file open for writing; all
// processors see the same, so all stop at the same point.
//
//===----------------------------------------------------------------------===//

#include "Entry/FileStatement.h"

#include "Entry/Sparse/SparseRegions.h"
#include "IO/Binary/BinaryArray.h"
#include "Support/Error.h"

namespace zrt {

const Format *chooseFormat(const char *text, const zrt_type &type, Format &own,
                           const zrt_loc *loc) {
  std::string error;
  if (!hasText(type, error) || (text && !parseFormat(text, type, own, error)))
    fatal(loc, ErrorScope::Replicated, "%s", error.c_str());
  return text ? &own : nullptr;
}

void checkImage(const zrt_type &type, const zrt_loc *loc) {
  std::string error;
  if (!hasImage(type, error))
    fatal(loc, ErrorScope::Replicated, "%s", error.c_str());
}

/// What a file of kind \p kind is, and what it holds.
static const char *descriptionOf(File::Kind kind) {
  switch (kind) {
  case File::Kind::Plain:
    return "plain: it holds anything";
  case File::Kind::Numpy:
    return "in NumPy's format: it holds one array";
  case File::Kind::Image:
    return "a picture: it holds parallel arrays";
  case File::Kind::Matrix:
    return "in Matrix Market's format: it holds one parallel array";
  case File::Kind::Table:
    return "a table: it holds parallel arrays";
  case File::Kind::Store:
    return "a file of arrays with names: this one is an array";
  case File::Kind::Checkpoint:
    return "a checkpoint: it holds a program's state";
  }
  internalError(__FILE__, __LINE__, "kind of a file");
}

void checkPlain(const File &file, const zrt_loc *loc) {
  // Lines of a table may be written and read as text.
  if (file.kind() != File::Kind::Plain && file.kind() != File::Kind::Table)
    fatal(loc, ErrorScope::Replicated, "%s is %s and nothing else",
          file.name().c_str(), descriptionOf(file.kind()));
}

void checkSparseItem(const zrt_array &array, const zrt_region &region,
                     const File &file, const zrt_loc *loc) {
  usable(region, loc);
  ZRT_CHECK(hasPattern(array, patternOf(region.pattern)));
  if (file.kind() != File::Kind::Plain && file.kind() != File::Kind::Matrix &&
      file.kind() != File::Kind::Checkpoint)
    fatal(loc, ErrorScope::Replicated,
          "cannot %s %s in a sparse scope: its indices are not those of an "
          "array",
          file.access() == File::Access::Write ? "write to" : "read from",
          file.name().c_str());
}

static ArrayIO surroundings(const zrt_array &array, const zrt_region &region) {
  Process &p = process();
  return {*p.transport, p.distribution(region), array, region};
}

static const char *nameOf(const zrt_array &array) {
  return array.name ? array.name : "array";
}

BlockCopy readable(const zrt_array &array, const zrt_region &region,
                   const zrt_loc *loc) {
  if (process().domains.isScattered(array.region))
    zrtA_check_read(&array, &region, nullptr, nameOf(array), loc);
  return BlockCopy(&array, region, loc);
}

BlockCopy writable(const zrt_array &array, const zrt_region &region,
                   const zrt_loc *loc) {
  if (process().domains.isScattered(array.region))
    zrtA_check_write(&array, &region, nullptr, nameOf(array), loc);
  return BlockCopy(&array, region, loc);
}

ArrayIO readsArray(const zrt_array &array, const zrt_region &region,
                   const zrt_loc *loc) {
  zrtA_check_read(&array, &region, nullptr, nameOf(array), loc);
  return surroundings(array, region);
}

ArrayIO writesArray(const zrt_array &array, const zrt_region &region,
                    const zrt_loc *loc) {
  zrtA_check_write(&array, &region, nullptr, nameOf(array), loc);
  return surroundings(array, region);
}

} // namespace zrt
