//===- ParseFolds.h - Reductions, scans, floods -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reductions, scans and floods as operands. Each function begins at the
/// operator and gives its node; in panic, or where its brackets are missing, a
/// dummy.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_PARSEFOLDS_H
#define ZPL_LIB_PARSE_PARSEFOLDS_H

#include "Parsing.h"

namespace zpl {

/// OP'<<' [ '[' Region ']' ] Operand, as in `+<<[R] A`; OP may be a procedure.
ast::Expr *parseReduce(Parsing &p);

/// OP'||' [ '<' Option { ',' Option } '>' ] [ '[' dimensions ']' ] Operand, as
/// in `+||<inclusive>[1] A`.
ast::Expr *parseScan(Parsing &p);

/// '>>' '[' Region ']' Operand, as in `>>[1, ] A`. Without the `[` it is
/// reported and starts a panic.
ast::Expr *parseFlood(Parsing &p);

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSEFOLDS_H
