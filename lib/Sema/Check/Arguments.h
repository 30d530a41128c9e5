//===- Arguments.h - Which argument is for which parameter ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arguments by position, by name, and default values.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_ARGUMENTS_H
#define ZPL_LIB_SEMA_CHECK_ARGUMENTS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// An argument as written.
struct Argument {
  llvm::StringRef name; ///< `name := ...`; empty: by its position
  SourceRange nameRange;
  const ast::Expr *syntax = nullptr; ///< without the name
  const Expr *value = nullptr;       ///< null: it is the name of a `procedure`
  std::optional<ProcedureName> procedure;
  Symbol *distributing = nullptr; ///< or of this grid or distribution
};
using Arguments = llvm::SmallVector<Argument, 4>;

/// Per formal the number of its argument; TakesDefault: its default value.
using ArgumentPlaces = llvm::SmallVector<int, 4>;
inline constexpr int TakesDefault = -1;

/// The arguments of \p e, a call of one of \p overloads, by themselves: a name
/// of procedures where one of these takes a procedure, else a value (of type
/// Error after a report). None after a report that one by position stands
/// behind one by name.
std::optional<Arguments> checkArguments(Checking &c, const ast::Call &e,
                                        llvm::ArrayRef<Symbol *> overloads);

/// Which argument each of \p formals gets; none: number or names do not fit.
/// Reports nothing.
std::optional<ArgumentPlaces> arrange(const Checking &c,
                                      llvm::ArrayRef<Symbol *> formals,
                                      llvm::ArrayRef<Argument> arguments);

/// Says why \p arguments cannot be arranged for \p callee, the only procedure
/// that \p e can mean.
void reportArrangement(Checking &c, const ast::Call &e, const Procedure &callee,
                       llvm::ArrayRef<Argument> arguments);

/// Checks the default values in the heading \p d of \p procedure, where they
/// stand, and keeps them (Checking::defaults). Reports those of parameters that
/// are arrays or passed by reference, and what may differ from call to call
/// by the region that covers it.
void setDefaults(Checking &c, const ast::ProcedureDecl &d,
                 const Procedure &procedure);

/// \p later, declared by \p d, completes \p prototype, and takes over its
/// default values; reports those that it has itself as well.
void takeDefaults(Checking &c, const ast::ProcedureDecl &d,
                  const Procedure &prototype, const Procedure &later);

/// Reports calls of parallel procedures in default values; after procedures are
/// classified.
void checkDefaultCalls(const Checking &c);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_ARGUMENTS_H
