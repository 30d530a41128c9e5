//===- ParseExpr.cpp - Primary and postfix expressions --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From literals, names and calls to `U[l].flux@step[i]#[I, ]`:
//
//     Postfix = Primary { '[' [ Args ] ']' | '.' NAME | '{' [ Expr ] '}'
//                       | AtOp Direction | '#' '[' Maps ']' }
//
// The suffixes of `@`'s direction are its own: in `A@step[i]` the `[i]` belongs
// to `step`.
//
// A `[` at the beginning of a line is a subscript like any other, unless what
// follows its `]` begins a statement: then it is a region scope, and the `;` in
// front of it is missing.
//
// Parentheses around a region disappear; around a value they become a node.
//
//===----------------------------------------------------------------------===//

#include "Parser.h"

using namespace llvm;

namespace zpl {

using namespace ast;

/// Something to go on with after an error.
Expr *Parser::dummy(SourceRange range) {
  height = 1;
  return make<IntLiteral>(0, "", range);
}

/// Sets the height of an expression \p links above operands of height
/// \p below.
void Parser::setHeight(unsigned below, unsigned links) {
  height = below + links;
  if (height > linksLimit && !panic)
    giveUp(links == 1 ? linksLimit : nestingLimit);
}

/// Regions and directions cannot be operands, conditions, bounds ...
Expr *Parser::requireValue(Expr *expr) {
  if (!isRegionSyntax(expr))
    return expr;
  report(expr->range, Diag::NotValue);
  return dummy(expr->range);
}

Expr *Parser::parseExpr() {
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  return parseConditional(requireValue(parseBinary(0)));
}

//===----------------------------------------------------------------------===//
// Postfix
//===----------------------------------------------------------------------===//

Expr *Parser::parsePostfix() { return parseSuffixes(parsePrimary()); }

Expr *Parser::parseSuffixes(Expr *base) {
  if (isRegionSyntax(base))
    return base;
  while (!panic && (parseDesignatorSuffix(base) || parseArraySuffix(base)))
    ;
  return base;
}

static bool isLiteral(const Expr *expr) {
  return isa<IntLiteral, FloatLiteral, CharLiteral, StringLiteral, BoolLiteral>(
      expr);
}

/// Reads `[i, j]`, `.field` or `{i}`, if one is there, and hangs \p base under
/// it.
bool Parser::parseDesignatorSuffix(Expr *&base) {
  if (isLiteral(base))
    return false;
  unsigned highest = height;
  SourceRange begin = base->range;
  if (is(TokenKind::LBracket)) {
    if (firstOnLine() && atScope())
      return false;
    ExprList indices = parseList(TokenKind::RBracket);
    base = make<Subscript>(base, indices, rangeFrom(begin));
  } else if (accept(TokenKind::Dot)) {
    height = 1;
    Name field = parseName("a field's name");
    base = make<Field>(base, field, rangeFrom(begin));
  } else if (is(TokenKind::LBrace)) {
    Token open = take();
    height = 1;
    Expr *index = is(TokenKind::RBrace) ? nullptr : parseExpr();
    expectClose(TokenKind::RBrace, open);
    base = make<Multi>(base, index, rangeFrom(begin));
  } else {
    return false;
  }
  setHeight(std::max(highest, height));
  return true;
}

/// Is it a name with subscripts, fields and braces?
static bool isDesignator(const Expr *expr) {
  for (;;) {
    if (const auto *subscript = dyn_cast<Subscript>(expr))
      expr = subscript->base;
    else if (const auto *field = dyn_cast<Field>(expr))
      expr = field->base;
    else if (const auto *multi = dyn_cast<Multi>(expr))
      expr = multi->base;
    else
      return isa<NameRef>(expr);
  }
}

/// Reads `@d`, `@^d`, `'@d` or `#[maps]`, if one is there.
bool Parser::parseArraySuffix(Expr *&base) {
  if (is(TokenKind::Hash)) {
    parseRemap(base);
    return true;
  }
  if (!isAny(TokenKind::At, TokenKind::WrapAt, TokenKind::Prime))
    return false;
  if (!isDesignator(base)) {
    report(token().range, Diag::AtNeedsName);
    panic = true;
    return false;
  }
  unsigned highest = height;
  At::Flavor flavor = is(TokenKind::WrapAt)  ? At::Wrap
                      : is(TokenKind::Prime) ? At::Prime
                                             : At::Plain;
  take();
  if (flavor == At::Prime)
    take(); // the lexer has seen the '@'
  Expr *direction = parseDirection();
  setHeight(std::max(highest, height));
  base = make<At>(flavor, base, direction, rangeFrom(base->range));
  return true;
}

/// '#' '[' [ Expr ] { ',' [ Expr ] } ']'
void Parser::parseRemap(Expr *&base) {
  unsigned highest = height;
  take();
  ExprList maps = parseBlankList("'[' and the maps after '#'");
  setHeight(std::max(highest, height));
  base = make<Remap>(base, maps, rangeFrom(base->range));
}

/// '[' [ Expr ] { ',' [ Expr ] } ']': null where one is blank. \p what is
/// expected.
ExprList Parser::parseBlankList(StringRef what) {
  SmallVector<Expr *, 6> items;
  Token open = token();
  height = 0;
  if (panic || (!accept(TokenKind::LBracket) && !missing(what, "[")))
    return {};
  unsigned highest = 0;
  do {
    bool isBlank = isAny(TokenKind::Comma, TokenKind::RBracket);
    items.push_back(isBlank ? nullptr : parseExpr());
    highest = std::max(highest, height);
  } while (!panic && accept(TokenKind::Comma));
  expectClose(TokenKind::RBracket, open);
  height = highest;
  return context.keep(items);
}

/// NAME with subscripts, fields and braces; \p what is expected.
Expr *Parser::parseDesignator(StringRef what) {
  Name name = parseName(what);
  height = 1;
  Expr *designator = make<NameRef>(name.text, name.range);
  while (!panic && parseDesignatorSuffix(designator))
    ;
  return designator;
}

//===----------------------------------------------------------------------===//
// Primary
//===----------------------------------------------------------------------===//

Expr *Parser::parsePrimary() {
  height = 1;
  if (panic)
    return dummy(endOfPrevious());
  Token first = token();
  if (is(TokenKind::Name))
    return parseNameOrCall();
  if (isAny(TokenKind::Integer, TokenKind::Float)) {
    take();
    skipSuffix(first);
  }
  if (first.kind == TokenKind::Integer)
    return make<IntLiteral>(first.integer, textOf(first), first.range);
  if (first.kind == TokenKind::Float)
    return make<FloatLiteral>(first.floating, textOf(first), first.range);
  if (is(TokenKind::String))
    return parseString();
  if (accept(TokenKind::Character))
    return parseCharacter(first);
  if (isAny(TokenKind::True, TokenKind::False)) {
    take();
    return make<BoolLiteral>(first.kind == TokenKind::True, first.range);
  }
  if (is(TokenKind::LParen))
    return parseParen();
  if (is(TokenKind::LBracket))
    return unwrap(parseBracket());
  if (accept(TokenKind::Quote))
    return make<Quote>(first.range);
  if (is(TokenKind::LBrace) && kind(1) == TokenKind::RBrace) {
    take();
    take();
    return make<MultiParam>(rangeFrom(first.range));
  }
  // The keyword of a type converts: double(x).
  if (isScalarType(first.kind) && kind(1) == TokenKind::LParen)
    return parseNameOrCall();
  if (is(TokenKind::Region) && kind(1) == TokenKind::LParen)
    return parseRegionCall();
  return expectedExpression();
}

bool isScalarType(TokenKind kind) {
  return isOneOf(kind, TokenKind::Boolean, TokenKind::Char, TokenKind::Sbyte,
                 TokenKind::Ubyte, TokenKind::Shortint, TokenKind::Ushortint,
                 TokenKind::IntegerWord, TokenKind::Uinteger,
                 TokenKind::Longint, TokenKind::Ulongint, TokenKind::FloatWord,
                 TokenKind::Double, TokenKind::Quad, TokenKind::Complex,
                 TokenKind::Dcomplex, TokenKind::Qcomplex);
}

Expr *Parser::parseNameOrCall() {
  Token word = take();
  if (!is(TokenKind::LParen))
    return make<NameRef>(textOf(word), word.range);
  Name callee{textOf(word), word.range};
  ExprList args = parseList(TokenKind::RParen);
  setHeight(height);
  return make<Call>(callee, args, rangeFrom(word.range));
}

/// 'region' '(' Ref ')'
Expr *Parser::parseRegionCall() {
  Token word = take();
  Token open = take();
  Expr *array = parseDesignator("an array's name");
  expectClose(TokenKind::RParen, open);
  setHeight(height);
  return make<RegionCall>(array, rangeFrom(word.range));
}

/// At the opening bracket: [ Args ] and \p closer. Sets the height to that of
/// the highest.
ExprList Parser::parseList(TokenKind closer) {
  SmallVector<Expr *, 8> args;
  bool isSubscript = closer == TokenKind::RBracket;
  height = 0;
  if (isSubscript && skipBlankSubscripts())
    return {};
  Token open = take();
  unsigned highest = 0;
  while (!panic && !is(closer)) {
    if (!isSubscript || !skipBlankSubscript())
      args.push_back(parseArgument());
    highest = std::max(highest, height);
    if (isSubscript)
      skipSlice();
    if (panic || !accept(TokenKind::Comma))
      break;
    if (is(closer))
      expectedExpression();
  }
  expectClose(closer, open);
  height = highest;
  return context.keep(args);
}

Expr *Parser::parseParen() {
  Token open = take();
  Expr *inner = parseArgument();
  expectClose(TokenKind::RParen, open);
  if (isRegionSyntax(inner))
    return inner;
  setHeight(height);
  return make<Paren>(inner, rangeFrom(open.range));
}

/// STRING { STRING }
Expr *Parser::parseString() {
  SourceRange begin = token().range;
  const std::string &first = buffer.strings[take().string];
  if (!is(TokenKind::String))
    return make<StringLiteral>(context.keepText(first), begin);
  std::string value = first;
  while (is(TokenKind::String))
    value += buffer.strings[take().string];
  return make<StringLiteral>(context.keepText(value), rangeFrom(begin));
}

/// The lexer has complained of one that does not hold one byte.
Expr *Parser::parseCharacter(const Token &literal) {
  const std::string &bytes = buffer.strings[literal.string];
  uint8_t value = bytes.empty() ? 0 : static_cast<uint8_t>(bytes[0]);
  return make<CharLiteral>(value, textOf(literal), literal.range);
}

} // namespace zpl
