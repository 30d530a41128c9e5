//===- LowerRuntime.h - What the runtime does -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Statements that are calls of zrt/Abi.h, and what is passed to it in memory:
/// a constant if all of it is known, else a cell of the frame that is filled
/// before the call.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_LOWERRUNTIME_H
#define ZPL_LIB_CODEGEN_FUNCTION_LOWERRUNTIME_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// Structures in memory, a row for each, as long as \p type has fields;
/// constant ones if all values are, else in the frame. The address of the
/// first.
llvm::Value *table(FunctionState &fn, llvm::StructType *type,
                   llvm::ArrayRef<llvm::SmallVector<llvm::Value *, 5>> rows,
                   const llvm::Twine &name);

/// The address of a direction's components, i64 each: where a variable has
/// them, a constant, or a table in the frame.
llvm::Value *direction(FunctionState &fn,
                       llvm::ArrayRef<const air::Expr *> components);

/// The zrt_shift table of a transfer with items, a row for each: a constant if
/// all arrays are global, else a copy in the frame. At the procedure's entry;
/// what views are bound to is stored at each DR.
llvm::Value *shiftTable(FunctionState &fn, const air::Transfer *transfer);

/// The cell by which the runtime knows a split operator between its halves, of
/// type zrt_split. \p key: the combined variable or the array that is made.
llvm::AllocaInst *splitOf(FunctionState &fn, const void *key,
                          llvm::StringRef name);

/// The same, set to zero, for the half that begins.
llvm::AllocaInst *newSplit(FunctionState &fn, const void *key,
                           llvm::StringRef name);

/// `bind %U.1 = @U[%l]`: stores which array a view is. The subscripts are
/// checked whatever the options say.
void lowerBindArray(FunctionState &fn, const air::BindArrayStmt *stmt);

/// `alloc %A`: makes an array of zeros over its declared region, with its fluff
/// and borders, or those of another array.
void lowerAlloc(FunctionState &fn, const air::AllocArrayStmt *stmt);

/// `realloc over %R.var = %R`: gives a region to the arrays that follow that of
/// a place.
void lowerRealloc(FunctionState &fn, const air::ReallocStmt *stmt);

/// Memory for a variable on the heap, of the size that its type has now.
void lowerAllocVariable(FunctionState &fn, const air::AllocVariableStmt *stmt);

/// Frees the memory, if there is any, and forgets it.
void lowerFreeVariable(FunctionState &fn, const air::FreeVariableStmt *stmt);

/// Other memory of other bounds, which it sets.
void lowerResize(FunctionState &fn, const air::ResizeStmt *stmt);

/// `check`: a call that ends the run if a region, array or direction is not
/// what the next statement needs.
void lowerCheck(FunctionState &fn, const air::CheckStmt *stmt);

/// `combine`, and its begin and end: what the processors have becomes one. The
/// runtime gets the address of a copy, so that the variable itself may stay in
/// registers.
void lowerCombine(FunctionState &fn, const air::CombineStmt *stmt);

/// `dr`, `sr`, `dn`, `sv` of a transfer with items.
void lowerTransferPoint(FunctionState &fn, const air::TransferPointStmt *stmt);

/// `timer ..`: operations on timer variables, and on the one that all share.
void lowerTimer(FunctionState &fn, const air::TimerStmt *stmt);

/// `halt`: ends the run, and the current block.
void lowerHalt(FunctionState &fn, const air::HaltStmt *stmt);

/// Ends the run, and the current block, because control runs off the end of a
/// procedure with a result.
void lowerMissingReturn(FunctionState &fn, llvm::StringRef procedureName,
                        SourceRange range);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_LOWERRUNTIME_H
