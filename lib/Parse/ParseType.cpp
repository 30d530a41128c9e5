//===- ParseType.cpp - Types ----------------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     double    (red, green = 5)    record x, y: double; end
//     array [0..n, ] of [R{}] integer    region<..,*>    direction<+,0,->
//
// The first token says which kind it is. After a syntax error the type is a
// name without a text.
//
//===----------------------------------------------------------------------===//

#include "ParseType.h"
#include "Cursor.h"
#include "Habits/ForeignDecls.h"
#include "Habits/Habits.h"
#include "Habits/Spelling.h"
#include "ParseDecl.h"
#include "ParseExpr.h"
#include "ParseRegion.h"
#include "Parsing.h"
#include "Recovery.h"

using namespace llvm;

namespace zpl {

using namespace ast;

static ast::TypeExpr *expectedType(Parsing &p);
static ast::TypeExpr *parseParallel(Parsing &p);
static ast::TypeExpr *parseEnum(Parsing &p);
static ast::TypeExpr *parseRecord(Parsing &p);
static ast::TypeExpr *parseIndexedArray(Parsing &p);
static ast::IndexedArrayType::Bound parseBound(Parsing &p);
static ast::TypeExpr *parseRegionType(Parsing &p);
static ast::TypeExpr *parseDirectionType(Parsing &p);
static ast::DirectionComponent parseDirectionComponent(Parsing &p);
static ast::TypeExpr *parseDistributionType(Parsing &p);

TypeExpr *parseType(Parsing &p) {
  Nesting nesting(p);
  if (p.panic)
    return make<NamedType>(p, Name{"", endOfPrevious(p)}, endOfPrevious(p));
  if (is(p, TokenKind::Name) || isScalarType(kind(p)) ||
      isAny(p, TokenKind::StringWord, TokenKind::File, TokenKind::Opaque,
            TokenKind::Generic)) {
    Token name = take(p);
    return make<NamedType>(p, Name{textOf(p, name), name.range}, name.range);
  }
  if (is(p, TokenKind::LBracket))
    return parseParallel(p);
  if (is(p, TokenKind::LParen))
    return parseEnum(p);
  if (isAny(p, TokenKind::Record, TokenKind::Union))
    return parseRecord(p);
  if (is(p, TokenKind::Array))
    return parseIndexedArray(p);
  if (isAny(p, TokenKind::Region, TokenKind::Grid))
    return parseRegionType(p);
  if (is(p, TokenKind::Direction))
    return parseDirectionType(p);
  if (is(p, TokenKind::Distribution))
    return parseDistributionType(p);
  if (isAny(p, TokenKind::Procedure, TokenKind::Prototype))
    return parseProcedureType(p);
  return expectedType(p);
}

static TypeExpr *expectedType(Parsing &p) {
  SourceRange place = firstOnLine(p) ? endOfPrevious(p) : token(p).range;
  report(p, place, Diag::ExpectedType, found(p));
  p.panic = true;
  return make<NamedType>(p, Name{"", place}, place);
}

//===----------------------------------------------------------------------===//
// Types made of types
//===----------------------------------------------------------------------===//

/// '[' Dims ']' Type
static TypeExpr *parseParallel(Parsing &p) {
  SourceRange begin = token(p).range;
  RegionLit *dims = parseBracket(p);
  TypeExpr *element = parseType(p);
  return make<ParallelType>(p, dims, element, rangeFrom(p, begin));
}

/// '(' NAME [ '=' Expr ] { ',' NAME [ '=' Expr ] } [ ',' ] ')'
static TypeExpr *parseEnum(Parsing &p) {
  Token open = take(p);
  SmallVector<EnumType::Value, 8> values;
  do {
    EnumType::Value value;
    value.name = parseName(p, "an enumeration value's name");
    if (!p.panic && isAny(p, TokenKind::Equal, TokenKind::Assign)) {
      take(p);
      value.value = parseExpr(p);
    }
    values.push_back(value);
  } while (!p.panic && accept(p, TokenKind::Comma) &&
           !is(p, TokenKind::RParen));
  expectClose(p, TokenKind::RParen, open);
  return make<EnumType>(p, p.context.keep(values), rangeFrom(p, open.range));
}

/// ( 'record' | 'union' ) { NAME { ',' NAME } ':' Type ';' } 'end'
static TypeExpr *parseRecord(Parsing &p) {
  Token word = take(p);
  SmallVector<RecordType::Field, 8> fields;
  while (!isAny(p, TokenKind::EndWord, TokenKind::End) && !atDeclaration(p)) {
    if (isOneOf(kind(p, 1), TokenKind::Semicolon, TokenKind::Name) &&
        correctIfClose(p, {TokenKind::EndWord}))
      break;
    size_t before = p.position, first = fields.size();
    SourceRange begin = token(p).range;
    do
      fields.push_back({parseName(p, "a field's name")});
    while (!p.panic && accept(p, TokenKind::Comma));
    if (!p.panic && !accept(p, TokenKind::Colon))
      missing(p, "':' and the field's type", ":");
    TypeExpr *type = parseType(p);
    for (size_t index = first; index < fields.size(); ++index)
      fields[index].type = type;
    endConstruct(p, "the field", begin);
    if (atStatementWord(p) || p.position == before)
      break;
  }
  expectEnd(p, word);
  return make<RecordType>(p, word.kind == TokenKind::Union,
                          p.context.keep(fields), rangeFrom(p, word.range));
}

/// 'array' '[' [ Bound ] { ',' [ Bound ] } ']' 'of' Type
static TypeExpr *parseIndexedArray(Parsing &p) {
  Token word = take(p);
  SmallVector<IndexedArrayType::Bound, 4> bounds;
  Token open = token(p);
  if (accept(p, TokenKind::LBracket)) {
    do
      bounds.push_back(parseBound(p));
    while (!p.panic && accept(p, TokenKind::Comma));
    expectClose(p, TokenKind::RBracket, open);
  } else {
    missing(p, "'[' and the bounds of the array", "[]");
  }
  if (!p.panic && !accept(p, TokenKind::Of))
    missing(p, "'of' and the type of the elements", " of");
  TypeExpr *element = parseType(p);
  return make<IndexedArrayType>(p, p.context.keep(bounds), element,
                                rangeFrom(p, word.range));
}

/// [ Expr [ '..' Expr ] ]
static IndexedArrayType::Bound parseBound(Parsing &p) {
  IndexedArrayType::Bound bound;
  bound.range = endOfPrevious(p);
  if (p.panic || isAny(p, TokenKind::Comma, TokenKind::RBracket))
    return bound;
  SourceRange begin = token(p).range;
  bound.hi = parseExpr(p);
  if (acceptRange(p)) {
    bound.lo = bound.hi;
    bound.hi = parseExpr(p);
  }
  bound.range = rangeFrom(p, begin);
  return bound;
}

//===----------------------------------------------------------------------===//
// Types of regions, directions, grids, distributions
//===----------------------------------------------------------------------===//

/// [ '<' T { ',' T } '>' ]; \p parseOne reads one and may find it blank.
template <typename T, typename Parse>
static ArrayRef<T> parseComponents(Parsing &p, Parse parseOne) {
  Token open = token(p);
  if (!accept(p, TokenKind::Less))
    return {};
  SmallVector<T, 6> components;
  do
    components.push_back(parseOne());
  while (!p.panic && accept(p, TokenKind::Comma));
  expectClose(p, TokenKind::Greater, open);
  return p.context.keep(components);
}

static std::optional<RegionComponent> regionComponent(const Parsing &p) {
  if (is(p, TokenKind::DotDot))
    return RegionComponent::Range;
  if (is(p, TokenKind::Dot))
    return RegionComponent::Single;
  if (is(p, TokenKind::Star))
    return RegionComponent::Flood;
  if (is(p, TokenKind::ColonColon))
    return RegionComponent::Grid;
  return std::nullopt;
}

/// ( 'region' | 'grid' ) [ '<' RComp { ',' RComp } '>' ]
static TypeExpr *parseRegionType(Parsing &p) {
  p.sawRegionType = true;
  Token word = take(p);
  auto components = parseComponents<RegionComponent>(p, [&] {
    std::optional<RegionComponent> component = regionComponent(p);
    if (component)
      take(p);
    return component.value_or(RegionComponent::Unknown);
  });
  if (word.kind == TokenKind::Grid)
    return make<GridType>(p, components, rangeFrom(p, word.range));
  return make<RegionType>(p, components, rangeFrom(p, word.range));
}

/// 'direction' [ '<' DComp { ',' DComp } '>' ]
static TypeExpr *parseDirectionType(Parsing &p) {
  Token word = take(p);
  auto components = parseComponents<DirectionComponent>(
      p, [&] { return parseDirectionComponent(p); });
  return make<DirectionType>(p, components, rangeFrom(p, word.range));
}

/// [ '+' | '-' | [ '+' | '-' ] INT ]
static DirectionComponent parseDirectionComponent(Parsing &p) {
  DirectionComponent component;
  bool isMinus = is(p, TokenKind::Minus);
  if (accept(p, TokenKind::Plus))
    component.kind = DirectionComponent::Plus;
  else if (accept(p, TokenKind::Minus))
    component.kind = DirectionComponent::Minus;
  if (is(p, TokenKind::Integer)) {
    uint64_t value = take(p).integer;
    component.kind = DirectionComponent::Value;
    component.value = static_cast<int64_t>(isMinus ? 0 - value : value);
  }
  return component;
}

/// 'distribution' [ '<' NAME { ',' NAME } '>' ]
static TypeExpr *parseDistributionType(Parsing &p) {
  Token word = take(p);
  auto components = parseComponents<Name>(
      p, [&] { return parseName(p, "how a dimension is distributed"); });
  return make<DistributionType>(p, components, rangeFrom(p, word.range));
}

} // namespace zpl
