//===- Output.h - write, bwrite and halt ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_STATEMENTS_OUTPUT_H
#define ZPL_LIB_ARRAYGEN_STATEMENTS_OUTPUT_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Appends `write` statements for write, writeln and bwrite: one, unless items
/// have effects, which come between what is written before and after them.
void writeStatement(ProcedureState &p, const sema::WriteStmt *stmt);

/// Appends the message to standard error and `halt`.
void haltStatement(ProcedureState &p, const sema::HaltStmt *stmt);

/// The format of an item, as a string: \p format, or the value of
/// \p formatExpr, or null, the default format, if it has neither.
const air::Expr *format(ProcedureState &p,
                        const std::optional<std::string> &format,
                        const sema::Expr *formatExpr, SourceRange range);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_STATEMENTS_OUTPUT_H
