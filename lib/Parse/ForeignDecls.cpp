//===- ForeignDecls.cpp - Declarations of other languages -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     function f(x: double): double;
//     procedure g(f: procedure(x: double): double);
//     var grid: double;          -- a keyword
//
// One message each, and the declaration is read as what was meant.
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
  // Where an operand must begin, `at + 1` is no shift.
  bool beginsOperand =
      position + ahead != 0 &&
      isOneOf(token(ahead - 1).kind, TokenKind::Assign, TokenKind::LParen,
              TokenKind::Comma, TokenKind::Plus, TokenKind::Minus,
              TokenKind::Star, TokenKind::Slash, TokenKind::Equal);
  return (!isOperator || beginsOperand) &&
         isOneOf(next, TokenKind::LParen, TokenKind::Plus, TokenKind::Minus,
                 TokenKind::Caret);
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
