//===- LowerIo.h - Files, input, output, config variables -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Calls of zrt/Abi.h with the address and zrt_type of each item: the runtime
/// does the rest.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_LOWERIO_H
#define ZPL_LIB_CODEGEN_FUNCTION_LOWERIO_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// `write`, also binary: a call per item, then zrtA_written.
void lowerWrite(FunctionState &fn, const air::WriteStmt *stmt);

/// `read`, also binary: a call per item, into its place.
void lowerRead(FunctionState &fn, const air::ReadStmt *stmt);

/// `open`, `close`, `eof`, `random`; the result goes to the variable, if one is
/// given.
void lowerBuiltin(FunctionState &fn, const air::BuiltinStmt *stmt);

/// `bind read %A @f`, `unbind write %A`: from here on a procedure, or the
/// runtime again, reads or writes an array's elements.
void lowerBindIo(FunctionState &fn, const air::BindIoStmt *stmt);

/// Sets a config variable from the command line, or by its defaults if that
/// does not give it as a whole; single fields and elements come on top.
void lowerConfig(FunctionState &fn, const air::ConfigStmt *stmt);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_LOWERIO_H
