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

#include "Parser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zpl {

using namespace ast;

static SourceRange beginOf(SourceRange range) {
  return {range.file, range.begin, range.begin};
}

static SourceRange endOf(SourceRange range) {
  return {range.file, range.end, range.end};
}

/// Does the token at \p ahead follow the one before it without a blank?
bool Parser::touches(size_t ahead) const {
  SourceRange before = token(ahead - 1).range, here = token(ahead).range;
  return before.file == here.file && before.end == here.begin;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

/// Is a procedure of this name declared anywhere?
bool Parser::isProcedure(StringRef name) {
  if (procedureNames.empty()) {
    procedureNames.insert("");
    for (size_t i = 0; i + 1 < tokens.size(); ++i)
      if (isOneOf(tokens[i].kind, TokenKind::Procedure, TokenKind::Prototype) &&
          tokens[i + 1].kind == TokenKind::Name)
        procedureNames.insert(textOf(tokens[i + 1]));
  }
  return procedureNames.contains(name);
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

/// At a name where a statement begins: a word for one that this language calls
/// otherwise. It counts as that word from now on.
void Parser::correctForeignStatement() {
  if (panic || isProcedure(textOf(token())))
    return;
  StringRef word = textOf(token());
  bool isCall = kind(1) == TokenKind::LParen;
  bool isAlone = isOneOf(kind(1), TokenKind::Semicolon, TokenKind::End,
                         TokenKind::EndWord, TokenKind::Else);
  if (isCall || isAlone)
    if (std::optional<TokenKind> meant = foreignStatement(word, isCall))
      return correct(*meant, Diag::ForeignOperator);
  if (isCall) {
    correctIfClose({TokenKind::Writeln, TokenKind::Write, TokenKind::Bwrite,
                    TokenKind::Read, TokenKind::Bread, TokenKind::Halt});
    return;
  }
  bool isLoop = word == "forall" || word == "foreach" || word == "coforall";
  if (isLoop && kind(1) == TokenKind::Name)
    return correct(TokenKind::For, Diag::ForeignOperator);
  if (word == "call" && kind(1) == TokenKind::Name &&
      kind(2) == TokenKind::LParen) {
    if (auto message =
            noSuch("'call'", "a procedure is called by its name alone"))
      message->fixIt(
          {token().range.file, token().range.begin, token(1).range.begin}, "");
    take();
  }
}

/// Reports \p what at the current token; \p instead is what there is.
std::optional<DiagnosticBuilder> Parser::noSuch(const Twine &what,
                                                const Twine &instead) {
  return noSuch(token().range, what, instead);
}

std::optional<DiagnosticBuilder>
Parser::noSuch(SourceRange range, const Twine &what, const Twine &instead) {
  return report(range, Diag::ForeignSyntax, what.str(), instead.str());
}

/// After `end`: `end if;`, `end main;`.
void Parser::skipWordBehindEnd(const Token &end) {
  bool isWord = is(TokenKind::Name) ||
                isAny(TokenKind::If, TokenKind::While, TokenKind::For,
                      TokenKind::Do, TokenKind::Repeat, TokenKind::Record,
                      TokenKind::Procedure, TokenKind::Program);
  if (panic || firstOnLine() || !isWord || kind(1) != TokenKind::Semicolon)
    return;
  SourceRange range = end.range.to(token().range);
  foreignOperator(range, "end");
  take();
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// After an expression: `? a : b`.
Expr *Parser::parseConditional(Expr *condition) {
  if (panic || !is(TokenKind::Question))
    return condition;
  noSuch("'? :'", "an 'if' statement chooses, and of arrays a mask: '[R with "
                  "M] A := B;'");
  take();
  Expr *value = parseExpr();
  if (!panic && accept(TokenKind::Colon))
    parseExpr();
  return value;
}

/// `..`, or what other languages have for it.
bool Parser::acceptRange() {
  if (panic)
    return false;
  if (!is(TokenKind::DotDot)) {
    if (!isAny(TokenKind::Colon, TokenKind::To))
      return false;
    foreignOperator(token().range, "..");
  }
  take();
  if (is(TokenKind::Less) && touches(0)) {
    noSuch("'..<'", "both ends of a range belong to it");
    take();
  }
  return true;
}

/// After a range: `1:n:2`.
void Parser::skipStride() {
  if (panic || !is(TokenKind::Colon))
    return;
  noSuch("stride within a range", "'[1..n] by [2]' has every second index");
  take();
  parseExpr();
}

/// After an operand: `k << 2`, `k >> 2`; the operand remains.
bool Parser::skipShift() {
  bool isLeft = is(TokenKind::Less) && kind(1) == TokenKind::Less && touches(1);
  if (!isLeft && !is(TokenKind::Flood))
    return false;
  SourceRange range = isLeft ? token().range.to(token(1).range) : token().range;
  if (isLeft)
    noSuch(range, "'<<' between values", "'bsl(k, 2)' shifts bits");
  else
    noSuch(range, "'>>' between values", "'bsr(k, 2)' shifts bits");
  take();
  if (isLeft)
    take();
  parseUnary();
  return true;
}

/// `2i`, `1.0f`, `10L`, `1_000`, `1d0`: after a number, a word that touches
/// it.
void Parser::skipSuffix(const Token &number) {
  if (panic || !is(TokenKind::Name) || !touches(0))
    return;
  StringRef word = textOf(token());
  std::string digits = textOf(number).str();
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
    noSuch(number.range.to(token().range), "imaginary literal",
           "a complex variable has the fields 're' and 'im'");
  else
    return;
  if (!instead.empty())
    foreignOperator(number.range.to(token().range), instead);
  take();
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// After a target: `++`, `--`; null: none. Two minus signs began a comment,
/// which is why the next token is farther away.
Stmt *Parser::parseIncrement(Expr *target) {
  SourceRange end = endOf(target->range);
  std::string name = diags.sources().text(target->range).str();
  if (is(TokenKind::Plus) && kind(1) == TokenKind::Plus && touches(1)) {
    SourceRange range = token().range.to(token(1).range);
    if (auto message = noSuch(range, "'++'", "'" + name + " += 1' adds one"))
      message->fixIt({range.file, end.begin, range.end}, " += 1");
    take();
    take();
    return make<EmptyStmt>(target->range);
  }
  bool hasRoom =
      token().range.file != end.file || token().range.begin >= end.end + 2;
  SourceRange marks = {end.file, end.begin, end.begin + 2};
  if (isa<Call>(target) || atAssignOp() || !hasRoom ||
      diags.sources().text(marks) != "--")
    return nullptr;
  if (auto message = noSuch(marks, "'--' but for comments",
                            "'" + name + " -= 1' subtracts one"))
    message->fixIt(marks, " -= 1");
  return make<EmptyStmt>(target->range);
}

/// `++k` as a statement.
Stmt *Parser::parsePrefixIncrement() {
  SourceRange range = token().range.to(token(1).range);
  size_t first = position;
  take();
  take();
  Expr *target = parseDesignator("a variable");
  std::swap(position, first);
  if (auto message =
          noSuch(range, "'++'",
                 "'" + diags.sources().text(target->range) + " += 1' adds one"))
    message->fixIt(range, "").fixIt(endOf(target->range), " += 1");
  std::swap(position, first);
  return make<EmptyStmt>(target->range);
}

/// `A(1, 2) := 3`
Stmt *Parser::parseAssignedCall(const Call *call) {
  report(call->range, Diag::CallAssigned, diags.sources().text(call->range));
  take();
  parseArgument();
  return make<EmptyStmt>(call->range);
}

/// After the variable of a `for`: `in 1..4`, `in range(4)`, `:= 1, 4`, or the
/// parentheses of C. Reads up to `do`; false: it is none of these.
bool Parser::skipForeignLoop() {
  bool isC = is(TokenKind::LParen);
  if (panic || (!isC && !is(TokenKind::In)))
    return false;
  noSuch(isC ? "'for (...; ...; ...)'" : "'for ... in'",
         "a loop is written 'for k := 1 to n do ... end'");
  unsigned nested = 0;
  while (!isAny(TokenKind::Do, TokenKind::End, TokenKind::EndWord) &&
         !(nested == 0 &&
           (isAny(TokenKind::LBrace, TokenKind::Semicolon) || firstOnLine()))) {
    TokenKind taken = take().kind;
    if (taken == TokenKind::LParen)
      ++nested;
    if (taken == TokenKind::RParen && nested != 0 && --nested == 0 && isC)
      break;
  }
  accept(TokenKind::Do);
  return true;
}

/// In front of a bound: `..`, `,`, `:` for `to`.
bool Parser::acceptForeignTo() {
  if (panic || !isAny(TokenKind::DotDot, TokenKind::Comma, TokenKind::Colon))
    return false;
  if (auto message =
          report(token().range, Diag::ForeignOperator, textOf(token()), "to"))
    message->fixIt(token().range, " to ");
  take();
  return true;
}

//===----------------------------------------------------------------------===//
// An `end` too few
//===----------------------------------------------------------------------===//

/// After \p word, which has an `end`: the `begin` of other languages.
void Parser::noteBegin(TokenKind word) {
  if (!panic && is(TokenKind::Begin) && !firstOnLine())
    doubts.push_back({DiagId::TwoBegins, token().range, text(word)});
}

/// After `else`, on the same line: the `if` of other languages.
void Parser::noteElseIf(const Token &word) {
  if (!panic && is(TokenKind::If) && !firstOnLine())
    doubts.push_back(
        {DiagId::ElseIf, word.range.to(token().range), text(word.kind)});
}

/// After the `end` of \p opener: is it written where one that closes it is?
/// Then what has been in doubt since there were \p count doubts is not.
void Parser::settleDoubts(const Token &opener, size_t count) {
  const Token &end = tokens[position == 0 ? 0 : position - 1];
  if (end.kind != TokenKind::EndWord || end.range.file != opener.range.file)
    return;
  const SourceManager &sources = diags.sources();
  auto from = sources.lineColumn(opener.range),
       to = sources.lineColumn(end.range);
  bool isBelow =
      firstOnLine(static_cast<size_t>(-1)) && from.column == to.column;
  if (isBelow || from.line == to.line)
    doubts.resize(std::min(count, doubts.size()));
}

/// An `end` is missing: says why, if something in the procedure shows.
bool Parser::reportDoubt(const Token &opener) {
  if (doubts.empty())
    return false;
  Doubt doubt = doubts.front();
  bool isElseIf = doubt.id == DiagId::ElseIf;
  auto message = isElseIf ? report(doubt.range, Diag::ElseIf)
                          : report(doubt.range, Diag::TwoBegins, doubt.word);
  if (!message)
    return false;
  if (isElseIf && doubts.size() == 1)
    message->fixIt(doubt.range, "elsif");
  message->note(opener.range, Diag::OpenedHere, text(opener.kind));
  return true;
}

//===----------------------------------------------------------------------===//
// Subscripts and regions
//===----------------------------------------------------------------------===//

/// At `[`: subscripts of which all are blank, `a[ , ]`, `a[:, :]`.
bool Parser::skipBlankSubscripts() {
  size_t ahead = 1;
  while (isOneOf(kind(ahead), TokenKind::Comma, TokenKind::Colon))
    ++ahead;
  if (ahead == 1 || kind(ahead) != TokenKind::RBracket)
    return false;
  SourceRange range = token().range.to(token(ahead).range);
  if (auto message =
          noSuch(range, "'" + diags.sources().text(range) + "'",
                 "'[]' has all elements, whatever the number of dimensions"))
    message->fixIt(range, "[]");
  for (size_t count = 0; count <= ahead; ++count)
    take();
  return true;
}

/// Among subscripts: a blank one, `a[ , 1]`.
bool Parser::skipBlankSubscript() {
  if (panic || !isAny(TokenKind::Comma, TokenKind::Colon))
    return false;
  noSuch("blank subscript beside others", "a loop goes over the elements");
  accept(TokenKind::Colon);
  return true;
}

/// After a subscript: `a[1:3]`, `a[1..3]`.
void Parser::skipSlice() {
  if (panic || !isAny(TokenKind::Colon, TokenKind::DotDot))
    return;
  noSuch("slice of an array",
         "a region scope chooses elements of a parallel array, '[1..3] A := "
         "0;', and a loop those of an indexed one");
  take();
  if (!isAny(TokenKind::Comma, TokenKind::RBracket))
    parseExpr();
  if (!panic && accept(TokenKind::Colon))
    parseExpr();
}

/// After the last dimension in brackets: `by 2`, `with M` without brackets of
/// their own for the range. Gives the region that was meant, or null.
Expr *Parser::parseOperatorInRange(const Token &open, ArrayRef<Dim> dims) {
  if (panic ||
      !isAny(TokenKind::By, TokenKind::AtWord, TokenKind::With,
             TokenKind::Without, TokenKind::Swith, TokenKind::Swithout))
    return nullptr;
  Token word = token();
  SourceRange last = endOfPrevious();
  SourceRange listed = rangeFrom(open.range);
  Expr *region = make<RegionLit>(context.keep(dims), listed);
  SourceRange bare;
  size_t first = position;
  if (isAny(TokenKind::By, TokenKind::AtWord) &&
      !isOneOf(kind(1), TokenKind::LBracket, TokenKind::Name)) {
    take();
    bare = parseExpr()->range;
  } else if (!parseRegionSuffix(region)) {
    parseMask(region);
  }
  if (panic)
    return region;
  std::string rest =
      diags.sources()
          .text({word.range.file, word.range.end, endOfPrevious().end})
          .ltrim()
          .str();
  if (bare.isValid())
    rest = "[" + rest + "]";
  std::string meant = ("[" + diags.sources().text(listed) + "] " +
                       textOf(word) + " " + rest + "]")
                          .str();
  std::swap(position, first);
  if (auto message =
          report(word.range, Diag::OperatorInRange, textOf(word), meant)) {
    message->fixIt(endOf(open.range), "[").fixIt(last, "]");
    if (bare.isValid())
      message->fixIt(beginOf(bare), "[").fixIt(endOf(bare), "]");
  }
  std::swap(position, first);
  return region;
}

} // namespace zpl
