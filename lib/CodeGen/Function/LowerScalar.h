//===- LowerScalar.h - Expressions, variables and calls ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values: in registers as TypeLowering::value says (booleans are i1), in
/// memory as TypeLowering::memory says (booleans are i8, a null string is
/// empty). The value of an aggregate is its address.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_LOWERSCALAR_H
#define ZPL_LIB_CODEGEN_FUNCTION_LOWERSCALAR_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// The value of an expression. A node that stands in several places of one
/// expression is computed once; between expressions values are forgotten.
/// Elements and indices are those of the M-loop at hand.
llvm::Value *lower(FunctionState &fn, const air::Expr *expr);

/// An expression of an integer type, as an index: an i64.
llvm::Value *lowerIndex(FunctionState &fn, const air::Expr *expr);

/// A call, and its result; of a procedure without one, the call instruction or,
/// if it is C's, null.
llvm::Value *lowerCall(FunctionState &fn, const air::CallExpr *call);

/// The value of a type, which is no aggregate, at an address.
llvm::Value *load(FunctionState &fn, air::Type type, llvm::Value *address,
                  const llvm::Twine &name);

/// The first half of a load: what is in memory, for what is to be said of the
/// instruction.
llvm::LoadInst *loadMemory(FunctionState &fn, air::Type type,
                           llvm::Value *address, const llvm::Twine &name);

/// The second half: the value that \p loaded, from memory, stands for.
llvm::Value *fromMemory(FunctionState &fn, air::Type type, llvm::Value *loaded);

/// Stores a value, or copies an aggregate from its address. The instruction
/// that writes, for what is to be said of it.
llvm::Instruction *store(FunctionState &fn, air::Type type, llvm::Value *value,
                         llvm::Value *address);

/// The value of a variable: in an M-loop the one that was read before its nest,
/// if it was; for an aggregate its address.
llvm::Value *readVariable(FunctionState &fn, const air::Variable *variable);

/// Stores a value into a variable's memory, or copies an aggregate there.
void writeVariable(FunctionState &fn, const air::Variable *variable,
                   llvm::Value *value);

/// The address of memory with the value, for what takes values by address: a
/// cell of its own, or where an aggregate is already.
llvm::Value *inMemory(FunctionState &fn, air::Type type, llvm::Value *value,
                      const llvm::Twine &name);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_LOWERSCALAR_H
