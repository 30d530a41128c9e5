//===- ParseOperators.cpp - Unary and binary operators --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By falling precedence, all left-associative:
//
//     @ and the other suffixes;  ^ ;  prefix + - ! and op<< op|| >>[..] ;
//     * / % ;  + - ;  < <= > >= = != inside ;  & ;  |
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
#include <array>

using namespace llvm;

namespace zpl {

using namespace ast;

namespace {
struct BinaryInfo {
  BinaryOp op = BinaryOp::Add;
  uint8_t precedence = 0;        ///< from 1; 0: no binary operator
  const char *instead = nullptr; ///< set: another language's operator
};
} // namespace

static constexpr unsigned comparison = 3, sum = 4;

static constexpr auto binaryInfos = [] {
  std::array<BinaryInfo, 256> infos{};
  auto set = [&](TokenKind kind, BinaryInfo info) {
    infos[static_cast<size_t>(kind)] = info;
  };
  set(TokenKind::Pipe, {BinaryOp::Or, 1});
  set(TokenKind::Or, {BinaryOp::Or, 1});
  set(TokenKind::PipePipe, {BinaryOp::Or, 1, "|"});
  set(TokenKind::Amp, {BinaryOp::And, 2});
  set(TokenKind::And, {BinaryOp::And, 2});
  set(TokenKind::AmpAmp, {BinaryOp::And, 2, "&"});
  set(TokenKind::Less, {BinaryOp::Lt, comparison});
  set(TokenKind::LessEqual, {BinaryOp::Le, comparison});
  set(TokenKind::Greater, {BinaryOp::Gt, comparison});
  set(TokenKind::GreaterEqual, {BinaryOp::Ge, comparison});
  set(TokenKind::Equal, {BinaryOp::Eq, comparison});
  set(TokenKind::EqualEqual, {BinaryOp::Eq, comparison, "="});
  set(TokenKind::NotEqual, {BinaryOp::Ne, comparison});
  set(TokenKind::LessGreater, {BinaryOp::Ne, comparison, "!="});
  set(TokenKind::TildeEqual, {BinaryOp::Ne, comparison, "!="});
  set(TokenKind::SlashAssign, {BinaryOp::Ne, comparison, "!="});
  set(TokenKind::Plus, {BinaryOp::Add, 4});
  set(TokenKind::Minus, {BinaryOp::Sub, 4});
  set(TokenKind::Star, {BinaryOp::Mul, 5});
  set(TokenKind::Slash, {BinaryOp::Div, 5});
  set(TokenKind::Percent, {BinaryOp::Rem, 5});
  return infos;
}();

/// A chain of operands and operators above the precedence \p minimum.
Expr *Parser::parseBinary(unsigned minimum) {
  Expr *left = parseUnary();
  unsigned highest = height;
  while (!panic) {
    BinaryInfo info = binaryInfos[static_cast<size_t>(kind())];
    if (is(TokenKind::Name)) {
      if (minimum < comparison && isWord("inside")) {
        height = highest;
        left = parseInside(left);
        highest = height;
        continue;
      }
      info = foreignWord() ? BinaryInfo{BinaryOp::Rem, 5} : info;
    } else if (minimum < sum && skipShift()) {
      continue;
    }
    if (info.precedence <= minimum)
      break;
    if (info.instead)
      foreignOperator(token().range, info.instead);
    SourceRange opRange = take().range;
    left = requireValue(left);
    Expr *right = requireValue(parseBinary(info.precedence));
    highest = std::max(highest, height);
    left = make<Binary>(info.op, opRange, left, right,
                        left->range.to(right->range));
    setHeight(highest, 1);
    highest = height;
  }
  height = highest;
  return left;
}

void Parser::foreignOperator(SourceRange range, StringRef instead) {
  if (auto message = report(range, Diag::ForeignOperator,
                            diags.sources().text(range), instead))
    message->fixIt(range, instead);
}

/// `a mod b`, `a div b`: reported, and an operator from then on.
bool Parser::foreignWord() {
  bool isMod = isWord("mod"), isDiv = isWord("div");
  if ((!isMod && !isDiv) || regionOps.contains(textOf(token())) ||
      firstOnLine() ||
      !isOneOf(kind(1), TokenKind::Name, TokenKind::Integer, TokenKind::Float))
    return false;
  foreignOperator(token().range, isMod ? "%" : "/");
  return true;
}

/// `[i, j] inside R`
Expr *Parser::parseInside(Expr *left) {
  unsigned highest = height;
  take();
  bool isList = isa<RegionLit>(left);
  left = isList ? asDirection(left) : requireValue(left);
  Expr *region = asRegion(parsePostfix());
  setHeight(std::max(highest, height));
  return make<Inside>(left, region, left->range.to(region->range));
}

//===----------------------------------------------------------------------===//
// Prefix operators and ^
//===----------------------------------------------------------------------===//

static std::optional<UnaryOp> unaryOperator(TokenKind kind) {
  if (kind == TokenKind::Minus)
    return UnaryOp::Neg;
  if (kind == TokenKind::Plus)
    return UnaryOp::Plus;
  if (isOneOf(kind, TokenKind::Bang, TokenKind::Not, TokenKind::Tilde))
    return UnaryOp::Not;
  return std::nullopt;
}

Expr *Parser::parseUnary() {
  if (is(TokenKind::Reduce))
    return parseReduce();
  if (is(TokenKind::ScanOp))
    return parseScan();
  if (is(TokenKind::Flood))
    return parseFlood();
  std::optional<UnaryOp> op = unaryOperator(kind());
  if (!op)
    return parsePower(parsePostfix());
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  if (is(TokenKind::Tilde))
    foreignOperator(token().range, "!");
  SourceRange opRange = take().range;
  Expr *operand = requireValue(parseUnary());
  setHeight(height);
  return make<Unary>(*op, opRange, operand, rangeFrom(opRange));
}

/// After the first Postfix: { '^' { prefix } Postfix }
Expr *Parser::parsePower(Expr *left) {
  unsigned highest = height;
  while (!panic && (is(TokenKind::Caret) || atDoubleStar())) {
    SourceRange opRange = take().range;
    if (textOf(tokens[position - 1]) == "*") {
      opRange = opRange.to(take().range);
      foreignOperator(opRange, "^");
    }
    left = requireValue(left);
    Expr *right = requireValue(parsePowerOperand());
    highest = std::max(highest, height);
    left = make<Binary>(BinaryOp::Pow, opRange, left, right,
                        left->range.to(right->range));
    setHeight(highest, 1);
    highest = height;
  }
  height = highest;
  return left;
}

/// `**`, the power of other languages: two stars that touch.
bool Parser::atDoubleStar() const {
  return is(TokenKind::Star) && kind(1) == TokenKind::Star &&
         token().range.end == token(1).range.begin;
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

} // namespace zpl
