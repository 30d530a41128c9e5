//===- LowerAggregates.h - Places, and types sized at run time --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Addresses of variables, fields and elements, and the sizes of types whose
/// bounds are variables. In an M-loop what was read before its nest is taken
/// from there.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_LOWERAGGREGATES_H
#define ZPL_LIB_CODEGEN_FUNCTION_LOWERAGGREGATES_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// The address of a place: of a variable, of an element (in an M-loop that of
/// the current index, elsewhere that of the position (0,...,0)), or of a part
/// of these, with its subscripts checked as the options say. For another
/// expression of an aggregate type, the address of its value.
llvm::Value *addressOf(FunctionState &fn, const air::Expr *place);

/// The address of a variable's memory, also if it is C's or on the heap.
llvm::Value *variableAddress(FunctionState &fn, const air::Variable *variable);

/// The value of a field. What is a part of no place, as of a complex value, is
/// taken out in registers.
llvm::Value *lowerField(FunctionState &fn, const air::FieldExpr *expr);

/// The value at a place; for an aggregate its address.
llvm::Value *readPlace(FunctionState &fn, const air::Expr *place);

/// A bound of an array type, as i64.
llvm::Value *bound(FunctionState &fn, const air::Bound &bound);

/// The bytes that a value of \p type takes, as i64; computed here if it is
/// sized at run time.
llvm::Value *sizeOf(FunctionState &fn, air::Type type);

/// The same for memory that is to be made: INT64_MAX if it is as much or more.
llvm::Value *memorySizeOf(FunctionState &fn, air::Type type);

/// The address of the zrt_type of \p type, ready for use: for a type that is
/// sized at run time, after stores of what its bounds are now.
llvm::Value *typeTable(FunctionState &fn, air::Type type);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_LOWERAGGREGATES_H
