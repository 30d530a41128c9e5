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

#include "ParseOperators.h"
#include "Cursor.h"
#include "Habits/Habits.h"
#include "ParseExpr.h"
#include "ParseFolds.h"
#include "ParseRegion.h"
#include "Parsing.h"
#include "Recovery.h"
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

static bool foreignWord(Parsing &p);
static ast::Expr *parseInside(Parsing &p, ast::Expr *left);
static bool atDoubleStar(const Parsing &p);
static ast::Expr *parsePowerOperand(Parsing &p);

Expr *parseBinary(Parsing &p, unsigned minimum) {
  Expr *left = parseUnary(p);
  unsigned highest = p.height;
  while (!p.panic) {
    BinaryInfo info = binaryInfos[static_cast<size_t>(kind(p))];
    if (is(p, TokenKind::Name)) {
      if (minimum < comparison && isWord(p, "inside")) {
        p.height = highest;
        left = parseInside(p, left);
        highest = p.height;
        continue;
      }
      info = foreignWord(p) ? BinaryInfo{BinaryOp::Rem, 5} : info;
    } else if (minimum < sum && skipShift(p)) {
      continue;
    }
    if (info.precedence <= minimum)
      break;
    if (info.instead)
      foreignOperator(p, token(p).range, info.instead);
    SourceRange opRange = take(p).range;
    left = requireValue(p, left);
    Expr *right = requireValue(p, parseBinary(p, info.precedence));
    highest = std::max(highest, p.height);
    left = make<Binary>(p, info.op, opRange, left, right,
                        left->range.to(right->range));
    setHeight(p, highest, 1);
    highest = p.height;
  }
  p.height = highest;
  return left;
}

void foreignOperator(Parsing &p, SourceRange range, StringRef instead) {
  if (auto message = report(p, range, Diag::ForeignOperator,
                            p.diags.sources().text(range), instead))
    message->fixIt(range, instead);
}

/// `a mod b`, `a div b`: reported, and an operator from then on.
static bool foreignWord(Parsing &p) {
  bool isMod = isWord(p, "mod"), isDiv = isWord(p, "div");
  if ((!isMod && !isDiv) || p.regionOps.contains(textOf(p, token(p))) ||
      firstOnLine(p) ||
      !isOneOf(kind(p, 1), TokenKind::Name, TokenKind::Integer,
               TokenKind::Float))
    return false;
  foreignOperator(p, token(p).range, isMod ? "%" : "/");
  return true;
}

/// `[i, j] inside R`
static Expr *parseInside(Parsing &p, Expr *left) {
  unsigned highest = p.height;
  take(p);
  bool isList = isa<RegionLit>(left);
  left = isList ? asDirection(p, left) : requireValue(p, left);
  Expr *region = asRegion(p, parsePostfix(p));
  setHeight(p, std::max(highest, p.height));
  return make<Inside>(p, left, region, left->range.to(region->range));
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

Expr *parseUnary(Parsing &p) {
  if (is(p, TokenKind::Reduce))
    return parseReduce(p);
  if (is(p, TokenKind::ScanOp))
    return parseScan(p);
  if (is(p, TokenKind::Flood))
    return parseFlood(p);
  std::optional<UnaryOp> op = unaryOperator(kind(p));
  if (!op)
    return parsePower(p, parsePostfix(p));
  Nesting nesting(p);
  if (p.panic)
    return dummy(p, endOfPrevious(p));
  if (is(p, TokenKind::Tilde))
    foreignOperator(p, token(p).range, "!");
  SourceRange opRange = take(p).range;
  Expr *operand = requireValue(p, parseUnary(p));
  setHeight(p, p.height);
  return make<Unary>(p, *op, opRange, operand, rangeFrom(p, opRange));
}

Expr *parsePower(Parsing &p, Expr *left) {
  unsigned highest = p.height;
  while (!p.panic && (is(p, TokenKind::Caret) || atDoubleStar(p))) {
    SourceRange opRange = take(p).range;
    if (textOf(p, p.tokens[p.position - 1]) == "*") {
      opRange = opRange.to(take(p).range);
      foreignOperator(p, opRange, "^");
    }
    left = requireValue(p, left);
    Expr *right = requireValue(p, parsePowerOperand(p));
    highest = std::max(highest, p.height);
    left = make<Binary>(p, BinaryOp::Pow, opRange, left, right,
                        left->range.to(right->range));
    setHeight(p, highest, 1);
    highest = p.height;
  }
  p.height = highest;
  return left;
}

/// `**`, the power of other languages: two stars that touch.
static bool atDoubleStar(const Parsing &p) {
  return is(p, TokenKind::Star) && kind(p, 1) == TokenKind::Star &&
         token(p).range.end == token(p, 1).range.begin;
}

static Expr *parsePowerOperand(Parsing &p) {
  std::optional<UnaryOp> op = unaryOperator(kind(p));
  if (!op)
    return parsePostfix(p);
  Nesting nesting(p);
  if (p.panic)
    return dummy(p, endOfPrevious(p));
  SourceRange opRange = take(p).range;
  Expr *operand = requireValue(p, parsePowerOperand(p));
  setHeight(p, p.height);
  return make<Unary>(p, *op, opRange, operand, rangeFrom(p, opRange));
}

} // namespace zpl
