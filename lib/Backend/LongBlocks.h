//===- LongBlocks.h - Very long straight code in pieces ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_LONGBLOCKS_H
#define ZPL_LIB_BACKEND_LONGBLOCKS_H

#include "llvm/IR/PassManager.h"

namespace zpl {

/// Makes tables of the constants that long basic blocks store, and functions of
/// their own of the pieces of blocks that have more than 8000 instructions and
/// are in no loop. To run before all other passes.
struct LongBlocksPass : llvm::PassInfoMixin<LongBlocksPass> {
  /// Cuts the long blocks of all functions with bodies; keeps no analysis if it
  /// did.
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &modules);
};

} // namespace zpl

#endif // ZPL_LIB_BACKEND_LONGBLOCKS_H
