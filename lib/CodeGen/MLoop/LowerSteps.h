//===- LowerSteps.h - M-loops: walkers in steps of two ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Versions of the innermost loop in which walkers move by one or two elements
/// (InnerStrides).
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_LOWERSTEPS_H
#define ZPL_LIB_CODEGEN_MLOOP_LOWERSTEPS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// An i1, whether the innermost loop moves all walkers of the current part that
/// may walk along rows as \p how says; null if there are none. In front of the
/// nest.
llvm::Value *walkersHave(MLoopState &m, InnerStrides how);

// StoreTwo.

/// After a store of \p op to \p place, in the version for pairs: stores what is
/// in the next element there once more.
void storeSibling(MLoopState &m, const air::ElementOp &op, llvm::Value *place);

/// From \p start, where code is being made: the innermost loop in pairs, if
/// that is the case, then what is left for \p others, the last of its versions,
/// which begins with \p body and ends in a jump to \p exit.
void emitPairs(MLoopState &m, const Version &others, unsigned depth,
               llvm::BasicBlock *start, llvm::BasicBlock *body,
               llvm::BasicBlock *exit);

// Blend.

/// Whether an operation, which stores, puts back what lies between its
/// elements.
bool isEvery(const MLoopState &m, const air::ElementOp &op);

/// Like emitRow, over all elements from the first to the last one.
void emitEvery(MLoopState &m, const Version &version, unsigned depth,
               llvm::BasicBlock *before, llvm::BasicBlock *head,
               llvm::BasicBlock *exit);

/// Whether \p element is the one of \p stored just behind that which is stored,
/// in the order of the innermost loop.
bool isBehind(const MLoopState &m, const air::ElementExpr &element,
              const air::Array *stored);

/// Makes the phis of what lies behind the stored elements, at the head of the
/// loop that comes from \p before; none outside of Blend.
void openBehind(MLoopState &m, llvm::BasicBlock *before);

/// Gives them their next values, from the loop's last block.
void closeBehind(MLoopState &m, llvm::BasicBlock *latch);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_LOWERSTEPS_H
