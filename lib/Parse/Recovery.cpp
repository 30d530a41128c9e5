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

#include "Parser.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace zpl {

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

bool Parser::claimsReport() {
  // After an Error token at the end there may have been anything.
  bool cutOff = is(TokenKind::End) && position > 0 &&
                tokens[position - 1].kind == TokenKind::Error;
  panic |= is(TokenKind::Error) || cutOff;
  if (panic || position == lastError)
    return false;
  lastError = position;
  return true;
}

/// The current token as a message names it.
std::string Parser::found() const {
  if (token().kind == TokenKind::End)
    return text(TokenKind::End).str();
  return quoted(token().range);
}

/// The source in quotes, a long one or one of several lines in part.
std::string Parser::quoted(SourceRange range) const {
  constexpr size_t limit = 40;
  StringRef written = diags.sources().text(range);
  StringRef shown = written.take_until([](char c) { return c == '\n'; })
                        .take_front(limit)
                        .rtrim();
  return ("'" + shown + (shown == written ? "'" : "...'")).str();
}

/// Reports the current token and returns something to go on with.
ast::Expr *Parser::expectedExpression() {
  SourceRange place = firstOnLine() ? endOfPrevious() : token().range;
  report(place, Diag::ExpectedExpression, found());
  return dummy(endOfPrevious());
}

/// More than \p limit levels: one message, and the rest of the program is left
/// unread.
void Parser::giveUp(unsigned limit) {
  report(token().range, Diag::NestingTooDeep, limit);
  position = tokens.size() - 1;
  lastError = position;
  panic = true;
}

//===----------------------------------------------------------------------===//
// Missing tokens
//===----------------------------------------------------------------------===//

/// Could what follows come after a token that was forgotten?
bool Parser::plausibleInsertion() const {
  if (isAny(TokenKind::End, TokenKind::Semicolon, TokenKind::RParen,
            TokenKind::RBracket, TokenKind::RBrace, TokenKind::Assign))
    return true;
  return firstOnLine() || isKeyword(kind()) || atAssignment();
}

/// Reports that \p wanted does not stand before the current token; \p insertion
/// is its text. Returns true if the parser can go on as if it did; else it is
/// in panic.
bool Parser::missing(const Twine &wanted, StringRef insertion,
                     const Token *opener) {
  // A bracket or an assignment too many is no reason to close anything else.
  bool stray = !opener && isAny(TokenKind::RParen, TokenKind::RBracket,
                                TokenKind::RBrace, TokenKind::Assign);
  bool plausible = !stray && plausibleInsertion();
  SourceRange place = plausible ? endOfPrevious() : token().range;
  std::string instead = plausible ? "" : ", found " + found();
  if (auto message =
          report(place, Diag::ExpectedToken, wanted.str(), instead)) {
    if (plausible)
      message->fixIt(place, insertion);
    if (opener)
      message->note(opener->range, Diag::OpenedHere, text(opener->kind));
  }
  panic |= !plausible;
  return plausible && !panic;
}

/// Reports that \p word is missing before what stands at \p range; returns it.
Token Parser::missingWord(TokenKind word, SourceRange range) {
  Token token;
  token.kind = word;
  token.range = {range.file, range.begin, range.begin};
  if (auto message =
          report(token.range, Diag::ExpectedToken,
                 ("'" + text(word) + "' before " + quoted(range)).str(), ""))
    message->fixIt(token.range, (text(word) + " ").str());
  return token;
}

/// Expects `then`, `do`, ...; skips what stands before it.
void Parser::expectWord(TokenKind word, StringRef where) {
  if (!panic && (accept(word) || (correctIfClose({word}) && accept(word))))
    return;
  if (!panic &&
      missing("'" + text(word) + "' " + where, (" " + text(word)).str()))
    return;
  while (!isAny(word, TokenKind::Semicolon, TokenKind::End) &&
         !atStatementWord() && !atDeclaration() &&
         !(firstOnLine() && atAssignment()))
    take();
  accept(word);
  panic = false;
}

/// Expects the bracket that closes \p opener; skips what stands before it.
void Parser::expectClose(TokenKind closer, const Token &opener) {
  if (!panic && accept(closer))
    return;
  if (!panic && missing("'" + text(closer) + "'", text(closer), &opener))
    return;
  panic = !skipToClose(closer);
}

/// Expects the `end` of the block that \p opener began.
void Parser::expectEnd(const Token &opener) {
  if (!is(TokenKind::EndWord)) {
    if (reportDoubt(opener))
      return;
    SourceRange place = endOfPrevious();
    auto message =
        report(place, Diag::ExpectedToken,
               ("'end' to close '" + text(opener.kind) + "'").str(), "");
    if (!message)
      return;
    message->fixIt(place, " end")
        .note(opener.range, Diag::OpenedHere, text(opener.kind));
    if (suspect && suspect->range.begin != opener.range.begin)
      message->note(suspect->range, Diag::MaybeUnclosed, text(suspect->kind));
    return;
  }
  bool onOwnLine = firstOnLine();
  Token end = take();
  skipWordBehindEnd(end);
  if (!suspect && onOwnLine && columnOf(end.range) < columnOf(opener.range) &&
      diags.sources()
              .line(opener.range.file, opener.range.begin)
              .ltrim()
              .data() == textOf(opener).data())
    suspect = opener;
}

/// Expects the `;` after \p what ("the statement"), which starts at \p begin.
/// In panic, or if something else follows, skips to where a statement or a
/// declaration may begin.
void Parser::endConstruct(StringRef what, SourceRange begin) {
  if (!panic &&
      (accept(TokenKind::Semicolon) || missing("';' after " + what, ";")))
    return;
  synchronize(begin);
  panic = false;
  accept(TokenKind::Semicolon);
}

//===----------------------------------------------------------------------===//
// Skipping
//===----------------------------------------------------------------------===//

/// Skips to after the closing bracket if it comes in the same statement.
bool Parser::skipToClose(TokenKind closer) {
  constexpr size_t farthest = 2000;
  unsigned nested = 0;
  for (size_t ahead = 0; ahead < farthest; ++ahead) {
    TokenKind next = kind(ahead);
    if (next == closer && nested == 0) {
      for (size_t count = 0; count <= ahead; ++count)
        take();
      return true;
    }
    if (isOneOf(next, TokenKind::Semicolon, TokenKind::End) ||
        atStatementWord(ahead))
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

/// Does a word stand here that only begins or ends statements?
bool Parser::atStatementWord(size_t ahead) const {
  return isOneOf(
      kind(ahead), TokenKind::Begin, TokenKind::If, TokenKind::Elsif,
      TokenKind::Else, TokenKind::While, TokenKind::Repeat, TokenKind::Until,
      TokenKind::For, TokenKind::Exit, TokenKind::Continue, TokenKind::Return,
      TokenKind::Halt, TokenKind::Read, TokenKind::Write, TokenKind::Writeln,
      TokenKind::Bread, TokenKind::Bwrite, TokenKind::Wrap, TokenKind::Reflect,
      TokenKind::Interleave, TokenKind::Scan, TokenKind::EndWord);
}

/// The token after the brackets that open at \p ahead, or 0 if they do not
/// close in the same statement.
size_t Parser::behindBrackets(size_t ahead) const {
  constexpr size_t farthest = 200;
  unsigned nested = 0;
  for (size_t end = ahead + farthest; ahead < end; ++ahead) {
    TokenKind next = kind(ahead);
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

/// At `[`: does what follows the brackets begin a statement?
bool Parser::atScope() const {
  constexpr size_t farthest = 200;
  size_t ahead = behindBrackets(0);
  while (ahead != 0 && ahead < farthest && kind(ahead) == TokenKind::LBracket)
    ahead = behindBrackets(ahead);
  if (ahead == 0)
    return false;
  if (atStatementWord(ahead) && kind(ahead) != TokenKind::EndWord)
    return true;
  return kind(ahead) == TokenKind::Name &&
         (kind(ahead + 1) == TokenKind::LParen || atAssignment(ahead));
}

/// Is it `name :=`, `a[i].x +=`, `A@d :=`, `name max=` ...?
bool Parser::atAssignment(size_t ahead) const {
  if (kind(ahead) != TokenKind::Name)
    return false;
  constexpr size_t farthest = 200;
  size_t end = ahead + farthest;
  for (++ahead; ahead != 0 && ahead < end;) {
    TokenKind next = kind(ahead);
    if (isOneOf(next, TokenKind::LBracket, TokenKind::LBrace))
      ahead = behindBrackets(ahead);
    else if (isOneOf(next, TokenKind::Dot, TokenKind::At, TokenKind::WrapAt) &&
             kind(ahead + 1) == TokenKind::Name)
      ahead += 2;
    else if (isOneOf(next, TokenKind::Hash, TokenKind::At, TokenKind::WrapAt))
      ++ahead;
    else
      break;
  }
  if (ahead == 0)
    return false;
  if (kind(ahead) == TokenKind::Name)
    return kind(ahead + 1) == TokenKind::Equal &&
           (textOf(token(ahead)) == "max" || textOf(token(ahead)) == "min");
  return isOneOf(kind(ahead), TokenKind::Assign, TokenKind::PlusAssign,
                 TokenKind::MinusAssign, TokenKind::StarAssign,
                 TokenKind::SlashAssign, TokenKind::BackslashAssign,
                 TokenKind::PercentAssign, TokenKind::AmpAssign,
                 TokenKind::PipeAssign, TokenKind::LessEqualHash,
                 TokenKind::LessEqualEqual);
}

/// Does a declaration begin here? Some of their words also occur in types and
/// formals; those count at the beginning of a line or after a `;`.
bool Parser::atDeclaration() const {
  if (isAny(TokenKind::Procedure, TokenKind::Prototype, TokenKind::Program,
            TokenKind::Config) ||
      atRegionOpDecl())
    return true;
  if (!isAny(TokenKind::Const, TokenKind::Constant, TokenKind::Var,
             TokenKind::Type, TokenKind::Direction, TokenKind::Region,
             TokenKind::Grid, TokenKind::Distribution, TokenKind::Domain,
             TokenKind::Extern, TokenKind::Free, TokenKind::Static))
    return false;
  if (is(TokenKind::Region) && kind(1) == TokenKind::LParen)
    return false;
  return firstOnLine() || tokens[position - 1].kind == TokenKind::Semicolon;
}

/// Skips to a `;` or to something that can only begin a statement, a definition
/// or a declaration. A line indented no deeper than \p begin begins one, too.
void Parser::synchronize(SourceRange begin) {
  unsigned column = columnOf(begin);
  for (size_t first = position; !isAny(TokenKind::Semicolon, TokenKind::End);
       take()) {
    if (atStatementWord() || atDeclaration())
      return;
    if (!firstOnLine())
      continue;
    if (atAssignment() || (is(TokenKind::Name) && kind(1) == TokenKind::Colon))
      return;
    if (position != first && isAny(TokenKind::Name, TokenKind::LBracket) &&
        columnOf(token().range) <= column)
      return;
  }
}

} // namespace zpl
