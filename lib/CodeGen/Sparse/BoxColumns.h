//===- BoxColumns.h - Columns in which conditions may be true ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_SPARSE_BOXCOLUMNS_H
#define ZPL_LIB_CODEGEN_SPARSE_BOXCOLUMNS_H

#include "Function/FunctionState.h"
#include <optional>

namespace zpl::codegen {

/// Columns, indices of the last dimension, from `from` to `to`, i64; there is
/// none if `to` is less.
struct Piece {
  llvm::Value *from, *to;
  bool isPoint = false; ///< one column at most
  /// Not null: of these only the ones in windows, as in zrt_windows.
  llvm::Value *base = nullptr, *period = nullptr, *width = nullptr;
};

/// Pieces outside of which a condition is true nowhere; they may overlap or be
/// empty.
struct ColumnPieces {
  llvm::SmallVector<Piece, 8> pieces;
  bool areExact = true; ///< in a row: it is true in all of them
};

/// nullopt: it may be true anywhere.
using Columns = std::optional<ColumnPieces>;

/// The least and greatest value of an integer expression that isWhole, i64.
using ValueBounds = llvm::function_ref<std::pair<llvm::Value *, llvm::Value *>(
    const air::Expr *)>;

/// The columns of a box in which \p condition, a Bool, may be true; at most
/// ZRT_BOX_PIECES pieces, without windows. \p last: the number of the last
/// dimension. They are right where no operation may leave its type or divide by
/// zero. \p bounds: of all values in the box.
Columns columnsInBox(FunctionState &fn, const air::Expr *condition,
                     unsigned last, ValueBounds bounds);

/// A row of a box in which no operation may leave its type or divide by zero.
struct RowAt {
  EachIndex &each;      ///< fn.each; of the last dimension it changes the index
  llvm::Value *lo, *hi; ///< columns, i64
};

/// Whether something is known of the columns of each row.
bool solvesRows(const air::Expr *condition, unsigned last);

/// The columns of \p row in which \p condition may be true; at most
/// ZRT_ROW_PIECES pieces and ZRT_ROW_WINDOWS with windows. \p bounds: of all
/// values in the row.
ColumnPieces columnsInRow(FunctionState &fn, const air::Expr *condition,
                          unsigned last, const RowAt &row, ValueBounds bounds);

/// Whether values of an integer type fit i64: not those of U64, nor Bool.
bool isWhole(air::Type type);

/// The least and greatest value of such a type.
std::pair<int64_t, int64_t> limits(const TypeLowering &types, air::Type type);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_SPARSE_BOXCOLUMNS_H
