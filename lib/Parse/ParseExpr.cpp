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

#include "ParseExpr.h"
#include "Cursor.h"
#include "Habits/Habits.h"
#include "ParseDecl.h"
#include "ParseOperators.h"
#include "ParseRegion.h"
#include "Parsing.h"
#include "Recovery.h"

using namespace llvm;

namespace zpl {

using namespace ast;

static bool parseArraySuffix(Parsing &p, ast::Expr *&base);
static void parseRemap(Parsing &p, ast::Expr *&base);
static ast::Expr *parsePrimary(Parsing &p);
static ast::Expr *parseRegionCall(Parsing &p);
static ast::Expr *parseParen(Parsing &p);
static ast::Expr *parseString(Parsing &p);
static ast::Expr *parseCharacter(Parsing &p, const Token &literal);

Expr *dummy(Parsing &p, SourceRange range) {
  p.height = 1;
  return make<IntLiteral>(p, 0, "", range);
}

void setHeight(Parsing &p, unsigned below, unsigned links) {
  p.height = below + links;
  if (p.height > Parsing::linksLimit && !p.panic)
    giveUp(p, links == 1 ? Parsing::linksLimit : nestingLimit);
}

Expr *requireValue(Parsing &p, Expr *expr) {
  if (!isRegionSyntax(expr))
    return expr;
  report(p, expr->range, Diag::NotValue);
  return dummy(p, expr->range);
}

Expr *parseExpr(Parsing &p) {
  Nesting nesting(p);
  if (p.panic)
    return dummy(p, endOfPrevious(p));
  return parseConditional(p, requireValue(p, parseBinary(p, 0)));
}

//===----------------------------------------------------------------------===//
// Postfix
//===----------------------------------------------------------------------===//

Expr *parsePostfix(Parsing &p) { return parseSuffixes(p, parsePrimary(p)); }

Expr *parseSuffixes(Parsing &p, Expr *base) {
  if (isRegionSyntax(base))
    return base;
  while (!p.panic &&
         (parseDesignatorSuffix(p, base) || parseArraySuffix(p, base)))
    ;
  return base;
}

static bool isLiteral(const Expr *expr) {
  return isa<IntLiteral, FloatLiteral, CharLiteral, StringLiteral, BoolLiteral>(
      expr);
}

bool parseDesignatorSuffix(Parsing &p, Expr *&base) {
  if (isLiteral(base))
    return false;
  unsigned highest = p.height;
  SourceRange begin = base->range;
  if (is(p, TokenKind::LBracket)) {
    if (firstOnLine(p) && atScope(p))
      return false;
    ExprList indices = parseList(p, TokenKind::RBracket);
    base = make<Subscript>(p, base, indices, rangeFrom(p, begin));
  } else if (accept(p, TokenKind::Dot)) {
    p.height = 1;
    Name field = parseName(p, "a field's name");
    base = make<Field>(p, base, field, rangeFrom(p, begin));
  } else if (is(p, TokenKind::LBrace)) {
    Token open = take(p);
    p.height = 1;
    Expr *index = is(p, TokenKind::RBrace) ? nullptr : parseExpr(p);
    expectClose(p, TokenKind::RBrace, open);
    base = make<Multi>(p, base, index, rangeFrom(p, begin));
  } else {
    return false;
  }
  setHeight(p, std::max(highest, p.height));
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
static bool parseArraySuffix(Parsing &p, Expr *&base) {
  if (is(p, TokenKind::Hash)) {
    parseRemap(p, base);
    return true;
  }
  if (!isAny(p, TokenKind::At, TokenKind::WrapAt, TokenKind::Prime))
    return false;
  if (!isDesignator(base)) {
    report(p, token(p).range, Diag::AtNeedsName);
    p.panic = true;
    return false;
  }
  unsigned highest = p.height;
  At::Flavor flavor = is(p, TokenKind::WrapAt)  ? At::Wrap
                      : is(p, TokenKind::Prime) ? At::Prime
                                                : At::Plain;
  take(p);
  if (flavor == At::Prime)
    take(p); // the lexer has seen the '@'
  Expr *direction = parseDirection(p);
  setHeight(p, std::max(highest, p.height));
  base = make<At>(p, flavor, base, direction, rangeFrom(p, base->range));
  return true;
}

/// '#' '[' [ Expr ] { ',' [ Expr ] } ']'
static void parseRemap(Parsing &p, Expr *&base) {
  unsigned highest = p.height;
  take(p);
  ExprList maps = parseBlankList(p, "'[' and the maps after '#'");
  setHeight(p, std::max(highest, p.height));
  base = make<Remap>(p, base, maps, rangeFrom(p, base->range));
}

ExprList parseBlankList(Parsing &p, StringRef what) {
  SmallVector<Expr *, 6> items;
  Token open = token(p);
  p.height = 0;
  if (p.panic || (!accept(p, TokenKind::LBracket) && !missing(p, what, "[")))
    return {};
  unsigned highest = 0;
  do {
    bool isBlank = isAny(p, TokenKind::Comma, TokenKind::RBracket);
    items.push_back(isBlank ? nullptr : parseExpr(p));
    highest = std::max(highest, p.height);
  } while (!p.panic && accept(p, TokenKind::Comma));
  expectClose(p, TokenKind::RBracket, open);
  p.height = highest;
  return p.context.keep(items);
}

Expr *parseDesignator(Parsing &p, StringRef what) {
  Name name = parseName(p, what);
  p.height = 1;
  Expr *designator = make<NameRef>(p, name.text, name.range);
  while (!p.panic && parseDesignatorSuffix(p, designator))
    ;
  return designator;
}

//===----------------------------------------------------------------------===//
// Primary
//===----------------------------------------------------------------------===//

static Expr *parsePrimary(Parsing &p) {
  p.height = 1;
  if (p.panic)
    return dummy(p, endOfPrevious(p));
  Token first = token(p);
  if (is(p, TokenKind::Name))
    return parseNameOrCall(p);
  if (isAny(p, TokenKind::Integer, TokenKind::Float)) {
    take(p);
    skipSuffix(p, first);
  }
  if (first.kind == TokenKind::Integer)
    return make<IntLiteral>(p, first.integer, textOf(p, first), first.range);
  if (first.kind == TokenKind::Float)
    return make<FloatLiteral>(p, first.floating, textOf(p, first), first.range);
  if (is(p, TokenKind::String))
    return parseString(p);
  if (accept(p, TokenKind::Character))
    return parseCharacter(p, first);
  if (isAny(p, TokenKind::True, TokenKind::False)) {
    take(p);
    return make<BoolLiteral>(p, first.kind == TokenKind::True, first.range);
  }
  if (is(p, TokenKind::LParen))
    return parseParen(p);
  if (is(p, TokenKind::LBracket))
    return unwrap(parseBracket(p));
  if (accept(p, TokenKind::Quote))
    return make<Quote>(p, first.range);
  if (is(p, TokenKind::LBrace) && kind(p, 1) == TokenKind::RBrace) {
    take(p);
    take(p);
    return make<MultiParam>(p, rangeFrom(p, first.range));
  }
  // The keyword of a type converts: double(x).
  if (isScalarType(first.kind) && kind(p, 1) == TokenKind::LParen)
    return parseNameOrCall(p);
  if (is(p, TokenKind::Region) && kind(p, 1) == TokenKind::LParen)
    return parseRegionCall(p);
  if (Expr *operand = parseLooseFold(p))
    return operand;
  return expectedExpression(p);
}

bool isScalarType(TokenKind kind) {
  return isOneOf(kind, TokenKind::Boolean, TokenKind::Char, TokenKind::Sbyte,
                 TokenKind::Ubyte, TokenKind::Shortint, TokenKind::Ushortint,
                 TokenKind::IntegerWord, TokenKind::Uinteger,
                 TokenKind::Longint, TokenKind::Ulongint, TokenKind::FloatWord,
                 TokenKind::Double, TokenKind::Quad, TokenKind::Complex,
                 TokenKind::Dcomplex, TokenKind::Qcomplex);
}

Expr *parseNameOrCall(Parsing &p) {
  Token word = take(p);
  if (!is(p, TokenKind::LParen))
    return make<NameRef>(p, textOf(p, word), word.range);
  Name callee{textOf(p, word), word.range};
  ExprList args = parseList(p, TokenKind::RParen);
  setHeight(p, p.height);
  return make<Call>(p, callee, args, rangeFrom(p, word.range));
}

/// 'region' '(' Ref ')'
static Expr *parseRegionCall(Parsing &p) {
  Token word = take(p);
  Token open = take(p);
  Expr *array = parseDesignator(p, "an array's name");
  expectClose(p, TokenKind::RParen, open);
  setHeight(p, p.height);
  return make<RegionCall>(p, array, rangeFrom(p, word.range));
}

/// NAME ':=' and the argument
static Expr *parseNamedArgument(Parsing &p) {
  Token name = take(p);
  take(p);
  Expr *value = parseArgument(p);
  setHeight(p, p.height);
  return make<NamedArgument>(p, Name{textOf(p, name), name.range}, value,
                             rangeFrom(p, name.range));
}

ExprList parseList(Parsing &p, TokenKind closer) {
  SmallVector<Expr *, 8> args;
  bool isSubscript = closer == TokenKind::RBracket;
  p.height = 0;
  if (isSubscript && skipBlankSubscripts(p))
    return {};
  Token open = take(p);
  unsigned highest = 0;
  while (!p.panic && !is(p, closer)) {
    if (!isSubscript && is(p, TokenKind::Name) &&
        kind(p, 1) == TokenKind::Assign)
      args.push_back(parseNamedArgument(p));
    else if (!isSubscript || !skipBlankSubscript(p))
      args.push_back(parseArgument(p));
    highest = std::max(highest, p.height);
    if (isSubscript)
      skipSlice(p);
    if (p.panic || !accept(p, TokenKind::Comma))
      break;
    if (is(p, closer))
      expectedExpression(p);
  }
  expectClose(p, closer, open);
  p.height = highest;
  return p.context.keep(args);
}

static Expr *parseParen(Parsing &p) {
  Token open = take(p);
  Expr *inner = parseArgument(p);
  expectClose(p, TokenKind::RParen, open);
  if (isRegionSyntax(inner))
    return inner;
  setHeight(p, p.height);
  return make<Paren>(p, inner, rangeFrom(p, open.range));
}

/// STRING { STRING }
static Expr *parseString(Parsing &p) {
  SourceRange begin = token(p).range;
  const std::string &first = p.buffer.strings[take(p).string];
  if (!is(p, TokenKind::String))
    return make<StringLiteral>(p, p.context.keepText(first), begin);
  std::string value = first;
  while (is(p, TokenKind::String))
    value += p.buffer.strings[take(p).string];
  return make<StringLiteral>(p, p.context.keepText(value), rangeFrom(p, begin));
}

/// The lexer has complained of one that does not hold one byte.
static Expr *parseCharacter(Parsing &p, const Token &literal) {
  const std::string &bytes = p.buffer.strings[literal.string];
  uint8_t value = bytes.empty() ? 0 : static_cast<uint8_t>(bytes[0]);
  return make<CharLiteral>(p, value, textOf(p, literal), literal.range);
}

} // namespace zpl
