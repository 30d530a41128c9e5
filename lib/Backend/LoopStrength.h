//===- LoopStrength.h - Strength reduction where it pays --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_LOOPSTRENGTH_H
#define ZPL_LIB_BACKEND_LOOPSTRENGTH_H

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace zpl {

/// Runs LLVM's strength reduction over the scalar innermost loops of \p module,
/// which is about to become code for \p machine. Instead of the same pass of
/// LLVM's back end, which takes all loops.
void reduceScalarLoops(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace zpl

#endif // ZPL_LIB_BACKEND_LOOPSTRENGTH_H
