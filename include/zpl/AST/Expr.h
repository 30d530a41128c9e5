//===- Expr.h - Expressions, regions and directions -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What has a value, in the order of the grammar: literals, designators,
/// operators, array operators, then regions and directions. Names are
/// unresolved, so one tree serves them all: whether `R[i]` is an element or a
/// region is for Sema to say.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_AST_EXPR_H
#define ZPL_AST_EXPR_H

#include "zpl/AST/Context.h"
#include "llvm/Support/Casting.h"

namespace zpl::ast {

enum class NodeKind : uint8_t {
#define AST_EXPR(Kind) Kind,
#include "zpl/AST/Kinds.def"
};

struct Expr {
  NodeKind kind;
  SourceRange range;

protected:
  Expr(NodeKind kind, SourceRange range) : kind(kind), range(range) {}
};
using ExprList = llvm::ArrayRef<Expr *>; ///< lives in the Context

/// The base of the nodes of one kind.
template <NodeKind K> struct ExprNode : Expr {
  explicit ExprNode(SourceRange range) : Expr(K, range) {}
  static bool classof(const Expr *e) { return e->kind == K; }
};

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

/// `42`, `0x2A`; a value above 2^64-1 has been reported. Its type is the first
/// of integer, longint, ulongint that holds it.
struct IntLiteral : ExprNode<NodeKind::IntLiteral> {
  uint64_t value;
  llvm::StringRef text;
  IntLiteral(uint64_t value, llvm::StringRef text, SourceRange range)
      : ExprNode(range), value(value), text(text) {}
};

struct FloatLiteral : ExprNode<NodeKind::FloatLiteral> {
  double value;
  llvm::StringRef text;
  FloatLiteral(double value, llvm::StringRef text, SourceRange range)
      : ExprNode(range), value(value), text(text) {}
};

/// `'c'`, `'\n'`: its code.
struct CharLiteral : ExprNode<NodeKind::CharLiteral> {
  uint8_t value;
  llvm::StringRef text; ///< with the quotes
  CharLiteral(uint8_t value, llvm::StringRef text, SourceRange range)
      : ExprNode(range), value(value), text(text) {}
};

/// Adjacent strings have been joined, escapes resolved.
struct StringLiteral : ExprNode<NodeKind::StringLiteral> {
  llvm::StringRef value;
  StringLiteral(llvm::StringRef value, SourceRange range)
      : ExprNode(range), value(value) {}
};

struct BoolLiteral : ExprNode<NodeKind::BoolLiteral> {
  bool value;
  BoolLiteral(bool value, SourceRange range) : ExprNode(range), value(value) {}
};

//===----------------------------------------------------------------------===//
// Designators and calls
//===----------------------------------------------------------------------===//

struct NameRef : ExprNode<NodeKind::NameRef> {
  llvm::StringRef name;
  NameRef(llvm::StringRef name, SourceRange range)
      : ExprNode(range), name(name) {}
};

/// `a[i, j]`; without indices a blank reference, `a[]` (section 4).
struct Subscript : ExprNode<NodeKind::Subscript> {
  Expr *base;
  ExprList indices;
  Subscript(Expr *base, ExprList indices, SourceRange range)
      : ExprNode(range), base(base), indices(indices) {}
};

/// `base.name`; also `A.irv`.
struct Field : ExprNode<NodeKind::Field> {
  Expr *base;
  Name name;
  Field(Expr *base, Name name, SourceRange range)
      : ExprNode(range), base(base), name(name) {}
};

/// `U{i}`, `U{}` of the multi notation (section 9).
struct Multi : ExprNode<NodeKind::Multi> {
  Expr *base;
  Expr *index; ///< null: blank
  Multi(Expr *base, Expr *index, SourceRange range)
      : ExprNode(range), base(base), index(index) {}
};

/// `{}` that stands alone: the parameter of a multi definition.
struct MultiParam : ExprNode<NodeKind::MultiParam> {
  explicit MultiParam(SourceRange range) : ExprNode(range) {}
};

/// `f(a, b)`; also conversions `double(x)` (callee is the type's keyword).
/// Arguments may be regions and directions, or NamedArguments.
struct Call : ExprNode<NodeKind::Call> {
  Name callee;
  ExprList args;
  Call(Name callee, ExprList args, SourceRange range)
      : ExprNode(range), callee(callee), args(args) {}
};

/// `eps := 1e-3` among the arguments of a Call.
struct NamedArgument : ExprNode<NodeKind::NamedArgument> {
  Name name;
  Expr *value;
  NamedArgument(Name name, Expr *value, SourceRange range)
      : ExprNode(range), name(name), value(value) {}
};

/// `region(A)`: the region that A is declared over.
struct RegionCall : ExprNode<NodeKind::RegionCall> {
  Expr *array;
  RegionCall(Expr *array, SourceRange range) : ExprNode(range), array(array) {}
};

//===----------------------------------------------------------------------===//
// Scalar operators
//===----------------------------------------------------------------------===//

enum class UnaryOp : uint8_t { Neg, Plus, Not };

struct Unary : ExprNode<NodeKind::Unary> {
  UnaryOp op;
  Expr *operand;
  SourceRange opRange;
  Unary(UnaryOp op, SourceRange opRange, Expr *operand, SourceRange range)
      : ExprNode(range), op(op), operand(operand), opRange(opRange) {}
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
/// The operator as it is written: "-", "and"; lives for ever.
llvm::StringRef text(UnaryOp op);
llvm::StringRef text(BinaryOp op);

struct Binary : ExprNode<NodeKind::Binary> {
  BinaryOp op;
  SourceRange opRange;
  Expr *left, *right;
  Binary(BinaryOp op, SourceRange opRange, Expr *left, Expr *right,
         SourceRange range)
      : ExprNode(range), op(op), opRange(opRange), left(left), right(right) {}
};

/// `(e)`; kept because a numeric literal prints its source text and diagnostics
/// quote the source. Parentheses around regions and directions leave no node.
struct Paren : ExprNode<NodeKind::Paren> {
  Expr *inner;
  Paren(Expr *inner, SourceRange range) : ExprNode(range), inner(inner) {}
};

/// What stands in the parentheses around \p e, if there are any.
inline const Expr &withoutParens(const Expr &e) {
  const Expr *inner = &e;
  while (auto *paren = llvm::dyn_cast<Paren>(inner))
    inner = paren->inner;
  return *inner;
}

//===----------------------------------------------------------------------===//
// Array operators
//===----------------------------------------------------------------------===//

/// `designator@direction`, `designator@^direction`, `designator'@direction`.
/// The designator is a name with subscripts, fields and braces; the direction a
/// name with the same, a List or a Scaledby.
struct At : ExprNode<NodeKind::At> {
  enum Flavor : uint8_t { Plain, Wrap, Prime } flavor;
  Expr *designator;
  Expr *direction;
  At(Flavor flavor, Expr *designator, Expr *direction, SourceRange range)
      : ExprNode(range), flavor(flavor), designator(designator),
        direction(direction) {}
};
llvm::StringRef text(At::Flavor flavor); ///< "@", "@^", "'@"

/// `base#[I, , J]`.
struct Remap : ExprNode<NodeKind::Remap> {
  Expr *base;
  ExprList maps; ///< null: blank, the identity
  Remap(Expr *base, ExprList maps, SourceRange range)
      : ExprNode(range), base(base), maps(maps) {}
};

/// `>>[source] operand`. The source as the region of a ScopeStmt.
struct Flood : ExprNode<NodeKind::Flood> {
  Expr *source;
  Expr *operand;
  Flood(Expr *source, Expr *operand, SourceRange range)
      : ExprNode(range), source(source), operand(operand) {}
};

enum class ReduceOp : uint8_t {
  Sum,
  Product,
  Max,
  Min,
  And,
  Or,
  BitAnd,
  BitOr,
  BitXor,
  User // a procedure, by its name
};
llvm::StringRef text(ReduceOp op); ///< as written: "+", "max"; User: ""

/// The operator of a reduction or scan.
struct FoldOperator {
  ReduceOp op;
  Name name; ///< as written, without `<<` or `||`: "+", "max", "f"
};

/// `op<< e`, `op<<[source] e`, `f<< (e1, e2)`.
struct Reduce : ExprNode<NodeKind::Reduce> {
  FoldOperator op;
  Expr *source;      ///< as the region of a ScopeStmt; null: full
  ExprList operands; ///< several: only with User
  Reduce(FoldOperator op, Expr *source, ExprList operands, SourceRange range)
      : ExprNode(range), op(op), source(source), operands(operands) {}
};

/// One dimension in the list of a scan.
struct ScanDim {
  uint64_t dim = 0; ///< from 1
  bool down = false;
  SourceRange range;
};

/// `op||[2, -1] e`, `op||<inclusive, segment M> e`.
struct Scan : ExprNode<NodeKind::Scan> {
  FoldOperator op;
  bool inclusive = false;
  Expr *segment = nullptr;      ///< may be null
  llvm::ArrayRef<ScanDim> dims; ///< from the fastest; empty: the default
  ExprList operands;            ///< several: only with User
  Scan(FoldOperator op, SourceRange range) : ExprNode(range), op(op) {}
};

/// `[i, j] inside R`, `i inside R`.
struct Inside : ExprNode<NodeKind::Inside> {
  Expr *index; ///< a List or a scalar
  Expr *region;
  Inside(Expr *index, Expr *region, SourceRange range)
      : ExprNode(range), index(index), region(region) {}
};

/// `{ e1, { e2, e3 } }` as an initializer.
struct InitList : ExprNode<NodeKind::InitList> {
  ExprList items; ///< expressions, regions, directions, InitLists
  InitList(ExprList items, SourceRange range) : ExprNode(range), items(items) {}
};

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

/// `[e1, e2]` as a direction, or before `inside`.
struct List : ExprNode<NodeKind::List> {
  ExprList items;
  List(ExprList items, SourceRange range) : ExprNode(range), items(items) {}
};

/// `direction scaledby factor`.
struct Scaledby : ExprNode<NodeKind::Scaledby> {
  Expr *direction;
  Expr *factor;
  Scaledby(Expr *direction, Expr *factor, SourceRange range)
      : ExprNode(range), direction(direction), factor(factor) {}
};

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// One dimension of a region literal.
struct Dim {
  enum Kind : uint8_t {
    Range,  ///< `lo..hi`
    Single, ///< `e`
    Flood,  ///< `*`
    Grid,   ///< `::`
    Blank
  } kind = Blank;
  Expr *lo = nullptr; ///< Range, Single
  Expr *hi = nullptr; ///< Range
  SourceRange range;  ///< of a Blank: where it would stand, empty
};

/// `[1..n, k, *, ::, ]`. `[R]` and `[k]` have one Single dimension: Sema knows
/// whether it names a region. So has `[1, 2]` that may be a direction (an
/// argument, an initializer): where nothing in the syntax says which, a list in
/// brackets is a RegionLit.
struct RegionLit : ExprNode<NodeKind::RegionLit> {
  llvm::ArrayRef<Dim> dims;
  RegionLit(llvm::ArrayRef<Dim> dims, SourceRange range)
      : ExprNode(range), dims(dims) {}
};

/// `"`: the enclosing region, or, as the operand of a Mask, the enclosing mask.
struct Quote : ExprNode<NodeKind::Quote> {
  explicit Quote(SourceRange range) : ExprNode(range) {}
};

/// `direction of region` (Of), `direction in region` (In),
/// `region at direction` (RegionAt), `region by direction` (By).
struct RegionOp : Expr {
  Expr *direction;
  Expr *region;
  RegionOp(NodeKind kind, Expr *direction, Expr *region, SourceRange range)
      : Expr(kind, range), direction(direction), region(region) {}
  static bool classof(const Expr *e) {
    return e->kind == NodeKind::Of || e->kind == NodeKind::In ||
           e->kind == NodeKind::RegionAt || e->kind == NodeKind::By;
  }
};

/// `region name direction`, for a `regionop` of that name.
struct UserRegionOp : ExprNode<NodeKind::UserRegionOp> {
  Name name;
  Expr *direction;
  Expr *region;
  UserRegionOp(Name name, Expr *direction, Expr *region, SourceRange range)
      : ExprNode(range), name(name), direction(direction), region(region) {}
};

/// `region with e`.
struct Mask : ExprNode<NodeKind::Mask> {
  enum Flavor : uint8_t { With, Without, Swith, Swithout } flavor;
  Expr *region;
  Expr *operand; ///< a value or a Quote
  Mask(Flavor flavor, Expr *region, Expr *operand, SourceRange range)
      : ExprNode(range), flavor(flavor), region(region), operand(operand) {}
};
llvm::StringRef text(Mask::Flavor flavor); ///< "with"

/// `region where e`, `region where ?`: a sparse region.
struct Where : ExprNode<NodeKind::Where> {
  Expr *region;
  Expr *pattern; ///< null: `?`
  Where(Expr *region, Expr *pattern, SourceRange range)
      : ExprNode(range), region(region), pattern(pattern) {}
};

/// Is the node a region's or a direction's by its syntax, so no value?
bool isRegionSyntax(const Expr *expr);

} // namespace zpl::ast

#endif // ZPL_AST_EXPR_H
