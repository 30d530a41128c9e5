//===- Restart.h - A program goes on from a checkpoint ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_RESTART_H
#define ZRT_ENTRY_RESTART_H

#include "IO/File.h"
#include "zrt/Abi.h"

namespace zrt {

/// What --restart=FILE has brought.
struct RestartState {
  zrt_file file = ZRT_ZNULL; ///< open from the first question until it is read
  bool isDone = false;       ///< all is restored
};

/// The checkpoint that the command line names, opened by the first call.
/// Collective. What is wrong with it ends the run.
zrt_file restartFile(const zrt_loc *loc);

/// Stores the value that config variable \p number has in the checkpoint, if the
/// program was started with one. Collective.
bool restoreConfig(int64_t number, void *address);

/// The elements of an array in a checkpoint: those of the borders as well, if
/// \p region is its declared one. Collective.
void writeStateArray(const zrt_array &array, const zrt_region &region,
                     File &file, const zrt_loc *loc);
void readStateArray(zrt_array &array, const zrt_region &region, File &file,
                    const zrt_loc *loc);

} // namespace zrt

#endif // ZRT_ENTRY_RESTART_H
