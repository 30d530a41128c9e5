//===- Outline.cpp - The document's structure and colours -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three lists over the whole document: its declarations as a tree, what can be
// folded, and what each token is. Folding goes by the words that open and close
// blocks, so it works on programs that are being written:
//
//     procedure f();        -- 0..4: the procedure
//     begin
//       repeat ... until    -- 2..3: from its first line
//     end;
//
// Semantic tokens are numbers, five for each token: lines and columns from the
// one before, length, type, modifiers. Comments over several lines are a token
// in each.
//
// Cost: linear in the tokens.
//
//===----------------------------------------------------------------------===//

#include "StandardText.h"
#include "zpl/Editor/Queries.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::editor {

//===----------------------------------------------------------------------===//
// Symbols
//===----------------------------------------------------------------------===//

/// The protocol's number.
static int symbolKind(Kind kind) {
  switch (kind) {
  case Kind::Program:
    return 2; // module
  case Kind::Variable:
  case Kind::Parameter:
    return 13;
  case Kind::Constant:
  case Kind::Config:
    return 14;
  case Kind::Array:
    return 18;
  case Kind::Region:
    return 3; // namespace
  case Kind::Direction:
    return 25; // operator
  case Kind::Grid:
  case Kind::Distribution:
  case Kind::Domain:
    return 19; // object
  case Kind::Procedure:
    return 12;
  case Kind::Type:
    return 23; // struct
  case Kind::Enumerator:
    return 22;
  case Kind::Field:
    return 8;
  }
  llvm_unreachable("kind");
}

static json::Object symbolJson(const Analysis &a, const Declared &declared,
                               json::Array children) {
  SourceRange whole = declared.range.to(declared.nameRange);
  json::Object result{{"name", cleanText(declared.name)},
                      {"kind", symbolKind(declared.kind)},
                      {"detail", describe(declared.kind).drop_front(2)},
                      {"range", rangeJson(a, whole)},
                      {"selectionRange", rangeJson(a, declared.nameRange)}};
  if (!children.empty())
    result["children"] = std::move(children);
  return result;
}

json::Array documentSymbols(const Document &d) {
  const Analysis &a = *d.analysis;
  json::Array result;
  DenseMap<const void *, json::Array> children;
  // Parts come after what they are parts of: from the end, so that all lists
  // are in the wrong order first.
  for (const Declared &declared : reverse(a.symbols.all)) {
    if (declared.nameRange.file != 0)
      continue;
    json::Array own;
    if (declared.kind == Kind::Procedure || declared.kind == Kind::Type)
      own = std::move(children[declared.decl]);
    std::reverse(own.begin(), own.end());
    json::Object symbol = symbolJson(a, declared, std::move(own));
    const void *parent = declared.procedure;
    bool isPart =
        declared.kind == Kind::Field || declared.kind == Kind::Enumerator;
    if (isPart && declared.decl && isa<ast::TypeDecl>(declared.decl))
      parent = declared.decl;
    json::Array &list = parent ? children[parent] : result;
    list.push_back(std::move(symbol));
  }
  std::reverse(result.begin(), result.end());
  return result;
}

//===----------------------------------------------------------------------===//
// Folding
//===----------------------------------------------------------------------===//

static void addFold(json::Array &folds, const Analysis &a, uint32_t begin,
                    uint32_t end, StringRef kind) {
  unsigned first = a.lines->position(begin).line;
  unsigned last = a.lines->position(end).line;
  if (last <= first)
    return;
  json::Object fold{{"startLine", first}, {"endLine", last}};
  if (!kind.empty())
    fold["kind"] = kind;
  folds.push_back(std::move(fold));
}

static void foldComments(json::Array &folds, const Analysis &a) {
  for (size_t at = 0; at < a.comments.size();) {
    size_t last = at;
    auto lineOf = [&](size_t comment) {
      return a.lines->position(a.comments[comment].range.begin).line;
    };
    auto isAlone = [&](size_t comment) {
      StringRef line = a.lines->line(lineOf(comment)).ltrim();
      return line.starts_with("--");
    };
    while (last + 1 < a.comments.size() && isAlone(last) && isAlone(last + 1) &&
           lineOf(last + 1) == lineOf(last) + 1)
      ++last;
    addFold(folds, a, a.comments[at].range.begin, a.comments[last].range.end,
            "comment");
    at = last + 1;
  }
}

json::Array foldingRanges(const Document &d) {
  const Analysis &a = *d.analysis;
  json::Array folds;
  foldComments(folds, a);
  for (const ast::ProcedureDecl *procedure : a.symbols.procedures)
    if (procedure->range.file == 0)
      addFold(folds, a, procedure->range.begin, procedure->range.end, "region");
  SmallVector<uint32_t, 16> open;
  for (size_t at : a.own) {
    const Token &token = a.tokens.tokens[at];
    bool opens =
        isOneOf(token.kind, TokenKind::Begin, TokenKind::If, TokenKind::For,
                TokenKind::While, TokenKind::Repeat, TokenKind::Record,
                TokenKind::Union, TokenKind::Interleave, TokenKind::Scan);
    if (opens)
      open.push_back(token.range.begin);
    bool closes = isOneOf(token.kind, TokenKind::EndWord, TokenKind::Until);
    if (closes && !open.empty())
      addFold(folds, a, open.pop_back_val(), token.range.end, "");
  }
  return folds;
}

//===----------------------------------------------------------------------===//
// Semantic tokens
//===----------------------------------------------------------------------===//

namespace {
enum SemanticType : unsigned {
  KeywordType,
  CommentType,
  StringType,
  NumberType,
  OperatorType,
  VariableType,
  ParameterType,
  PropertyType,
  FunctionType,
  TypeType,
  EnumMemberType,
  RegionType,
  DirectionType,
  ArrayType,
  NamespaceType
};
enum Modifier : unsigned {
  DeclarationBit = 1,
  ReadonlyBit = 2,
  StandardBit = 4
};

struct SemanticToken {
  SourceRange range;
  unsigned type, modifiers;
};
} // namespace

json::Object semanticLegend() {
  return json::Object{
      {"tokenTypes",
       json::Array{"keyword", "comment", "string", "number", "operator",
                   "variable", "parameter", "property", "function", "type",
                   "enumMember", "region", "direction", "array", "namespace"}},
      {"tokenModifiers",
       json::Array{"declaration", "readonly", "defaultLibrary"}}};
}

static unsigned semanticType(Kind kind) {
  switch (kind) {
  case Kind::Program:
    return NamespaceType;
  case Kind::Variable:
  case Kind::Constant:
  case Kind::Config:
    return VariableType;
  case Kind::Array:
    return ArrayType;
  case Kind::Region:
  case Kind::Domain:
    return RegionType;
  case Kind::Direction:
    return DirectionType;
  case Kind::Grid:
  case Kind::Distribution:
  case Kind::Type:
    return TypeType;
  case Kind::Procedure:
    return FunctionType;
  case Kind::Enumerator:
    return EnumMemberType;
  case Kind::Field:
    return PropertyType;
  case Kind::Parameter:
    return ParameterType;
  }
  llvm_unreachable("kind");
}

static SemanticToken nameToken(const Analysis &a, const Use &use) {
  if (use.declared.empty()) {
    std::optional<StandardText> standard =
        standardText(a.sources.text(use.range));
    unsigned type =
        standard && standard->isFunction ? FunctionType : VariableType;
    return {use.range, type, standard ? unsigned(StandardBit) : 0u};
  }
  const Declared &declared = a.symbols.all[use.declared.front()];
  unsigned modifiers = 0;
  for (unsigned number : use.declared)
    if (a.symbols.all[number].nameRange.begin == use.range.begin &&
        a.symbols.all[number].nameRange.file == use.range.file)
      modifiers |= DeclarationBit;
  if (declared.kind == Kind::Constant || declared.kind == Kind::Config ||
      declared.kind == Kind::Enumerator)
    modifiers |= ReadonlyBit;
  return {use.range, semanticType(declared.kind), modifiers};
}

/// Everything that has a colour, in order.
static std::vector<SemanticToken> colouredTokens(const Analysis &a) {
  std::vector<SemanticToken> found;
  for (const Comment &comment : a.comments)
    found.push_back({comment.range, CommentType, 0});
  DenseSet<uint32_t> names;
  for (const Use &use : a.symbols.uses)
    if (use.range.file == 0) {
      found.push_back(nameToken(a, use));
      names.insert(use.range.begin);
    }
  for (size_t at : a.own) {
    const Token &token = a.tokens.tokens[at];
    if (names.contains(token.range.begin))
      continue;
    if (isKeyword(token.kind))
      found.push_back({token.range, KeywordType, 0});
    else if (isOneOf(token.kind, TokenKind::String, TokenKind::Character))
      found.push_back({token.range, StringType, 0});
    else if (isOneOf(token.kind, TokenKind::Integer, TokenKind::Float))
      found.push_back({token.range, NumberType, 0});
    else if (isOneOf(token.kind, TokenKind::Reduce, TokenKind::ScanOp,
                     TokenKind::Flood, TokenKind::At, TokenKind::WrapAt,
                     TokenKind::Hash, TokenKind::Prime))
      found.push_back({token.range, OperatorType, 0});
  }
  stable_sort(found, [](const SemanticToken &a, const SemanticToken &b) {
    return a.range.begin < b.range.begin;
  });
  return found;
}

json::Value semanticTokens(const Document &d) {
  const Analysis &a = *d.analysis;
  json::Array data;
  Position last;
  auto add = [&](uint32_t begin, uint32_t end, const SemanticToken &token) {
    Position start = a.lines->position(begin);
    unsigned length = utf16Length(a.text().slice(begin, end));
    if (length == 0)
      return;
    bool isSameLine = start.line == last.line;
    data.push_back(start.line - last.line);
    data.push_back(isSameLine ? start.character - last.character
                              : start.character);
    data.push_back(length);
    data.push_back(token.type);
    data.push_back(token.modifiers);
    last = start;
  };
  for (const SemanticToken &token : colouredTokens(a)) {
    uint32_t begin = token.range.begin;
    while (begin < token.range.end) {
      auto end = static_cast<uint32_t>(
          std::min<size_t>(a.text().find('\n', begin), token.range.end));
      StringRef line = a.text().slice(begin, end).rtrim("\r");
      add(begin, begin + static_cast<uint32_t>(line.size()), token);
      begin = end + 1;
    }
  }
  return json::Object{{"data", std::move(data)}};
}

} // namespace zpl::editor
