//===- LowerElementOps.h - M-loops: the operations --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The body at one index, and the values that loops carry for it: accumulators,
/// as pieces, a complex number as its two parts.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_LOWERELEMENTOPS_H
#define ZPL_LIB_CODEGEN_MLOOP_LOWERELEMENTOPS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// The operations of the current part at the current index, one after the
/// other. The row pointers are placed.
void emitBody(MLoopState &m);

/// Whether the body is one store under a guard that is the same in all
/// repetitions: then copies of it for one index may run without, and what they
/// should not have stored is put back.
bool hasOneGuard(const MLoopState &m);
/// The element that it stores, as it is.
llvm::Value *readTarget(MLoopState &m);
/// The store, whatever the guard is.
void emitWithoutGuard(MLoopState &m);
/// Stores \p old again where the guard is false.
void storeUnderGuard(MLoopState &m, llvm::Value *old);

/// Whether a procedure gets the element by reference in a cell of its own, from
/// where it is stored back after the call: LLVM makes registers of it. So it is
/// with a scalar element that no other argument refers to, or changes by a
/// call. (What the procedure uses beside its arguments is no array.)
bool passesCopy(const MLoopState &m, const air::CallExpr &call,
                const air::Argument &arg);

/// Whether what the target holds afterwards can be known without a branch; with
/// \p isVain, if the value is not wanted at each index.
bool storesEverywhere(const MLoopState &m, const air::ElementOp &op,
                      bool isVain = false);

// Accumulators.

/// Lets the accumulators of variables start with the identities of their
/// operators, or in a loop that waits with what the boxes before have made. In
/// front of the nest.
void startAccumulators(MLoopState &m);

/// Whether the loop at \p depth, in the current part, changes it, and so has
/// phis for it.
bool isCarried(const MLoopState &m, const Accumulator &accumulator,
               unsigned depth);

/// Loads the elements that the current part accumulates into and its innermost
/// loop does not move. In front of that loop, the row pointers placed.
void loadElements(MLoopState &m);

/// The first stores of carries that the innermost loop keeps in a register.
llvm::SmallVector<const air::ElementOp *, 2>
carriesInRegisters(const MLoopState &m);

/// What is carried along in the innermost loop, where the element is that; else
/// null.
llvm::Value *carriedValue(MLoopState &m, const air::ElementExpr *element);

/// Stores them, after the innermost loop.
void storeElements(MLoopState &m);

/// Ends the nest: goes on in \p end, and stores the variables, or their
/// identities if control comes from \p guard, as this processor owns nothing;
/// if that is one box of several, nothing then. \p guard is null if it owns
/// part of every region.
void finishAccumulators(MLoopState &m, llvm::BasicBlock *guard,
                        llvm::BasicBlock *end);

// Values in pieces.

/// What loops carry of a value.
Pieces split(MLoopState &m, air::Type type, llvm::Value *value);

/// The value again.
llvm::Value *join(MLoopState &m, air::Type type, const Pieces &pieces);

/// A phi for each piece, still without incoming values; at the head of the
/// current block. They are named after \p name.
Phis makePhis(MLoopState &m, const Pieces &like, llvm::StringRef name);

/// Adds the pieces, one for each phi, as what comes from a block.
void addIncoming(const Phis &phis, const Pieces &values,
                 llvm::BasicBlock *from);

/// Phis for one of two values, by the block that control comes from. The
/// current block has these two predecessors.
Pieces merge(MLoopState &m, const Pieces &a, llvm::BasicBlock *fromA,
             const Pieces &b, llvm::BasicBlock *fromB, llvm::StringRef name);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_LOWERELEMENTOPS_H
