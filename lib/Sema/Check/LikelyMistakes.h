//===- LikelyMistakes.h - What is right and not meant -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Warnings about code that the language allows and that hardly anybody means.
/// The functions report or say nothing; they change nothing.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_LIKELYMISTAKES_H
#define ZPL_LIB_SEMA_CHECK_LIKELYMISTAKES_H

#include "zpl/AST/AST.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/DenseMap.h"

namespace zpl::sema {

/// Integer quotients that lose a fraction, until something wants them as
/// floating values. Only of constants, and of 1 by anything.
class LossyQuotients {
public:
  explicit LossyQuotients(DiagnosticEngine &diags) : diags(diags) {}

  /// \p value is what \p e computes of \p left and \p right, whose types it
  /// may have changed.
  void note(const ast::Binary &e, const Expr *left, const Expr *right,
            const Expr *value);
  /// \p to computes with the integer \p from.
  void follow(const Expr *from, const Expr *to);
  /// \p value becomes one of type \p to.
  void warnIfFloating(const Expr *value, Type to);

private:
  DiagnosticEngine &diags;
  llvm::DenseMap<const Expr *, const ast::Binary *> quotients;
};

/// Warns of an operation on constants of the signed integer type \p type whose
/// value does not fit it: `2147483647 + 1`. \p range: of the whole.
void warnIfWraps(ast::BinaryOp op, const Expr *left, const Expr *right,
                 Type type, SourceRange range, DiagnosticEngine &diags);

/// The same of `-operand`, whose expression is \p range.
void warnIfNegationWraps(const Expr *operand, SourceRange range,
                         DiagnosticEngine &diags);

/// Warns of `x = y` of floating values (-Wextra), unless one is a constant that
/// calculations may give exactly.
void warnIfFloatsEqual(ast::BinaryOp op, SourceRange opRange, const Expr *left,
                       const Expr *right, DiagnosticEngine &diags);

/// Warns of `[R] [S] A := 1` of one rank, where nothing between the scopes uses
/// the first.
void warnIfReplaced(const ScopeStmt &scope, DiagnosticEngine &diags);

/// Warns of `"k = %d", k`: a plain string with conversions, in front of as many
/// items that it could be the format of. \p items begin with it.
void warnIfNoFormat(llvm::ArrayRef<ast::Item> items, DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_LIKELYMISTAKES_H
