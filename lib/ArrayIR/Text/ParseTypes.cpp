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

#include "Text/ParserImpl.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

std::optional<Type> typeFromText(StringRef wanted) {
  for (unsigned kind = Type::Void; kind < Type::Enum; ++kind)
    if (text(Type(Type::Kind(kind))) == wanted)
      return Type(Type::Kind(kind));
  return std::nullopt;
}

bool Parser::parseType(Type &type) {
  if (accept("array"))
    return parseArrayType(type);
  if (accept("handle"))
    return parseHandleType(type);
  std::optional<Type> found;
  if (peek().kind == Token::Word) {
    found = typeFromText(peek().text);
  } else if (peek().kind == Token::Global) {
    const Named *named = lookup(peek());
    if (!named)
      return false;
    if (named->type)
      found = named->type;
  }
  if (!found)
    return fail(peek(), "expected a type");
  next();
  type = *found;
  return true;
}

bool Parser::parseFieldName(std::string &name) {
  if (peek().kind != Token::Word)
    return fail(peek(), "expected a name");
  name = next().text;
  return true;
}

/// A variable may be named before it is declared: parameters' bounds follow
/// them, and types stand before the module's variables.
bool Parser::parseBound(Bound &bound) {
  Token token = peek();
  if (token.kind == Token::Number)
    return parseInteger(bound.value);
  bool isGlobal = token.kind == Token::Global;
  if (!isGlobal && token.kind != Token::Local)
    return fail(token, "expected a bound");
  next();
  Scope &scope = isGlobal ? globals : locals;
  auto found = scope.find(nameOf(token));
  if (found != scope.end() && !found->second.variable)
    return fail(token, "'" + token.text + "' is not a variable");
  if (found != scope.end()) {
    bound.variable = found->second.variable;
    return true;
  }
  auto &awaited = (isGlobal ? awaitedGlobals : awaitedLocals)[nameOf(token)];
  if (!awaited.first)
    awaited = {module.make<Variable>(), token};
  bound.variable = awaited.first;
  return true;
}

/// After `array`: `[@Class 0..2, 1..@n] of f64`.
bool Parser::parseArrayType(Type &type) {
  SmallVector<Bound, 2> lo, hi;
  SmallVector<Type, 2> index;
  bool hasIndex = false;
  Type element;
  bool dims =
      expect("[") && parseList("]", [&] {
        const Token &first = peek();
        index.push_back(Type::Void);
        if (first.kind == Token::Global && globals.lookup(nameOf(first)).type) {
          hasIndex = true;
          if (!parseType(index.back()))
            return false;
        }
        return parseBound(lo.emplace_back()) && expect("..") &&
               parseBound(hi.emplace_back());
      });
  if (!dims || !expect("of") || !parseType(element))
    return false;
  if (!hasIndex)
    index.clear();
  type = module.arrayType(lo, hi, element, index);
  return true;
}

/// After `handle`: `2 of f64`.
bool Parser::parseHandleType(Type &type) {
  unsigned rank;
  Type element;
  if (!parseUnsigned(rank, 7) || !expect("of") || !parseType(element))
    return false;
  type = module.handleType(element, rank);
  return true;
}

bool Parser::nothingAwaited() {
  for (const auto *awaited : {&awaitedGlobals, &awaitedLocals})
    if (!awaited->empty()) {
      const Token &token = awaited->begin()->second.second;
      return fail(token, "'" + token.text + "' is not declared");
    }
  return true;
}

/// After `type @t =`.
bool Parser::parseTypeBody(TypeInfo &type) {
  static constexpr const char *Kinds[] = {"enum", "opaque", "record", "union"};
  const auto *kind = find_if(Kinds, [&](StringRef text) { return at_(text); });
  if (kind == std::end(Kinds))
    return fail(peek(), "expected 'enum', 'opaque', 'record' or 'union'");
  next();
  type.kind = Type::Kind(Type::Enum + (kind - Kinds));
  if (!parseOptionalString(type.text))
    return false;
  if (type.kind == Type::Opaque)
    return expect("size") && parseInteger(type.size) && expect("align") &&
           parseInteger(type.alignment);
  return expect("{") && parseList("}", [&] {
           if (type.kind == Type::Enum) {
             Enumerator &e = type.enumerators.emplace_back();
             return parseFieldName(e.name) && expect("=") &&
                    parseInteger(e.value);
           }
           Field &field = type.fields.emplace_back();
           return parseFieldName(field.name) && expect(":") &&
                  parseType(field.type);
         });
}

bool Parser::parseTypeDecl() {
  next();
  Token name;
  auto *type = module.make<TypeInfo>();
  if (!parseNewName(Token::Global, globals, name) || !expect("=") ||
      !parseTypeBody(*type))
    return false;
  type->name = nameOf(name);
  type->range = range(name);
  globals[type->name].type = type;
  module.types.push_back(type);
  return true;
}

} // namespace zpl::air
