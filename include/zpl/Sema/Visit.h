//===- Visit.h - Nodes of a checked program as what they are ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Calls a function with a node as what it is: overloads for each kind of node
/// take the place of a switch, and a new kind does not compile until all who
/// visit know it.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_VISIT_H
#define ZPL_SEMA_VISIT_H

#include "zpl/Sema/Program.h"
#include "zpl/Support/OneOf.h"
#include "llvm/Support/ErrorHandling.h"
#include <concepts>

namespace zpl::sema {

/// Calls \p visit with a statement as what it is: an `AssignStmt &`, say, or a
/// const one for who leaves it as it is.
template <typename S, typename Visit>
  requires std::same_as<std::remove_const_t<S>, Stmt>
decltype(auto) visitKind(S &stmt, Visit visit) {
  switch (stmt.kind) {
#define ZPL_STMT(Kind)                                                         \
  case StmtKind::Kind:                                                         \
    return visit(llvm::cast<Kind##Stmt>(stmt));
#include "zpl/Sema/Kinds.def"
  }
  llvm_unreachable("a kind outside its enumeration");
}

/// Calls \p visit with an expression as what it is: a `const CallExpr &`, say.
template <typename Visit>
decltype(auto) visitKind(const Expr &expr, Visit visit) {
  switch (expr.kind) {
#define ZPL_EXPR(Kind)                                                         \
  case ExprKind::Kind:                                                         \
    return visit(llvm::cast<Kind##Expr>(expr));
#include "zpl/Sema/Kinds.def"
  }
  llvm_unreachable("a kind outside its enumeration");
}

} // namespace zpl::sema

#endif // ZPL_SEMA_VISIT_H
