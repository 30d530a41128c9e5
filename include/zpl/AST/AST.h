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
/// keeps the source range it stands for. Nodes live in the Context's arena;
/// texts point into the source.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_AST_AST_H
#define ZPL_AST_AST_H

#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Casting.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace zpl::ast {

/// A name where it stands.
struct Name {
  llvm::StringRef text;
  SourceRange range;
};

//===----------------------------------------------------------------------===//
// Expressions, regions and directions
//===----------------------------------------------------------------------===//

enum class NodeKind : uint8_t {
  // Expressions.
  IntLiteral,
  FloatLiteral,
  StringLiteral,
  BoolLiteral,
  NameRef,
  Call,
  Unary,
  Binary,
  Paren,
  At,
  Reduce,
  // Regions and directions.
  List,      // [e, e, ...]: a direction literal
  RegionLit, // [dim, dim, ...]
  Quote,     // "
  Of,
  In,
  RegionAt
};

struct Expr {
  NodeKind kind;
  SourceRange range;

protected:
  Expr(NodeKind kind, SourceRange range) : kind(kind), range(range) {}
};

/// `42`, `0x2A`; a value above 2^64-1 has been reported.
struct IntLiteral : Expr {
  uint64_t value;
  llvm::StringRef text;
  IntLiteral(uint64_t value, llvm::StringRef text, SourceRange range)
      : Expr(NodeKind::IntLiteral, range), value(value), text(text) {}
  static bool classof(const Expr *e) { return e->kind == NodeKind::IntLiteral; }
};

struct FloatLiteral : Expr {
  double value;
  llvm::StringRef text;
  FloatLiteral(double value, llvm::StringRef text, SourceRange range)
      : Expr(NodeKind::FloatLiteral, range), value(value), text(text) {}
  static bool classof(const Expr *e) {
    return e->kind == NodeKind::FloatLiteral;
  }
};

/// Adjacent strings have been joined, escapes resolved.
struct StringLiteral : Expr {
  std::string value;
  StringLiteral(std::string value, SourceRange range)
      : Expr(NodeKind::StringLiteral, range), value(std::move(value)) {}
  static bool classof(const Expr *e) {
    return e->kind == NodeKind::StringLiteral;
  }
};

struct BoolLiteral : Expr {
  bool value;
  BoolLiteral(bool value, SourceRange range)
      : Expr(NodeKind::BoolLiteral, range), value(value) {}
  static bool classof(const Expr *e) {
    return e->kind == NodeKind::BoolLiteral;
  }
};

struct NameRef : Expr {
  llvm::StringRef name;
  NameRef(llvm::StringRef name, SourceRange range)
      : Expr(NodeKind::NameRef, range), name(name) {}
  static bool classof(const Expr *e) { return e->kind == NodeKind::NameRef; }
};

/// `f(a, b)`; also conversions `double(x)` (callee is the type's keyword).
struct Call : Expr {
  Name callee;
  llvm::SmallVector<Expr *, 4> args;
  Call(Name callee, llvm::ArrayRef<Expr *> args, SourceRange range)
      : Expr(NodeKind::Call, range), callee(callee),
        args(args.begin(), args.end()) {}
  static bool classof(const Expr *e) { return e->kind == NodeKind::Call; }
};

enum class UnaryOp : uint8_t { Neg, Plus, Not };

struct Unary : Expr {
  UnaryOp op;
  Expr *operand;
  SourceRange opRange;
  Unary(UnaryOp op, SourceRange opRange, Expr *operand, SourceRange range)
      : Expr(NodeKind::Unary, range), op(op), operand(operand),
        opRange(opRange) {}
  static bool classof(const Expr *e) { return e->kind == NodeKind::Unary; }
};

enum class BinaryOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Pow,
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne,
  And,
  Or,
  Max, // only in assignments `max=`
  Min
};
llvm::StringRef text(UnaryOp op);
llvm::StringRef text(BinaryOp op);

struct Binary : Expr {
  BinaryOp op;
  SourceRange opRange;
  Expr *left, *right;
  Binary(BinaryOp op, SourceRange opRange, Expr *left, Expr *right,
         SourceRange range)
      : Expr(NodeKind::Binary, range), op(op), opRange(opRange), left(left),
        right(right) {}
  static bool classof(const Expr *e) { return e->kind == NodeKind::Binary; }
};

/// `(e)`; kept because a numeric literal prints its source text and diagnostics
/// quote the source.
struct Paren : Expr {
  Expr *inner;
  Paren(Expr *inner, SourceRange range)
      : Expr(NodeKind::Paren, range), inner(inner) {}
  static bool classof(const Expr *e) { return e->kind == NodeKind::Paren; }
};

/// `designator@direction`; the direction is a NameRef, a List or a Paren.
struct At : Expr {
  Expr *designator;
  Expr *direction;
  At(Expr *designator, Expr *direction, SourceRange range)
      : Expr(NodeKind::At, range), designator(designator),
        direction(direction) {}
  static bool classof(const Expr *e) { return e->kind == NodeKind::At; }
};

enum class ReduceOp : uint8_t { Sum, Product, Max, Min, And, Or };
llvm::StringRef text(ReduceOp op); ///< as written: "+", "max"

/// `op<< operand`: a full reduction.
struct Reduce : Expr {
  ReduceOp op;
  SourceRange opRange;
  Expr *operand;
  Reduce(ReduceOp op, SourceRange opRange, Expr *operand, SourceRange range)
      : Expr(NodeKind::Reduce, range), op(op), opRange(opRange),
        operand(operand) {}
  static bool classof(const Expr *e) { return e->kind == NodeKind::Reduce; }
};

/// `[e1, e2]` as a direction.
struct List : Expr {
  llvm::SmallVector<Expr *, 6> items;
  List(llvm::ArrayRef<Expr *> items, SourceRange range)
      : Expr(NodeKind::List, range), items(items.begin(), items.end()) {}
  static bool classof(const Expr *e) { return e->kind == NodeKind::List; }
};

/// One dimension of a region literal.
struct Dim {
  enum Kind : uint8_t { Range, Single, Blank } kind = Blank;
  Expr *lo = nullptr; ///< Range, Single
  Expr *hi = nullptr; ///< Range
  SourceRange range;  ///< of a Blank: where it would stand, empty
};

/// `[1..n, k, ]`. `[R]` has one Single dimension that names a region: Sema
/// knows.
struct RegionLit : Expr {
  llvm::SmallVector<Dim, 6> dims;
  RegionLit(llvm::ArrayRef<Dim> dims, SourceRange range)
      : Expr(NodeKind::RegionLit, range), dims(dims.begin(), dims.end()) {}
  static bool classof(const Expr *e) { return e->kind == NodeKind::RegionLit; }
};

/// `"`: the enclosing region.
struct Quote : Expr {
  explicit Quote(SourceRange range) : Expr(NodeKind::Quote, range) {}
  static bool classof(const Expr *e) { return e->kind == NodeKind::Quote; }
};

/// `direction of region` (Of), `direction in region` (In),
/// `region at direction` (RegionAt).
struct RegionOp : Expr {
  Expr *direction;
  Expr *region;
  RegionOp(NodeKind kind, Expr *direction, Expr *region, SourceRange range)
      : Expr(kind, range), direction(direction), region(region) {}
  static bool classof(const Expr *e) {
    return e->kind == NodeKind::Of || e->kind == NodeKind::In ||
           e->kind == NodeKind::RegionAt;
  }
};

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// `double` or `[R] double`, `[1..n, ] double`, `[ , ] double`.
struct TypeRef {
  RegionLit *dims = nullptr; ///< null: not a parallel array. A region
                             ///< expression in brackets is one Single dim.
  Name element;              ///< the type's keyword or name
  SourceRange range;
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

enum class StmtKind : uint8_t {
  Block,
  Empty,
  If,
  While,
  Repeat,
  For,
  Exit,
  Continue,
  Return,
  Halt,
  Write,
  Call,
  Assign,
  Scope
};

struct Stmt {
  StmtKind kind;
  SourceRange range;

protected:
  Stmt(StmtKind kind, SourceRange range) : kind(kind), range(range) {}
};
using StmtList = std::vector<Stmt *>;

struct BlockStmt : Stmt {
  StmtList body;
  BlockStmt(StmtList body, SourceRange range)
      : Stmt(StmtKind::Block, range), body(std::move(body)) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Block; }
};

struct EmptyStmt : Stmt {
  explicit EmptyStmt(SourceRange range) : Stmt(StmtKind::Empty, range) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Empty; }
};

struct IfStmt : Stmt {
  struct Arm {
    Expr *condition;
    StmtList body;
  };
  std::vector<Arm> arms; ///< `if`, then each `elsif`
  StmtList elseBody;
  IfStmt(std::vector<Arm> arms, StmtList elseBody, SourceRange range)
      : Stmt(StmtKind::If, range), arms(std::move(arms)),
        elseBody(std::move(elseBody)) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::If; }
};

struct WhileStmt : Stmt {
  Expr *condition;
  StmtList body;
  WhileStmt(Expr *condition, StmtList body, SourceRange range)
      : Stmt(StmtKind::While, range), condition(condition),
        body(std::move(body)) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::While; }
};

struct RepeatStmt : Stmt {
  StmtList body;
  Expr *condition;
  RepeatStmt(StmtList body, Expr *condition, SourceRange range)
      : Stmt(StmtKind::Repeat, range), body(std::move(body)),
        condition(condition) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Repeat; }
};

struct ForStmt : Stmt {
  Expr *variable;
  Expr *from, *bound;
  Expr *step; ///< null: 1
  bool down;
  StmtList body;
  ForStmt(Expr *variable, Expr *from, Expr *bound, Expr *step, bool down,
          StmtList body, SourceRange range)
      : Stmt(StmtKind::For, range), variable(variable), from(from),
        bound(bound), step(step), down(down), body(std::move(body)) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::For; }
};

struct ExitStmt : Stmt {
  explicit ExitStmt(SourceRange range) : Stmt(StmtKind::Exit, range) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Exit; }
};

struct ContinueStmt : Stmt {
  explicit ContinueStmt(SourceRange range) : Stmt(StmtKind::Continue, range) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Continue; }
};

struct ReturnStmt : Stmt {
  Expr *value; ///< may be null
  ReturnStmt(Expr *value, SourceRange range)
      : Stmt(StmtKind::Return, range), value(value) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Return; }
};

/// `e` or `"format": e` of an I/O statement.
struct Item {
  Expr *format = nullptr; ///< may be null
  Expr *value = nullptr;
  SourceRange range;
};

/// `halt` or `halt(items)`.
struct HaltStmt : Stmt {
  std::vector<Item> items;
  HaltStmt(std::vector<Item> items, SourceRange range)
      : Stmt(StmtKind::Halt, range), items(std::move(items)) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Halt; }
};

struct WriteStmt : Stmt {
  bool newline; ///< writeln
  std::vector<Item> items;
  WriteStmt(bool newline, std::vector<Item> items, SourceRange range)
      : Stmt(StmtKind::Write, range), newline(newline),
        items(std::move(items)) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Write; }
};

struct CallStmt : Stmt {
  Call *call;
  CallStmt(Call *call, SourceRange range)
      : Stmt(StmtKind::Call, range), call(call) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Call; }
};

/// `target := value` or, with op, `target op= value`.
struct AssignStmt : Stmt {
  Expr *target;
  std::optional<BinaryOp> op;
  Expr *value;
  SourceRange opRange;
  AssignStmt(Expr *target, std::optional<BinaryOp> op, SourceRange opRange,
             Expr *value, SourceRange range)
      : Stmt(StmtKind::Assign, range), target(target), op(op), value(value),
        opRange(opRange) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Assign; }
};

/// `[region] body`. The region is a RegionLit (also for `[R]`), a RegionOp or a
/// Quote: the outermost brackets of the scope are those of the statement.
struct ScopeStmt : Stmt {
  Expr *region;
  Stmt *body;
  ScopeStmt(Expr *region, Stmt *body, SourceRange range)
      : Stmt(StmtKind::Scope, range), region(region), body(body) {}
  static bool classof(const Stmt *s) { return s->kind == StmtKind::Scope; }
};

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

enum class DeclKind : uint8_t { Variable, Region, Direction, Procedure };

struct Decl {
  DeclKind kind;
  SourceRange range;

protected:
  Decl(DeclKind kind, SourceRange range) : kind(kind), range(range) {}
};

/// `var a, b: T = e;`, `const c: T = e;`, `config var n: T = e;`. Local ones
/// may be `static`.
struct VariableDecl : Decl {
  enum Flavor : uint8_t { Var, Const, Config } flavor;
  bool isStatic = false;
  llvm::SmallVector<Name, 2> names;
  TypeRef type;
  Expr *init = nullptr;    ///< may be null
  llvm::StringRef comment; ///< Config: text of the comment that follows on
                           ///< the line, trimmed; empty if none
  VariableDecl(Flavor flavor, SourceRange range)
      : Decl(DeclKind::Variable, range), flavor(flavor) {}
  static bool classof(const Decl *d) { return d->kind == DeclKind::Variable; }
};

/// `region R = ...;`
struct RegionDecl : Decl {
  Name name;
  Expr *value;
  RegionDecl(Name name, Expr *value, SourceRange range)
      : Decl(DeclKind::Region, range), name(name), value(value) {}
  static bool classof(const Decl *d) { return d->kind == DeclKind::Region; }
};

/// `direction d = [..];`
struct DirectionDecl : Decl {
  Name name;
  Expr *value; ///< a List or NameRef
  DirectionDecl(Name name, Expr *value, SourceRange range)
      : Decl(DeclKind::Direction, range), name(name), value(value) {}
  static bool classof(const Decl *d) { return d->kind == DeclKind::Direction; }
};

struct Formal {
  enum Mode : uint8_t {
    Const, ///< by value, read-only: `const` or no keyword
    In,    ///< by value, a private copy
    InOut, ///< by reference: `inout`
    Var,   ///< the same, spelt `var`
    Out    ///< by reference, zero at entry
  } mode = Const;
  Name name;
  TypeRef type;
};

struct ProcedureDecl : Decl {
  Name name;
  std::vector<Formal> formals;
  std::optional<TypeRef> result;
  std::vector<Decl *> locals;
  Stmt *body; ///< null: a prototype
  ProcedureDecl(Name name, SourceRange range)
      : Decl(DeclKind::Procedure, range), name(name), body(nullptr) {}
  static bool classof(const Decl *d) { return d->kind == DeclKind::Procedure; }
};

/// A source program.
struct Module {
  Name name;
  std::vector<Decl *> decls; ///< in source order
};

/// Owns the nodes.
class Context {
public:
  Context();
  ~Context();
  template <typename T, typename... Args> T *make(Args &&...args) {
    auto node = std::make_shared<T>(std::forward<Args>(args)...);
    T *raw = node.get();
    keep(std::move(node));
    return raw;
  }

private:
  void keep(std::shared_ptr<void> node);
  std::vector<std::shared_ptr<void>> nodes;
};

} // namespace zpl::ast

#endif // ZPL_AST_AST_H
