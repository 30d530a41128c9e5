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

/// Indices of the last dimension, i64; there is none if `to` is less.
struct Piece {
  llvm::Value *from, *to;
};

/// Where a condition may be true, in columns: indices of the last dimension.
/// nullopt: anywhere.
using Columns = std::optional<llvm::SmallVector<Piece, 8>>;

/// The least and greatest value of an integer expression in the box, i64.
using ValueBounds = llvm::function_ref<std::pair<llvm::Value *, llvm::Value *>(
    const air::Expr *)>;

/// The columns of a box in which \p condition, a Bool, may be true; at most
/// ZRT_BOX_PIECES pieces, which may overlap or be empty. \p last: the number of
/// the last dimension. \p bounds is asked for integers that isWhole.
Columns columnsOf(FunctionState &fn, const air::Expr *condition, unsigned last,
                  ValueBounds bounds);

/// Whether values of an integer type fit i64: not those of U64, nor Bool.
bool isWhole(air::Type type);

/// The least and greatest value of such a type.
std::pair<int64_t, int64_t> limits(const TypeLowering &types, air::Type type);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_SPARSE_BOXCOLUMNS_H
