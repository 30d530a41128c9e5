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
/// by zero), where it cannot be had exactly, or where no literal holds it (a
/// quad that is no double).
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARITHMETIC_FOLD_H
#define ZPL_LIB_SEMA_ARITHMETIC_FOLD_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

/// \p value wrapped to the width of \p type; other types keep it.
int64_t wrapped(int64_t value, Type type);

/// -operand, not operand, ...; integers wrap.
LiteralExpr *foldUnary(Program &program, UnaryOp op, const LiteralExpr &operand,
                       SourceRange range);

/// \p left op \p right; both have one type.
LiteralExpr *foldBinary(Program &program, BinaryOp op, const LiteralExpr &left,
                        const LiteralExpr &right, SourceRange range);

/// A boolean; both operands have one type, strings too.
LiteralExpr *foldCompare(Program &program, CompareOp op,
                         const LiteralExpr &left, const LiteralExpr &right,
                         SourceRange range);

/// \p operand as one of type \p to, which is not complex.
LiteralExpr *foldCast(Program &program, Type to, const LiteralExpr &operand,
                      SourceRange range);

/// `sqrt(operand)` and other functions of one argument.
LiteralExpr *foldMath(Program &program, MathFn fn, const LiteralExpr &operand,
                      SourceRange range);

/// Whether the constant keeps its value as one of type \p to; a floating
/// constant as a narrower floating type may be rounded.
bool fitsExactly(const LiteralExpr &literal, Type to);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARITHMETIC_FOLD_H
