//===- Fold.h - Constant folding --------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The value of an operation on constants, exactly as the program would compute
/// it at run time. Each function returns null where there is none (a division
/// by zero) or where it cannot be had exactly.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_FOLD_H
#define ZPL_SEMA_FOLD_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

/// \p value wrapped to the width of \p type.
int64_t wrapped(int64_t value, ScalarType type);

LiteralExpr *foldUnary(Program &program, UnaryOp op, const LiteralExpr &operand,
                       SourceRange range);
/// Both operands have one type.
LiteralExpr *foldBinary(Program &program, BinaryOp op, const LiteralExpr &left,
                        const LiteralExpr &right, SourceRange range);
LiteralExpr *foldCompare(Program &program, CompareOp op,
                         const LiteralExpr &left, const LiteralExpr &right,
                         SourceRange range);
LiteralExpr *foldCast(Program &program, ScalarType to,
                      const LiteralExpr &operand, SourceRange range);

} // namespace zpl::sema

#endif // ZPL_SEMA_FOLD_H
