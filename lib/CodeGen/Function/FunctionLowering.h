//===- FunctionLowering.h - One procedure to one LLVM function --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A procedure's frame, its blocks and the walk through its statements.
/// Functions that take a FunctionState emit at its builder's insertion point
/// and leave that after what they have emitted, maybe in another block.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_FUNCTIONLOWERING_H
#define ZPL_LIB_CODEGEN_FUNCTION_FUNCTIONLOWERING_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// Lowers the whole body of \p fn.procedure into \p fn.function, which has its
/// entry block only. Afterwards the function is complete.
void lowerBody(FunctionState &&fn);

/// Lowers statements one after the other, up to the first that leaves. What
/// places they have in common is forgotten at the end.
void lower(FunctionState &fn, const air::StmtList &statements);

/// A cell in the entry block, not initialized; those made before lie in front
/// of it. The insertion point stays where it is.
llvm::AllocaInst *addAlloca(FunctionState &fn, llvm::Type *type,
                            const llvm::Twine &name);

/// Memory of \p bytes bytes, on a cache line, for the streamed store with
/// this number in its M-loop; the same for all M-loops. Numbers are asked for
/// in their order, from 0.
llvm::Value *streamBuffer(FunctionState &fn, unsigned number, int64_t bytes);

/// The address of a region's or array's descriptor; for a variable, its cell,
/// which holds the memory's address if it is onHeap. For a view the cell that
/// holds what it is bound to. \p thing is declared in the procedure or the
/// module. Emits nothing.
llvm::Value *address(const FunctionState &fn, const void *thing);

/// The address of an array's descriptor; for a view, that of what it is bound
/// to here, which is loaded.
llvm::Value *address(FunctionState &fn, const air::Array *array);

/// Following instructions belong to \p range in debug information; to the
/// procedure's line if it is not valid.
void setPlace(FunctionState &fn, SourceRange range);

/// A block at the end of the function, without instructions. The insertion
/// point stays where it is.
llvm::BasicBlock *addBlock(FunctionState &fn, const llvm::Twine &name);

/// Goes on in \p block, after a jump there unless control has left already.
/// Moves the block to the end of the function.
void startBlock(FunctionState &fn, llvm::BasicBlock *block);

/// Whether control has left the current block, which nothing may follow.
inline bool isTerminated(const FunctionState &fn) {
  return fn.builder.GetInsertBlock()->getTerminator() != nullptr;
}

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_FUNCTIONLOWERING_H
