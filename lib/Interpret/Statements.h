//===- Statements.h - Statements --------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_STATEMENTS_H
#define ZPL_LIB_INTERPRET_STATEMENTS_H

#include "Run.h"

namespace zpl::interpreter {

/// Executes a statement and says how it ended.
Flow execute(Run &run, const sema::Stmt *stmt);

/// Executes statements up to the first that does not end with the next one.
Flow execute(Run &run, const sema::StmtList &list);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_STATEMENTS_H
