//===- Overloads.h - How well arguments fit parameters ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The choice among procedures of one name by the types of the arguments.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_NAMES_OVERLOADS_H
#define ZPL_LIB_SEMA_NAMES_OVERLOADS_H

#include "zpl/Sema/Program.h"

#include "Check/Arguments.h"
#include "Check/Checking.h"
#include <optional>
#include <tuple>

namespace zpl::sema {

/// How well arguments fit (language 4); less is better.
struct Fit {
  unsigned inexact = 0, narrowing = 0;
  bool promoted = false;
  unsigned generic = 0;
  bool defaults = false; ///< some parameter gets its default value
  /// What fits are compared by, the first difference deciding.
  auto key() const {
    return std::tie(inexact, narrowing, promoted, generic, defaults);
  }
};

/// How well \p args fit \p formals. None if some argument does not fit or the
/// numbers differ. Reports nothing.
std::optional<Fit> fitArguments(llvm::ArrayRef<Symbol *> formals,
                                llvm::ArrayRef<const Expr *> args);

/// For messages: "integer, [ , ] double".
std::string typesText(llvm::ArrayRef<const Expr *> args);

/// What a call means.
struct Resolved {
  Procedure *procedure;  ///< perhaps a pattern
  ArgumentPlaces places; ///< for its formals
};

/// The one of \p overloads that the call \p e with \p arguments means; none
/// after a report: none fits, or several equally well.
std::optional<Resolved> resolve(Checking &c, const ast::Call &e,
                                llvm::ArrayRef<Symbol *> overloads,
                                llvm::ArrayRef<Argument> arguments);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_NAMES_OVERLOADS_H
