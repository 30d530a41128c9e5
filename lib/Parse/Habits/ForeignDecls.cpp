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

#include "Habits/ForeignDecls.h"
#include "Cursor.h"
#include "ParseProcedure.h"
#include "ParseType.h"
#include "Parsing.h"
#include "Recovery.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace zpl {

using namespace ast;

bool atForeignProcedure(const Parsing &p) {
  return kind(p, 1) == TokenKind::Name && kind(p, 2) == TokenKind::LParen &&
         StringSwitch<bool>(textOf(p, token(p)))
             .Cases("function", "def", "proc", "func", "fn", "fun", true)
             .Cases("sub", "subroutine", true)
             .Default(false);
}

/// `( ... )`, if it stands here, with all that is nested in it.
static void skipParentheses(Parsing &p) {
  unsigned nested = 0;
  while (is(p, TokenKind::LParen) || (nested != 0 && !is(p, TokenKind::End))) {
    TokenKind taken = take(p).kind;
    nested += taken == TokenKind::LParen;
    nested -= taken == TokenKind::RParen;
    if (nested == 0)
      return;
  }
}

TypeExpr *parseProcedureType(Parsing &p) {
  SourceRange begin = token(p).range;
  report(p, begin, Diag::ProcedureValue);
  take(p);
  accept(p, TokenKind::Name);
  skipParentheses(p);
  if (accept(p, TokenKind::Colon))
    parseType(p);
  return make<NamedType>(p, Name{"", begin}, rangeFrom(p, begin));
}

void parseNestedProcedures(Parsing &p, const ProcedureDecl &decl) {
  unsigned column = p.procedureColumn;
  while (!p.panic && is(p, TokenKind::Procedure) &&
         kind(p, 1) == TokenKind::Name &&
         columnOf(p, token(p).range) > column) {
    report(p, token(p, 1).range, Diag::NestedProcedure, textOf(p, token(p, 1)),
           decl.name.text);
    parseProcedure(p, {}, take(p));
    p.procedureColumn = column;
  }
}

//===----------------------------------------------------------------------===//
// Keywords as names
//===----------------------------------------------------------------------===//

bool isUsedAsName(const Parsing &p, size_t ahead) {
  TokenKind next = token(p, ahead + 1).kind;
  if (isOneOf(next, TokenKind::Comma, TokenKind::Semicolon, TokenKind::Assign,
              TokenKind::RParen, TokenKind::RBracket, TokenKind::Star,
              TokenKind::Slash, TokenKind::Equal, TokenKind::PlusAssign,
              TokenKind::MinusAssign, TokenKind::StarAssign,
              TokenKind::SlashAssign, TokenKind::Dot, TokenKind::Colon,
              TokenKind::Less, TokenKind::Greater, TokenKind::At))
    return true;
  bool isOperator = isOneOf(
      token(p, ahead).kind, TokenKind::To, TokenKind::Downto, TokenKind::By,
      TokenKind::Of, TokenKind::In, TokenKind::AtWord, TokenKind::With,
      TokenKind::Without, TokenKind::Where, TokenKind::Scaledby);
  // Where an operand must begin, `at + 1` is no shift.
  bool beginsOperand =
      p.position + ahead != 0 &&
      isOneOf(token(p, ahead - 1).kind, TokenKind::Assign, TokenKind::LParen,
              TokenKind::Comma, TokenKind::Plus, TokenKind::Minus,
              TokenKind::Star, TokenKind::Slash, TokenKind::Equal);
  return (!isOperator || beginsOperand) &&
         isOneOf(next, TokenKind::LParen, TokenKind::Plus, TokenKind::Minus,
                 TokenKind::Caret);
}

void allowAsName(Parsing &p, TokenKind keyword) {
  if (!isOneOf(
          keyword, TokenKind::Begin, TokenKind::EndWord, TokenKind::If,
          TokenKind::Then, TokenKind::Else, TokenKind::Elsif, TokenKind::While,
          TokenKind::Do, TokenKind::Repeat, TokenKind::Until, TokenKind::Exit,
          TokenKind::Continue, TokenKind::Return, TokenKind::Halt,
          TokenKind::Read, TokenKind::Write, TokenKind::Writeln, TokenKind::Not,
          TokenKind::And, TokenKind::Or, TokenKind::True, TokenKind::False))
    p.namedKeywords.set(static_cast<size_t>(keyword));
}

} // namespace zpl
