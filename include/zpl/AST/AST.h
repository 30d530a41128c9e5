//===- AST.h - Syntax tree --------------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The program as written: plain structs, made by Parse, read by Sema. Names
/// are unresolved, so a region in brackets is still an expression. Every node
/// keeps the source range it stands for. Nodes and their lists live in the
/// Context's arena; texts point into it or into the source.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_AST_AST_H
#define ZPL_AST_AST_H

#include "zpl/AST/Stmt.h"
#include "zpl/AST/Type.h"
#include <vector>

namespace zpl::ast {

enum class DeclKind : uint8_t {
  Variable,
  Type,
  Region,
  Direction,
  Grid,
  Distribution,
  Domain,
  Procedure,
  ExternHeader
};

struct Decl {
  DeclKind kind;
  SourceRange range;

protected:
  Decl(DeclKind kind, SourceRange range) : kind(kind), range(range) {}
};
using DeclList = llvm::ArrayRef<Decl *>; ///< lives in the Context

template <DeclKind K> struct DeclNode : Decl {
  explicit DeclNode(SourceRange range) : Decl(K, range) {}
  static bool classof(const Decl *d) { return d->kind == K; }
};

/// `{0..k}` or `{}` after a name that is defined: the multi notation.
struct MultiRange {
  Expr *lo = nullptr; ///< null: `{}`, the range of the multi-region in the
                      ///< definition
  Expr *hi = nullptr; ///< null when lo is
  SourceRange range;
};

/// A name where it is defined.
struct DefinedName : Name {
  const MultiRange *multi = nullptr; ///< null: none
};

/// `var a, b: T = e;`, `const c: T = e;`, `config var n: T = e;`. Local ones
/// may be `static`, global ones `extern`.
struct VariableDecl : DeclNode<DeclKind::Variable> {
  enum Flavor : uint8_t { Var, Const, Config } flavor = Var;
  bool isStatic = false;
  bool isFree = false;
  bool isExtern = false;
  bool isExported = false; ///< global: `export var`
  llvm::ArrayRef<DefinedName> names;
  TypeExpr *type = nullptr;
  Expr *init = nullptr;    ///< may be null, a region, a direction, an InitList
  llvm::StringRef comment; ///< Config: text of the comment that follows on
                           ///< the line, trimmed; empty if none
  explicit VariableDecl(SourceRange range) : DeclNode(range) {}
};

/// `type T = ...;`, `extern type T;`.
struct TypeDecl : DeclNode<DeclKind::Type> {
  Name name;
  TypeExpr *type; ///< null: only in `extern type T;`
  bool isExtern;
  TypeDecl(Name name, TypeExpr *type, bool isExtern, SourceRange range)
      : DeclNode(range), name(name), type(type), isExtern(isExtern) {}
};

/// `region R = ...;`, `region R: D = ...;`, `region R{0..k} = ...;`
struct RegionDecl : DeclNode<DeclKind::Region> {
  DefinedName name;
  std::optional<Name> distribution;
  Expr *value;
  RegionDecl(DefinedName name, std::optional<Name> distribution, Expr *value,
             SourceRange range)
      : DeclNode(range), name(name), distribution(distribution), value(value) {}
};

/// `direction d = [..];`, `direction d{0..k} = ...;`
struct DirectionDecl : DeclNode<DeclKind::Direction> {
  DefinedName name;
  Expr *value; ///< a List, a Scaledby, a designator or a Call
  DirectionDecl(DefinedName name, Expr *value, SourceRange range)
      : DeclNode(range), name(name), value(value) {}
};

/// `grid G = [4, ];`
struct GridDecl : DeclNode<DeclKind::Grid> {
  Name name;
  ExprList extents; ///< null: chosen at start
  GridDecl(Name name, ExprList extents, SourceRange range)
      : DeclNode(range), name(name), extents(extents) {}
};

/// `distribution D: G = [block 1..n, cyclic, cut(c)];`
struct DistributionDecl : DeclNode<DeclKind::Distribution> {
  struct Dim {
    Name name;          ///< "block", "cyclic", a procedure ...
    Expr *lo = nullptr; ///< `block lo..hi`; else null
    Expr *hi = nullptr; ///< null when lo is
    ExprList args;      ///< `cut(c)`
    SourceRange range;
  };
  Name name;
  std::optional<Name> grid;
  llvm::ArrayRef<Dim> dims;
  DistributionDecl(Name name, std::optional<Name> grid,
                   llvm::ArrayRef<Dim> dims, SourceRange range)
      : DeclNode(range), name(name), grid(grid), dims(dims) {}
};

/// `domain Big: D = R, BigR;`
struct DomainDecl : DeclNode<DeclKind::Domain> {
  Name name;
  Name distribution; ///< or a grid
  llvm::ArrayRef<Name> regions;
  DomainDecl(Name name, Name distribution, llvm::ArrayRef<Name> regions,
             SourceRange range)
      : DeclNode(range), name(name), distribution(distribution),
        regions(regions) {}
};

/// `extern header "file.h";`
struct ExternHeaderDecl : DeclNode<DeclKind::ExternHeader> {
  llvm::StringRef path;
  SourceRange pathRange;
  ExternHeaderDecl(llvm::StringRef path, SourceRange pathRange,
                   SourceRange range)
      : DeclNode(range), path(path), pathRange(pathRange) {}
};

/// `procedure`, `prototype` or `regionop`.
struct ProcedureDecl : DeclNode<DeclKind::Procedure> {
  Name name;
  bool isExtern = false;
  bool isExported = false; ///< `export procedure`
  bool isFree = false;
  bool isRegionOp = false;
  bool isPrototype = false; ///< said so; without a body
  llvm::ArrayRef<Formal> formals;
  TypeExpr *result = nullptr; ///< may be null
  DeclList locals;
  Stmt *body = nullptr; ///< null: a prototype, or a syntax error
  ProcedureDecl(Name name, SourceRange range) : DeclNode(range), name(name) {}
};

/// A source program.
struct Module {
  Name name;
  std::vector<Decl *> decls; ///< in source order
  bool hasWhere = false;     ///< regions in it may have patterns
};

} // namespace zpl::ast

#endif // ZPL_AST_AST_H
