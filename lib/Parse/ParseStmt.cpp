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

#include "ParseStmt.h"
#include "Cursor.h"
#include "Habits/Habits.h"
#include "Habits/Spelling.h"
#include "ParseAssign.h"
#include "ParseDecl.h"
#include "ParseExpr.h"
#include "ParseOperators.h"
#include "ParseRegion.h"
#include "Parsing.h"
#include "Recovery.h"

using namespace llvm;

namespace zpl {

using namespace ast;

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

static bool atStatementsEnd(const Parsing &p);
static bool parseMisplacedDeclaration(Parsing &p);
static bool parseStrayClause(Parsing &p,
                             llvm::SmallVectorImpl<ast::Stmt *> &list);
static ast::Stmt *parseIf(Parsing &p, Token word);
static ast::Stmt *parseWhile(Parsing &p, Token word);
static ast::Stmt *parseRepeat(Parsing &p);
static ast::Stmt *parseFor(Parsing &p, Token word);
static bool parseDownto(Parsing &p);
static ast::Stmt *parseExit(Parsing &p);
static ast::Stmt *parseContinue(Parsing &p);
static ast::Stmt *parseReturn(Parsing &p);
static ast::Stmt *parseIo(Parsing &p);
static ast::Stmt *parseHalt(Parsing &p);
static ast::Stmt *parseNamed(Parsing &p);

StmtList parseStatements(Parsing &p, unsigned links) {
  SmallVector<Stmt *, 2> list;
  for (correctStatementWord(p); !atStatementsEnd(p); correctStatementWord(p)) {
    size_t before = p.position;
    if (is(p, TokenKind::Semicolon)) {
      list.push_back(make<EmptyStmt>(p, take(p).range));
      continue;
    }
    if (parseMisplacedDeclaration(p) || parseStrayClause(p, list))
      continue;
    SourceRange begin = token(p).range;
    list.push_back(parseStatement(p, links));
    if (p.panic || !atStatementsEnd(p))
      endConstruct(p, "the statement", begin);
    if (p.position == before)
      take(p);
  }
  return p.context.keep(list);
}

static bool atStatementsEnd(const Parsing &p) {
  if (isAny(p, TokenKind::EndWord, TokenKind::End, TokenKind::Procedure,
            TokenKind::Prototype, TokenKind::Program, TokenKind::Config))
    return true;
  if (isAny(p, TokenKind::Else, TokenKind::Elsif))
    return p.openIfs != 0;
  if (is(p, TokenKind::Until))
    return p.openRepeats != 0;
  return atDeclaration(p) && columnOf(p, token(p).range) <= p.procedureColumn;
}

/// A declaration among the statements: reported, read and forgotten.
static bool parseMisplacedDeclaration(Parsing &p) {
  if (!atDeclaration(p))
    return false;
  report(p, token(p).range, Diag::DeclarationInBody, textOf(p, token(p)));
  SmallVector<Decl *, 8> dropped;
  if (!parseLocal(p, dropped))
    synchronize(p, take(p).range);
  p.panic = false;
  return true;
}

/// `else`, `elsif`, `until` that belong to nothing: with the statements after
/// them they are read like those that do.
static bool parseStrayClause(Parsing &p, SmallVectorImpl<Stmt *> &list) {
  if (!isAny(p, TokenKind::Else, TokenKind::Elsif, TokenKind::Until))
    return false;
  Nesting nesting(p);
  report(p, token(p).range, Diag::ExpectedStatement, found(p));
  Token word = take(p);
  if (word.kind != TokenKind::Else)
    parseExpr(p);
  if (word.kind == TokenKind::Elsif)
    expectWord(p, TokenKind::Then, "after the condition");
  if (word.kind != TokenKind::Until) {
    StmtList body = parseStatements(p);
    list.append(body.begin(), body.end());
    accept(p, TokenKind::EndWord);
  }
  endConstruct(p, "the statement", word.range);
  return true;
}

//===----------------------------------------------------------------------===//
// One statement
//===----------------------------------------------------------------------===//

Stmt *parseStatement(Parsing &p, unsigned links) {
  static constexpr struct {
    TokenKind first;
    Stmt *(*parse)(Parsing &);
  } rules[] = {
      {TokenKind::Name, &parseNamed},
      {TokenKind::LBracket, &parseScope},
      {TokenKind::Begin, &parseBlock},
      {TokenKind::Interleave, &parseBlock},
      {TokenKind::Scan, &parseBlock},
      {TokenKind::Repeat, &parseRepeat},
      {TokenKind::Exit, &parseExit},
      {TokenKind::Continue, &parseContinue},
      {TokenKind::Return, &parseReturn},
      {TokenKind::Halt, &parseHalt},
      {TokenKind::Write, &parseIo},
      {TokenKind::Writeln, &parseIo},
      {TokenKind::Read, &parseIo},
      {TokenKind::Bread, &parseIo},
      {TokenKind::Bwrite, &parseIo},
      {TokenKind::Wrap, &parseWrapOrReflect},
      {TokenKind::Reflect, &parseWrapOrReflect},
  };
  Nesting nesting(p, links);
  correctStatementWord(p);
  for (const auto &rule : rules)
    if (!p.panic && is(p, rule.first))
      return rule.parse(p);
  if (!p.panic && is(p, TokenKind::If))
    return parseIf(p, take(p));
  if (!p.panic && is(p, TokenKind::While))
    return parseWhile(p, take(p));
  if (!p.panic && is(p, TokenKind::For))
    return parseFor(p, take(p));
  if (!p.panic && is(p, TokenKind::Plus) && kind(p, 1) == TokenKind::Plus &&
      touches(p, 1))
    return parsePrefixIncrement(p);
  if (!p.panic && is(p, TokenKind::Where))
    noSuch(p, "'where' statement",
           "a mask in a region scope chooses elements: "
           "'[R with M] A := B;'");
  if (isAny(p, TokenKind::LParen, TokenKind::Bang, TokenKind::Not))
    if (Stmt *stmt = parseLostWord(p, p.position))
      return stmt;
  bool isMissing = atStatementsEnd(p) || is(p, TokenKind::Semicolon);
  report(p, isMissing ? endOfPrevious(p) : token(p).range,
         Diag::ExpectedStatement, found(p));
  p.panic |= !isMissing;
  return make<EmptyStmt>(p, endOfPrevious(p));
}

Stmt *parseBlock(Parsing &p) {
  Token word = take(p);
  StmtList body = parseStatements(p);
  expectEnd(p, word);
  SourceRange range = rangeFrom(p, word.range);
  if (word.kind == TokenKind::Interleave)
    return make<InterleaveStmt>(p, body, range);
  if (word.kind == TokenKind::Scan)
    return make<ScanBlockStmt>(p, body, range);
  return make<BlockStmt>(p, body, range);
}

Stmt *parseLostWord(Parsing &p, size_t first) {
  constexpr size_t farthest = 100;
  TokenKind found = TokenKind::End;
  for (size_t ahead = 0; ahead < farthest && found == TokenKind::End; ++ahead) {
    if (isOneOf(kind(p, ahead), TokenKind::Then, TokenKind::Do, TokenKind::To,
                TokenKind::Downto))
      found = kind(p, ahead);
    else if (isOneOf(kind(p, ahead), TokenKind::Semicolon, TokenKind::End) ||
             atStatementWord(p, ahead))
      return nullptr;
  }
  if (p.panic || found == TokenKind::End)
    return nullptr;
  p.position = first;
  TokenKind lost = found == TokenKind::Then ? TokenKind::If
                   : found == TokenKind::Do ? TokenKind::While
                                            : TokenKind::For;
  Token word = missingWord(p, lost, token(p).range);
  if (word.kind == TokenKind::If)
    return parseIf(p, word);
  return word.kind == TokenKind::While ? parseWhile(p, word)
                                       : parseFor(p, word);
}

static Stmt *parseIf(Parsing &p, Token word) {
  ++p.openIfs;
  SmallVector<IfStmt::Arm, 4> arms;
  unsigned outside = p.depth;
  size_t doubtsBefore = p.doubts.size();
  do {
    // To what comes after the parser, `elsif` is an `if` in the else part.
    if (!arms.empty() && ++p.depth > Parsing::linksLimit)
      giveUp(p, Parsing::linksLimit);
    Expr *condition = parseExpr(p);
    expectWord(p, TokenKind::Then, "after the condition");
    noteBegin(p, TokenKind::Then);
    arms.push_back({condition, parseStatements(p)});
  } while (accept(p, TokenKind::Elsif));
  StmtList otherwise;
  if (is(p, TokenKind::Else)) {
    noteElseIf(p, take(p));
    noteBegin(p, TokenKind::Else);
    --p.openIfs;
    // `else if` goes on with a chain as `elsif` does.
    otherwise = parseStatements(p, is(p, TokenKind::If) ? 1 : linksPerLevel);
    ++p.openIfs;
  }
  --p.openIfs;
  p.depth = outside;
  expectEnd(p, word);
  settleDoubts(p, word, doubtsBefore);
  return make<IfStmt>(p, p.context.keep(arms), otherwise,
                      rangeFrom(p, word.range));
}

static Stmt *parseWhile(Parsing &p, Token word) {
  size_t doubtsBefore = p.doubts.size();
  Expr *condition = parseExpr(p);
  expectWord(p, TokenKind::Do, "after the condition");
  noteBegin(p, TokenKind::Do);
  StmtList body = parseStatements(p);
  expectEnd(p, word);
  settleDoubts(p, word, doubtsBefore);
  return make<WhileStmt>(p, condition, body, rangeFrom(p, word.range));
}

static Stmt *parseRepeat(Parsing &p) {
  Token word = take(p);
  ++p.openRepeats;
  StmtList body = parseStatements(p);
  --p.openRepeats;
  if (!accept(p, TokenKind::Until)) {
    SourceRange place = endOfPrevious(p);
    if (auto message = report(p, place, Diag::ExpectedToken,
                              "'until' and a condition to close 'repeat'", ""))
      message->note(word.range, Diag::OpenedHere, text(word.kind));
    accept(p, TokenKind::EndWord);
    return make<RepeatStmt>(p, body, dummy(p, place), rangeFrom(p, word.range));
  }
  Expr *condition = parseExpr(p);
  return make<RepeatStmt>(p, body, condition, rangeFrom(p, word.range));
}

/// 'for' Ref ':=' Expr ( 'to' | 'downto' ) Expr [ 'by' Expr ] 'do' Stmts 'end'
static Stmt *parseFor(Parsing &p, Token word) {
  size_t doubtsBefore = p.doubts.size();
  Expr *variable = is(p, TokenKind::LParen)
                       ? dummy(p, endOfPrevious(p))
                       : parseDesignator(p, "the loop's variable");
  if (skipForeignLoop(p)) {
    StmtList body = parseStatements(p);
    expectEnd(p, word);
    return make<BlockStmt>(p, body, rangeFrom(p, word.range));
  }
  if (!p.panic && is(p, TokenKind::Equal)) {
    if (auto message =
            report(p, token(p).range, Diag::EqualAssigns, textOf(p, token(p))))
      message->fixIt(token(p).range, ":=");
    take(p);
  } else if (!p.panic && !accept(p, TokenKind::Assign)) {
    missing(p, "':=' after the variable", " :=");
  }
  Expr *from = parseExpr(p);
  bool down = parseDownto(p);
  Expr *bound = parseExpr(p);
  Expr *step = nullptr;
  if (!p.panic && isWord(p, "step"))
    foreignOperator(p, token(p).range, "by");
  if (!p.panic && (accept(p, TokenKind::By) ||
                   (isWord(p, "step") && accept(p, TokenKind::Name))))
    step = parseExpr(p);
  expectWord(p, TokenKind::Do, "after the bounds");
  noteBegin(p, TokenKind::Do);
  StmtList body = parseStatements(p);
  expectEnd(p, word);
  settleDoubts(p, word, doubtsBefore);
  return make<ForStmt>(p, variable, from, bound, step, down, body,
                       rangeFrom(p, word.range));
}

/// 'to' | 'downto'; returns true for the second.
static bool parseDownto(Parsing &p) {
  if (p.panic)
    return false;
  correctIfClose(p, {TokenKind::To, TokenKind::Downto});
  if (accept(p, TokenKind::Downto))
    return true;
  if (acceptForeignTo(p))
    return false;
  if (!accept(p, TokenKind::To))
    missing(p, "'to' or 'downto'", " to");
  return false;
}

static Stmt *parseExit(Parsing &p) { return make<ExitStmt>(p, take(p).range); }
static Stmt *parseContinue(Parsing &p) {
  return make<ContinueStmt>(p, take(p).range);
}

static Stmt *parseReturn(Parsing &p) {
  Token word = take(p);
  Expr *value = nullptr;
  if (!is(p, TokenKind::Semicolon) && !atStatementsEnd(p) &&
      !atStatementWord(p) && !(firstOnLine(p) && atAssignment(p)))
    value = parseArgument(p);
  return make<ReturnStmt>(p, value, rangeFrom(p, word.range));
}

//===----------------------------------------------------------------------===//
// Input and output
//===----------------------------------------------------------------------===//

/// [ Expr ':' ] Expr
static Item parseItem(Parsing &p) {
  Item item;
  SourceRange begin = token(p).range;
  item.value = parseExpr(p);
  if (!p.panic && accept(p, TokenKind::Colon)) {
    item.format = item.value;
    item.value = parseExpr(p);
  }
  item.range = rangeFrom(p, begin);
  return item;
}

/// '(' [ Item { ',' Item } ] ')'
static ArrayRef<Item> parseItems(Parsing &p) {
  SmallVector<Item, 8> items;
  Token open = token(p);
  if (!accept(p, TokenKind::LParen)) {
    missing(p, "'(' and the items", "()");
    return {};
  }
  while (!p.panic && !is(p, TokenKind::RParen)) {
    items.push_back(parseItem(p));
    if (p.panic || !accept(p, TokenKind::Comma))
      break;
    if (is(p, TokenKind::RParen))
      expectedExpression(p);
  }
  expectClose(p, TokenKind::RParen, open);
  return p.context.keep(items);
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

static Stmt *parseIo(Parsing &p) {
  Token word = take(p);
  p.sawRead |= word.kind == TokenKind::Read;
  ArrayRef<Item> items = parseItems(p);
  return make<IoStmt>(p, ioKind(word.kind), items, rangeFrom(p, word.range));
}

/// { ',' Item }
static ArrayRef<Item> parseMoreItems(Parsing &p) {
  SmallVector<Item, 4> items;
  while (!p.panic && accept(p, TokenKind::Comma))
    items.push_back(parseItem(p));
  return p.context.keep(items);
}

/// What stands behind the parenthesis that closes the one under the cursor.
static TokenKind afterParentheses(const Parsing &p) {
  size_t ahead = 0, open = 0;
  do {
    open += kind(p, ahead) == TokenKind::LParen;
    open -= kind(p, ahead) == TokenKind::RParen;
    ++ahead;
  } while (open != 0 && kind(p, ahead) != TokenKind::End);
  return kind(p, ahead);
}

/// `halt` [ '(' Items ')' | Expr { ',' Item } ]
static Stmt *parseHalt(Parsing &p) {
  Token word = take(p);
  Expr *status = nullptr;
  ArrayRef<Item> items;
  if (is(p, TokenKind::LParen) &&
      !isOneOf(afterParentheses(p), TokenKind::Comma))
    items = parseItems(p);
  else if (!isOneOf(kind(p), TokenKind::Semicolon, TokenKind::EndWord,
                    TokenKind::Else, TokenKind::Elsif, TokenKind::Until,
                    TokenKind::End)) {
    status = parseExpr(p);
    items = parseMoreItems(p);
  }
  return make<HaltStmt>(p, status, items, rangeFrom(p, word.range));
}

//===----------------------------------------------------------------------===//
// Assertions
//===----------------------------------------------------------------------===//

/// `assert` is no keyword: what follows tells `assert k > 0` from `assert := 3`.
static bool atAssert(const Parsing &p) {
  if (!isWord(p, "assert"))
    return false;
  TokenKind next = kind(p, 1);
  if (next == TokenKind::Name) // `assert max= 3`
    return !(kind(p, 2) == TokenKind::Equal && touches(p, 2));
  if (next == TokenKind::Minus)
    return kind(p, 2) != TokenKind::Minus;
  return isScalarType(next) ||
         isOneOf(next, TokenKind::LParen, TokenKind::Bang, TokenKind::Not,
                 TokenKind::Integer, TokenKind::Float, TokenKind::String,
                 TokenKind::True, TokenKind::False, TokenKind::Reduce);
}

/// `assert` Expr { ',' Item } | `assert` '(' Expr { ',' Item } ')'
static Stmt *parseAssert(Parsing &p) {
  Token first = take(p);
  Name word{textOf(p, first), first.range};
  TokenKind after =
      is(p, TokenKind::LParen) ? afterParentheses(p) : TokenKind::Comma;
  bool isCall =
      isOneOf(after, TokenKind::Semicolon, TokenKind::EndWord, TokenKind::Else,
              TokenKind::Elsif, TokenKind::Until, TokenKind::End);
  if (!isCall) {
    Expr *condition = parseExpr(p);
    ArrayRef<Item> items = parseMoreItems(p);
    return make<AssertStmt>(p, word, condition, items, nullptr,
                            rangeFrom(p, first.range));
  }
  ArrayRef<Item> items = parseItems(p);
  SmallVector<Expr *, 4> args;
  for (const Item &item : items)
    args.push_back(item.value);
  SourceRange range = rangeFrom(p, first.range);
  auto *call = make<Call>(p, word, p.context.keep(args), range);
  bool isPlain = none_of(items, [](const Item &item) { return item.format; });
  if (items.empty())
    return make<CallStmt>(p, call, range);
  Expr *condition = items[0].format ? items[0].format : items[0].value;
  return make<AssertStmt>(p, word, condition, items.drop_front(),
                          isPlain ? call : nullptr, range);
}

static Stmt *parseNamed(Parsing &p) {
  return atAssert(p) ? parseAssert(p) : parseAssignmentOrCall(p);
}

} // namespace zpl
