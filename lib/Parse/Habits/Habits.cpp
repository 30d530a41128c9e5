//===- Habits.cpp - What other languages write ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region R = [1:n];              -- '..'
//     k++;                           -- k += 1
//     for i := 1 to n step 2 do      -- by
//     x := b ? 1.0 : 2.0i;           -- an if; a complex variable
//     [1..n by 2] A := 1;            -- [[1..n] by [2]]
//     endif;  break;  print(x);      -- end; exit; writeln(x);
//
// What somebody writes who knows another language is told in one message that
// has the word of this one, with a fix-it where nothing else can be meant, and
// is then read as that word. The rules of the grammar ask here where they would
// complain otherwise; nothing here is asked in a right program but whether the
// next token is one of a few kinds.
//
// Declarations are in ForeignDecls.cpp.
//
//===----------------------------------------------------------------------===//

#include "Habits/Habits.h"
#include "Cursor.h"
#include "Habits/Spelling.h"
#include "ParseAssign.h"
#include "ParseExpr.h"
#include "ParseOperators.h"
#include "ParseRegion.h"
#include "Parsing.h"
#include "Recovery.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zpl {

using namespace ast;

static SourceRange endOf(SourceRange range) {
  return {range.file, range.end, range.end};
}

static std::optional<DiagnosticBuilder> noSuch(Parsing &p, SourceRange range,
                                               const llvm::Twine &what,
                                               const llvm::Twine &instead);

bool touches(const Parsing &p, size_t ahead) {
  SourceRange before = token(p, ahead - 1).range, here = token(p, ahead).range;
  return before.file == here.file && before.end == here.begin;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Is a procedure of this name declared anywhere?
static bool isProcedure(Parsing &p, StringRef name) {
  if (p.procedureNames.empty()) {
    p.procedureNames.insert("");
    for (size_t i = 0; i + 1 < p.tokens.size(); ++i)
      if (isOneOf(p.tokens[i].kind, TokenKind::Procedure,
                  TokenKind::Prototype) &&
          p.tokens[i + 1].kind == TokenKind::Name)
        p.procedureNames.insert(textOf(p, p.tokens[i + 1]));
  }
  return p.procedureNames.contains(name);
}

/// What a statement of one word, or one that calls it, means.
static std::optional<TokenKind> foreignStatement(StringRef word, bool isCall) {
  using Kind = std::optional<TokenKind>;
  if (isCall)
    return StringSwitch<Kind>(word)
        .Cases("printf", "fprintf", TokenKind::Write)
        .Cases("print", "println", "puts", "disp", "display", "echo",
               TokenKind::Writeln)
        .Cases("readln", "scanf", "input", TokenKind::Read)
        .Cases("error", "abort", "quit", "stop", "die", TokenKind::Halt)
        .Default(std::nullopt);
  return StringSwitch<Kind>(word)
      .Cases("endif", "enddo", "endfor", "endwhile", "endprocedure",
             "endfunction", "fi", "od", TokenKind::EndWord)
      .Cases("break", "leave", TokenKind::Exit)
      .Cases("next", "cycle", TokenKind::Continue)
      .Cases("stop", "quit", "abort", TokenKind::Halt)
      .Default(std::nullopt);
}

void correctForeignStatement(Parsing &p) {
  if (p.panic || isProcedure(p, textOf(p, token(p))))
    return;
  StringRef word = textOf(p, token(p));
  bool isCall = kind(p, 1) == TokenKind::LParen;
  bool isAlone = isOneOf(kind(p, 1), TokenKind::Semicolon, TokenKind::End,
                         TokenKind::EndWord, TokenKind::Else);
  if (isCall || isAlone)
    if (std::optional<TokenKind> meant = foreignStatement(word, isCall))
      return correct(p, *meant, Diag::ForeignOperator);
  if (isCall) {
    correctIfClose(p, {TokenKind::Writeln, TokenKind::Write, TokenKind::Bwrite,
                       TokenKind::Read, TokenKind::Bread, TokenKind::Halt});
    return;
  }
  bool isLoop = word == "forall" || word == "foreach" || word == "coforall";
  if (isLoop && kind(p, 1) == TokenKind::Name)
    return correct(p, TokenKind::For, Diag::ForeignOperator);
  if (word == "call" && kind(p, 1) == TokenKind::Name &&
      kind(p, 2) == TokenKind::LParen) {
    if (auto message =
            noSuch(p, "'call'", "a procedure is called by its name alone"))
      message->fixIt(
          {token(p).range.file, token(p).range.begin, token(p, 1).range.begin},
          "");
    take(p);
  }
}

std::optional<DiagnosticBuilder> noSuch(Parsing &p, const Twine &what,
                                        const Twine &instead) {
  return noSuch(p, token(p).range, what, instead);
}

static std::optional<DiagnosticBuilder>
noSuch(Parsing &p, SourceRange range, const Twine &what, const Twine &instead) {
  return report(p, range, Diag::ForeignSyntax, what.str(), instead.str());
}

void skipWordBehindEnd(Parsing &p, const Token &end) {
  bool isWord = is(p, TokenKind::Name) ||
                isAny(p, TokenKind::If, TokenKind::While, TokenKind::For,
                      TokenKind::Do, TokenKind::Repeat, TokenKind::Record,
                      TokenKind::Procedure, TokenKind::Program);
  if (p.panic || firstOnLine(p) || !isWord ||
      kind(p, 1) != TokenKind::Semicolon)
    return;
  SourceRange range = end.range.to(token(p).range);
  foreignOperator(p, range, "end");
  take(p);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Expr *parseConditional(Parsing &p, Expr *condition) {
  if (p.panic || !is(p, TokenKind::Question))
    return condition;
  noSuch(p, "'? :'",
         "an 'if' statement chooses, and of arrays a mask: '[R with "
         "M] A := B;'");
  take(p);
  Expr *value = parseExpr(p);
  if (!p.panic && accept(p, TokenKind::Colon))
    parseExpr(p);
  return value;
}

bool acceptRange(Parsing &p) {
  if (p.panic)
    return false;
  if (!is(p, TokenKind::DotDot)) {
    if (!isAny(p, TokenKind::Colon, TokenKind::To))
      return false;
    foreignOperator(p, token(p).range, "..");
  }
  take(p);
  if (is(p, TokenKind::Less) && touches(p, 0)) {
    noSuch(p, "'..<'", "both ends of a range belong to it");
    take(p);
  }
  return true;
}

void skipStride(Parsing &p) {
  if (p.panic || !is(p, TokenKind::Colon))
    return;
  noSuch(p, "stride within a range", "'[1..n by 2]' has every second index");
  take(p);
  parseExpr(p);
}

/// Is the `<<` of a reduction or shift under the cursor?
static bool atLessLess(const Parsing &p) {
  return is(p, TokenKind::Less) && kind(p, 1) == TokenKind::Less &&
         touches(p, 1);
}

/// Reports the blank between the operator before the cursor and the `<<` or
/// `||` under it.
static void reportLooseFold(Parsing &p) {
  bool isReduce = atLessLess(p);
  SourceRange op = p.tokens[p.position - 1].range;
  std::string word = textOf(p, p.tokens[p.position - 1]).str();
  auto message =
      noSuch(p, op.to(token(p, isReduce ? 1 : 0).range),
             isReduce ? "blank within a reduction" : "blank within a scan",
             "'" + word + (isReduce ? "<<" : "||") + "' is one word");
  if (message)
    message->fixIt({op.file, op.end, token(p).range.begin}, "");
}

Expr *parseLooseFold(Parsing &p) {
  bool isReduce = atLessLess(p);
  if (p.panic || p.position == 0 || (!isReduce && !is(p, TokenKind::PipePipe)))
    return nullptr;
  TokenKind before = p.tokens[p.position - 1].kind;
  if (before != TokenKind::Plus && before != TokenKind::Star &&
      before != TokenKind::Amp && before != TokenKind::Pipe)
    return nullptr;
  reportLooseFold(p);
  take(p);
  if (isReduce)
    take(p);
  return parseUnary(p);
}

/// Words that are operators in front of `<<` and `||`.
static bool isFoldWord(StringRef word) {
  return word == "max" || word == "min" || word == "band" || word == "bor" ||
         word == "bxor";
}

bool skipShift(Parsing &p) {
  bool isLeft = atLessLess(p);
  if (!isLeft && !is(p, TokenKind::Flood))
    return false;
  SourceRange range =
      isLeft ? token(p).range.to(token(p, 1).range) : token(p).range;
  if (isLeft && isFoldWord(textOf(p, p.tokens[p.position - 1])))
    reportLooseFold(p);
  else if (isLeft)
    noSuch(p, range, "'<<' between values", "'bsl(k, 2)' shifts bits");
  else
    noSuch(p, range, "'>>' between values", "'bsr(k, 2)' shifts bits");
  take(p);
  if (isLeft)
    take(p);
  parseUnary(p);
  return true;
}

void skipSuffix(Parsing &p, const Token &number) {
  if (p.panic || !is(p, TokenKind::Name) || !touches(p, 0))
    return;
  StringRef word = textOf(p, token(p));
  std::string digits = textOf(p, number).str();
  StringRef exponent = word.drop_front();
  bool isExponent =
      (word[0] == 'd' || word[0] == 'D') && all_of(exponent, isDigit);
  bool isGroup = word[0] == '_' && all_of(exponent, [](char c) {
                   return isDigit(c) || c == '_';
                 });
  std::string instead;
  if (isExponent)
    instead = digits + "e" + (exponent.empty() ? "0" : exponent.str());
  else if (isGroup)
    instead = digits + join(split(exponent, '_'), "");
  else if (word.find_first_not_of("fFlLuU") == StringRef::npos)
    instead = digits;
  else if (word == "i" || word == "j")
    noSuch(p, number.range.to(token(p).range), "imaginary literal",
           "a complex variable has the fields 're' and 'im'");
  else
    return;
  if (!instead.empty())
    foreignOperator(p, number.range.to(token(p).range), instead);
  take(p);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

Stmt *parseIncrement(Parsing &p, Expr *target) {
  SourceRange end = endOf(target->range);
  std::string name = p.diags.sources().text(target->range).str();
  if (is(p, TokenKind::Plus) && kind(p, 1) == TokenKind::Plus &&
      touches(p, 1)) {
    SourceRange range = token(p).range.to(token(p, 1).range);
    if (auto message = noSuch(p, range, "'++'", "'" + name + " += 1' adds one"))
      message->fixIt({range.file, end.begin, range.end}, " += 1");
    take(p);
    take(p);
    return make<EmptyStmt>(p, target->range);
  }
  bool hasRoom =
      token(p).range.file != end.file || token(p).range.begin >= end.end + 2;
  SourceRange marks = {end.file, end.begin, end.begin + 2};
  if (isa<Call>(target) || atAssignOp(p) || !hasRoom ||
      p.diags.sources().text(marks) != "--")
    return nullptr;
  if (auto message = noSuch(p, marks, "'--' but for comments",
                            "'" + name + " -= 1' subtracts one"))
    message->fixIt(marks, " -= 1");
  return make<EmptyStmt>(p, target->range);
}

Stmt *parsePrefixIncrement(Parsing &p) {
  SourceRange range = token(p).range.to(token(p, 1).range);
  size_t first = p.position;
  take(p);
  take(p);
  Expr *target = parseDesignator(p, "a variable");
  std::swap(p.position, first);
  if (auto message = noSuch(p, range, "'++'",
                            "'" + p.diags.sources().text(target->range) +
                                " += 1' adds one"))
    message->fixIt(range, "").fixIt(endOf(target->range), " += 1");
  std::swap(p.position, first);
  return make<EmptyStmt>(p, target->range);
}

Stmt *parseAssignedCall(Parsing &p, const Call *call) {
  report(p, call->range, Diag::CallAssigned,
         p.diags.sources().text(call->range));
  take(p);
  parseArgument(p);
  return make<EmptyStmt>(p, call->range);
}

bool skipForeignLoop(Parsing &p) {
  bool isC = is(p, TokenKind::LParen);
  if (p.panic || (!isC && !is(p, TokenKind::In)))
    return false;
  noSuch(p, isC ? "'for (...; ...; ...)'" : "'for ... in'",
         "a loop is written 'for k := 1 to n do ... end'");
  unsigned nested = 0;
  while (!isAny(p, TokenKind::Do, TokenKind::End, TokenKind::EndWord) &&
         !(nested == 0 && (isAny(p, TokenKind::LBrace, TokenKind::Semicolon) ||
                           firstOnLine(p)))) {
    TokenKind taken = take(p).kind;
    if (taken == TokenKind::LParen)
      ++nested;
    if (taken == TokenKind::RParen && nested != 0 && --nested == 0 && isC)
      break;
  }
  accept(p, TokenKind::Do);
  return true;
}

bool acceptForeignTo(Parsing &p) {
  if (p.panic ||
      !isAny(p, TokenKind::DotDot, TokenKind::Comma, TokenKind::Colon))
    return false;
  if (auto message = report(p, token(p).range, Diag::ForeignOperator,
                            textOf(p, token(p)), "to"))
    message->fixIt(token(p).range, " to ");
  take(p);
  return true;
}

//===----------------------------------------------------------------------===//
// An `end` too few
//===----------------------------------------------------------------------===//

void noteBegin(Parsing &p, TokenKind word) {
  if (!p.panic && is(p, TokenKind::Begin) && !firstOnLine(p))
    p.doubts.push_back({DiagId::TwoBegins, token(p).range, text(word)});
}

void noteElseIf(Parsing &p, const Token &word) {
  if (!p.panic && is(p, TokenKind::If) && !firstOnLine(p))
    p.doubts.push_back(
        {DiagId::ElseIf, word.range.to(token(p).range), text(word.kind)});
}

void settleDoubts(Parsing &p, const Token &opener, size_t count) {
  const Token &end = p.tokens[p.position == 0 ? 0 : p.position - 1];
  if (end.kind != TokenKind::EndWord || end.range.file != opener.range.file)
    return;
  const SourceManager &sources = p.diags.sources();
  auto from = sources.lineColumn(opener.range),
       to = sources.lineColumn(end.range);
  bool isBelow =
      firstOnLine(p, static_cast<size_t>(-1)) && from.column == to.column;
  if (isBelow || from.line == to.line)
    p.doubts.resize(std::min(count, p.doubts.size()));
}

bool reportDoubt(Parsing &p, const Token &opener) {
  if (p.doubts.empty())
    return false;
  Doubt doubt = p.doubts.front();
  bool isElseIf = doubt.id == DiagId::ElseIf;
  auto message = isElseIf ? report(p, doubt.range, Diag::ElseIf)
                          : report(p, doubt.range, Diag::TwoBegins, doubt.word);
  if (!message)
    return false;
  if (isElseIf && p.doubts.size() == 1)
    message->fixIt(doubt.range, "elsif");
  message->note(opener.range, Diag::OpenedHere, text(opener.kind));
  return true;
}

//===----------------------------------------------------------------------===//
// Subscripts and regions
//===----------------------------------------------------------------------===//

bool skipBlankSubscripts(Parsing &p) {
  size_t ahead = 1;
  while (isOneOf(kind(p, ahead), TokenKind::Comma, TokenKind::Colon))
    ++ahead;
  if (ahead == 1 || kind(p, ahead) != TokenKind::RBracket)
    return false;
  SourceRange range = token(p).range.to(token(p, ahead).range);
  if (auto message =
          noSuch(p, range, "'" + p.diags.sources().text(range) + "'",
                 "'[]' has all elements, whatever the number of dimensions"))
    message->fixIt(range, "[]");
  for (size_t count = 0; count <= ahead; ++count)
    take(p);
  return true;
}

bool skipBlankSubscript(Parsing &p) {
  if (p.panic || !isAny(p, TokenKind::Comma, TokenKind::Colon))
    return false;
  noSuch(p, "blank subscript beside others", "a loop goes over the elements");
  accept(p, TokenKind::Colon);
  return true;
}

void skipSlice(Parsing &p) {
  if (p.panic || !isAny(p, TokenKind::Colon, TokenKind::DotDot))
    return;
  noSuch(p, "slice of an array",
         "a region scope chooses elements of a parallel array, '[1..3] A := "
         "0;', and a loop those of an indexed one");
  take(p);
  if (!isAny(p, TokenKind::Comma, TokenKind::RBracket))
    parseExpr(p);
  if (!p.panic && accept(p, TokenKind::Colon))
    parseExpr(p);
}

} // namespace zpl
