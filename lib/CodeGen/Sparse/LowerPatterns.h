//===- LowerPatterns.h - Sparse regions and arrays --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Statements that give sparse regions their patterns, and those that reach
/// elements of sparse arrays which lie elsewhere: calls of zrt/Abi.h. The
/// runtime knows a region by the place of its pattern, a field of its
/// zrt_region.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_SPARSE_LOWERPATTERNS_H
#define ZPL_LIB_CODEGEN_SPARSE_LOWERPATTERNS_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// What the value of a sparse region is made of, before any of the region is
/// stored. Null, and no direction: no pattern.
struct PatternSource {
  llvm::Value *region = nullptr;    ///< a zrt_region, not the one that is set
  llvm::Value *direction = nullptr; ///< by which its indices move; null: not
  llvm::Value *kept = nullptr; ///< a pattern within the bounds that are set
};

/// Reads that. The target is sparse.
PatternSource patternSource(FunctionState &fn, const air::SetRegionStmt *stmt);

/// Gives the sparse target, whose bounds are stored, its pattern.
void setPattern(FunctionState &fn, const air::SetRegionStmt *stmt,
                const PatternSource &source);

/// The zrt_pattern of a sparse region; one without indices if it was never set.
llvm::Value *patternOf(FunctionState &fn, const air::Region *region);

/// That of a sparse array; one without indices if its region was never set.
llvm::Value *patternOf(FunctionState &fn, const air::Array *array);

/// An i64 field of a zrt_pattern.
llvm::Value *readCount(FunctionState &fn, llvm::Value *pattern,
                       PatternField field, const llvm::Twine &name);

/// Whether a sparse region has a pattern, an i1: not if it was never set.
llvm::Value *hasPattern(FunctionState &fn, const air::Region *region);

/// `complete(%S)`, an i1. Known only of regions that have all indices of their
/// bounds but in the last dimension, blocks of them on each processor.
llvm::Value *isComplete(FunctionState &fn, const air::Region *region);

/// `pattern @S or= %R where %M`.
void lowerPattern(FunctionState &fn, const air::PatternStmt *stmt);

/// `keep-pattern %r[i64 2, i64 2] = %S`.
void lowerKeepPattern(FunctionState &fn, const air::KeepPatternStmt *stmt);

/// `ask-size %n = @S` and `ask-inside %b = @S (e, e)`.
void lowerAskPattern(FunctionState &fn, const air::AskPatternStmt *stmt);

/// `modify-begin @S` and `modify-end @S`.
void lowerModify(FunctionState &fn, const air::ModifyStmt *stmt);

/// `add @S (e, e)`.
void lowerAddIndex(FunctionState &fn, const air::AddIndexStmt *stmt);

/// `get-irv %x = %A` and `set-irv %A = %x`.
void lowerIrv(FunctionState &fn, const air::IrvStmt *stmt);

/// `fetch %T = %A by (e, e) over %R`.
void lowerFetch(FunctionState &fn, const air::FetchStmt *stmt);

/// `store %A by (e, e) = %T over %R where %M "A@d"`.
void lowerStore(FunctionState &fn, const air::StoreStmt *stmt);

/// `alloc %A` of a sparse array, which follows the region of a place or its
/// declared one, unless that is a temporary.
void allocSparse(FunctionState &fn, const air::AllocArrayStmt *stmt);

/// Where control leaves the procedure: takes the patterns from its local
/// regions.
void dropPatterns(FunctionState &fn);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_SPARSE_LOWERPATTERNS_H
