//===- Input.h - read and bread ---------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_IO_INPUT_H
#define ZPL_LIB_INTERPRET_IO_INPUT_H

#include "Run.h"

namespace zpl::interpreter {

/// Executes read or bread: one item after the other. What does not fit its type
/// ends the run.
void read(Run &run, const sema::ReadStmt *stmt);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_IO_INPUT_H
