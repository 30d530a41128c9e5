//===- Sema.h - Checks a module ---------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_SEMA_H
#define ZPL_SEMA_SEMA_H

#include "zpl/AST/AST.h"
#include "zpl/Interop/Interop.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace zpl::sema {

struct Options {
  /// Floating-point sums keep the order of the source (-fstrict-fp).
  bool strictFp = false;
  /// Assignments end the run when they make a NaN (-ftrap-nan).
  bool trapNaN = false;
  /// Defaults of config variables: `-D name=value`.
  std::vector<std::pair<std::string, std::string>> defaults;
  /// Looks up what the program declares `extern`, reports what disagrees, and
  /// returns what C says (Interop::import); null after errors. Whoever gives it
  /// keeps both for the thunks. Empty: C is not asked.
  std::function<const interop::Imports *(interop::Externs)> import;
  /// Looks up names whose types are not known yet, reporting nothing
  /// (Interop::lookUp). Empty: as if C knew none.
  std::function<std::optional<interop::Imports>(const interop::Externs &)>
      lookUp;
};

/// Resolves names, gives types and ranks, checks the rules of the language
/// (among them dissertation appendix E for every instance) and fixes the
/// arithmetic of each statement. Reports to \p diags; without errors, returns
/// the program. \p module outlives nothing: the program keeps no pointer to it.
std::optional<Program> check(const ast::Module &module, DiagnosticEngine &diags,
                             const Options &options = {});

/// Prints the checked program for people (--dump-program).
void print(const Program &program, llvm::raw_ostream &os);

} // namespace zpl::sema

#endif // ZPL_SEMA_SEMA_H
