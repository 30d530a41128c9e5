//===- ParseRegion.cpp - Regions and directions ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     Region = Post { ( 'with' | 'without' | ... ) Mask | 'where' Pattern }
//     Post   = Prefix { ( 'at' | 'by' | NAME ) ( Direction | Sum ) }
//     Prefix = Direction ( 'of' | 'in' ) Prefix | Primary
//     Lit    = '[' Dim { ',' Dim } { 'at' ... | 'by' ... | 'with' ... } ']'
//
// What follows the last dimension in the brackets applies to all of them:
// `[1..n, 1..m with M]` is `[[1..n, 1..m] with M]`, so that the inner pair of
// brackets can be left out. A number behind `at` and `by` is a direction of
// rank 1, `[1..n by 2]`.
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
static ast::Dim parseDim(Parsing &p, bool isFirst);
static ast::Expr *parseStep(Parsing &p);
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
  Expr *direction = isUserOp ? parseScaledDirection(p) : parseStep(p);
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
    p.sawWhere = true;
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

/// Whether an operator on a region comes: `by d`, `with M`, `grow d`.
static bool atRegionOperator(const Parsing &p) {
  if (isAny(p, TokenKind::By, TokenKind::AtWord, TokenKind::With,
            TokenKind::Without, TokenKind::Swith, TokenKind::Swithout,
            TokenKind::Where))
    return true;
  return is(p, TokenKind::Name) && p.regionOps.contains(textOf(p, token(p))) &&
         isOneOf(kind(p, 1), TokenKind::Name, TokenKind::LBracket,
                 TokenKind::LParen);
}

/// At an operator behind the masks of \p region, `[1..n with M by 2]`: reports
/// that it stands before them. False at anything else.
static bool skipOperatorBehindMask(Parsing &p, Expr *region) {
  Expr *masked = region;
  while (auto *mask = dyn_cast<Mask>(masked))
    masked = mask->region;
  size_t first = p.position;
  Token word = token(p);
  Expr *applied = masked;
  if (!isa<Mask>(region) || !parseRegionSuffix(p, applied) || p.panic)
    return false;
  const SourceManager &sources = p.diags.sources();
  SourceRange op = {word.range.file, word.range.begin, applied->range.end};
  SourceRange masks = {op.file, masked->range.end, region->range.end};
  std::string text = sources.text(masked->range).str();
  std::string meant = (text[0] == '[' ? "" : "[") + text + " " +
                      sources.text(op).str() + sources.text(masks).str() + "]";
  std::swap(p.position, first);
  if (auto message =
          report(p, op, Diag::OperatorInRange, textOf(p, word), meant)) {
    message->fixIt({op.file, masked->range.end, masked->range.end},
                   " " + sources.text(op).str());
    message->fixIt({op.file, region->range.end, op.end}, "");
  }
  std::swap(p.position, first);
  return true;
}

/// What applies to \p region: operators, then masks.
static void parseOperatorsAndMasks(Parsing &p, Expr *&region) {
  while (!p.panic && parseRegionSuffix(p, region))
    ;
  while (!p.panic && parseMask(p, region))
    ;
  while (!p.panic && atRegionOperator(p) && skipOperatorBehindMask(p, region))
    ;
}

/// Behind one of \p dims, in the brackets that \p open opened: the operators
/// that apply to all of these; null if none comes.
static Expr *parseRegionOperators(Parsing &p, const Token &open,
                                  ArrayRef<Dim> dims) {
  if (p.panic || !atRegionOperator(p))
    return nullptr;
  Expr *region =
      make<RegionLit>(p, p.context.keep(dims), rangeFrom(p, open.range));
  parseOperatorsAndMasks(p, region);
  return region;
}

/// The number behind the only `at` or `by` of \p region, which was written for
/// the last dimension alone; null if it is something else.
static Expr *stepOf(Expr *region) {
  auto *op = dyn_cast<RegionOp>(region);
  auto *list = op && isa<RegionLit>(op->region) ? dyn_cast<List>(op->direction)
                                                : nullptr;
  return list && list->items.size() == 1 ? list->items[0] : nullptr;
}

/// At the comma behind an operator that is not behind the last dimension,
/// `[1..n by 2, 1..m]`: reads the others, reports that, and gives \p region.
static Expr *parseDimsBehindOperator(Parsing &p, const Token &open,
                                     SmallVectorImpl<Dim> &dims, Expr *region) {
  auto written = [&](SourceRange range) {
    return p.diags.sources().text(range).str();
  };
  size_t word = p.position;
  bool isBy = region->kind == NodeKind::By, isSimple = true;
  std::string bounds, steps;
  SmallVector<SourceRange, 4> moved;
  Expr *own = region; // the operators behind one dimension
  for (bool isLast = false; !isLast && !p.panic;) {
    SourceRange range = dims.back().range;
    Expr *step = own ? stepOf(own) : nullptr;
    isSimple &= !own || (step && (own->kind == NodeKind::By) == isBy);
    size_t before = own == region ? dims.size() - 1 : 0;
    for (size_t k = 0; k != before; ++k) {
      bounds += written(dims[k].range) + ", ";
      steps += "0, ";
    }
    bounds += written(range);
    steps += step ? written(step->range) : "0";
    if (own)
      moved.push_back({range.file, range.end, own->range.end});
    isLast = !accept(p, TokenKind::Comma);
    if (isLast)
      break;
    bounds += ", ";
    steps += ", ";
    dims.push_back(parseDim(p, /*isFirst=*/false));
    own = parseRegionOperators(p, open, dims.back());
  }
  if (p.panic)
    return region;
  SourceRange end = endOfPrevious(p), op = moved[0];
  std::string all =
      isSimple ? (isBy ? " by [" : " at [") + steps + "]" : written(op);
  std::swap(p.position, word);
  std::string name = StringRef(written(op)).ltrim().split(' ').first.str();
  if (auto message = report(p, op, Diag::OperatorInRange, name,
                            "[" + bounds + all + "]")) {
    for (SourceRange range : isSimple ? moved : SmallVector<SourceRange, 4>())
      message->fixIt(range, "");
    if (isSimple)
      message->fixIt(end, all);
  }
  std::swap(p.position, word);
  return region;
}

RegionLit *parseBracket(Parsing &p) {
  SmallVector<Dim, 6> dims;
  Token open = take(p);
  unsigned highest = 0;
  Expr *whole = nullptr;
  do {
    dims.push_back(parseDim(p, dims.empty()));
    highest = std::max(highest, p.height);
    whole = parseRegionOperators(p, open, dims);
    if (whole)
      setHeight(p, highest = std::max(highest, p.height));
    if (whole && !p.panic && is(p, TokenKind::Comma))
      whole = parseDimsBehindOperator(p, open, dims, whole);
  } while (!whole && !p.panic && accept(p, TokenKind::Comma));
  expectClose(p, TokenKind::RBracket, open);
  if (dims.size() > 1)
    for (const Dim &dim : dims)
      if (dim.kind == Dim::Single && isRegionSyntax(dim.lo))
        report(p, dim.range, Diag::RegionNotAlone);
  if (whole) {
    Dim only;
    only.kind = Dim::Single;
    only.lo = whole;
    only.range = whole->range;
    dims.assign(1, only);
  }
  setHeight(p, highest);
  return make<RegionLit>(p, p.context.keep(dims), rangeFrom(p, open.range));
}

/// Whether \p expr is a value and no region, whatever names mean.
static bool isValueSyntax(const Expr *expr) {
  return !isRegionSyntax(expr) &&
         !isa<NameRef, Subscript, Field, Multi, Call, Paren>(expr) &&
         !isDummy(expr);
}

/// A dimension that is one index, or, as the first one, a region.
static Expr *parseSingle(Parsing &p, bool isFirst) {
  Nesting nesting(p);
  if (p.panic)
    return dummy(p, endOfPrevious(p));
  Expr *single = parseRegionPrefix(p);
  if (!isFirst || isValueSyntax(single))
    return parseConditional(p, single); // operators: of all dimensions
  parseOperatorsAndMasks(p, single);
  return parseConditional(p, single);
}

/// [ Expr [ '..' Expr ] | '*' | '::' | RegExpr ]
static Dim parseDim(Parsing &p, bool isFirst) {
  Dim dim;
  dim.range = endOfPrevious(p);
  p.height = 1;
  if (p.panic || isAny(p, TokenKind::Comma, TokenKind::RBracket) ||
      atRegionOperator(p))
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
  dim.lo = parseSingle(p, isFirst);
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

/// Behind `at` and `by`: a direction, or a number, which is one of rank 1.
static Expr *parseStep(Parsing &p) {
  if (!isAny(p, TokenKind::Integer, TokenKind::Minus, TokenKind::Plus,
             TokenKind::Name, TokenKind::LParen))
    return parseScaledDirection(p);
  constexpr unsigned aboveComparisons = 3;
  Expr *step = parseBinary(p, aboveComparisons);
  Expr *inner = step;
  while (auto *paren = dyn_cast<Paren>(inner))
    inner = paren->inner;
  if (isValueSyntax(inner))
    return make<List>(p, p.context.keep(ArrayRef<Expr *>(step)), step->range);
  return parseScaledby(p, asDirection(p, step));
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
