//===- Stmt.h - Statements --------------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_AST_STMT_H
#define ZPL_AST_STMT_H

#include "zpl/AST/Expr.h"
#include <optional>

namespace zpl::ast {

enum class StmtKind : uint8_t {
#define AST_STMT(Kind, name) Kind,
#include "zpl/AST/Kinds.def"
};

struct Stmt {
  StmtKind kind;
  SourceRange range;

protected:
  Stmt(StmtKind kind, SourceRange range) : kind(kind), range(range) {}
};
using StmtList = llvm::ArrayRef<Stmt *>; ///< lives in the Context

template <StmtKind K> struct StmtNode : Stmt {
  explicit StmtNode(SourceRange range) : Stmt(K, range) {}
  static bool classof(const Stmt *s) { return s->kind == K; }
};

//===----------------------------------------------------------------------===//
// Blocks and control flow
//===----------------------------------------------------------------------===//

struct BlockStmt : StmtNode<StmtKind::Block> {
  StmtList body;
  BlockStmt(StmtList body, SourceRange range) : StmtNode(range), body(body) {}
};

/// `interleave ... end`.
struct InterleaveStmt : StmtNode<StmtKind::Interleave> {
  StmtList body;
  InterleaveStmt(StmtList body, SourceRange range)
      : StmtNode(range), body(body) {}
};

/// `scan ... end`: a wavefront.
struct ScanBlockStmt : StmtNode<StmtKind::ScanBlock> {
  StmtList body;
  ScanBlockStmt(StmtList body, SourceRange range)
      : StmtNode(range), body(body) {}
};

struct EmptyStmt : StmtNode<StmtKind::Empty> {
  explicit EmptyStmt(SourceRange range) : StmtNode(range) {}
};

struct IfStmt : StmtNode<StmtKind::If> {
  struct Arm {
    Expr *condition;
    StmtList body;
  };
  llvm::ArrayRef<Arm> arms; ///< `if`, then each `elsif`
  StmtList elseBody;
  IfStmt(llvm::ArrayRef<Arm> arms, StmtList elseBody, SourceRange range)
      : StmtNode(range), arms(arms), elseBody(elseBody) {}
};

struct WhileStmt : StmtNode<StmtKind::While> {
  Expr *condition;
  StmtList body;
  WhileStmt(Expr *condition, StmtList body, SourceRange range)
      : StmtNode(range), condition(condition), body(body) {}
};

struct RepeatStmt : StmtNode<StmtKind::Repeat> {
  StmtList body;
  Expr *condition;
  RepeatStmt(StmtList body, Expr *condition, SourceRange range)
      : StmtNode(range), body(body), condition(condition) {}
};

struct ForStmt : StmtNode<StmtKind::For> {
  Expr *variable; ///< a name with subscripts and fields
  Expr *from, *bound;
  Expr *step; ///< null: 1
  bool down;
  StmtList body;
  ForStmt(Expr *variable, Expr *from, Expr *bound, Expr *step, bool down,
          StmtList body, SourceRange range)
      : StmtNode(range), variable(variable), from(from), bound(bound),
        step(step), down(down), body(body) {}
};

struct ExitStmt : StmtNode<StmtKind::Exit> {
  explicit ExitStmt(SourceRange range) : StmtNode(range) {}
};

struct ContinueStmt : StmtNode<StmtKind::Continue> {
  explicit ContinueStmt(SourceRange range) : StmtNode(range) {}
};

struct ReturnStmt : StmtNode<StmtKind::Return> {
  Expr *value; ///< may be null, a region or a direction
  ReturnStmt(Expr *value, SourceRange range) : StmtNode(range), value(value) {}
};

//===----------------------------------------------------------------------===//
// Input and output
//===----------------------------------------------------------------------===//

/// `e` or `"format": e` of an I/O statement.
struct Item {
  Expr *format = nullptr; ///< may be null
  Expr *value = nullptr;
  SourceRange range;
};

/// `halt`, `halt(items)`, `halt status` or `halt status, items`.
struct HaltStmt : StmtNode<StmtKind::Halt> {
  Expr *status; ///< may be null
  llvm::ArrayRef<Item> items;
  HaltStmt(Expr *status, llvm::ArrayRef<Item> items, SourceRange range)
      : StmtNode(range), status(status), items(items) {}
};

/// `assert condition, items` or, if that is what it looks like, a call
/// `assert(condition, items)`: of a procedure of the program, if there is one.
struct AssertStmt : StmtNode<StmtKind::Assert> {
  Name word; ///< "assert"
  Expr *condition;
  llvm::ArrayRef<Item> items;
  Call *call; ///< the whole of it read as a call; null: it is none
  AssertStmt(Name word, Expr *condition, llvm::ArrayRef<Item> items, Call *call,
             SourceRange range)
      : StmtNode(range), word(word), condition(condition), items(items),
        call(call) {}
};

enum class IoKind : uint8_t { Read, Write, Writeln, Bread, Bwrite };
llvm::StringRef text(IoKind kind); ///< "read"

/// A file, if there is one, is the first item.
struct IoStmt : StmtNode<StmtKind::Io> {
  IoKind io;
  llvm::ArrayRef<Item> items;
  IoStmt(IoKind io, llvm::ArrayRef<Item> items, SourceRange range)
      : StmtNode(range), io(io), items(items) {}
};

//===----------------------------------------------------------------------===//
// Arrays and regions
//===----------------------------------------------------------------------===//

/// `wrap A, B;`, `reflect A;`.
struct WrapStmt : StmtNode<StmtKind::Wrap> {
  bool reflects;
  ExprList arrays;
  WrapStmt(bool reflects, ExprList arrays, SourceRange range)
      : StmtNode(range), reflects(reflects), arrays(arrays) {}
};

/// `modify R begin ... end`.
struct ModifyStmt : StmtNode<StmtKind::Modify> {
  Expr *region;
  StmtList body;
  ModifyStmt(Expr *region, StmtList body, SourceRange range)
      : StmtNode(range), region(region), body(body) {}
};

/// `add [i, j];`, only inside `modify`.
struct AddStmt : StmtNode<StmtKind::Add> {
  ExprList indices;
  AddStmt(ExprList indices, SourceRange range)
      : StmtNode(range), indices(indices) {}
};

/// `[region] body`. The region is a RegionLit (also for `[R]`) or, if the
/// syntax tells that it is one, the region expression itself (RegionOp, Mask,
/// Quote ...): the outermost brackets of the scope are those of the statement.
struct ScopeStmt : StmtNode<StmtKind::Scope> {
  Expr *region;
  Stmt *body;
  ScopeStmt(Expr *region, Stmt *body, SourceRange range)
      : StmtNode(range), region(region), body(body) {}
};

//===----------------------------------------------------------------------===//
// Calls and assignments
//===----------------------------------------------------------------------===//

struct CallStmt : StmtNode<StmtKind::Call> {
  Call *call;
  CallStmt(Call *call, SourceRange range) : StmtNode(range), call(call) {}
};

/// `target := value` or, with op, `target op= value`. The target is a name with
/// subscripts, fields and braces, or an At or a Remap of one. The value may be
/// a region or a direction.
struct AssignStmt : StmtNode<StmtKind::Assign> {
  enum Form : uint8_t {
    Plain,   ///< `:=` and the operators
    Keep,    ///< `<=#`: the arrays over the region keep their values
    Discard, ///< `<==`: their values become undefined
  } form = Plain;
  Expr *target;
  std::optional<BinaryOp> op; ///< only in Plain
  Expr *value;
  SourceRange opRange;
  AssignStmt(Form form, Expr *target, std::optional<BinaryOp> op,
             SourceRange opRange, Expr *value, SourceRange range)
      : StmtNode(range), form(form), target(target), op(op), value(value),
        opRange(opRange) {}
};

} // namespace zpl::ast

#endif // ZPL_AST_STMT_H
