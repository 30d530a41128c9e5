//===- LowerWalkers.h - M-loops: addresses of elements ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Walkers, by their numbers in air::MLoopStmt::walkers, from in front of the
/// nest to the address of an element at an index. Walkers of one layout have a
/// leader, the first of them, which alone moves; distances are in bytes.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_LOWERWALKERS_H
#define ZPL_LIB_CODEGEN_MLOOP_LOWERWALKERS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

// Before the loops.

/// Puts the walkers at the first index of the loops that move them, computes
/// row offsets, and asks what the versions of each part's innermost loop need. In front
/// of the nest; of loops in tiles, of all tiles, at the region's first index.
void startWalkers(MLoopState &m);

/// Puts the walkers, which stand at the region's first index, at the tile's.
void moveToTile(MLoopState &m);

/// Lets the walkers of the current part stand as many rows back as it is
/// delayed. In front of its loops; the caller puts them forward again.
void stepBack(MLoopState &m);

/// Makes the row pointers (`rows`) of the current part, in front of its
/// innermost loop.
void placeRows(MLoopState &m);

// In the body.

/// The current index in dimension \p dim, as i64; in a scattered domain that of
/// the place at hand.
llvm::Value *wideIndex(MLoopState &m, unsigned dim);
/// The same as i32.
llvm::Value *index(MLoopState &m, unsigned dim);

/// The address of an element at the current index.
llvm::Value *elementAddress(MLoopState &m, const air::ElementExpr *element);

/// The value of an element: from memory, or the register that is known to hold
/// it; the address of an aggregate.
llvm::Value *readElement(MLoopState &m, const air::ElementExpr *element);

/// The value of an element, which is no aggregate, from memory.
llvm::Value *loadElement(MLoopState &m, const air::ElementExpr *element);

/// Says of a load from a place, or a store to it, what it cannot touch.
void annotate(const MLoopState &m, llvm::Instruction *access,
              const air::Expr *place);

/// \p pointer, \p bytes further.
llvm::Value *move(MLoopState &m, llvm::Value *pointer, llvm::Value *bytes,
                  const llvm::Twine &name);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_LOWERWALKERS_H
