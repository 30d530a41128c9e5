//===- ParseRegion.cpp - Regions and directions ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     Region = Prefix { 'at' Direction }
//     Prefix = Direction ( 'of' | 'in' ) Prefix | Primary
//
// `of` and `in` associate to the right and bind tighter; `at` associates to the
// left: `d1 of d2 in R at d3` is (d1 of (d2 in R)) at d3. A bracketed list is
// read before it is known what it is, so `[[-1,0] of R]` needs no look-ahead:
// in front of `of` the dimensions turn into the items of a direction.
//
// A region in brackets, `[north of R]`, is that region. Where only dimensions
// count (types), the literal with its one dimension is kept.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace llvm;

namespace zpl {

using namespace ast;

Expr *unwrap(RegionLit *region) {
  if (region->dims.size() == 1 && region->dims[0].kind == Dim::Single &&
      isRegion(region->dims[0].lo))
    return region->dims[0].lo;
  return region;
}

//===----------------------------------------------------------------------===//
// Region expressions
//===----------------------------------------------------------------------===//

/// A region expression, or any other expression.
Expr *Parser::parseRegion() {
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  Expr *region = parseRegionPrefix();
  while (!panic && parseRegionSuffix(region))
    ;
  return region;
}

Expr *Parser::parseRegionPrefix() {
  Expr *left = parseBinary(0);
  if (!panic && is(TokenKind::Scaledby)) {
    notSupported(token().range, "'scaledby'");
    take();
    parseUnary();
  }
  if (panic || !isAny(TokenKind::Of, TokenKind::In))
    return left;
  unsigned highest = height;
  NodeKind kind = is(TokenKind::Of) ? NodeKind::Of : NodeKind::In;
  take();
  Expr *direction = asDirection(left);
  Nesting nesting(*this);
  if (panic)
    return direction;
  Expr *region = asRegion(parseRegionPrefix());
  setHeight(std::max(highest, height));
  return make<RegionOp>(kind, direction, region,
                        direction->range.to(region->range));
}

/// Behind something that may be a region: is it `name direction`?
bool Parser::atOperatorName(const Expr *region) const {
  return is(TokenKind::Name) && !firstOnLine() &&
         (isRegion(region) || isa<NameRef>(region)) &&
         isOneOf(kind(1), TokenKind::Name, TokenKind::LBracket);
}

/// Reads `at d` or what else may follow a region; false at anything else.
bool Parser::parseRegionSuffix(Expr *&region) {
  if (atOperatorName(region))
    correctIfClose({TokenKind::AtWord, TokenKind::By, TokenKind::With,
                    TokenKind::Without});
  if (!is(TokenKind::AtWord))
    return parseUnsupportedSuffix(region);
  unsigned highest = height;
  take();
  Expr *direction = parseDirection();
  region = asRegion(region);
  setHeight(std::max(highest, height));
  region = make<RegionOp>(NodeKind::RegionAt, direction, region,
                          region->range.to(direction->range));
  return true;
}

/// `by`, masks, sparse regions, user-defined operators.
bool Parser::parseUnsupportedSuffix(Expr *region) {
  bool isMask = isAny(TokenKind::With, TokenKind::Without, TokenKind::Swith,
                      TokenKind::Swithout, TokenKind::Where);
  if (isMask || is(TokenKind::By)) {
    notSupported(token().range, "'" + textOf(token()) + "'");
    take();
    if (!isMask)
      parseDirection();
    else if (!accept(TokenKind::Question))
      parseBinary(0);
    return true;
  }
  if (!atOperatorName(region))
    return false;
  notSupported(token().range, "a user-defined region operator");
  take();
  parseDirection();
  return true;
}

/// What stands where a region must.
Expr *Parser::asRegion(Expr *expr) {
  while (auto *paren = dyn_cast<Paren>(expr))
    expr = paren->inner;
  if (panic || isRegion(expr) || isa<NameRef>(expr))
    return expr;
  if (isa<Call>(expr))
    notSupported(expr->range, "a region or direction as a value");
  else
    report(expr->range, Diag::ExpectedName, "a region",
           ("'" + diags.sources().text(expr->range) + "'").str());
  return expr;
}

//===----------------------------------------------------------------------===//
// Brackets
//===----------------------------------------------------------------------===//

/// '[' Dim { ',' Dim } ']'
RegionLit *Parser::parseBracket() {
  SmallVector<Dim, 6> dims;
  Token open = take();
  unsigned highest = 0;
  do {
    dims.push_back(parseDim());
    highest = std::max(highest, height);
  } while (!panic && accept(TokenKind::Comma));
  expectClose(TokenKind::RBracket, open);
  if (dims.size() > 1)
    for (const Dim &dim : dims)
      if (dim.kind == Dim::Single && isRegion(dim.lo))
        report(dim.range, Diag::RegionNotAlone);
  setHeight(highest);
  return make<RegionLit>(dims, rangeFrom(open.range));
}

/// [ Expr [ '..' Expr ] | '*' | '::' | Region ]
Dim Parser::parseDim() {
  Dim dim;
  dim.range = endOfPrevious();
  height = 1;
  if (panic || isAny(TokenKind::Comma, TokenKind::RBracket))
    return dim;
  if (isAny(TokenKind::Star, TokenKind::ColonColon)) {
    notSupported(token().range, is(TokenKind::Star) ? "a flood dimension"
                                                    : "a grid dimension");
    take();
    return dim;
  }
  SourceRange begin = token().range;
  dim.kind = Dim::Single;
  dim.lo = parseRegion();
  if (!panic && accept(TokenKind::DotDot)) {
    unsigned highest = height;
    dim.kind = Dim::Range;
    dim.lo = requireValue(dim.lo);
    dim.hi = parseExpr();
    height = std::max(highest, height);
  }
  dim.range = rangeFrom(begin);
  return dim;
}

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

/// ( Name | '[' Expr { ',' Expr } ']' | '(' Direction ')' ) { 'scaledby' ... }
Expr *Parser::parseDirection() {
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  Token first = token();
  Expr *direction = nullptr;
  height = 1;
  if (is(TokenKind::LBracket)) {
    direction = parseList();
  } else if (accept(TokenKind::LParen)) {
    Expr *inner = parseDirection();
    expectClose(TokenKind::RParen, first);
    setHeight(height);
    direction = make<Paren>(inner, rangeFrom(first.range));
  } else if (accept(TokenKind::Name)) {
    direction = make<NameRef>(textOf(first), first.range);
    while (!panic && !is(TokenKind::At) && parseSuffix(direction))
      ;
  } else {
    SourceRange place = firstOnLine() ? endOfPrevious() : first.range;
    report(place, Diag::ExpectedName, "a direction", found());
    panic = true;
    return dummy(place);
  }
  while (!panic && is(TokenKind::Scaledby)) {
    notSupported(token().range, "'scaledby'");
    take();
    parseUnary();
  }
  return direction;
}

/// '[' Expr { ',' Expr } ']'
Expr *Parser::parseList() {
  RegionLit *bracket = parseBracket();
  return asDirection(bracket);
}

/// What stands where a direction must: the dimensions of a bracket become its
/// items.
Expr *Parser::asDirection(Expr *expr) {
  while (auto *paren = dyn_cast<Paren>(expr))
    expr = paren->inner;
  if (panic || isa<NameRef, List>(expr))
    return expr;
  auto *bracket = dyn_cast<RegionLit>(expr);
  if (!bracket) {
    report(expr->range, Diag::ExpectedName, "a direction",
           ("'" + diags.sources().text(expr->range) + "'").str());
    return expr;
  }
  SmallVector<Expr *, 6> items;
  for (const Dim &dim : bracket->dims) {
    bool isValue = dim.kind == Dim::Single && !isRegion(dim.lo);
    if (!isValue)
      report(dim.range, Diag::NotDirection,
             dim.kind == Dim::Blank
                 ? "nothing"
                 : ("'" + diags.sources().text(dim.range) + "'").str());
    items.push_back(isValue ? dim.lo : dummy(dim.range));
  }
  return make<List>(items, expr->range);
}

} // namespace zpl
