//===- Input.h - read, bread and procedures for elements --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_STATEMENTS_INPUT_H
#define ZPL_LIB_ARRAYGEN_STATEMENTS_INPUT_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Appends `read` statements for read and bread: one for items in a row of
/// which none says where or how a later one is read.
void readStatement(ProcedureState &p, const sema::ReadStmt *stmt);

/// Appends `bind-io`: the procedure that reads, or writes, the elements of an
/// array from now on.
void bindIo(ProcedureState &p, const sema::BindIoStmt *stmt);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_STATEMENTS_INPUT_H
