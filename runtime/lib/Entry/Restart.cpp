//===- Restart.cpp - A program goes on from a checkpoint ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     ./heat -p4 --restart=run.ck -ssteps=2000
//
// The program starts as always, but where a config variable is declared it gets
// its value from the checkpoint, unless the command line gives it. So regions
// have the bounds that they had. `restart()` then reads the rest: Sema makes a
// procedure of it (lib/Sema/Statements/Checkpoints.cpp).
//
//===----------------------------------------------------------------------===//

#include "Entry/Restart.h"

#include "Entry/FileStatement.h"
#include "IO/Checkpoint/CheckpointFile.h"
#include "Support/Error.h"
#include "Support/Operation.h"

namespace zrt {

zrt_file restartFile(const zrt_loc *loc) {
  Process &p = process();
  if (p.restart.file != ZRT_ZNULL)
    return p.restart.file;
  p.restart.file =
      openCheckpoint(*p.transport, p.files, p.options.restartFile, loc);
  File &file = p.files.reading(p.restart.file, loc);
  for (int64_t k = 0; k < p.program.config_count; ++k)
    noteTaken(file, p.program.configs[k].name);
  return p.restart.file;
}

bool restoreConfig(int64_t number, void *address) {
  Process &p = process();
  if (p.options.restartFile.empty())
    return false;
  OperationScope scope(OperationKind::Input, nullptr);
  const zrt_config &config = p.program.configs[number];
  File &file = p.files.reading(restartFile(nullptr), nullptr);
  beginItem(*p.transport, file, config.name);
  readItemValue(*p.transport, p.strings.shared, file, *config.type, address);
  return true;
}

/// The regions over which \p array is stored, if \p region is what it is
/// declared over.
static std::vector<zrt_region> partsOf(const zrt_array &array,
                                       const zrt_region &region) {
  std::vector<zrt_region> parts = {region};
  if (boxOf(region) == boxOf(array.region))
    parts.insert(parts.end(), array.borders,
                 array.borders + array.border_count);
  return parts;
}

static std::string shapeOf(const std::vector<zrt_region> &parts) {
  Process &p = process();
  std::string text;
  for (const zrt_region &part : parts)
    text += (text.empty() ? "" : " and ") +
            shapeText(fileRegion(part, p.distribution(inBlocks(part))));
  return text;
}

void writeStateArray(const zrt_array &array, const zrt_region &region,
                     File &file, const zrt_loc *loc) {
  if (region.is_sparse) {
    checkSparseItem(array, region, file, loc);
    return writeItemSparse(*process().transport, array, file);
  }
  std::vector<zrt_region> parts = partsOf(array, region);
  std::string shape = shapeOf(parts);
  for (const zrt_region &part : parts) {
    BlockCopy copy = readable(array, part, loc);
    zrt_region covering = inBlocks(part);
    ArrayIO io = readsArray(*copy.array(), covering, loc);
    writeItemArray(io, file, shape);
  }
}

void readStateArray(zrt_array &array, const zrt_region &region, File &file,
                    const zrt_loc *loc) {
  Process &p = process();
  collectSharedIfDue();
  if (region.is_sparse) {
    checkSparseItem(array, region, file, loc);
    return readItemSparse(*p.transport, p.strings.shared, array, file);
  }
  std::vector<zrt_region> parts = partsOf(array, region);
  std::string shape = shapeOf(parts);
  for (const zrt_region &part : parts) {
    BlockCopy copy = writable(array, part, loc);
    zrt_region covering = inBlocks(part);
    ArrayIO io = writesArray(*copy.array(), covering, loc);
    readItemArray(io, p.strings.shared, file, shape);
    copy.store();
  }
}

} // namespace zrt
