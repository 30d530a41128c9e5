//===- Server.h - The language server ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_EDITOR_SERVER_H
#define ZPL_EDITOR_SERVER_H

#include "zpl/Editor/Analysis.h"

namespace zpl::editor {

/// Speaks LSP 3.17 until the client says `exit` or closes: reads from the file
/// descriptor \p in, writes to \p out. Returns the status of the process: 0
/// after `shutdown` and `exit`. Wants the stack of runOnLargeStack.
int serve(int in, int out, SearchPaths search);

} // namespace zpl::editor

#endif // ZPL_EDITOR_SERVER_H
