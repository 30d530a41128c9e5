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

#include "ParseRegion.h"
#include "Cursor.h"
#include "Habits/Habits.h"
#include "Habits/Spelling.h"
#include "ParseExpr.h"
#include "ParseOperators.h"
#include "Parsing.h"
#include "Recovery.h"

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

static ast::Expr *parseRegionPrefix(Parsing &p);
static ast::Dim parseDim(Parsing &p);
static ast::Expr *parseScaledDirection(Parsing &p);
static ast::Expr *parseScaledby(Parsing &p, ast::Expr *direction);

Expr *parseArgument(Parsing &p) {
  Nesting nesting(p);
  if (p.panic)
    return dummy(p, endOfPrevious(p));
  Expr *region = parseRegionPrefix(p);
  while (!p.panic && parseRegionSuffix(p, region))
    ;
  while (!p.panic && parseMask(p, region))
    ;
  return parseConditional(p, region);
}

static Expr *parseRegionPrefix(Parsing &p) {
  Expr *left = parseBinary(p, 0);
  if (!p.panic && is(p, TokenKind::Scaledby))
    left = parseScaledby(p, asDirection(p, left));
  if (p.panic || !isAny(p, TokenKind::Of, TokenKind::In))
    return left;
  unsigned highest = p.height;
  NodeKind kind = is(p, TokenKind::Of) ? NodeKind::Of : NodeKind::In;
  take(p);
  Expr *direction = asDirection(p, left);
  Nesting nesting(p);
  if (p.panic)
    return direction;
  Expr *region = asRegion(p, parseRegionPrefix(p));
  setHeight(p, std::max(highest, p.height));
  return make<RegionOp>(p, kind, direction, region,
                        direction->range.to(region->range));
}

/// After something that may be a region: is it `name direction`? On a new line
/// only the name of a `regionop` counts; another may begin a statement.
static bool atOperatorName(const Parsing &p, const Expr *region) {
  if (!is(p, TokenKind::Name))
    return false;
  if (p.regionOps.contains(textOf(p, token(p))))
    return isOneOf(kind(p, 1), TokenKind::Name, TokenKind::LBracket,
                   TokenKind::LParen);
  return !firstOnLine(p) &&
         isOneOf(kind(p, 1), TokenKind::Name, TokenKind::LBracket) &&
         (isRegionSyntax(region) ||
          isa<NameRef, Subscript, Multi, Field>(region));
}

bool parseRegionSuffix(Parsing &p, Expr *&region) {
  bool isUserOp = false;
  if (!isAny(p, TokenKind::AtWord, TokenKind::By)) {
    if (!atOperatorName(p, region))
      return false;
    isUserOp =
        p.regionOps.contains(textOf(p, token(p))) ||
        !correctIfClose(p, {TokenKind::AtWord, TokenKind::By, TokenKind::With,
                            TokenKind::Without, TokenKind::Where});
    if (!isUserOp && !isAny(p, TokenKind::AtWord, TokenKind::By))
      return false; // a mask
  }
  unsigned highest = p.height;
  Token op = take(p);
  Expr *direction = parseScaledDirection(p);
  region = asRegion(p, region);
  setHeight(p, std::max(highest, p.height));
  SourceRange range = region->range.to(direction->range);
  if (isUserOp)
    region = make<UserRegionOp>(p, Name{textOf(p, op), op.range}, direction,
                                region, range);
  else
    region = make<RegionOp>(
        p, op.kind == TokenKind::By ? NodeKind::By : NodeKind::RegionAt,
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

bool parseMask(Parsing &p, Expr *&region) {
  std::optional<Mask::Flavor> flavor = maskFlavor(kind(p));
  if (!flavor && !is(p, TokenKind::Where))
    return false;
  unsigned highest = p.height;
  take(p);
  region = asRegion(p, region);
  SourceRange begin = region->range;
  if (!flavor) {
    p.height = 1;
    Expr *pattern = accept(p, TokenKind::Question) ? nullptr : parseExpr(p);
    region = make<Where>(p, region, pattern, rangeFrom(p, begin));
  } else {
    Token quote = token(p);
    p.height = 1;
    Expr *operand = accept(p, TokenKind::Quote) ? make<Quote>(p, quote.range)
                                                : parseExpr(p);
    region = make<Mask>(p, *flavor, region, operand, rangeFrom(p, begin));
  }
  setHeight(p, std::max(highest, p.height));
  return true;
}

/// Does it stand for something that has been reported?
static bool isDummy(const Expr *expr) {
  return expr->range.begin == expr->range.end;
}

Expr *asRegion(Parsing &p, Expr *expr) {
  while (auto *paren = dyn_cast<Paren>(expr))
    expr = paren->inner;
  bool isDirection = isa<List, Scaledby>(expr);
  if (p.panic || (isRegionSyntax(expr) && !isDirection) ||
      isa<NameRef, Subscript, Field, Multi, Call>(expr) || isDummy(expr))
    return expr;
  report(p, expr->range, Diag::ExpectedName, "a region",
         quoted(p, expr->range));
  return expr;
}

//===----------------------------------------------------------------------===//
// Brackets
//===----------------------------------------------------------------------===//

RegionLit *parseBracket(Parsing &p) {
  SmallVector<Dim, 6> dims;
  Token open = take(p);
  unsigned highest = 0;
  do {
    dims.push_back(parseDim(p));
    highest = std::max(highest, p.height);
  } while (!p.panic && accept(p, TokenKind::Comma));
  if (Expr *region = parseOperatorInRange(p, open, dims)) {
    Dim whole;
    whole.kind = Dim::Single;
    whole.lo = region;
    whole.range = region->range;
    dims.assign(1, whole);
    p.panic |= !is(p, TokenKind::RBracket); // more ranges
  }
  expectClose(p, TokenKind::RBracket, open);
  if (dims.size() > 1)
    for (const Dim &dim : dims)
      if (dim.kind == Dim::Single && isRegionSyntax(dim.lo))
        report(p, dim.range, Diag::RegionNotAlone);
  setHeight(p, highest);
  return make<RegionLit>(p, p.context.keep(dims), rangeFrom(p, open.range));
}

/// [ Expr [ '..' Expr ] | '*' | '::' | RegExpr ]
static Dim parseDim(Parsing &p) {
  Dim dim;
  dim.range = endOfPrevious(p);
  p.height = 1;
  if (p.panic || isAny(p, TokenKind::Comma, TokenKind::RBracket))
    return dim;
  SourceRange begin = token(p).range;
  if (isAny(p, TokenKind::Star, TokenKind::ColonColon)) {
    dim.kind = is(p, TokenKind::Star) ? Dim::Flood : Dim::Grid;
    dim.range = take(p).range;
    return dim;
  }
  if (is(p, TokenKind::Colon)) {
    noSuch(p, "':' for a whole dimension",
           "a blank one is that of the region around, '[1, ]'");
    take(p);
    if (isAny(p, TokenKind::Comma, TokenKind::RBracket))
      return dim;
  }
  dim.kind = Dim::Single;
  dim.lo = parseArgument(p);
  if (acceptRange(p)) {
    unsigned highest = p.height;
    dim.kind = Dim::Range;
    dim.lo = requireValue(p, dim.lo);
    dim.hi = parseExpr(p);
    skipStride(p);
    p.height = std::max(highest, p.height);
  }
  dim.range = rangeFrom(p, begin);
  return dim;
}

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

Expr *parseDirection(Parsing &p) {
  Nesting nesting(p);
  if (p.panic)
    return dummy(p, endOfPrevious(p));
  Token first = token(p);
  p.height = 1;
  if (is(p, TokenKind::LBracket))
    return asDirection(p, parseBracket(p));
  if (accept(p, TokenKind::LParen)) {
    Expr *inner = parseScaledDirection(p);
    expectClose(p, TokenKind::RParen, first);
    return inner;
  }
  if (is(p, TokenKind::Name)) {
    Expr *direction = parseNameOrCall(p);
    while (!p.panic && parseDesignatorSuffix(p, direction))
      ;
    return direction;
  }
  SourceRange place = firstOnLine(p) ? endOfPrevious(p) : first.range;
  report(p, place, Diag::ExpectedName, "a direction", found(p));
  p.panic = true;
  return dummy(p, place);
}

/// DirExpr = DirArg { 'scaledby' Unary }
static Expr *parseScaledDirection(Parsing &p) {
  return parseScaledby(p, parseDirection(p));
}

/// { 'scaledby' Unary }
static Expr *parseScaledby(Parsing &p, Expr *direction) {
  while (!p.panic && accept(p, TokenKind::Scaledby)) {
    unsigned highest = p.height;
    Expr *factor = requireValue(p, parseUnary(p));
    setHeight(p, std::max(highest, p.height));
    direction = make<Scaledby>(p, direction, factor,
                               direction->range.to(factor->range));
  }
  return direction;
}

Expr *asDirection(Parsing &p, Expr *expr) {
  while (auto *paren = dyn_cast<Paren>(expr))
    expr = paren->inner;
  if (p.panic ||
      isa<NameRef, Subscript, Field, Multi, Call, List, Scaledby>(expr) ||
      isDummy(expr))
    return expr;
  auto *bracket = dyn_cast<RegionLit>(expr);
  if (!bracket) {
    report(p, expr->range, Diag::ExpectedName, "a direction",
           quoted(p, expr->range));
    return expr;
  }
  SmallVector<Expr *, 6> items;
  for (const Dim &dim : bracket->dims) {
    bool isValue = dim.kind == Dim::Single && !isRegionSyntax(dim.lo);
    if (!isValue)
      report(p, dim.range, Diag::NotDirection,
             dim.kind == Dim::Blank ? "nothing" : quoted(p, dim.range));
    items.push_back(isValue ? dim.lo : dummy(p, dim.range));
  }
  return make<List>(p, p.context.keep(items), expr->range);
}

} // namespace zpl
