//===- JamFloods.h - Many iterations whose floods differ by k ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_JAM_JAMFLOODS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_JAM_JAMFLOODS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/Names.h"

namespace zpl::air {

/// A `for` loop in three parts: regions, checks and floods; an M-loop; frees of
/// what the floods make.
struct FloodLoop {
  ForStmt *loop = nullptr;
  llvm::ArrayRef<Stmt *> prologue;
  MLoopStmt *sweep = nullptr;
  llvm::ArrayRef<Stmt *> frees;
};

/// Appends to \p result what does the work of \p loop, by \p iterations
/// at a time. False if it is not of this kind: see JamFloods.cpp.
/// What JamLoops asks of a loop holds for it.
bool jamFloods(const FloodLoop &loop, int64_t iterations, Procedure &procedure,
               Module &module, NameAllocator &names, StmtList &result);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_JAM_JAMFLOODS_H
