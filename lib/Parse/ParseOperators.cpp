//===- ParseOperators.cpp - Unary and binary operators --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By falling precedence, all left-associative:
//
//     @ and the other suffixes;  ^ ;  prefix + - ! and op<< ;
//     * / % ;  + - ;  < <= > >= = != ;  & ;  |
//
// so that `-x^2` is -(x^2), `2^3^2` is 64, `!n = 2` is (!n) = 2 and
// `+<<A * A` is (+<<A) * A. A prefix operator may follow any binary one:
// `2^-k`, `a * -b`.
//
// The five levels of binary operators are one function, which climbs by the
// operators' precedence: parentheses cost one recursion, not five.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zpl {

using namespace ast;

namespace {
struct BinaryInfo {
  TokenKind kind;
  BinaryOp op;
  unsigned precedence;
  const char *instead = nullptr; ///< set: another language's operator
};
} // namespace

static constexpr unsigned comparison = 2;

static constexpr BinaryInfo binaryInfos[] = {
    {TokenKind::Pipe, BinaryOp::Or, 0},
    {TokenKind::Or, BinaryOp::Or, 0},
    {TokenKind::PipePipe, BinaryOp::Or, 0, "|"},
    {TokenKind::Amp, BinaryOp::And, 1},
    {TokenKind::And, BinaryOp::And, 1},
    {TokenKind::AmpAmp, BinaryOp::And, 1, "&"},
    {TokenKind::Less, BinaryOp::Lt, comparison},
    {TokenKind::LessEqual, BinaryOp::Le, comparison},
    {TokenKind::Greater, BinaryOp::Gt, comparison},
    {TokenKind::GreaterEqual, BinaryOp::Ge, comparison},
    {TokenKind::Equal, BinaryOp::Eq, comparison},
    {TokenKind::EqualEqual, BinaryOp::Eq, comparison, "="},
    {TokenKind::NotEqual, BinaryOp::Ne, comparison},
    {TokenKind::LessGreater, BinaryOp::Ne, comparison, "!="},
    {TokenKind::Plus, BinaryOp::Add, 3},
    {TokenKind::Minus, BinaryOp::Sub, 3},
    {TokenKind::Star, BinaryOp::Mul, 4},
    {TokenKind::Slash, BinaryOp::Div, 4},
    {TokenKind::Percent, BinaryOp::Rem, 4},
};

static const BinaryInfo *binaryInfo(TokenKind kind) {
  for (const BinaryInfo &info : binaryInfos)
    if (info.kind == kind)
      return &info;
  return nullptr;
}

/// A chain of operands and operators of at least the precedence \p minimum.
Expr *Parser::parseBinary(unsigned minimum) {
  Expr *left = parseUnary();
  unsigned highest = height;
  while (!panic) {
    if (minimum <= comparison && isWord("inside")) {
      left = parseInside(left);
      continue;
    }
    const BinaryInfo *info = binaryInfo(kind());
    if (!info || info->precedence < minimum)
      break;
    if (info->instead)
      if (auto message = report(token().range, Diag::ForeignOperator,
                                textOf(token()), info->instead))
        message->fixIt(token().range, info->instead);
    SourceRange opRange = take().range;
    left = requireValue(left);
    Expr *right = requireValue(parseBinary(info->precedence + 1));
    highest = std::max(highest, height);
    left = make<Binary>(info->op, opRange, left, right,
                        left->range.to(right->range));
    setHeight(highest);
    highest = height;
  }
  height = highest;
  return left;
}

/// `[i, j] inside R`
Expr *Parser::parseInside(Expr *left) {
  notSupported(token().range, "'inside'");
  take();
  parsePostfix();
  return dummy(left->range);
}

//===----------------------------------------------------------------------===//
// Prefix operators and ^
//===----------------------------------------------------------------------===//

static std::optional<UnaryOp> unaryOperator(TokenKind kind) {
  if (kind == TokenKind::Minus)
    return UnaryOp::Neg;
  if (kind == TokenKind::Plus)
    return UnaryOp::Plus;
  if (isOneOf(kind, TokenKind::Bang, TokenKind::Not))
    return UnaryOp::Not;
  return std::nullopt;
}

Expr *Parser::parseUnary() {
  if (is(TokenKind::Reduce))
    return parseReduce();
  if (is(TokenKind::ScanOp))
    return parseScanOp();
  if (is(TokenKind::Flood))
    return parseFlood();
  std::optional<UnaryOp> op = unaryOperator(kind());
  if (!op)
    return parsePower();
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  SourceRange opRange = take().range;
  Expr *operand = requireValue(parseUnary());
  setHeight(height);
  return make<Unary>(*op, opRange, operand, rangeFrom(opRange));
}

/// Postfix { '^' { prefix } Postfix }
Expr *Parser::parsePower() {
  Expr *left = parsePostfix();
  unsigned highest = height;
  while (!panic && is(TokenKind::Caret)) {
    SourceRange opRange = take().range;
    left = requireValue(left);
    Expr *right = requireValue(parsePowerOperand());
    highest = std::max(highest, height);
    left = make<Binary>(BinaryOp::Pow, opRange, left, right,
                        left->range.to(right->range));
    setHeight(highest);
    highest = height;
  }
  height = highest;
  return left;
}

Expr *Parser::parsePowerOperand() {
  std::optional<UnaryOp> op = unaryOperator(kind());
  if (!op)
    return parsePostfix();
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  SourceRange opRange = take().range;
  Expr *operand = requireValue(parsePowerOperand());
  setHeight(height);
  return make<Unary>(*op, opRange, operand, rangeFrom(opRange));
}

//===----------------------------------------------------------------------===//
// Reductions, scans, floods
//===----------------------------------------------------------------------===//

static std::optional<ReduceOp> reduceOperator(StringRef spelling) {
  return StringSwitch<std::optional<ReduceOp>>(spelling)
      .Case("+<<", ReduceOp::Sum)
      .Case("*<<", ReduceOp::Product)
      .Case("max<<", ReduceOp::Max)
      .Case("min<<", ReduceOp::Min)
      .Case("&<<", ReduceOp::And)
      .Case("|<<", ReduceOp::Or)
      .Default(std::nullopt);
}

/// OP'<<' [ '[' Region ']' ] Operand
Expr *Parser::parseReduce() {
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  Token word = take();
  std::optional<ReduceOp> op = reduceOperator(textOf(word));
  if (!op)
    return parseUnsupportedReduce(word);
  if (is(TokenKind::LBracket)) {
    notSupported(word.range, "a partial reduction");
    parseBracket();
  }
  Expr *operand = requireValue(parseUnary());
  setHeight(height);
  return make<Reduce>(*op, word.range, operand, rangeFrom(word.range));
}

/// Behind `band<<` or `f<<`; the operand of the latter may be a list.
Expr *Parser::parseUnsupportedReduce(const Token &word) {
  bool isBitwise = StringSwitch<bool>(textOf(word))
                       .Cases("band<<", "bor<<", "bxor<<", true)
                       .Default(false);
  notSupported(word.range,
               isBitwise ? "a bitwise reduction" : "a user-defined reduction");
  if (is(TokenKind::LBracket))
    parseBracket();
  if (accept(TokenKind::LParen))
    panic |= !skipToClose(TokenKind::RParen);
  else
    parseUnary();
  return dummy(rangeFrom(word.range));
}

/// OP'||' [ '<' ... '>' ] [ '[' dimensions ']' ] Operand
Expr *Parser::parseScanOp() {
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  Token word = take();
  notSupported(word.range, "a scan");
  if (accept(TokenKind::Less))
    skipToClose(TokenKind::Greater);
  if (is(TokenKind::LBracket))
    parseBracket();
  if (accept(TokenKind::LParen))
    panic |= !skipToClose(TokenKind::RParen);
  else
    parseUnary();
  return dummy(rangeFrom(word.range));
}

/// '>>' '[' Region ']' Operand
Expr *Parser::parseFlood() {
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  Token word = take();
  notSupported(word.range, "a flood");
  if (is(TokenKind::LBracket))
    parseBracket();
  parseUnary();
  return dummy(rangeFrom(word.range));
}

} // namespace zpl
