//===- ParseStmt.cpp - Statements -----------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stmts = { [ Stmt ] ';' } [ Stmt ]: the first token says which statement it
// is; what begins with a name is an assignment or a call, what begins with `[`
// a region scope, whose statement follows it without a `;`.
//
//     [R] begin A := 0; [north of "] A := 1; end;
//
// A list of statements ends at `end`, at `else`, `elsif`, `until` if there is
// an open statement they can belong to, and at declarations, which show that an
// `end` is missing, unless they are indented like locals.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace llvm;

namespace zpl {

using namespace ast;

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

StmtList Parser::parseStatements() {
  StmtList list;
  for (correctStatementWord(); !atStatementsEnd(); correctStatementWord()) {
    size_t before = position;
    if (is(TokenKind::Semicolon)) {
      list.push_back(make<EmptyStmt>(take().range));
      continue;
    }
    if (parseMisplacedDeclaration() || parseStrayClause(list))
      continue;
    SourceRange begin = token().range;
    list.push_back(parseStatement());
    if (panic || !atStatementsEnd())
      endConstruct("the statement", begin);
    if (position == before)
      take();
  }
  return list;
}

bool Parser::atStatementsEnd() const {
  if (isAny(TokenKind::EndWord, TokenKind::End, TokenKind::Procedure,
            TokenKind::Prototype, TokenKind::Program, TokenKind::Config))
    return true;
  if (isAny(TokenKind::Else, TokenKind::Elsif))
    return openIfs != 0;
  if (is(TokenKind::Until))
    return openRepeats != 0;
  return atDeclaration() && columnOf(token().range) <= procedureColumn;
}

/// A declaration among the statements: reported, read and forgotten.
bool Parser::parseMisplacedDeclaration() {
  if (!atDeclaration())
    return false;
  report(token().range, Diag::DeclarationInBody, textOf(token()));
  std::vector<Decl *> dropped;
  if (!parseLocal(dropped))
    synchronize(take().range);
  panic = false;
  return true;
}

/// `else`, `elsif`, `until` that belong to nothing: with the statements behind
/// them they are read like those that do.
bool Parser::parseStrayClause(StmtList &list) {
  if (!isAny(TokenKind::Else, TokenKind::Elsif, TokenKind::Until))
    return false;
  Nesting nesting(*this);
  report(token().range, Diag::ExpectedStatement, found());
  Token word = take();
  if (word.kind != TokenKind::Else)
    parseExpr();
  if (word.kind == TokenKind::Elsif)
    expectWord(TokenKind::Then, "after the condition");
  if (word.kind != TokenKind::Until) {
    StmtList body = parseStatements();
    list.insert(list.end(), body.begin(), body.end());
    accept(TokenKind::EndWord);
  }
  endConstruct("the statement", word.range);
  return true;
}

//===----------------------------------------------------------------------===//
// One statement
//===----------------------------------------------------------------------===//

Stmt *Parser::parseStatement() {
  static constexpr struct {
    TokenKind first;
    Stmt *(Parser::*parse)();
  } rules[] = {
      {TokenKind::Name, &Parser::parseAssignmentOrCall},
      {TokenKind::LBracket, &Parser::parseScope},
      {TokenKind::Begin, &Parser::parseBlock},
      {TokenKind::Interleave, &Parser::parseBlock},
      {TokenKind::If, &Parser::parseIf},
      {TokenKind::While, &Parser::parseWhile},
      {TokenKind::Repeat, &Parser::parseRepeat},
      {TokenKind::For, &Parser::parseFor},
      {TokenKind::Exit, &Parser::parseExit},
      {TokenKind::Continue, &Parser::parseContinue},
      {TokenKind::Return, &Parser::parseReturn},
      {TokenKind::Halt, &Parser::parseHalt},
      {TokenKind::Write, &Parser::parseWrite},
      {TokenKind::Writeln, &Parser::parseWrite},
      {TokenKind::Read, &Parser::parseUnsupportedIO},
      {TokenKind::Bread, &Parser::parseUnsupportedIO},
      {TokenKind::Bwrite, &Parser::parseUnsupportedIO},
      {TokenKind::Wrap, &Parser::parseWrapOrReflect},
      {TokenKind::Reflect, &Parser::parseWrapOrReflect},
      {TokenKind::Scan, &Parser::parseScanBlock},
  };
  Nesting nesting(*this);
  correctStatementWord();
  for (const auto &rule : rules)
    if (!panic && is(rule.first))
      return (this->*rule.parse)();
  bool isMissing = atStatementsEnd() || is(TokenKind::Semicolon);
  report(isMissing ? endOfPrevious() : token().range, Diag::ExpectedStatement,
         found());
  panic |= !isMissing;
  return make<EmptyStmt>(endOfPrevious());
}

/// 'begin' Stmts 'end'. 'interleave' is the same: it allows the compiler to
/// join what may be joined anyway.
Stmt *Parser::parseBlock() {
  Token word = take();
  StmtList body = parseStatements();
  expectEnd(word);
  return make<BlockStmt>(std::move(body), rangeFrom(word.range));
}

Stmt *Parser::parseScanBlock() {
  notSupported(token().range, "'scan'");
  return parseBlock();
}

Stmt *Parser::parseIf() {
  Token word = take();
  ++openIfs;
  std::vector<IfStmt::Arm> arms;
  do {
    Expr *condition = parseExpr();
    expectWord(TokenKind::Then, "after the condition");
    arms.push_back({condition, parseStatements()});
  } while (accept(TokenKind::Elsif));
  StmtList otherwise;
  if (accept(TokenKind::Else)) {
    --openIfs;
    otherwise = parseStatements();
    ++openIfs;
  }
  --openIfs;
  expectEnd(word);
  return make<IfStmt>(std::move(arms), std::move(otherwise),
                      rangeFrom(word.range));
}

Stmt *Parser::parseWhile() {
  Token word = take();
  Expr *condition = parseExpr();
  expectWord(TokenKind::Do, "after the condition");
  StmtList body = parseStatements();
  expectEnd(word);
  return make<WhileStmt>(condition, std::move(body), rangeFrom(word.range));
}

Stmt *Parser::parseRepeat() {
  Token word = take();
  ++openRepeats;
  StmtList body = parseStatements();
  --openRepeats;
  if (!accept(TokenKind::Until)) {
    SourceRange place = endOfPrevious();
    if (auto message = report(place, Diag::ExpectedToken,
                              "'until' and a condition to close 'repeat'", ""))
      message->note(word.range, Diag::OpenedHere, text(word.kind));
    accept(TokenKind::EndWord);
    return make<RepeatStmt>(std::move(body), dummy(place),
                            rangeFrom(word.range));
  }
  Expr *condition = parseExpr();
  return make<RepeatStmt>(std::move(body), condition, rangeFrom(word.range));
}

/// 'for' Ref ':=' Expr ( 'to' | 'downto' ) Expr [ 'by' Expr ] 'do' Stmts 'end'
Stmt *Parser::parseFor() {
  Token word = take();
  Expr *variable = parsePostfix();
  if (!panic && is(TokenKind::Equal)) {
    if (auto message =
            report(token().range, Diag::EqualAssigns, textOf(token())))
      message->fixIt(token().range, ":=");
    take();
  } else if (!panic && !accept(TokenKind::Assign)) {
    missing("':=' after the variable", " :=");
  }
  Expr *from = parseExpr();
  bool down = parseDownto();
  Expr *bound = parseExpr();
  Expr *step = nullptr;
  if (!panic && accept(TokenKind::By))
    step = parseExpr();
  expectWord(TokenKind::Do, "after the bounds");
  StmtList body = parseStatements();
  expectEnd(word);
  return make<ForStmt>(variable, from, bound, step, down, std::move(body),
                       rangeFrom(word.range));
}

/// 'to' | 'downto'; returns true for the second.
bool Parser::parseDownto() {
  if (panic)
    return false;
  correctIfClose({TokenKind::To, TokenKind::Downto});
  if (accept(TokenKind::Downto))
    return true;
  if (!accept(TokenKind::To))
    missing("'to' or 'downto'", " to");
  return false;
}

Stmt *Parser::parseExit() { return make<ExitStmt>(take().range); }
Stmt *Parser::parseContinue() { return make<ContinueStmt>(take().range); }

Stmt *Parser::parseReturn() {
  Token word = take();
  Expr *value = nullptr;
  if (!is(TokenKind::Semicolon) && !atStatementsEnd() && !atStatementWord() &&
      !(firstOnLine() && atAssignment()))
    value = parseArgument();
  return make<ReturnStmt>(value, rangeFrom(word.range));
}

//===----------------------------------------------------------------------===//
// Output
//===----------------------------------------------------------------------===//

/// '(' [ Item { ',' Item } ] ')'
std::vector<Item> Parser::parseItems() {
  std::vector<Item> items;
  Token open = token();
  if (!accept(TokenKind::LParen)) {
    missing("'(' and what to write", "()");
    return items;
  }
  while (!panic && !is(TokenKind::RParen)) {
    Item item;
    SourceRange begin = token().range;
    item.value = parseExpr();
    if (!panic && accept(TokenKind::Colon)) {
      item.format = item.value;
      item.value = parseExpr();
    }
    item.range = rangeFrom(begin);
    items.push_back(item);
    if (panic || !accept(TokenKind::Comma))
      break;
    if (is(TokenKind::RParen))
      expectedExpression();
  }
  expectClose(TokenKind::RParen, open);
  return items;
}

Stmt *Parser::parseWrite() {
  bool newline = is(TokenKind::Writeln);
  Token word = take();
  std::vector<Item> items = parseItems();
  return make<WriteStmt>(newline, std::move(items), rangeFrom(word.range));
}

Stmt *Parser::parseHalt() {
  Token word = take();
  std::vector<Item> items;
  if (is(TokenKind::LParen))
    items = parseItems();
  return make<HaltStmt>(std::move(items), rangeFrom(word.range));
}

Stmt *Parser::parseUnsupportedIO() {
  Token word = take();
  notSupported(word.range, "'" + textOf(word) + "'");
  parseItems();
  return make<EmptyStmt>(rangeFrom(word.range));
}

Stmt *Parser::parseWrapOrReflect() {
  Token word = take();
  notSupported(word.range, "'" + textOf(word) + "'");
  do
    parsePostfix();
  while (!panic && accept(TokenKind::Comma));
  return make<EmptyStmt>(rangeFrom(word.range));
}

//===----------------------------------------------------------------------===//
// Scopes, assignments, calls
//===----------------------------------------------------------------------===//

/// '[' ... ']' Stmt
Stmt *Parser::parseScope() {
  SourceRange begin = token().range;
  Expr *region = unwrap(parseBracket());
  Stmt *body = parseStatement();
  return make<ScopeStmt>(region, body, rangeFrom(begin));
}

Stmt *Parser::parseAssignmentOrCall() {
  if (isWord("modify") && kind(1) == TokenKind::Name) {
    notSupported(take().range, "'modify'");
    parsePostfix();
    return parseStatement();
  }
  SourceRange begin = token().range;
  Expr *target = parsePostfix();
  if (panic)
    return make<EmptyStmt>(rangeFrom(begin));
  if (auto *call = dyn_cast<Call>(target))
    return make<CallStmt>(call, call->range);
  return parseAssignment(target);
}

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

/// Behind the target: AssignOp Expr. `max=` is the name `max` and a `=` that
/// touches it; no name can follow a target otherwise.
Stmt *Parser::parseAssignment(Expr *target) {
  SourceRange opRange = token().range;
  std::optional<BinaryOp> op = assignedOperator(kind());
  bool isMax = isWord("max"), isMin = isWord("min");
  if ((isMax || isMin) && kind(1) == TokenKind::Equal &&
      opRange.end == token(1).range.begin) {
    op = isMax ? BinaryOp::Max : BinaryOp::Min;
    take();
    opRange = opRange.to(token().range);
  } else if (isAny(TokenKind::Equal, TokenKind::EqualEqual)) {
    if (auto message = report(opRange, Diag::EqualAssigns, textOf(token())))
      message->fixIt(opRange, ":=").highlight(target->range);
  } else if (isAny(TokenKind::LessEqualHash, TokenKind::LessEqualEqual)) {
    notSupported(opRange, "'" + textOf(token()) + "'");
  } else if (!op && !is(TokenKind::Assign)) {
    return parseIncompleteStatement(target);
  }
  take();
  Expr *value = parseArgument();
  return make<AssignStmt>(target, op, opRange, value, rangeFrom(target->range));
}

/// `x` and nothing that makes a statement of it.
Stmt *Parser::parseIncompleteStatement(Expr *target) {
  SourceRange place = endOfPrevious();
  bool isAdd = isa<NameRef>(target) && cast<NameRef>(target)->name == "add";
  if (isAdd && unsupported.contains("'modify'"))
    return make<EmptyStmt>(target->range);
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
