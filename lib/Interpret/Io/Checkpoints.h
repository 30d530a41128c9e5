//===- Checkpoints.h - The state of a run in a file -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_IO_CHECKPOINTS_H
#define ZPL_LIB_INTERPRET_IO_CHECKPOINTS_H

#include "Run.h"

namespace zpl::interpreter {

/// A new checkpoint, which gets its name when it is finished: a file's number.
int64_t openCheckpoint(Run &run, const std::string &name, SourceRange where);

/// The checkpoint that the run goes on from; 0 if there is none, or this was
/// asked before.
int64_t openRestart(Run &run, SourceRange where);

/// What is written or read from here on is that of \p name, or of the array
/// number \p member of a family (-1: of none).
void beginItem(Run &run, int64_t file, const std::string &name, int64_t member,
               SourceRange where);

/// A value at \p address.
void writeState(Run &run, File &file, Type type, const char *address);
void readState(Run &run, File &file, Type type, char *address);

/// The elements of an array over \p region, and those of its borders if it is
/// declared over that.
void writeState(Run &run, File &file, ArrayStorage &array,
                const Region &region);
void readState(Run &run, File &file, ArrayStorage &array, const Region &region);

/// The indices within the bounds of \p region that the item at hand lists.
std::shared_ptr<Pattern> readStatePattern(Run &run, File &file,
                                          const Region &region);

/// Stores the value that a config variable has in the checkpoint that the run
/// goes on from; false if there is none.
bool restoreConfig(Run &run, const sema::Variable *variable);

/// The end of a file that was written or read, before it is closed.
void finishCheckpoint(Run &run, File &file, SourceRange where);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_IO_CHECKPOINTS_H
