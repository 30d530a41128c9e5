//===- ParseRegion.cpp - Regions and directions ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     Region = Post { ( 'with' | 'without' | ... ) Mask | 'where' Pattern }
//     Post   = Prefix { ( 'at' | 'by' | NAME ) Direction }
//     Prefix = Direction ( 'of' | 'in' ) Prefix | Primary
//
// `of` and `in` associate to the right and bind tighter; `at`, `by` and what a
// `regionop` defines associate to the left: `d1 of d2 in R at d3` is
// (d1 of (d2 in R)) at d3. A bracketed list is read before it is known what it
// is, so `[[-1,0] of R]` needs no look-ahead: in front of `of` the dimensions
// turn into the items of a direction.
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
      isRegionSyntax(region->dims[0].lo))
    return region->dims[0].lo;
  return region;
}

//===----------------------------------------------------------------------===//
// Region expressions
//===----------------------------------------------------------------------===//

/// Expr | RegExpr | DirExpr
Expr *Parser::parseArgument() {
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  Expr *region = parseRegionPrefix();
  while (!panic && parseRegionSuffix(region))
    ;
  while (!panic && parseMask(region))
    ;
  return parseConditional(region);
}

Expr *Parser::parseRegionPrefix() {
  Expr *left = parseBinary(0);
  if (!panic && is(TokenKind::Scaledby))
    left = parseScaledby(asDirection(left));
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

/// After something that may be a region: is it `name direction`? On a new line
/// only the name of a `regionop` counts; another may begin a statement.
bool Parser::atOperatorName(const Expr *region) const {
  if (!is(TokenKind::Name))
    return false;
  if (regionOps.contains(textOf(token())))
    return isOneOf(kind(1), TokenKind::Name, TokenKind::LBracket,
                   TokenKind::LParen);
  return !firstOnLine() &&
         isOneOf(kind(1), TokenKind::Name, TokenKind::LBracket) &&
         (isRegionSyntax(region) ||
          isa<NameRef, Subscript, Multi, Field>(region));
}

/// Reads `at d`, `by d` or `name d`; false at anything else.
bool Parser::parseRegionSuffix(Expr *&region) {
  bool isUserOp = false;
  if (!isAny(TokenKind::AtWord, TokenKind::By)) {
    if (!atOperatorName(region))
      return false;
    isUserOp =
        regionOps.contains(textOf(token())) ||
        !correctIfClose({TokenKind::AtWord, TokenKind::By, TokenKind::With,
                         TokenKind::Without, TokenKind::Where});
    if (!isUserOp && !isAny(TokenKind::AtWord, TokenKind::By))
      return false; // a mask
  }
  unsigned highest = height;
  Token op = take();
  Expr *direction = parseScaledDirection();
  region = asRegion(region);
  setHeight(std::max(highest, height));
  SourceRange range = region->range.to(direction->range);
  if (isUserOp)
    region = make<UserRegionOp>(Name{textOf(op), op.range}, direction, region,
                                range);
  else
    region = make<RegionOp>(op.kind == TokenKind::By ? NodeKind::By
                                                     : NodeKind::RegionAt,
                            direction, region, range);
  return true;
}

static std::optional<Mask::Flavor> maskFlavor(TokenKind kind) {
  if (kind == TokenKind::With)
    return Mask::With;
  if (kind == TokenKind::Without)
    return Mask::Without;
  if (kind == TokenKind::Swith)
    return Mask::Swith;
  if (kind == TokenKind::Swithout)
    return Mask::Swithout;
  return std::nullopt;
}

/// Reads `with e`, `where e`, `where ?`; false at anything else.
bool Parser::parseMask(Expr *&region) {
  std::optional<Mask::Flavor> flavor = maskFlavor(kind());
  if (!flavor && !is(TokenKind::Where))
    return false;
  unsigned highest = height;
  take();
  region = asRegion(region);
  SourceRange begin = region->range;
  if (!flavor) {
    height = 1;
    Expr *pattern = accept(TokenKind::Question) ? nullptr : parseExpr();
    region = make<Where>(region, pattern, rangeFrom(begin));
  } else {
    Token quote = token();
    height = 1;
    Expr *operand =
        accept(TokenKind::Quote) ? make<Quote>(quote.range) : parseExpr();
    region = make<Mask>(*flavor, region, operand, rangeFrom(begin));
  }
  setHeight(std::max(highest, height));
  return true;
}

/// Does it stand for something that has been reported?
static bool isDummy(const Expr *expr) {
  return expr->range.begin == expr->range.end;
}

/// What stands where a region must.
Expr *Parser::asRegion(Expr *expr) {
  while (auto *paren = dyn_cast<Paren>(expr))
    expr = paren->inner;
  bool isDirection = isa<List, Scaledby>(expr);
  if (panic || (isRegionSyntax(expr) && !isDirection) ||
      isa<NameRef, Subscript, Field, Multi, Call>(expr) || isDummy(expr))
    return expr;
  report(expr->range, Diag::ExpectedName, "a region", quoted(expr->range));
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
  if (Expr *region = parseOperatorInRange(open, dims)) {
    Dim whole;
    whole.kind = Dim::Single;
    whole.lo = region;
    whole.range = region->range;
    dims.assign(1, whole);
    panic |= !is(TokenKind::RBracket); // more ranges
  }
  expectClose(TokenKind::RBracket, open);
  if (dims.size() > 1)
    for (const Dim &dim : dims)
      if (dim.kind == Dim::Single && isRegionSyntax(dim.lo))
        report(dim.range, Diag::RegionNotAlone);
  setHeight(highest);
  return make<RegionLit>(context.keep(dims), rangeFrom(open.range));
}

/// [ Expr [ '..' Expr ] | '*' | '::' | RegExpr ]
Dim Parser::parseDim() {
  Dim dim;
  dim.range = endOfPrevious();
  height = 1;
  if (panic || isAny(TokenKind::Comma, TokenKind::RBracket))
    return dim;
  SourceRange begin = token().range;
  if (isAny(TokenKind::Star, TokenKind::ColonColon)) {
    dim.kind = is(TokenKind::Star) ? Dim::Flood : Dim::Grid;
    dim.range = take().range;
    return dim;
  }
  if (is(TokenKind::Colon)) {
    noSuch("':' for a whole dimension",
           "a blank one is that of the region around, '[1, ]'");
    take();
    if (isAny(TokenKind::Comma, TokenKind::RBracket))
      return dim;
  }
  dim.kind = Dim::Single;
  dim.lo = parseArgument();
  if (acceptRange()) {
    unsigned highest = height;
    dim.kind = Dim::Range;
    dim.lo = requireValue(dim.lo);
    dim.hi = parseExpr();
    skipStride();
    height = std::max(highest, height);
  }
  dim.range = rangeFrom(begin);
  return dim;
}

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

/// DirArg = Ref | Call | '[' Expr { ',' Expr } ']' | '(' DirExpr ')'
Expr *Parser::parseDirection() {
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  Token first = token();
  height = 1;
  if (is(TokenKind::LBracket))
    return asDirection(parseBracket());
  if (accept(TokenKind::LParen)) {
    Expr *inner = parseScaledDirection();
    expectClose(TokenKind::RParen, first);
    return inner;
  }
  if (is(TokenKind::Name)) {
    Expr *direction = parseNameOrCall();
    while (!panic && parseDesignatorSuffix(direction))
      ;
    return direction;
  }
  SourceRange place = firstOnLine() ? endOfPrevious() : first.range;
  report(place, Diag::ExpectedName, "a direction", found());
  panic = true;
  return dummy(place);
}

/// DirExpr = DirArg { 'scaledby' Unary }
Expr *Parser::parseScaledDirection() { return parseScaledby(parseDirection()); }

/// { 'scaledby' Unary }
Expr *Parser::parseScaledby(Expr *direction) {
  while (!panic && accept(TokenKind::Scaledby)) {
    unsigned highest = height;
    Expr *factor = requireValue(parseUnary());
    setHeight(std::max(highest, height));
    direction =
        make<Scaledby>(direction, factor, direction->range.to(factor->range));
  }
  return direction;
}

/// What stands where a direction must: the dimensions of a bracket become its
/// items.
Expr *Parser::asDirection(Expr *expr) {
  while (auto *paren = dyn_cast<Paren>(expr))
    expr = paren->inner;
  if (panic ||
      isa<NameRef, Subscript, Field, Multi, Call, List, Scaledby>(expr) ||
      isDummy(expr))
    return expr;
  auto *bracket = dyn_cast<RegionLit>(expr);
  if (!bracket) {
    report(expr->range, Diag::ExpectedName, "a direction", quoted(expr->range));
    return expr;
  }
  SmallVector<Expr *, 6> items;
  for (const Dim &dim : bracket->dims) {
    bool isValue = dim.kind == Dim::Single && !isRegionSyntax(dim.lo);
    if (!isValue)
      report(dim.range, Diag::NotDirection,
             dim.kind == Dim::Blank ? "nothing" : quoted(dim.range));
    items.push_back(isValue ? dim.lo : dummy(dim.range));
  }
  return make<List>(context.keep(items), expr->range);
}

} // namespace zpl
