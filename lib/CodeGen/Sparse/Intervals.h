//===- Intervals.h - What expressions may be in boxes -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_SPARSE_INTERVALS_H
#define ZPL_LIB_CODEGEN_SPARSE_INTERVALS_H

#include "Sparse/BoxColumns.h"

namespace zpl::codegen {

/// What is known of a condition in a box.
struct BoxAnswer {
  /// The zrt_select_answer, an i32: true at no index or at all only where that
  /// is certain, and where evaluating it at each could not end the run.
  llvm::Value *answer;
  /// The condition is true nowhere else, and need not be evaluated there; at
  /// most ZRT_BOX_PIECES. Empty: that is not known.
  llvm::SmallVector<Piece, 8> pieces;
  /// An i1: evaluating it could not end the run, and nothing leaves its type.
  llvm::Value *isSound;
};

/// That of a condition that names no array, in a box of indices from \p lo to
/// \p hi, i64 by dimension.
BoxAnswer answerInBox(FunctionState &fn, const air::Expr *condition,
                      llvm::ArrayRef<llvm::Value *> lo,
                      llvm::ArrayRef<llvm::Value *> hi);

/// The columns of a row of a box that isSound in which it may be true. Indices
/// before the last one are those of \p row.each, which is fn.each.
ColumnPieces answerInRow(FunctionState &fn, const air::Expr *condition,
                         const RowAt &row);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_SPARSE_INTERVALS_H
