//===- LowerLets.h - M-loops: values that are carried along -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values that are computed once per index, and those that the innermost loop
/// carries along: `let %q = .. was %p`.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_LOWERLETS_H
#define ZPL_LIB_CODEGEN_MLOOP_LOWERLETS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Makes the conditions of the current part's planned versions: sets `isUnit`,
/// `versions` and `pairs`. In front of the nest, with the walkers started.
void makeVersions(MLoopState &m);

/// Computes what the carried values of the version at hand start with, in front
/// of the innermost loop, which is at \p depth.
void startCarries(MLoopState &m, unsigned depth);

/// Makes the phis of the carried values, at the head of the loop that comes
/// from \p before, and adds them to \p phis.
void openCarries(MLoopState &m, LevelPhis &phis, llvm::BasicBlock *before);

/// Gives them their next values, from the loop's last block \p latch.
void closeCarries(MLoopState &m, const LevelPhis &phis,
                  llvm::BasicBlock *latch);

/// The value of a let at the current index: computed, or what another one was.
/// From here on its variable is read as that.
void emitLet(MLoopState &m, const air::ElementOp &op);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_LOWERLETS_H
