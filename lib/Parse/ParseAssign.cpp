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

#include "Parser.h"

using namespace llvm;

namespace zpl {

using namespace ast;

//===----------------------------------------------------------------------===//
// Scopes, borders, sparse regions
//===----------------------------------------------------------------------===//

/// '[' ... ']' Stmt
Stmt *Parser::parseScope() {
  SourceRange begin = token().range;
  Expr *region = unwrap(parseBracket());
  Stmt *body = parseStatement();
  return make<ScopeStmt>(region, body, rangeFrom(begin));
}

/// ( 'wrap' | 'reflect' ) Ref { ',' Ref }
Stmt *Parser::parseWrapOrReflect() {
  Token word = take();
  SmallVector<Expr *, 4> arrays;
  do
    arrays.push_back(parseDesignator("an array's name"));
  while (!panic && accept(TokenKind::Comma));
  return make<WrapStmt>(word.kind == TokenKind::Reflect, context.keep(arrays),
                        rangeFrom(word.range));
}

/// Is it `modify` and what it modifies?
bool Parser::atModify() const {
  return isWord("modify") && kind(1) == TokenKind::Name && !atAssignment();
}

/// 'modify' Ref 'begin' Stmts 'end'
Stmt *Parser::parseModify() {
  Token word = take();
  Expr *region = parseDesignator("a region's name");
  Token begin = token();
  if (!panic && !accept(TokenKind::Begin)) {
    SourceRange place = endOfPrevious();
    begin = word;
    if (auto message =
            report(place, Diag::ExpectedToken, "'begin' after the region", ""))
      message->fixIt(place, " begin");
  }
  if (panic || is(TokenKind::Semicolon))
    return make<EmptyStmt>(rangeFrom(word.range));
  ++openModifies;
  StmtList body = parseStatements();
  --openModifies;
  expectEnd(begin);
  return make<ModifyStmt>(region, body, rangeFrom(word.range));
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

Stmt *Parser::parseAssignmentOrCall() {
  if (atModify())
    return parseModify();
  size_t first = position;
  SourceRange begin = token().range;
  Expr *target = parsePostfix();
  if (panic)
    return make<EmptyStmt>(rangeFrom(begin));
  if (Stmt *stmt = parseIncrement(target))
    return stmt;
  auto *call = dyn_cast<Call>(target);
  if (call && isAny(TokenKind::Assign, TokenKind::Equal))
    return parseAssignedCall(call);
  if (call && isAny(TokenKind::Semicolon, TokenKind::EndWord))
    return make<CallStmt>(call, call->range);
  if (!atAssignOp())
    if (Stmt *stmt = parseLostWord(first))
      return stmt;
  if (call)
    return make<CallStmt>(call, call->range);
  Stmt *stmt = parseAssignment(target);
  if (!panic && isAny(TokenKind::To, TokenKind::Downto))
    if (Stmt *loop = parseLostWord(first))
      return loop;
  return stmt;
}

/// Does an assignment's operator stand here? A `=` only looks like one.
bool Parser::atAssignOp() const {
  return assignedOperator(kind()) ||
         isAny(TokenKind::Assign, TokenKind::LessEqualHash,
               TokenKind::LessEqualEqual, TokenKind::Semicolon,
               TokenKind::EndWord);
}

/// After the target: AssignOp ( Expr | RegExpr | DirExpr ). `max=` is the name
/// `max` and a `=` that touches it; no name can follow a target otherwise.
Stmt *Parser::parseAssignment(Expr *target) {
  SourceRange opRange = token().range;
  std::optional<BinaryOp> op = assignedOperator(kind());
  AssignStmt::Form form = AssignStmt::Plain;
  bool isNamed = is(TokenKind::Name) && kind(1) == TokenKind::Equal &&
                 opRange.end == token(1).range.begin;
  if (isNamed) {
    if (isWord("max"))
      op = BinaryOp::Max;
    else if (isWord("min"))
      op = BinaryOp::Min;
    else
      report(opRange, Diag::FoldAssigns, textOf(token()));
    take();
    opRange = opRange.to(token().range);
  } else if (isAny(TokenKind::Equal, TokenKind::EqualEqual)) {
    if (auto message = report(opRange, Diag::EqualAssigns, textOf(token())))
      message->fixIt(opRange, ":=").highlight(target->range);
  } else if (is(TokenKind::Less) && kind(1) == TokenKind::Minus && touches(1)) {
    foreignOperator(opRange.to(token(1).range), ":=");
    take();
  } else if (is(TokenKind::LessEqualHash)) {
    form = AssignStmt::Keep;
  } else if (is(TokenKind::LessEqualEqual)) {
    form = AssignStmt::Discard;
  } else if (!op && !is(TokenKind::Assign)) {
    return parseIncompleteStatement(target);
  }
  take();
  Expr *value = parseArgument();
  return make<AssignStmt>(form, target, op, opRange, value,
                          rangeFrom(target->range));
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
Stmt *Parser::parseIncompleteStatement(Expr *target) {
  if (std::optional<ExprList> indices = addedIndices(target)) {
    if (openModifies == 0)
      report(target->range, Diag::AddOutsideModify);
    return make<AddStmt>(*indices, target->range);
  }
  SourceRange place = endOfPrevious();
  bool endsHere = is(TokenKind::Semicolon) || plausibleInsertion();
  auto message = report(endsHere ? place : token().range, Diag::ExpectedToken,
                        isa<NameRef>(target) ? "':=' or '('" : "':='",
                        endsHere ? "" : ", found " + found());
  if (message)
    message->highlight(target->range);
  if (message && is(TokenKind::Semicolon) && isa<NameRef>(target))
    message->fixIt(place, "()");
  panic |= !endsHere;
  return make<EmptyStmt>(target->range);
}

} // namespace zpl
