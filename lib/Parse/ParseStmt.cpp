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
// Control flow and I/O are here, the rest is in ParseAssign.cpp.
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

StmtList Parser::parseStatements(unsigned links) {
  SmallVector<Stmt *, 2> list;
  for (correctStatementWord(); !atStatementsEnd(); correctStatementWord()) {
    size_t before = position;
    if (is(TokenKind::Semicolon)) {
      list.push_back(make<EmptyStmt>(take().range));
      continue;
    }
    if (parseMisplacedDeclaration() || parseStrayClause(list))
      continue;
    SourceRange begin = token().range;
    list.push_back(parseStatement(links));
    if (panic || !atStatementsEnd())
      endConstruct("the statement", begin);
    if (position == before)
      take();
  }
  return context.keep(list);
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
  SmallVector<Decl *, 8> dropped;
  if (!parseLocal(dropped))
    synchronize(take().range);
  panic = false;
  return true;
}

/// `else`, `elsif`, `until` that belong to nothing: with the statements after
/// them they are read like those that do.
bool Parser::parseStrayClause(SmallVectorImpl<Stmt *> &list) {
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
    list.append(body.begin(), body.end());
    accept(TokenKind::EndWord);
  }
  endConstruct("the statement", word.range);
  return true;
}

//===----------------------------------------------------------------------===//
// One statement
//===----------------------------------------------------------------------===//

Stmt *Parser::parseStatement(unsigned links) {
  static constexpr struct {
    TokenKind first;
    Stmt *(Parser::*parse)();
  } rules[] = {
      {TokenKind::Name, &Parser::parseAssignmentOrCall},
      {TokenKind::LBracket, &Parser::parseScope},
      {TokenKind::Begin, &Parser::parseBlock},
      {TokenKind::Interleave, &Parser::parseBlock},
      {TokenKind::Scan, &Parser::parseBlock},
      {TokenKind::Repeat, &Parser::parseRepeat},
      {TokenKind::Exit, &Parser::parseExit},
      {TokenKind::Continue, &Parser::parseContinue},
      {TokenKind::Return, &Parser::parseReturn},
      {TokenKind::Halt, &Parser::parseHalt},
      {TokenKind::Write, &Parser::parseIo},
      {TokenKind::Writeln, &Parser::parseIo},
      {TokenKind::Read, &Parser::parseIo},
      {TokenKind::Bread, &Parser::parseIo},
      {TokenKind::Bwrite, &Parser::parseIo},
      {TokenKind::Wrap, &Parser::parseWrapOrReflect},
      {TokenKind::Reflect, &Parser::parseWrapOrReflect},
  };
  Nesting nesting(*this, links);
  correctStatementWord();
  for (const auto &rule : rules)
    if (!panic && is(rule.first))
      return (this->*rule.parse)();
  if (!panic && is(TokenKind::If))
    return parseIf(take());
  if (!panic && is(TokenKind::While))
    return parseWhile(take());
  if (!panic && is(TokenKind::For))
    return parseFor(take());
  if (!panic && is(TokenKind::Plus) && kind(1) == TokenKind::Plus && touches(1))
    return parsePrefixIncrement();
  if (!panic && is(TokenKind::Where))
    noSuch("'where' statement", "a mask in a region scope chooses elements: "
                                "'[R with M] A := B;'");
  if (isAny(TokenKind::LParen, TokenKind::Bang, TokenKind::Not))
    if (Stmt *stmt = parseLostWord(position))
      return stmt;
  bool isMissing = atStatementsEnd() || is(TokenKind::Semicolon);
  report(isMissing ? endOfPrevious() : token().range, Diag::ExpectedStatement,
         found());
  panic |= !isMissing;
  return make<EmptyStmt>(endOfPrevious());
}

/// 'begin' Stmts 'end', and the same with 'interleave' or 'scan'.
Stmt *Parser::parseBlock() {
  Token word = take();
  StmtList body = parseStatements();
  expectEnd(word);
  SourceRange range = rangeFrom(word.range);
  if (word.kind == TokenKind::Interleave)
    return make<InterleaveStmt>(body, range);
  if (word.kind == TokenKind::Scan)
    return make<ScanBlockStmt>(body, range);
  return make<BlockStmt>(body, range);
}

/// A statement that has begun at token \p first and cannot go on, but has a
/// `then`, `do` or `to` before its end: the word before it is missing, which is
/// reported, and it is read once more. Else null.
Stmt *Parser::parseLostWord(size_t first) {
  constexpr size_t farthest = 100;
  TokenKind found = TokenKind::End;
  for (size_t ahead = 0; ahead < farthest && found == TokenKind::End; ++ahead) {
    if (isOneOf(kind(ahead), TokenKind::Then, TokenKind::Do, TokenKind::To,
                TokenKind::Downto))
      found = kind(ahead);
    else if (isOneOf(kind(ahead), TokenKind::Semicolon, TokenKind::End) ||
             atStatementWord(ahead))
      return nullptr;
  }
  if (panic || found == TokenKind::End)
    return nullptr;
  position = first;
  TokenKind lost = found == TokenKind::Then ? TokenKind::If
                   : found == TokenKind::Do ? TokenKind::While
                                            : TokenKind::For;
  Token word = missingWord(lost, token().range);
  if (word.kind == TokenKind::If)
    return parseIf(word);
  return word.kind == TokenKind::While ? parseWhile(word) : parseFor(word);
}

Stmt *Parser::parseIf(Token word) {
  ++openIfs;
  SmallVector<IfStmt::Arm, 4> arms;
  unsigned outside = depth;
  size_t doubtsBefore = doubts.size();
  do {
    // To what comes after the parser, `elsif` is an `if` in the else part.
    if (!arms.empty() && ++depth > linksLimit)
      giveUp(linksLimit);
    Expr *condition = parseExpr();
    expectWord(TokenKind::Then, "after the condition");
    noteBegin(TokenKind::Then);
    arms.push_back({condition, parseStatements()});
  } while (accept(TokenKind::Elsif));
  StmtList otherwise;
  if (is(TokenKind::Else)) {
    noteElseIf(take());
    noteBegin(TokenKind::Else);
    --openIfs;
    // `else if` goes on with a chain as `elsif` does.
    otherwise = parseStatements(is(TokenKind::If) ? 1 : linksPerLevel);
    ++openIfs;
  }
  --openIfs;
  depth = outside;
  expectEnd(word);
  settleDoubts(word, doubtsBefore);
  return make<IfStmt>(context.keep(arms), otherwise, rangeFrom(word.range));
}

Stmt *Parser::parseWhile(Token word) {
  size_t doubtsBefore = doubts.size();
  Expr *condition = parseExpr();
  expectWord(TokenKind::Do, "after the condition");
  noteBegin(TokenKind::Do);
  StmtList body = parseStatements();
  expectEnd(word);
  settleDoubts(word, doubtsBefore);
  return make<WhileStmt>(condition, body, rangeFrom(word.range));
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
    return make<RepeatStmt>(body, dummy(place), rangeFrom(word.range));
  }
  Expr *condition = parseExpr();
  return make<RepeatStmt>(body, condition, rangeFrom(word.range));
}

/// 'for' Ref ':=' Expr ( 'to' | 'downto' ) Expr [ 'by' Expr ] 'do' Stmts 'end'
Stmt *Parser::parseFor(Token word) {
  size_t doubtsBefore = doubts.size();
  Expr *variable = is(TokenKind::LParen)
                       ? dummy(endOfPrevious())
                       : parseDesignator("the loop's variable");
  if (skipForeignLoop()) {
    StmtList body = parseStatements();
    expectEnd(word);
    return make<BlockStmt>(body, rangeFrom(word.range));
  }
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
  if (!panic && isWord("step"))
    foreignOperator(token().range, "by");
  if (!panic &&
      (accept(TokenKind::By) || (isWord("step") && accept(TokenKind::Name))))
    step = parseExpr();
  expectWord(TokenKind::Do, "after the bounds");
  noteBegin(TokenKind::Do);
  StmtList body = parseStatements();
  expectEnd(word);
  settleDoubts(word, doubtsBefore);
  return make<ForStmt>(variable, from, bound, step, down, body,
                       rangeFrom(word.range));
}

/// 'to' | 'downto'; returns true for the second.
bool Parser::parseDownto() {
  if (panic)
    return false;
  correctIfClose({TokenKind::To, TokenKind::Downto});
  if (accept(TokenKind::Downto))
    return true;
  if (acceptForeignTo())
    return false;
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
// Input and output
//===----------------------------------------------------------------------===//

/// '(' [ Item { ',' Item } ] ')'
ArrayRef<Item> Parser::parseItems() {
  SmallVector<Item, 8> items;
  Token open = token();
  if (!accept(TokenKind::LParen)) {
    missing("'(' and the items", "()");
    return {};
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
  return context.keep(items);
}

static IoKind ioKind(TokenKind word) {
  if (word == TokenKind::Read)
    return IoKind::Read;
  if (word == TokenKind::Write)
    return IoKind::Write;
  if (word == TokenKind::Writeln)
    return IoKind::Writeln;
  return word == TokenKind::Bread ? IoKind::Bread : IoKind::Bwrite;
}

Stmt *Parser::parseIo() {
  Token word = take();
  ArrayRef<Item> items = parseItems();
  return make<IoStmt>(ioKind(word.kind), items, rangeFrom(word.range));
}

Stmt *Parser::parseHalt() {
  Token word = take();
  ArrayRef<Item> items;
  if (is(TokenKind::LParen))
    items = parseItems();
  return make<HaltStmt>(items, rangeFrom(word.range));
}

} // namespace zpl
