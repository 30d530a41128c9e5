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

#include "Parser.h"

using namespace llvm;

namespace zpl {

using namespace ast;

TypeExpr *Parser::parseType() {
  Nesting nesting(*this);
  if (panic)
    return make<NamedType>(Name{"", endOfPrevious()}, endOfPrevious());
  if (is(TokenKind::Name) || isScalarType(kind()) ||
      isAny(TokenKind::StringWord, TokenKind::File, TokenKind::Opaque,
            TokenKind::Generic)) {
    Token name = take();
    return make<NamedType>(Name{textOf(name), name.range}, name.range);
  }
  if (is(TokenKind::LBracket))
    return parseParallel();
  if (is(TokenKind::LParen))
    return parseEnum();
  if (isAny(TokenKind::Record, TokenKind::Union))
    return parseRecord();
  if (is(TokenKind::Array))
    return parseIndexedArray();
  if (isAny(TokenKind::Region, TokenKind::Grid))
    return parseRegionType();
  if (is(TokenKind::Direction))
    return parseDirectionType();
  if (is(TokenKind::Distribution))
    return parseDistributionType();
  if (isAny(TokenKind::Procedure, TokenKind::Prototype))
    return parseProcedureType();
  return expectedType();
}

TypeExpr *Parser::expectedType() {
  SourceRange place = firstOnLine() ? endOfPrevious() : token().range;
  report(place, Diag::ExpectedType, found());
  panic = true;
  return make<NamedType>(Name{"", place}, place);
}

//===----------------------------------------------------------------------===//
// Types made of types
//===----------------------------------------------------------------------===//

/// '[' Dims ']' Type
TypeExpr *Parser::parseParallel() {
  SourceRange begin = token().range;
  RegionLit *dims = parseBracket();
  TypeExpr *element = parseType();
  return make<ParallelType>(dims, element, rangeFrom(begin));
}

/// '(' NAME [ '=' Expr ] { ',' NAME [ '=' Expr ] } [ ',' ] ')'
TypeExpr *Parser::parseEnum() {
  Token open = take();
  SmallVector<EnumType::Value, 8> values;
  do {
    EnumType::Value value;
    value.name = parseName("an enumeration value's name");
    if (!panic && isAny(TokenKind::Equal, TokenKind::Assign)) {
      take();
      value.value = parseExpr();
    }
    values.push_back(value);
  } while (!panic && accept(TokenKind::Comma) && !is(TokenKind::RParen));
  expectClose(TokenKind::RParen, open);
  return make<EnumType>(context.keep(values), rangeFrom(open.range));
}

/// ( 'record' | 'union' ) { NAME { ',' NAME } ':' Type ';' } 'end'
TypeExpr *Parser::parseRecord() {
  Token word = take();
  SmallVector<RecordType::Field, 8> fields;
  while (!isAny(TokenKind::EndWord, TokenKind::End) && !atDeclaration()) {
    if (isOneOf(kind(1), TokenKind::Semicolon, TokenKind::Name) &&
        correctIfClose({TokenKind::EndWord}))
      break;
    size_t before = position, first = fields.size();
    SourceRange begin = token().range;
    do
      fields.push_back({parseName("a field's name")});
    while (!panic && accept(TokenKind::Comma));
    if (!panic && !accept(TokenKind::Colon))
      missing("':' and the field's type", ":");
    TypeExpr *type = parseType();
    for (size_t index = first; index < fields.size(); ++index)
      fields[index].type = type;
    endConstruct("the field", begin);
    if (atStatementWord() || position == before)
      break;
  }
  expectEnd(word);
  return make<RecordType>(word.kind == TokenKind::Union, context.keep(fields),
                          rangeFrom(word.range));
}

/// 'array' '[' [ Bound ] { ',' [ Bound ] } ']' 'of' Type
TypeExpr *Parser::parseIndexedArray() {
  Token word = take();
  SmallVector<IndexedArrayType::Bound, 4> bounds;
  Token open = token();
  if (accept(TokenKind::LBracket)) {
    do
      bounds.push_back(parseBound());
    while (!panic && accept(TokenKind::Comma));
    expectClose(TokenKind::RBracket, open);
  } else {
    missing("'[' and the bounds of the array", "[]");
  }
  if (!panic && !accept(TokenKind::Of))
    missing("'of' and the type of the elements", " of");
  TypeExpr *element = parseType();
  return make<IndexedArrayType>(context.keep(bounds), element,
                                rangeFrom(word.range));
}

/// [ Expr [ '..' Expr ] ]
IndexedArrayType::Bound Parser::parseBound() {
  IndexedArrayType::Bound bound;
  bound.range = endOfPrevious();
  if (panic || isAny(TokenKind::Comma, TokenKind::RBracket))
    return bound;
  SourceRange begin = token().range;
  bound.hi = parseExpr();
  if (acceptRange()) {
    bound.lo = bound.hi;
    bound.hi = parseExpr();
  }
  bound.range = rangeFrom(begin);
  return bound;
}

//===----------------------------------------------------------------------===//
// Types of regions, directions, grids, distributions
//===----------------------------------------------------------------------===//

/// [ '<' T { ',' T } '>' ]; \p parseOne reads one and may find it blank.
template <typename T, typename Parse>
ArrayRef<T> Parser::parseComponents(Parse parseOne) {
  Token open = token();
  if (!accept(TokenKind::Less))
    return {};
  SmallVector<T, 6> components;
  do
    components.push_back(parseOne());
  while (!panic && accept(TokenKind::Comma));
  expectClose(TokenKind::Greater, open);
  return context.keep(components);
}

std::optional<RegionComponent> Parser::regionComponent() const {
  if (is(TokenKind::DotDot))
    return RegionComponent::Range;
  if (is(TokenKind::Dot))
    return RegionComponent::Single;
  if (is(TokenKind::Star))
    return RegionComponent::Flood;
  if (is(TokenKind::ColonColon))
    return RegionComponent::Grid;
  return std::nullopt;
}

/// ( 'region' | 'grid' ) [ '<' RComp { ',' RComp } '>' ]
TypeExpr *Parser::parseRegionType() {
  Token word = take();
  auto components = parseComponents<RegionComponent>([&] {
    std::optional<RegionComponent> component = regionComponent();
    if (component)
      take();
    return component.value_or(RegionComponent::Unknown);
  });
  if (word.kind == TokenKind::Grid)
    return make<GridType>(components, rangeFrom(word.range));
  return make<RegionType>(components, rangeFrom(word.range));
}

/// 'direction' [ '<' DComp { ',' DComp } '>' ]
TypeExpr *Parser::parseDirectionType() {
  Token word = take();
  auto components = parseComponents<DirectionComponent>(
      [&] { return parseDirectionComponent(); });
  return make<DirectionType>(components, rangeFrom(word.range));
}

/// [ '+' | '-' | [ '+' | '-' ] INT ]
DirectionComponent Parser::parseDirectionComponent() {
  DirectionComponent component;
  bool isMinus = is(TokenKind::Minus);
  if (accept(TokenKind::Plus))
    component.kind = DirectionComponent::Plus;
  else if (accept(TokenKind::Minus))
    component.kind = DirectionComponent::Minus;
  if (is(TokenKind::Integer)) {
    uint64_t value = take().integer;
    component.kind = DirectionComponent::Value;
    component.value = static_cast<int64_t>(isMinus ? 0 - value : value);
  }
  return component;
}

/// 'distribution' [ '<' NAME { ',' NAME } '>' ]
TypeExpr *Parser::parseDistributionType() {
  Token word = take();
  auto components = parseComponents<Name>(
      [&] { return parseName("how a dimension is distributed"); });
  return make<DistributionType>(components, rangeFrom(word.range));
}

} // namespace zpl
