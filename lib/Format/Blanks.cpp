//===- Blanks.cpp - Between two tokens on a line --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     A[i], f(x)   [R] A := -x;   P.x   A@north   var A: T   1..n
//
// Where one way is right, the tokens say it. Around the operators of
// expressions the author's blanks show what belongs together, `n*m + 1`; those
// are left, on both sides alike.
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"

namespace zpl {

using Tok = TokenKind;

static bool isOperand(const Piece &piece) {
  return piece.kind == Piece::IsToken &&
         isOneOf(piece.token, Tok::Name, Tok::Integer, Tok::Float,
                 Tok::Character, Tok::String, Tok::RParen, Tok::RBracket,
                 Tok::RBrace, Tok::Quote, Tok::True, Tok::False);
}

bool isBinary(TokenKind kind, const Piece &before) {
  return isOneOf(kind, Tok::Plus, Tok::Minus, Tok::Star, Tok::Slash,
                 Tok::Percent, Tok::Caret, Tok::Amp, Tok::Pipe, Tok::Less,
                 Tok::LessEqual, Tok::Greater, Tok::GreaterEqual,
                 Tok::NotEqual) &&
         isOperand(before);
}

static bool isAssignment(TokenKind kind) {
  return isOneOf(kind, Tok::Assign, Tok::PlusAssign, Tok::MinusAssign,
                 Tok::StarAssign, Tok::SlashAssign, Tok::BackslashAssign,
                 Tok::PercentAssign, Tok::AmpAssign, Tok::PipeAssign,
                 Tok::LessEqualHash, Tok::LessEqualEqual, Tok::Equal);
}

/// What calls look like, `double(x)`, `writeln(x)`; not `not (a)`.
static bool isCalled(TokenKind kind) {
  return isOneOf(kind, Tok::Name, Tok::Double, Tok::FloatWord, Tok::IntegerWord,
                 Tok::Longint, Tok::Write, Tok::Writeln, Tok::Read, Tok::Bread,
                 Tok::Bwrite, Tok::Halt, Tok::Region);
}

std::optional<unsigned> blanksBetween(const Piece &before, const Piece &after) {
  Tok a = before.token, b = after.token;
  if (isOneOf(b, Tok::Semicolon))
    return 0;
  if (isOneOf(a, Tok::LParen) || isOneOf(b, Tok::RParen))
    return 0;
  // Blank dimensions: `[ , ]` and `[, 1]`.
  if (b == Tok::Comma)
    return a == Tok::LBracket || a == Tok::Comma ? std::nullopt
                                                 : std::optional(0u);
  if (a == Tok::Comma)
    return b == Tok::RBracket ? std::nullopt : std::optional(1u);
  // `[ ] T`, and `[ 1, -1]` with room for a sign.
  if (a == Tok::LBracket && isOneOf(b, Tok::RBracket, Tok::Integer))
    return std::nullopt;
  if (a == Tok::LBracket || b == Tok::RBracket)
    return 0;
  if (isOneOf(a, Tok::Dot, Tok::At, Tok::WrapAt, Tok::Prime, Tok::Hash) ||
      isOneOf(b, Tok::Dot, Tok::At, Tok::WrapAt, Tok::Prime, Tok::Hash))
    return isKeyword(a) ? std::nullopt : std::optional(0u);
  bool isOfWord = b == Tok::Equal && a == Tok::Name && // `max=`
                  (before.text == "max" || before.text == "min");
  if (isOfWord)
    return std::nullopt;
  if (isAssignment(a) || isAssignment(b))
    return 1;
  if (b == Tok::Colon)
    return 0;
  if (a == Tok::Colon || a == Tok::Semicolon)
    return 1;
  if (b == Tok::LParen)
    return isCalled(a)    ? std::optional(0u)
           : isKeyword(a) ? std::optional(1u)
                          : std::nullopt;
  if (isKeyword(a) && b == Tok::LBracket)
    return 1;
  bool isWordA = isKeyword(a) || isOperand(before);
  bool isWordB = isKeyword(b) || isOneOf(b, Tok::Name, Tok::Integer, Tok::Float,
                                         Tok::Character);
  if (isWordA && isWordB && a != Tok::RBrace)
    return 1;
  return std::nullopt;
}

} // namespace zpl
