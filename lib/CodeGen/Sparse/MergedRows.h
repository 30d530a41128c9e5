//===- MergedRows.h - Rows of other patterns --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an M-loop over a sparse region reads of arrays over other ones
/// (air::Array::fetched). Nothing happens in a loop that reads none.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_SPARSE_MERGEDROWS_H
#define ZPL_LIB_CODEGEN_SPARSE_MERGEDROWS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Finds the tables of the patterns, and begins at their first rows. In front of
/// the nest.
void startMergedRows(MLoopState &m);

/// Goes to the rows that have the index of the row at hand. In front of the
/// innermost loop, whose range is known.
void enterMergedRows(MLoopState &m);

/// Puts the elements at the index at hand into the cells of the contracted
/// arrays. At the head of the innermost loop, behind the index.
void mergePosition(MLoopState &m);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_SPARSE_MERGEDROWS_H
