//===- Recovery.cpp - Errors and where to go on ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One mistake, one message, at the place where a person would correct it:
//
//     x := (a + b * 2      -- ')' is missing here, not at the next line's 'y'
//     y := 1;
//
// A missing token can be added in thought if what follows could come after it:
// something on a new line, a keyword, another closing mark, an assignment. Then
// the message points after the token before, shows the text to insert, and
// parsing goes on. Otherwise something is too much rather than missing: the
// message points at it and the rest of the statement is skipped, to `;`, or to
// something that can only begin a statement or a declaration.
//
// A program that lacks one `end` is only known to at its very end. Indentation
// tells more: the first block that is closed by an `end` to the left of its own
// beginning is named in a note.
//
//===----------------------------------------------------------------------===//

#include "Recovery.h"
#include "Cursor.h"
#include "Habits/Habits.h"
#include "Habits/Spelling.h"
#include "ParseDecl.h"
#include "ParseExpr.h"
#include "Parsing.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace zpl {

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

static bool skipToClose(Parsing &p, TokenKind closer);

bool claimsReport(Parsing &p) {
  // After an Error token at the end there may have been anything.
  bool cutOff = is(p, TokenKind::End) && p.position > 0 &&
                p.tokens[p.position - 1].kind == TokenKind::Error;
  p.panic |= is(p, TokenKind::Error) || cutOff;
  if (p.panic || p.position == p.lastError)
    return false;
  p.lastError = p.position;
  return true;
}

std::string found(const Parsing &p) {
  if (token(p).kind == TokenKind::End)
    return text(TokenKind::End).str();
  return quoted(p, token(p).range);
}

std::string quoted(const Parsing &p, SourceRange range) {
  constexpr size_t limit = 40;
  StringRef written = p.diags.sources().text(range);
  StringRef shown = written.take_until([](char c) { return c == '\n'; })
                        .take_front(limit)
                        .rtrim();
  return ("'" + shown + (shown == written ? "'" : "...'")).str();
}

ast::Expr *expectedExpression(Parsing &p) {
  SourceRange place = firstOnLine(p) ? endOfPrevious(p) : token(p).range;
  report(p, place, Diag::ExpectedExpression, found(p));
  return dummy(p, endOfPrevious(p));
}

void giveUp(Parsing &p, unsigned limit) {
  report(p, token(p).range, Diag::NestingTooDeep, limit);
  p.position = p.tokens.size() - 1;
  p.lastError = p.position;
  p.panic = true;
}

//===----------------------------------------------------------------------===//
// Missing tokens
//===----------------------------------------------------------------------===//

bool plausibleInsertion(const Parsing &p) {
  if (isAny(p, TokenKind::End, TokenKind::Semicolon, TokenKind::RParen,
            TokenKind::RBracket, TokenKind::RBrace, TokenKind::Assign))
    return true;
  return firstOnLine(p) || isKeyword(kind(p)) || atAssignment(p);
}

bool missing(Parsing &p, const Twine &wanted, StringRef insertion,
             const Token *opener) {
  // A bracket or an assignment too many is no reason to close anything else.
  bool stray = !opener && isAny(p, TokenKind::RParen, TokenKind::RBracket,
                                TokenKind::RBrace, TokenKind::Assign);
  bool plausible = !stray && plausibleInsertion(p);
  SourceRange place = plausible ? endOfPrevious(p) : token(p).range;
  std::string instead = plausible ? "" : ", found " + found(p);
  if (auto message =
          report(p, place, Diag::ExpectedToken, wanted.str(), instead)) {
    if (plausible)
      message->fixIt(place, insertion);
    if (opener)
      message->note(opener->range, Diag::OpenedHere, text(opener->kind));
  }
  p.panic |= !plausible;
  return plausible && !p.panic;
}

Token missingWord(Parsing &p, TokenKind word, SourceRange range) {
  Token token;
  token.kind = word;
  token.range = {range.file, range.begin, range.begin};
  if (auto message =
          report(p, token.range, Diag::ExpectedToken,
                 ("'" + text(word) + "' before " + quoted(p, range)).str(), ""))
    message->fixIt(token.range, (text(word) + " ").str());
  return token;
}

void expectWord(Parsing &p, TokenKind word, StringRef where) {
  if (!p.panic &&
      (accept(p, word) || (correctIfClose(p, {word}) && accept(p, word))))
    return;
  if (!p.panic &&
      missing(p, "'" + text(word) + "' " + where, (" " + text(word)).str()))
    return;
  while (!isAny(p, word, TokenKind::Semicolon, TokenKind::End) &&
         !atStatementWord(p) && !atDeclaration(p) &&
         !(firstOnLine(p) && atAssignment(p)))
    take(p);
  accept(p, word);
  p.panic = false;
}

void expectClose(Parsing &p, TokenKind closer, const Token &opener) {
  if (!p.panic && accept(p, closer))
    return;
  if (!p.panic && missing(p, "'" + text(closer) + "'", text(closer), &opener))
    return;
  p.panic = !skipToClose(p, closer);
}

void expectEnd(Parsing &p, const Token &opener) {
  if (!is(p, TokenKind::EndWord)) {
    if (reportDoubt(p, opener))
      return;
    SourceRange place = endOfPrevious(p);
    auto message =
        report(p, place, Diag::ExpectedToken,
               ("'end' to close '" + text(opener.kind) + "'").str(), "");
    if (!message)
      return;
    message->fixIt(place, " end")
        .note(opener.range, Diag::OpenedHere, text(opener.kind));
    if (p.suspect && p.suspect->range.begin != opener.range.begin)
      message->note(p.suspect->range, Diag::MaybeUnclosed,
                    text(p.suspect->kind));
    return;
  }
  bool onOwnLine = firstOnLine(p);
  Token end = take(p);
  skipWordBehindEnd(p, end);
  if (!p.suspect && onOwnLine &&
      columnOf(p, end.range) < columnOf(p, opener.range) &&
      p.diags.sources()
              .line(opener.range.file, opener.range.begin)
              .ltrim()
              .data() == textOf(p, opener).data())
    p.suspect = opener;
}

void endConstruct(Parsing &p, StringRef what, SourceRange begin) {
  if (!p.panic &&
      (accept(p, TokenKind::Semicolon) || missing(p, "';' after " + what, ";")))
    return;
  synchronize(p, begin);
  p.panic = false;
  accept(p, TokenKind::Semicolon);
}

//===----------------------------------------------------------------------===//
// Skipping
//===----------------------------------------------------------------------===//

/// Skips to after the closing bracket if it comes in the same statement.
static bool skipToClose(Parsing &p, TokenKind closer) {
  constexpr size_t farthest = 2000;
  unsigned nested = 0;
  for (size_t ahead = 0; ahead < farthest; ++ahead) {
    TokenKind next = kind(p, ahead);
    if (next == closer && nested == 0) {
      for (size_t count = 0; count <= ahead; ++count)
        take(p);
      return true;
    }
    if (isOneOf(next, TokenKind::Semicolon, TokenKind::End) ||
        atStatementWord(p, ahead))
      return false;
    if (isOneOf(next, TokenKind::LParen, TokenKind::LBracket,
                TokenKind::LBrace))
      ++nested;
    else if (isOneOf(next, TokenKind::RParen, TokenKind::RBracket,
                     TokenKind::RBrace) &&
             nested)
      --nested;
  }
  return false;
}

bool atStatementWord(const Parsing &p, size_t ahead) {
  return isOneOf(
      kind(p, ahead), TokenKind::Begin, TokenKind::If, TokenKind::Elsif,
      TokenKind::Else, TokenKind::While, TokenKind::Repeat, TokenKind::Until,
      TokenKind::For, TokenKind::Exit, TokenKind::Continue, TokenKind::Return,
      TokenKind::Halt, TokenKind::Read, TokenKind::Write, TokenKind::Writeln,
      TokenKind::Bread, TokenKind::Bwrite, TokenKind::Wrap, TokenKind::Reflect,
      TokenKind::Interleave, TokenKind::Scan, TokenKind::EndWord);
}

/// The token after the brackets that open at \p ahead, or 0 if they do not
/// close in the same statement.
static size_t behindBrackets(const Parsing &p, size_t ahead) {
  constexpr size_t farthest = 200;
  unsigned nested = 0;
  for (size_t end = ahead + farthest; ahead < end; ++ahead) {
    TokenKind next = kind(p, ahead);
    if (isOneOf(next, TokenKind::LBracket, TokenKind::LBrace,
                TokenKind::LParen))
      ++nested;
    else if (isOneOf(next, TokenKind::RBracket, TokenKind::RBrace,
                     TokenKind::RParen) &&
             --nested == 0)
      return ahead + 1;
    else if (isOneOf(next, TokenKind::Semicolon, TokenKind::End))
      return 0;
  }
  return 0;
}

bool atScope(const Parsing &p) {
  constexpr size_t farthest = 200;
  size_t ahead = behindBrackets(p, 0);
  while (ahead != 0 && ahead < farthest &&
         kind(p, ahead) == TokenKind::LBracket)
    ahead = behindBrackets(p, ahead);
  if (ahead == 0)
    return false;
  if (atStatementWord(p, ahead) && kind(p, ahead) != TokenKind::EndWord)
    return true;
  return kind(p, ahead) == TokenKind::Name &&
         (kind(p, ahead + 1) == TokenKind::LParen || atAssignment(p, ahead));
}

bool atAssignment(const Parsing &p, size_t ahead) {
  if (kind(p, ahead) != TokenKind::Name)
    return false;
  constexpr size_t farthest = 200;
  size_t end = ahead + farthest;
  for (++ahead; ahead != 0 && ahead < end;) {
    TokenKind next = kind(p, ahead);
    if (isOneOf(next, TokenKind::LBracket, TokenKind::LBrace))
      ahead = behindBrackets(p, ahead);
    else if (isOneOf(next, TokenKind::Dot, TokenKind::At, TokenKind::WrapAt) &&
             kind(p, ahead + 1) == TokenKind::Name)
      ahead += 2;
    else if (isOneOf(next, TokenKind::Hash, TokenKind::At, TokenKind::WrapAt))
      ++ahead;
    else
      break;
  }
  if (ahead == 0)
    return false;
  if (kind(p, ahead) == TokenKind::Name)
    return kind(p, ahead + 1) == TokenKind::Equal &&
           (textOf(p, token(p, ahead)) == "max" ||
            textOf(p, token(p, ahead)) == "min");
  return isOneOf(kind(p, ahead), TokenKind::Assign, TokenKind::PlusAssign,
                 TokenKind::MinusAssign, TokenKind::StarAssign,
                 TokenKind::SlashAssign, TokenKind::BackslashAssign,
                 TokenKind::PercentAssign, TokenKind::AmpAssign,
                 TokenKind::PipeAssign, TokenKind::LessEqualHash,
                 TokenKind::LessEqualEqual);
}

bool atExport(const Parsing &p) {
  return isWord(p, "export") &&
         isOneOf(kind(p, 1), TokenKind::Procedure, TokenKind::Var);
}

bool atDeclaration(const Parsing &p) {
  if (isAny(p, TokenKind::Procedure, TokenKind::Prototype, TokenKind::Program,
            TokenKind::Config) ||
      atRegionOpDecl(p) || atExport(p))
    return true;
  if (!isAny(p, TokenKind::Const, TokenKind::Constant, TokenKind::Var,
             TokenKind::Type, TokenKind::Direction, TokenKind::Region,
             TokenKind::Grid, TokenKind::Distribution, TokenKind::Domain,
             TokenKind::Extern, TokenKind::Free, TokenKind::Static))
    return false;
  if (is(p, TokenKind::Region) && kind(p, 1) == TokenKind::LParen)
    return false;
  return firstOnLine(p) ||
         p.tokens[p.position - 1].kind == TokenKind::Semicolon;
}

void synchronize(Parsing &p, SourceRange begin) {
  unsigned column = columnOf(p, begin);
  for (size_t first = p.position;
       !isAny(p, TokenKind::Semicolon, TokenKind::End); take(p)) {
    if (atStatementWord(p) || atDeclaration(p))
      return;
    if (!firstOnLine(p))
      continue;
    if (atAssignment(p) ||
        (is(p, TokenKind::Name) && kind(p, 1) == TokenKind::Colon))
      return;
    if (p.position != first && isAny(p, TokenKind::Name, TokenKind::LBracket) &&
        columnOf(p, token(p).range) <= column)
      return;
  }
}

} // namespace zpl
