//===- Symbols.h - What is declared, and where it is used -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_EDITOR_SYMBOLS_H
#define ZPL_EDITOR_SYMBOLS_H

#include "zpl/AST/AST.h"
#include "zpl/Lex/Token.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

namespace zpl::editor {

enum class Kind : uint8_t {
  Program,
  Variable,
  Constant,
  Config,
  Array, ///< parallel
  Region,
  Direction,
  Grid,
  Distribution,
  Domain,
  Procedure,
  Type,
  Enumerator,
  Field,
  Parameter
};
/// "a region", as messages say it.
llvm::StringRef describe(Kind kind);

/// One declaration of a name.
struct Declared {
  Kind kind;
  llvm::StringRef name;
  SourceRange nameRange;
  SourceRange range;                   ///< of the whole declaration
  const ast::Decl *decl = nullptr;     ///< null: parameters
  const ast::TypeExpr *type = nullptr; ///< as written; may be null
  const ast::Expr *value = nullptr; ///< initial, of a region ...; may be null
  const ast::ProcedureDecl *procedure =
      nullptr;                 ///< it is local to; may be null
  const void *owner = nullptr; ///< Field: the ast::RecordType it is part of
};

/// A scope: names and the indices of their declarations; overloads, prototypes
/// and their procedures share a name.
using Scope = llvm::StringMap<llvm::SmallVector<unsigned, 1>>;

/// A place where a name stands, and what it means there.
struct Use {
  SourceRange range;
  llvm::SmallVector<unsigned, 1> declared; ///< indices; empty: not declared in
                                           ///< the program
};

/// All names of a program. Fields are found by their record, the rest by scope.
struct SymbolIndex {
  std::vector<Declared> all;
  Scope globals;
  llvm::DenseMap<const ast::ProcedureDecl *, Scope> locals;
  llvm::DenseMap<const void *, Scope> fields;         ///< by ast::RecordType
  std::vector<const ast::ProcedureDecl *> procedures; ///< by file and place
  std::vector<Use> uses;                              ///< by file and place

  /// What \p name means within \p procedure (null: outside of all); empty:
  /// nothing.
  llvm::ArrayRef<unsigned> find(llvm::StringRef name,
                                const ast::ProcedureDecl *procedure) const;
  /// The use that contains \p offset of \p file or ends there; null: none.
  const Use *useAt(uint32_t file, uint32_t offset) const;
  /// The procedure whose text contains the place; null: none.
  const ast::ProcedureDecl *procedureAt(uint32_t file, uint32_t offset) const;
};

/// Finds all names of \p module, whose text \p tokens are. A name that a syntax
/// error hides is not found; nothing else needs the program to be right.
SymbolIndex indexSymbols(const ast::Module &module, const TokenBuffer &tokens,
                         const SourceManager &sources);

/// The type of the designator whose last token is \p last: `P.pos[1]`. Of a
/// parallel array it is that of its elements. Null: it is not known.
const ast::TypeExpr *typeOfDesignator(const SymbolIndex &index,
                                      const TokenBuffer &tokens,
                                      const SourceManager &sources,
                                      size_t last);

/// The record that values of \p type are; null: of none.
const ast::RecordType *recordOf(const SymbolIndex &index,
                                const ast::TypeExpr *type);

/// The rank of a region, direction or parallel array; 0: it is not known, or
/// has none.
unsigned rankOf(const SymbolIndex &index, const Declared &declared);

/// Whether tokens of \p kind stand for names where the grammar lets them.
bool isWord(TokenKind kind);

/// The range of a name in a token: `f` of `f<<`; invalid: it has none.
SourceRange nameIn(const Token &token, const SourceManager &sources);

} // namespace zpl::editor

#endif // ZPL_EDITOR_SYMBOLS_H
