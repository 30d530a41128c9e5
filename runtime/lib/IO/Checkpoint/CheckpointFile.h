//===- CheckpointFile.h - Writing and reading a program's state -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_CHECKPOINT_CHECKPOINTFILE_H
#define ZRT_IO_CHECKPOINT_CHECKPOINTFILE_H

#include "Formats/Checkpoint.h"
#include "IO/FileTable.h"
#include "IO/Slabs.h"
#include "Memory/StringArena.h"

#include <set>

namespace zrt {

/// A checkpoint that is being written or read.
struct CheckpointState {
  CheckpointDirectory directory;         ///< written: on processor 0
  CheckpointItem item;                   ///< the one at hand; no name: none
  bool isDescribed = false;              ///< its type and shape are known
  ItemSum sum;                           ///< of this processor's parts of it
  const CheckpointItem *found = nullptr; ///< read: the item in the directory
  std::set<std::string> taken; ///< read: the names that were asked for
  std::string path;            ///< written: what it will be called
};

/// All that follows is collective, and what is wrong ends the run, with the
/// file's location.

/// Begins the checkpoint \p path under another name: a number of \p files.
zrt_file createCheckpoint(Transport &transport, FileTable &files,
                          const std::string &path, const zrt_loc *loc,
                          CheckpointDirectory head);
/// Opens a checkpoint to read it.
zrt_file openCheckpoint(Transport &transport, FileTable &files,
                        const std::string &path, const zrt_loc *loc);

/// What \p file, a checkpoint, holds or is going to hold.
const CheckpointDirectory &directoryOf(const File &file);

/// Comes to the item called \p name. What is written or read from here on, parts
/// of one type, are its bytes.
void beginItem(Transport &transport, File &file, const std::string &name);
/// The item called \p name, of a checkpoint that is read, is known to the
/// program: it may stay unread.
void noteTaken(File &file, const std::string &name);

/// A value, that all processors have (afterwards).
void writeItemValue(Transport &transport, File &file, const zrt_type &type,
                    const void *value);
void readItemValue(Transport &transport, StringArena &arena, File &file,
                   const zrt_type &type, void *value);
/// The elements of a region. The item's \p shape is that of all its parts.
void writeItemArray(ArrayIO &io, File &file, const std::string &shape);
void readItemArray(ArrayIO &io, StringArena &arena, File &file,
                   const std::string &shape);
/// Those of a sparse array, at the indices of its region.
void writeItemSparse(Transport &transport, const zrt_array &array, File &file);
void readItemSparse(Transport &transport, StringArena &arena,
                    const zrt_array &array, File &file);
/// The indices of a sparse region as `rank` lists of integers, one for each
/// dimension. Calls \p add with each index, on some processor; it is false for
/// one that there cannot be. How many there are.
int64_t readItemIndices(Transport &transport, File &file,
                        const zrt_region &region,
                        const std::function<bool(const int64_t *index)> &add);

/// "[1..8, *]".
std::string shapeText(const zrt_region &region);

/// The end of a file that is written: forces it to the disk and gives it its
/// name. Of one that is read: all items must have been asked for.
void finishCheckpoint(Transport &transport, File &file);

} // namespace zrt

#endif // ZRT_IO_CHECKPOINT_CHECKPOINTFILE_H
