//===- ForeignDecls.cpp - Declarations of other languages -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     float x;   integer :: i;   function f(x: double): double;
//     struct P { double x; };    procedure g(f: procedure(x: double): double);
//     var grid: double;          -- a keyword
//
// One message each, and the declaration is skipped, or read as what was meant.
// A keyword that a declaration has made a name of is told there; its uses are
// names from then on, where what the keyword stands for could not go on so.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace zpl {

using namespace ast;

/// At a name: another word for `procedure`.
bool Parser::atForeignProcedure() const {
  return kind(1) == TokenKind::Name && kind(2) == TokenKind::LParen &&
         StringSwitch<bool>(textOf(token()))
             .Cases("function", "def", "proc", "func", "fn", "fun", true)
             .Cases("sub", "subroutine", true)
             .Default(false);
}

/// Is it `float x;`, `int f(...)`, `integer :: i`?
bool Parser::atForeignDeclaration() const {
  bool isType =
      isScalarType(kind()) || is(TokenKind::StringWord) ||
      (is(TokenKind::Name) && StringSwitch<bool>(textOf(token()))
                                  .Cases("int", "bool", "real", "void", true)
                                  .Cases("long", "unsigned", "logical", true)
                                  .Default(false));
  if (!isType)
    return false;
  if (kind(1) == TokenKind::ColonColon)
    return true;
  return kind(1) == TokenKind::Name && !firstOnLine(1) &&
         isOneOf(kind(2), TokenKind::Semicolon, TokenKind::Comma,
                 TokenKind::Equal, TokenKind::Assign, TokenKind::LBracket,
                 TokenKind::LParen);
}

/// Reports such a declaration, of several in a row the first, and skips it with
/// the body it may have.
bool Parser::parseForeignDeclaration() {
  if (panic || !atForeignDeclaration())
    return false;
  StringRef type = textOf(token());
  bool isFunction = kind(2) == TokenKind::LParen;
  StringRef name = textOf(token(kind(1) == TokenKind::ColonColon ? 2 : 1));
  if (position != behindForeign) {
    if (isFunction)
      noSuch("declaration '" + type + " " + name + "(...)'",
             "it is written 'procedure " + name + "(...): " + type + ";'");
    else
      noSuch("declaration '" + type + " " + name + "'",
             "it is written 'var " + name + ": " + type +
                 ";', in front of 'begin'");
  }
  for (take(); !isAny(TokenKind::Semicolon, TokenKind::End, TokenKind::LBrace,
                      TokenKind::Begin) &&
               !firstOnLine();)
    take();
  if (isFunction && isAny(TokenKind::LBrace, TokenKind::Begin))
    skipForeignBody();
  accept(TokenKind::Semicolon);
  behindForeign = position;
  return true;
}

/// What there is instead of a declaration that begins so; empty: nothing.
static StringRef insteadOf(StringRef word) {
  return StringSwitch<StringRef>(word)
      .Cases("use", "import", "using", "module", "package",
             "'#include \"file\"' includes a file")
      .Cases("struct", "class", "typedef", "enum",
             "'type T = ...;' declares a type, of records 'record x: double; "
             "end'")
      .Cases("let", "val", "param",
             "'const n: integer = 4;' declares a constant, in front of 'begin'")
      .Default("");
}

bool Parser::atForeignWord() const {
  return is(TokenKind::Name) && kind(1) == TokenKind::Name && !firstOnLine(1) &&
         !insteadOf(textOf(token())).empty();
}

/// `struct P { double x; };`, `use Math;`: reported and skipped.
bool Parser::parseForeignWord() {
  if (panic || !atForeignWord())
    return false;
  StringRef word = textOf(token());
  noSuch("'" + word + "'", insteadOf(word));
  for (take(); !isAny(TokenKind::Semicolon, TokenKind::End, TokenKind::LBrace,
                      TokenKind::Begin, TokenKind::EndWord);)
    take();
  if (is(TokenKind::LBrace))
    skipForeignBody();
  accept(TokenKind::Semicolon);
  return true;
}

/// From `{` or `begin` to what closes it.
void Parser::skipForeignBody() {
  if (is(TokenKind::Begin)) {
    parseBlock();
    return;
  }
  unsigned nested = 0;
  do {
    TokenKind taken = take().kind;
    nested += taken == TokenKind::LBrace;
    nested -= taken == TokenKind::RBrace;
  } while (nested != 0 && !is(TokenKind::End));
}

/// `( ... )`, if it stands here, with all that is nested in it.
void Parser::skipParentheses() {
  unsigned nested = 0;
  while (is(TokenKind::LParen) || (nested != 0 && !is(TokenKind::End))) {
    TokenKind taken = take().kind;
    nested += taken == TokenKind::LParen;
    nested -= taken == TokenKind::RParen;
    if (nested == 0)
      return;
  }
}

/// A parameter `procedure f(x: double): double`, or a type `procedure(...)`: it
/// is reported and has no type.
TypeExpr *Parser::parseProcedureType() {
  SourceRange begin = token().range;
  report(begin, Diag::ProcedureValue);
  take();
  accept(TokenKind::Name);
  skipParentheses();
  if (accept(TokenKind::Colon))
    parseType();
  return make<NamedType>(Name{"", begin}, rangeFrom(begin));
}

/// Procedures among the locals of \p decl: reported, read and forgotten.
void Parser::parseNestedProcedures(const ProcedureDecl &decl) {
  unsigned column = procedureColumn;
  while (!panic && is(TokenKind::Procedure) && kind(1) == TokenKind::Name &&
         columnOf(token().range) > column) {
    report(token(1).range, Diag::NestedProcedure, textOf(token(1)),
           decl.name.text);
    parseProcedure({}, take());
    procedureColumn = column;
  }
}

//===----------------------------------------------------------------------===//
// Keywords as names
//===----------------------------------------------------------------------===//

/// A keyword that a declaration has made a name of, which was reported: so that
/// its uses are no further errors, it is one where a name could stand and what
/// the keyword stands for could not.
bool Parser::isUsedAsName(size_t ahead) const {
  TokenKind next = token(ahead + 1).kind;
  if (isOneOf(next, TokenKind::Comma, TokenKind::Semicolon, TokenKind::Assign,
              TokenKind::RParen, TokenKind::RBracket, TokenKind::Star,
              TokenKind::Slash, TokenKind::Equal, TokenKind::PlusAssign,
              TokenKind::MinusAssign, TokenKind::StarAssign,
              TokenKind::SlashAssign, TokenKind::Dot, TokenKind::Colon,
              TokenKind::Less, TokenKind::Greater, TokenKind::At))
    return true;
  bool isOperator = isOneOf(
      token(ahead).kind, TokenKind::To, TokenKind::Downto, TokenKind::By,
      TokenKind::Of, TokenKind::In, TokenKind::AtWord, TokenKind::With,
      TokenKind::Without, TokenKind::Where, TokenKind::Scaledby);
  return !isOperator && isOneOf(next, TokenKind::LParen, TokenKind::Plus,
                                TokenKind::Minus, TokenKind::Caret);
}

/// From now on \p keyword may be a name. Words that structure a program are
/// not: there would be nothing left to go on with.
void Parser::allowAsName(TokenKind keyword) {
  if (!isOneOf(
          keyword, TokenKind::Begin, TokenKind::EndWord, TokenKind::If,
          TokenKind::Then, TokenKind::Else, TokenKind::Elsif, TokenKind::While,
          TokenKind::Do, TokenKind::Repeat, TokenKind::Until, TokenKind::Exit,
          TokenKind::Continue, TokenKind::Return, TokenKind::Halt,
          TokenKind::Read, TokenKind::Write, TokenKind::Writeln, TokenKind::Not,
          TokenKind::And, TokenKind::Or, TokenKind::True, TokenKind::False))
    namedKeywords.set(static_cast<size_t>(keyword));
}

} // namespace zpl
