//===- Background.h - The compiler beside the server ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_EDITOR_BACKGROUND_H
#define ZPL_LIB_EDITOR_BACKGROUND_H

#include "zpl/Editor/Analysis.h"
#include "zpl/Editor/Compiled.h"
#include <string>
#include <sys/types.h>

namespace zpl::editor {

/// At most one run of the compiler.
struct Background {
  std::string compiler; ///< path; empty: nothing is ever run
  pid_t child = 0;      ///< 0: nothing runs
  int ending = -1;      ///< can be read when it has ended
  std::string folder;   ///< of its files
  std::string uri;      ///< whose text it compiles
};

/// Compiles \p text, of the file at \p path, whose folder quoted includes are
/// looked for in. Not while something runs. False: it cannot be started.
bool startCompiling(Background &background, llvm::StringRef uri,
                    llvm::StringRef path, llvm::StringRef text,
                    const SearchPaths &search);

/// Waits for the end of what runs and gives what it has found; none after
/// errors. Called when `ending` can be read, it does not wait.
std::optional<Compiled> finishCompiling(Background &background);

/// Ends what runs, if anything does.
void stopCompiling(Background &background);

} // namespace zpl::editor

#endif // ZPL_LIB_EDITOR_BACKGROUND_H
