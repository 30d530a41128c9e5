//===- ParseExpr.cpp - Primary and postfix expressions --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From literals, names and calls to `A@east`:
//
//     Postfix = Primary { '@' Direction | ... }
//
// What the grammar hangs onto a name besides (`a[i]`, `r.f`, `A#[I, J]`,
// `A@^d`, `A'@d`) is read, reported once as not supported, and left out of the
// tree.
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

/// Sets the height of an expression over operands of height \p below.
void Parser::setHeight(unsigned below) {
  height = below + 1;
  if (height > nestingLimit && !panic)
    giveUp();
}

bool isRegion(const Expr *expr) {
  return isa<RegionLit, List, Quote, RegionOp>(expr);
}

/// Regions and directions as values belong to the full language.
Expr *Parser::requireValue(Expr *expr) {
  if (!isRegion(expr))
    return expr;
  notSupported(expr->range, "a region or direction as a value");
  return dummy(expr->range);
}

Expr *Parser::parseExpr() {
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  return requireValue(parseBinary(0));
}

/// Expr | RegExpr | DirExpr where a value is wanted.
Expr *Parser::parseArgument() { return requireValue(parseRegion()); }

//===----------------------------------------------------------------------===//
// Postfix
//===----------------------------------------------------------------------===//

Expr *Parser::parsePostfix() {
  Expr *base = parsePrimary();
  while (!panic && parseSuffix(base))
    ;
  return base;
}

/// Reads one suffix, if there is one, and hangs \p base under it.
bool Parser::parseSuffix(Expr *&base) {
  if (!is(TokenKind::At))
    return parseUnsupportedSubscript(base);
  if (!isa<NameRef>(base)) {
    report(token().range, Diag::AtNeedsName);
    panic = true;
    return false;
  }
  take();
  Expr *direction = parseDirection();
  base = make<At>(base, direction, rangeFrom(base->range));
  setHeight(height);
  return true;
}

/// Suffixes that only the full language has. Returns false at anything else.
bool Parser::parseUnsupportedSubscript(const Expr *base) {
  SourceRange range = token().range;
  if (is(TokenKind::LBracket)) {
    // On a new line it is a region scope and a `;` is missing.
    if (!isa<NameRef>(base) || firstOnLine())
      return false;
    notSupported(range, "a subscript");
    parseBracket();
  } else if (accept(TokenKind::WrapAt)) {
    notSupported(range, "'@^'");
    parseDirection();
  } else if (accept(TokenKind::Prime)) {
    notSupported(range, "the prime operator");
  } else if (accept(TokenKind::Dot)) {
    notSupported(range, "a field of a record");
    parseName("a field's name");
  } else if (accept(TokenKind::LBrace)) {
    notSupported(range, "an index in braces");
    panic = !skipToClose(TokenKind::RBrace);
  } else if (accept(TokenKind::Hash)) {
    notSupported(range, "a remap");
    if (is(TokenKind::LBracket))
      parseBracket();
  } else {
    return false;
  }
  return true;
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
  if (accept(TokenKind::Integer))
    return make<IntLiteral>(first.integer, textOf(first), first.range);
  if (accept(TokenKind::Float))
    return make<FloatLiteral>(first.floating, textOf(first), first.range);
  if (is(TokenKind::String))
    return parseString();
  if (isAny(TokenKind::True, TokenKind::False)) {
    take();
    return make<BoolLiteral>(first.kind == TokenKind::True, first.range);
  }
  if (accept(TokenKind::Character)) {
    notSupported(first.range, "a character literal");
    return dummy(first.range);
  }
  if (is(TokenKind::LParen))
    return parseParen();
  if (is(TokenKind::LBracket))
    return unwrap(parseBracket());
  if (accept(TokenKind::Quote))
    return make<Quote>(first.range);
  // The keyword of a type converts: double(x).
  if (isKeyword(first.kind) && kind(1) == TokenKind::LParen && !firstOnLine(1))
    return parseNameOrCall();
  return expectedExpression();
}

/// Is it a type that values are converted to?
static bool isScalarType(TokenKind kind) {
  return isOneOf(kind, TokenKind::Boolean, TokenKind::IntegerWord,
                 TokenKind::Longint, TokenKind::FloatWord, TokenKind::Double);
}

Expr *Parser::parseNameOrCall() {
  if (!is(TokenKind::Name) && !isScalarType(kind())) {
    if (isAny(TokenKind::Char, TokenKind::Sbyte, TokenKind::Ubyte,
              TokenKind::Shortint, TokenKind::Ushortint, TokenKind::Uinteger,
              TokenKind::Ulongint, TokenKind::Quad, TokenKind::Complex,
              TokenKind::Dcomplex, TokenKind::Qcomplex, TokenKind::Region))
      notSupported(token().range, "'" + textOf(token()) + "(...)'");
    else
      return expectedExpression();
  }
  Token word = take();
  if (!is(TokenKind::LParen))
    return make<NameRef>(textOf(word), word.range);
  Name callee{textOf(word), word.range};
  SmallVector<Expr *, 4> args = parseArguments();
  return make<Call>(callee, args, rangeFrom(word.range));
}

/// '(' [ Args ] ')'
SmallVector<Expr *, 4> Parser::parseArguments() {
  SmallVector<Expr *, 4> args;
  Token open = take();
  unsigned highest = 0;
  while (!panic && !is(TokenKind::RParen)) {
    args.push_back(parseArgument());
    highest = std::max(highest, height);
    if (panic || !accept(TokenKind::Comma))
      break;
    if (is(TokenKind::RParen))
      expectedExpression();
  }
  expectClose(TokenKind::RParen, open);
  setHeight(highest);
  return args;
}

Expr *Parser::parseParen() {
  Token open = take();
  Expr *inner = parseRegion();
  expectClose(TokenKind::RParen, open);
  if (isRegion(inner))
    return inner;
  setHeight(height);
  return make<Paren>(inner, rangeFrom(open.range));
}

/// STRING { STRING }
Expr *Parser::parseString() {
  SourceRange begin = token().range;
  std::string value;
  while (is(TokenKind::String))
    value += buffer.strings[take().string];
  return make<StringLiteral>(std::move(value), rangeFrom(begin));
}

} // namespace zpl
