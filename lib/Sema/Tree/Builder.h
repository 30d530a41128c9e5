//===- Builder.h - Makes checked expressions --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes the nodes of checked expressions: gives each its type, rank and
/// freedom from its operands, folds constants, and fixes the arithmetic of
/// element-wise expressions (docs/Rounding.md). It does not
/// check: operands are of one type and conform.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_TREE_BUILDER_H
#define ZPL_LIB_SEMA_TREE_BUILDER_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

class Builder {
public:
  explicit Builder(Program &program) : program(program) {}

  /// What stands for a wrong expression: of type Error.
  const Expr *error(SourceRange range);
  /// A constant of an integral type, boolean, char or an enumeration.
  LiteralExpr *integer(int64_t value, Type type, SourceRange range);
  /// A constant of a floating type.
  LiteralExpr *number(double value, Type type, SourceRange range);
  /// A constant string; copies \p text.
  LiteralExpr *string(llvm::StringRef text, SourceRange range);
  /// A standard file or znull, by its number in Abi.h.
  LiteralExpr *file(int64_t number, SourceRange range);

  /// \p operand as a value of type \p to; itself if it is one.
  const Expr *cast(const Expr *operand, Type to);
  /// \p op of an operand of the type that it works in.
  const Expr *unary(UnaryOp op, const Expr *operand, SourceRange range);
  /// \p left op \p right of one type; `a * b + c` of type float or double
  /// becomes an fma.
  const Expr *binary(BinaryOp op, const Expr *left, const Expr *right,
                     SourceRange range);
  /// A boolean, of operands of one type.
  const Expr *compare(CompareOp op, const Expr *left, const Expr *right,
                      SourceRange range);
  /// `fn(args)` computed in \p type, which the arguments have.
  const Expr *math(MathFn fn, llvm::ArrayRef<const Expr *> args, Type type,
                   SourceRange range);
  /// `base.field` by its number; \p base is a record, a union or complex.
  const Expr *field(const Expr *base, unsigned field, Type type,
                    SourceRange range);
  /// `base[subscripts]` with all subscripts of one level, written as \p text
  /// for messages of the run.
  const Expr *subscript(const Expr *base,
                        llvm::ArrayRef<const Expr *> subscripts,
                        llvm::StringRef text, SourceRange range);
  /// The real (0) or imaginary (1) part of a complex value.
  const Expr *part(const Expr *complex, unsigned part);
  /// The complex value of the parts \p re and \p im, of one type.
  const Expr *complex(const Expr *re, const Expr *im, SourceRange range);
  /// base ^ exponent in type \p type; small constant exponents become
  /// multiplications.
  const Expr *power(const Expr *base, const Expr *exponent, Type type,
                    SourceRange range);
  /// base * base * ... (\p count factors, 1 to 4).
  const Expr *product(const Expr *base, unsigned count, SourceRange range);

  /// Whether \p e may be evaluated more than once: it is small and calls
  /// nothing.
  static bool isLight(const Expr *e);

  /// Gives \p node the rank and freedom of an element-wise expression of
  /// \p operands.
  static void inherit(Expr &node, llvm::ArrayRef<const Expr *> operands);

  /// Gives the array operators in \p e that have no rank of their own, as what
  /// they stand in gives it to them, the rank \p rank.
  static void settle(const Expr &e, unsigned rank);

  /// \p node, to be finished: a node of the tree that is under construction,
  /// made for one expression alone. The tree is constant to its readers;
  /// Sema finishes what the surroundings decide only afterwards (ranks, shifts,
  /// primes, effects), by this function and by no other way.
  template <typename T> static T &unfinished(const T &node) {
    return const_cast<T &>(node);
  }

private:
  /// `a * b + c` as an fma, if one operand of \p op is such a product; else
  /// null.
  const Expr *fused(BinaryOp op, const Expr *left, const Expr *right,
                    SourceRange range);
  Program &program;
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_TREE_BUILDER_H
