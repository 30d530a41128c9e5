//===- Overloads.h - How well arguments fit parameters ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_NAMES_OVERLOADS_H
#define ZPL_LIB_SEMA_NAMES_OVERLOADS_H

#include "zpl/Sema/Program.h"

#include <optional>
#include <tuple>

namespace zpl::sema {

/// How well arguments fit (language 4); less is better.
struct Fit {
  unsigned inexact = 0, narrowing = 0;
  bool promoted = false;
  unsigned generic = 0;
  auto key() const { return std::tie(inexact, narrowing, promoted, generic); }
};

/// None if some argument does not fit or the numbers differ.
std::optional<Fit> fitArguments(llvm::ArrayRef<Symbol *> formals,
                                llvm::ArrayRef<const Expr *> args);

/// "integer, [ , ] double".
std::string typesText(llvm::ArrayRef<const Expr *> args);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_NAMES_OVERLOADS_H
