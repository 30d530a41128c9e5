//===- LowerControl.h - Branches and loops ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Structured control flow as blocks named after it. Each but lowerReturn goes
/// on in the block after the statement, which may be one that nothing reaches.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_LOWERCONTROL_H
#define ZPL_LIB_CODEGEN_FUNCTION_LOWERCONTROL_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// `if.then`, `if.else`, `if.end`. The right side of `and` and `or` gets a
/// branch of its own, unless it calls something.
void lowerIf(FunctionState &fn, const air::IfStmt *stmt);

/// Prelude and condition, then the body as long as that is true.
void lowerWhile(FunctionState &fn, const air::WhileStmt *stmt);

/// The body, then prelude and condition, until that is true.
void lowerRepeat(FunctionState &fn, const air::RepeatStmt *stmt);

/// Bounds and step are evaluated once. The variable is in its cell, which the
/// body may assign to, and ends one step past the last value.
void lowerFor(FunctionState &fn, const air::ForStmt *stmt);

/// Ends the current block. An aggregate result is copied to where the hidden
/// parameter points.
void lowerReturn(FunctionState &fn, const air::ReturnStmt *stmt);

/// Ends the current block and gives back what the frame has. \p value: null if
/// the function has no result in registers.
void returnFrom(FunctionState &fn, llvm::Value *value = nullptr);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_LOWERCONTROL_H
