//===- Completion.cpp - What can stand at a place -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     P.|        fields of the record that P's elements are
//     A@|        directions
//     [|         regions, then directions (`north of`) and what bounds may have
//     |          all names that are visible here, predeclared ones, keywords
//
// The tokens before the place tell which it is; a word that is being typed
// counts as not there. A bracket directly after a name, `)` or `]` is a
// subscript, after `#` a remap: there regions are no better than other names.
// The editor filters by what has been typed.
//
// Cost: linear in the names that are visible.
//
//===----------------------------------------------------------------------===//

#include "StandardText.h"
#include "zpl/Editor/Queries.h"
#include "zpl/Sema/Standard.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::editor {

namespace {
/// The protocol's numbers.
enum CompletionKind : int {
  Function = 3,
  FieldItem = 5,
  VariableItem = 6,
  Module = 9,
  Enum = 13,
  KeywordItem = 14,
  EnumMember = 20,
  ConstantItem = 21,
  Struct = 22,
  TypeParameter = 25
};

/// What can stand at a place.
enum class Wanted : uint8_t { Anything, Fields, Directions, Regions };
} // namespace

static CompletionKind completionKind(Kind kind) {
  switch (kind) {
  case Kind::Program:
    return Module;
  case Kind::Variable:
  case Kind::Array:
  case Kind::Parameter:
    return VariableItem;
  case Kind::Constant:
  case Kind::Config:
  case Kind::Direction:
    return ConstantItem;
  case Kind::Region:
  case Kind::Domain:
    return Struct;
  case Kind::Grid:
  case Kind::Distribution:
    return TypeParameter;
  case Kind::Procedure:
    return Function;
  case Kind::Type:
    return Enum;
  case Kind::Enumerator:
    return EnumMember;
  case Kind::Field:
    return FieldItem;
  }
  llvm_unreachable("kind");
}

static json::Object item(StringRef label, CompletionKind kind, StringRef detail,
                         StringRef rank) {
  json::Object result{{"label", cleanText(label)},
                      {"kind", static_cast<int>(kind)},
                      {"sortText", cleanText((rank + label).str())}};
  if (!detail.empty())
    result["detail"] = cleanText(detail);
  return result;
}

/// The number of own tokens before the word at a place.
static size_t tokensBeforeWord(const Analysis &a, uint32_t offset) {
  size_t count = tokensBefore(a, offset);
  if (count < a.own.size() &&
      a.tokens.tokens[a.own[count]].range.begin < offset)
    return count; // within a token
  if (count == 0)
    return 0;
  const Token &last = a.tokens.tokens[a.own[count - 1]];
  return isWord(last.kind) && last.range.end == offset ? count - 1 : count;
}

/// Whether the innermost open bracket of the statement begins a region.
static bool isInRegion(const Analysis &a, size_t before) {
  unsigned depth = 0;
  for (size_t steps = 0; before-- > 0 && steps < 1000; ++steps) {
    TokenKind kind = a.tokens.tokens[a.own[before]].kind;
    if (isOneOf(kind, TokenKind::Semicolon, TokenKind::Begin))
      return false;
    depth += isOneOf(kind, TokenKind::RBracket, TokenKind::RParen);
    if (!isOneOf(kind, TokenKind::LBracket, TokenKind::LParen))
      continue;
    if (depth != 0) {
      --depth;
      continue;
    }
    if (kind == TokenKind::LParen)
      return false;
    return before == 0 ||
           !isOneOf(a.tokens.tokens[a.own[before - 1]].kind, TokenKind::Name,
                    TokenKind::RBracket, TokenKind::RParen, TokenKind::RBrace,
                    TokenKind::Hash, TokenKind::At, TokenKind::WrapAt,
                    TokenKind::Array);
  }
  return false;
}

static Wanted wantedAt(const Analysis &a, size_t before) {
  if (before == 0)
    return Wanted::Anything;
  TokenKind last = a.tokens.tokens[a.own[before - 1]].kind;
  if (last == TokenKind::Dot)
    return Wanted::Fields;
  if (isOneOf(last, TokenKind::At, TokenKind::WrapAt))
    return Wanted::Directions;
  return isInRegion(a, before) ? Wanted::Regions : Wanted::Anything;
}

static json::Array fieldItems(const Analysis &a, size_t dot) {
  json::Array items;
  if (dot == 0)
    return items;
  const ast::TypeExpr *type =
      typeOfDesignator(a.symbols, a.tokens, a.sources, a.own[dot - 1]);
  auto fields = a.symbols.fields.find(recordOf(a.symbols, type));
  if (fields == a.symbols.fields.end())
    return items;
  for (const Declared &field : a.symbols.all)
    if (field.kind == Kind::Field && field.owner == fields->first)
      items.push_back(item(field.name, FieldItem, declarationText(a, field),
                           std::to_string(100 + items.size())));
  return items;
}

/// "0": what is best where that is wanted; empty: what cannot stand there.
static StringRef rankAt(Wanted wanted, const Declared &declared) {
  bool isDirection = declared.kind == Kind::Direction;
  bool isRegion = declared.kind == Kind::Region || declared.kind == Kind::Array;
  switch (wanted) {
  case Wanted::Anything:
    return declared.procedure ? "0" : "1";
  case Wanted::Fields:
    return "";
  case Wanted::Directions:
    return isDirection ? "0" : "";
  case Wanted::Regions:
    if (isRegion)
      return declared.kind == Kind::Region ? "0" : "3";
    return isDirection ? "1" : "2";
  }
  llvm_unreachable("wanted");
}

static void addVisible(const Analysis &a, const Scope &scope, Wanted wanted,
                       const Scope *hiding, json::Array &items) {
  for (const auto &entry : scope) {
    if (hiding && hiding->contains(entry.first()))
      continue;
    const Declared &declared = a.symbols.all[entry.second.front()];
    StringRef rank = rankAt(wanted, declared);
    if (!rank.empty())
      items.push_back(item(declared.name, completionKind(declared.kind),
                           declarationText(a, declared), rank));
  }
}

static void addPredeclared(json::Array &items) {
  for (const sema::StandardName &row : sema::standardNames()) {
    std::optional<StandardText> words = standardText(row.name);
    items.push_back(item(row.name, row.isFunction ? Function : ConstantItem,
                         words->what, "5"));
  }
  static constexpr StringLiteral reserved[] = {
#define KEYWORD(Id, text) text,
#include "zpl/Lex/Tokens.def"
  };
  for (StringRef word : reserved)
    items.push_back(item(word, KeywordItem, "", "4"));
}

json::Value completion(const Document &d, uint32_t offset) {
  const Analysis &a = *d.analysis;
  json::Array items;
  size_t at = tokensBefore(a, offset);
  bool isInToken =
      at < a.own.size() && a.tokens.tokens[a.own[at]].range.begin < offset;
  if (isInComment(a, offset) ||
      (isInToken && !isWord(a.tokens.tokens[a.own[at]].kind)))
    return json::Object{{"isIncomplete", false}, {"items", std::move(items)}};
  size_t before = tokensBeforeWord(a, offset);
  Wanted wanted = wantedAt(a, before);
  if (wanted == Wanted::Fields) {
    items = fieldItems(a, before - 1);
  } else {
    const ast::ProcedureDecl *procedure = a.symbols.procedureAt(0, offset);
    auto locals = a.symbols.locals.find(procedure);
    bool isLocal = procedure && locals != a.symbols.locals.end();
    if (isLocal)
      addVisible(a, locals->second, wanted, nullptr, items);
    addVisible(a, a.symbols.globals, wanted,
               isLocal ? &locals->second : nullptr, items);
    if (wanted == Wanted::Anything)
      addPredeclared(items);
  }
  return json::Object{{"isIncomplete", false}, {"items", std::move(items)}};
}

} // namespace zpl::editor
