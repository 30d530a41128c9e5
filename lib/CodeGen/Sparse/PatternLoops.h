//===- PatternLoops.h - M-loops over sparse regions -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is different in an M-loop that goes over the pattern of a sparse region
/// (LoopPlan, Traversal): its range, what it looks up, and where elements are.
/// All is for loops of which isSparse(m.plan) is true.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_SPARSE_PATTERNLOOPS_H
#define ZPL_LIB_CODEGEN_SPARSE_PATTERNLOOPS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// In LoopRange and MLoopState::current: the number of the row and position.
inline unsigned rowNumber(const MLoopState &m) { return m.loop.region->rank(); }
inline unsigned positionNumber(const MLoopState &m) { return rowNumber(m) + 1; }

/// A table of \p pattern (null: the loop's); with \p dim that of a dimension.
llvm::Value *readTable(MLoopState &m, PatternField field,
                       const llvm::Twine &name, int dim = -1,
                       llvm::Value *pattern = nullptr);

/// An entry of a table, as i64.
llvm::Value *lookUp(MLoopState &m, llvm::Value *table, llvm::Value *number,
                    const llvm::Twine &name);

/// Finds this processor's pattern and sets the range of the outermost loop. An
/// i1, whether there is an index. In front of the nest, where this processor
/// may own nothing.
llvm::Value *startPattern(MLoopState &m);

/// Reads what walkers and tables start from. In front of the nest.
void startPatternWalkers(MLoopState &m);

/// An i1, whether rows are so long, on the average, that vectors pay. In front
/// of the nest.
llvm::Value *haveLongRows(MLoopState &m);

/// In front of a nest for a pattern that is complete, and behind it.
void enterComplete(MLoopState &m);
void leaveComplete(MLoopState &m);

/// In front of the innermost loop: its range, the indices and places that its
/// row has, and the row pointers of the current part.
void enterRow(MLoopState &m);

/// The row pointers of the current part, where the indices and places of the
/// row at hand are known.
void placePatternRows(MLoopState &m);

/// At the head of the innermost loop: the index and place of the position at
/// hand in the last dimension.
void enterPosition(MLoopState &m);

/// As elementAddress (LowerWalkers.h).
llvm::Value *patternAddress(MLoopState &m, const air::ElementExpr *element);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_SPARSE_PATTERNLOOPS_H
