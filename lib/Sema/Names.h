//===- Names.h - Scopes and look-up -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Two name spaces: that of the program, and that of the procedure at hand
/// (formals and locals), which hides it. Predeclared names are outside of both.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_SEMA_NAMES_H
#define ZPL_SEMA_NAMES_H

#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace zpl::sema {

/// "a region", "a config variable": what kind of thing a symbol is.
llvm::StringRef describe(const Symbol &symbol);

class Names {
public:
  explicit Names(DiagnosticEngine &diags) : diags(diags) {}

  void enterProcedure();
  void leaveProcedure();

  /// Makes \p symbol known in the innermost scope. A second declaration is
  /// reported, and the first one stays.
  void declare(Symbol *symbol);

  /// Says that the program declares \p name further down, for messages.
  void announce(llvm::StringRef name, SourceRange range);

  /// The symbol of \p name, or null. Does not report.
  Symbol *find(llvm::StringRef name) const;

  /// Reports \p name as unknown, once per procedure, with the most similar
  /// known name as a suggestion; or as used before its declaration.
  void reportUnknown(llvm::StringRef name, SourceRange range);

private:
  std::string similarName(llvm::StringRef name) const;

  DiagnosticEngine &diags;
  llvm::StringMap<Symbol *> globals, locals;
  llvm::StringMap<SourceRange> announced;
  llvm::StringSet<> reported;
  bool inProcedure = false;
};

} // namespace zpl::sema

#endif // ZPL_SEMA_NAMES_H
