//===- ParseTypes.cpp - Text to array IR: types ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     type @grid = record { cells: array[1..@n, @Class 0..2] of f64 }
//
// In brackets a global name is an index type if it names a type, else the
// variable whose value is the bound. Types stand before the variables of their
// bounds; such a variable is made when it is first named and declared later.
//
//===----------------------------------------------------------------------===//

#include "Text/ParseTypes.h"
#include "Text/Parser.h"
#include "Text/Parsing.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

std::optional<Type> typeFromText(StringRef wanted) {
  for (unsigned kind = Type::Void; kind < Type::Enum; ++kind)
    if (text(Type(Type::Kind(kind))) == wanted)
      return Type(Type::Kind(kind));
  return std::nullopt;
}

static bool parseArrayType(Parsing &p, Type &type);
static bool parseHandleType(Parsing &p, Type &type);

bool parseType(Parsing &p, Type &type) {
  if (accept(p, "array"))
    return parseArrayType(p, type);
  if (accept(p, "handle"))
    return parseHandleType(p, type);
  std::optional<Type> found;
  if (peek(p).kind == Token::Word) {
    found = typeFromText(peek(p).text);
  } else if (peek(p).kind == Token::Global) {
    const Named *named = lookup(p, peek(p));
    if (!named)
      return false;
    if (named->type)
      found = named->type;
  }
  if (!found)
    return fail(p, peek(p), "expected a type");
  next(p);
  type = *found;
  return true;
}

bool parseFieldName(Parsing &p, std::string &name) {
  if (peek(p).kind != Token::Word)
    return fail(p, peek(p), "expected a name");
  name = next(p).text;
  return true;
}

/// A variable may be named before it is declared: parameters' bounds follow
/// them, and types stand before the module's variables.
static bool parseBound(Parsing &p, Bound &bound) {
  Token token = peek(p);
  if (token.kind == Token::Number)
    return parseInteger(p, bound.value);
  bool isGlobal = token.kind == Token::Global;
  if (!isGlobal && token.kind != Token::Local)
    return fail(p, token, "expected a bound");
  next(p);
  Scope &scope = isGlobal ? p.globals : p.locals;
  auto found = scope.find(nameOf(token));
  if (found != scope.end() && !found->second.variable)
    return fail(p, token, "'" + token.text + "' is not a variable");
  if (found != scope.end()) {
    bound.variable = found->second.variable;
    return true;
  }
  auto &awaited =
      (isGlobal ? p.awaitedGlobals : p.awaitedLocals)[nameOf(token)];
  if (!awaited.first)
    awaited = {p.module.make<Variable>(), token};
  bound.variable = awaited.first;
  return true;
}

/// After `array`: `[@Class 0..2, 1..@n] of f64`.
static bool parseArrayType(Parsing &p, Type &type) {
  SmallVector<Bound, 2> lo, hi;
  SmallVector<Type, 2> index;
  bool hasIndex = false;
  Type element;
  bool dims = expect(p, "[") && parseList(p, "]", [&] {
                const Token &first = peek(p);
                index.push_back(Type::Void);
                if (first.kind == Token::Global &&
                    p.globals.lookup(nameOf(first)).type) {
                  hasIndex = true;
                  if (!parseType(p, index.back()))
                    return false;
                }
                return parseBound(p, lo.emplace_back()) && expect(p, "..") &&
                       parseBound(p, hi.emplace_back());
              });
  if (!dims || !expect(p, "of") || !parseType(p, element))
    return false;
  if (!hasIndex)
    index.clear();
  type = p.module.arrayType(lo, hi, element, index);
  return true;
}

/// After `handle`: `2 of f64`.
static bool parseHandleType(Parsing &p, Type &type) {
  unsigned rank;
  Type element;
  if (!parseUnsigned(p, rank, 7) || !expect(p, "of") || !parseType(p, element))
    return false;
  type = p.module.handleType(element, rank);
  return true;
}

bool nothingAwaited(Parsing &p) {
  for (const auto *awaited : {&p.awaitedGlobals, &p.awaitedLocals})
    if (!awaited->empty()) {
      const Token &token = awaited->begin()->second.second;
      return fail(p, token, "'" + token.text + "' is not declared");
    }
  return true;
}

/// After `type @t =`.
static bool parseTypeBody(Parsing &p, TypeInfo &type) {
  static constexpr const char *Kinds[] = {"enum", "opaque", "record", "union"};
  const auto *kind =
      find_if(Kinds, [&](StringRef text) { return isAt(p, text); });
  if (kind == std::end(Kinds))
    return fail(p, peek(p), "expected 'enum', 'opaque', 'record' or 'union'");
  next(p);
  type.kind = Type::Kind(Type::Enum + (kind - Kinds));
  if (!parseOptionalString(p, type.text))
    return false;
  if (type.kind == Type::Opaque)
    return expect(p, "size") && parseInteger(p, type.size) &&
           expect(p, "align") && parseInteger(p, type.alignment);
  return expect(p, "{") && parseList(p, "}", [&] {
           if (type.kind == Type::Enum) {
             Enumerator &e = type.enumerators.emplace_back();
             return parseFieldName(p, e.name) && expect(p, "=") &&
                    parseInteger(p, e.value);
           }
           Field &field = type.fields.emplace_back();
           return parseFieldName(p, field.name) && expect(p, ":") &&
                  parseType(p, field.type);
         });
}

bool parseTypeDecl(Parsing &p) {
  next(p);
  Token name;
  auto *type = p.module.make<TypeInfo>();
  if (!parseNewName(p, Token::Global, p.globals, name) || !expect(p, "=") ||
      !parseTypeBody(p, *type))
    return false;
  type->name = nameOf(name);
  type->range = range(p, name);
  p.globals[type->name].type = type;
  p.module.types.push_back(type);
  return true;
}

} // namespace zpl::air
