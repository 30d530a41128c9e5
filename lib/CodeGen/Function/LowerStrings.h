//===- LowerStrings.h - Strings that the program makes ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_LOWERSTRINGS_H
#define ZPL_LIB_CODEGEN_FUNCTION_LOWERSTRINGS_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// Whether values of \p type are strings or hold some.
bool holdsStrings(air::Type type);

/// Whether \p math takes or gives a string.
bool isOfStrings(const air::MathExpr &math);

/// The value of a function for which isOfStrings is true.
llvm::Value *lowerStringFunction(FunctionState &fn, const air::MathExpr *math);

/// `add(a, add(b, c))` of strings: one of all parts.
llvm::Value *lowerConcat(FunctionState &fn, const air::BinaryExpr *sum);

/// After an M-loop, or M-loops in turn: shares the strings that they have put
/// into parallel arrays with the other processors, where they may have been
/// made here. Nothing to do for the M-loop of a wave.
void shareStrings(FunctionState &fn, const air::Stmt &stmt);

/// The last fields of zrt_program: the table of the global variables that hold
/// strings and lie in the program's own memory, and their number.
std::array<llvm::Constant *, 2> stringVariableFields(ModuleLowering &lowering);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_LOWERSTRINGS_H
