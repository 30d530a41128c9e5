//===- ParseAssign.cpp - Scopes, borders, assignments, calls --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands in a region scope at last:
//
//     [d of R] wrap A, B;
//     modify Tri begin add [i, i]; end;
//     U[l]@east += f(x);
//
// `modify` and `add` are words only in `modify R begin` and, inside of that, in
// `add [i, j]` that is not assigned to; elsewhere they name what they like.
//
//===----------------------------------------------------------------------===//

#include "ParseAssign.h"
#include "Cursor.h"
#include "Habits/Habits.h"
#include "ParseExpr.h"
#include "ParseOperators.h"
#include "ParseRegion.h"
#include "ParseStmt.h"
#include "Parsing.h"
#include "Recovery.h"

using namespace llvm;

namespace zpl {

using namespace ast;

//===----------------------------------------------------------------------===//
// Scopes, borders, sparse regions
//===----------------------------------------------------------------------===//

static ast::Stmt *parseAssignment(Parsing &p, ast::Expr *target);
static ast::Stmt *parseIncompleteStatement(Parsing &p, ast::Expr *target);

Stmt *parseScope(Parsing &p) {
  SourceRange begin = token(p).range;
  Expr *region = unwrap(parseBracket(p));
  Stmt *body = parseStatement(p);
  return make<ScopeStmt>(p, region, body, rangeFrom(p, begin));
}

Stmt *parseWrapOrReflect(Parsing &p) {
  Token word = take(p);
  SmallVector<Expr *, 4> arrays;
  do
    arrays.push_back(parseDesignator(p, "an array's name"));
  while (!p.panic && accept(p, TokenKind::Comma));
  return make<WrapStmt>(p, word.kind == TokenKind::Reflect,
                        p.context.keep(arrays), rangeFrom(p, word.range));
}

bool atModify(const Parsing &p) {
  return isWord(p, "modify") && kind(p, 1) == TokenKind::Name &&
         !atAssignment(p);
}

/// 'modify' Ref 'begin' Stmts 'end'
static Stmt *parseModify(Parsing &p) {
  Token word = take(p);
  Expr *region = parseDesignator(p, "a region's name");
  Token begin = token(p);
  if (!p.panic && !accept(p, TokenKind::Begin)) {
    SourceRange place = endOfPrevious(p);
    begin = word;
    if (auto message = report(p, place, Diag::ExpectedToken,
                              "'begin' after the region", ""))
      message->fixIt(place, " begin");
  }
  if (p.panic || is(p, TokenKind::Semicolon))
    return make<EmptyStmt>(p, rangeFrom(p, word.range));
  ++p.openModifies;
  StmtList body = parseStatements(p);
  --p.openModifies;
  expectEnd(p, begin);
  return make<ModifyStmt>(p, region, body, rangeFrom(p, word.range));
}

//===----------------------------------------------------------------------===//
// Assignments and calls
//===----------------------------------------------------------------------===//

static std::optional<BinaryOp> assignedOperator(TokenKind kind) {
  if (kind == TokenKind::PlusAssign)
    return BinaryOp::Add;
  if (kind == TokenKind::MinusAssign)
    return BinaryOp::Sub;
  if (kind == TokenKind::StarAssign)
    return BinaryOp::Mul;
  if (isOneOf(kind, TokenKind::SlashAssign, TokenKind::BackslashAssign))
    return BinaryOp::Div;
  if (kind == TokenKind::PercentAssign)
    return BinaryOp::Rem;
  if (kind == TokenKind::AmpAssign)
    return BinaryOp::And;
  if (kind == TokenKind::PipeAssign)
    return BinaryOp::Or;
  return std::nullopt;
}

Stmt *parseAssignmentOrCall(Parsing &p) {
  if (atModify(p))
    return parseModify(p);
  size_t first = p.position;
  SourceRange begin = token(p).range;
  Expr *target = parsePostfix(p);
  if (p.panic)
    return make<EmptyStmt>(p, rangeFrom(p, begin));
  if (Stmt *stmt = parseIncrement(p, target))
    return stmt;
  auto *call = dyn_cast<Call>(target);
  if (call && isAny(p, TokenKind::Assign, TokenKind::Equal))
    return parseAssignedCall(p, call);
  if (call && isAny(p, TokenKind::Semicolon, TokenKind::EndWord))
    return make<CallStmt>(p, call, call->range);
  if (!atAssignOp(p))
    if (Stmt *stmt = parseLostWord(p, first))
      return stmt;
  if (call)
    return make<CallStmt>(p, call, call->range);
  Stmt *stmt = parseAssignment(p, target);
  if (!p.panic && isAny(p, TokenKind::To, TokenKind::Downto))
    if (Stmt *loop = parseLostWord(p, first))
      return loop;
  return stmt;
}

bool atAssignOp(const Parsing &p) {
  return assignedOperator(kind(p)) ||
         isAny(p, TokenKind::Assign, TokenKind::LessEqualHash,
               TokenKind::LessEqualEqual, TokenKind::Semicolon,
               TokenKind::EndWord);
}

/// After the target: AssignOp ( Expr | RegExpr | DirExpr ). `max=` is the name
/// `max` and a `=` that touches it; no name can follow a target otherwise.
static Stmt *parseAssignment(Parsing &p, Expr *target) {
  SourceRange opRange = token(p).range;
  std::optional<BinaryOp> op = assignedOperator(kind(p));
  AssignStmt::Form form = AssignStmt::Plain;
  bool isNamed = is(p, TokenKind::Name) && kind(p, 1) == TokenKind::Equal &&
                 opRange.end == token(p, 1).range.begin;
  if (isNamed) {
    if (isWord(p, "max"))
      op = BinaryOp::Max;
    else if (isWord(p, "min"))
      op = BinaryOp::Min;
    else
      report(p, opRange, Diag::FoldAssigns, textOf(p, token(p)));
    take(p);
    opRange = opRange.to(token(p).range);
  } else if (isAny(p, TokenKind::Equal, TokenKind::EqualEqual)) {
    if (auto message =
            report(p, opRange, Diag::EqualAssigns, textOf(p, token(p))))
      message->fixIt(opRange, ":=").highlight(target->range);
  } else if (is(p, TokenKind::Less) && kind(p, 1) == TokenKind::Minus &&
             touches(p, 1)) {
    foreignOperator(p, opRange.to(token(p, 1).range), ":=");
    take(p);
  } else if (is(p, TokenKind::LessEqualHash)) {
    form = AssignStmt::Keep;
  } else if (is(p, TokenKind::LessEqualEqual)) {
    form = AssignStmt::Discard;
  } else if (!op && !is(p, TokenKind::Assign)) {
    return parseIncompleteStatement(p, target);
  }
  take(p);
  Expr *value = parseArgument(p);
  return make<AssignStmt>(p, form, target, op, opRange, value,
                          rangeFrom(p, target->range));
}

/// `add [i, j]`: the indices, if that is what \p expr looks like.
static std::optional<ExprList> addedIndices(const Expr *expr) {
  const auto *subscript = dyn_cast<Subscript>(expr);
  if (!subscript || subscript->indices.empty())
    return std::nullopt;
  const auto *word = dyn_cast<NameRef>(subscript->base);
  if (!word || word->name != "add")
    return std::nullopt;
  return subscript->indices;
}

/// `x` and nothing that makes a statement of it, or `add [i, j]`.
static Stmt *parseIncompleteStatement(Parsing &p, Expr *target) {
  if (std::optional<ExprList> indices = addedIndices(target)) {
    if (p.openModifies == 0)
      report(p, target->range, Diag::AddOutsideModify);
    return make<AddStmt>(p, *indices, target->range);
  }
  SourceRange place = endOfPrevious(p);
  bool endsHere = is(p, TokenKind::Semicolon) || plausibleInsertion(p);
  auto message =
      report(p, endsHere ? place : token(p).range, Diag::ExpectedToken,
             isa<NameRef>(target) ? "':=' or '('" : "':='",
             endsHere ? "" : ", found " + found(p));
  if (message)
    message->highlight(target->range);
  if (message && is(p, TokenKind::Semicolon) && isa<NameRef>(target))
    message->fixIt(place, "()");
  p.panic |= !endsHere;
  return make<EmptyStmt>(p, target->range);
}

} // namespace zpl
