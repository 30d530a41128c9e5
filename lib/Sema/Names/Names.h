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

#ifndef ZPL_LIB_SEMA_NAMES_NAMES_H
#define ZPL_LIB_SEMA_NAMES_NAMES_H

#include "zpl/AST/Type.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace zpl::sema {

/// "a region", "a config variable": what kind of thing a symbol is.
llvm::StringRef describe(const Symbol &symbol);

/// The name of a type.
struct TypeName : Symbol {
  Type type;
  const ast::ParallelType *parallel = nullptr; ///< of a parallel array type
  /// The syntax, if it is a type of indexed arrays of parallel arrays.
  const ast::TypeExpr *family = nullptr;
  TypeName(llvm::StringRef name, Type type, SourceRange range)
      : Symbol(SymbolKind::Type, name, range), type(type) {}
  /// For llvm::isa.
  static bool classof(const Symbol *s) { return s->kind == SymbolKind::Type; }
};

class Names {
public:
  explicit Names(DiagnosticEngine &diags) : diags(diags) {}

  /// Opens the scope of a procedure, which hides the program's.
  void enterProcedure();
  /// Closes it; its names are forgotten.
  void leaveProcedure();

  /// Makes \p symbol known in the innermost scope. Procedures of one name are
  /// overloads; any other second declaration is reported, and the first one
  /// stays.
  void declare(Symbol *symbol);

  /// Makes \p symbol known as \p name, declared at \p range, too.
  void declareAs(llvm::StringRef name, SourceRange range, Symbol *symbol);

  /// Says that the program declares \p name further down, for messages.
  void announce(llvm::StringRef name, SourceRange range);
  /// Whether the program declares \p name anywhere.
  bool isAnnounced(llvm::StringRef name) const {
    return announced.contains(name);
  }

  /// The symbol of \p name, or null; of several procedures the first one. It
  /// counts as used. Enumerators are constants. Does not report.
  Symbol *find(llvm::StringRef name) const;
  /// All procedures that \p name may mean.
  llvm::ArrayRef<Symbol *> overloads(llvm::StringRef name) const;
  /// What \p name means in the innermost scope, without using it.
  llvm::ArrayRef<Symbol *> declared(llvm::StringRef name) const;

  /// Whether \p symbol has been found by its name, or marked.
  bool isUsed(const Symbol &symbol) const { return used.contains(&symbol); }
  /// Says that \p symbol is used without its name: the entry.
  void markUsed(const Symbol &symbol) const { used.insert(&symbol); }

  /// Reports \p name as unknown, once per procedure, with the most similar
  /// known name as a suggestion; or as used before its declaration.
  void reportUnknown(llvm::StringRef name, SourceRange range);
  /// The known name that is most similar to \p name; empty: none. Only types
  /// count if \p isType.
  std::string similarName(llvm::StringRef name, bool isType = false) const;

private:
  using Scope = llvm::StringMap<llvm::SmallVector<Symbol *, 1>>;

  DiagnosticEngine &diags;
  Scope globals, locals;
  llvm::StringMap<SourceRange> announced;
  llvm::StringSet<> reported;
  mutable llvm::DenseSet<const Symbol *> used;
  bool inProcedure = false;
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_NAMES_NAMES_H
