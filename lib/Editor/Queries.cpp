//===- Queries.cpp - What an editor asks about a name ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     config var n: integer = 10;   -- points per side
//     region R = [1..n, 1..n];
//
// To hover over `n` in the second line shows the declaration and the comment
// behind it; comments on the lines above a declaration count as well. All of it
// is read from the index of symbols and from the text, so that it works while
// the program has errors. Renaming is the exception: a name that a syntax error
// hides would be left out, so it is refused then.
//
// Cost: a bisection for the name, and for references one look at each use.
//
//===----------------------------------------------------------------------===//

#include "zpl/Editor/Queries.h"
#include "StandardText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace zpl::editor {

//===----------------------------------------------------------------------===//
// Declarations in words
//===----------------------------------------------------------------------===//

/// A source text on one line, without comments at the ends of lines.
static std::string onOneLine(StringRef text) {
  SmallVector<StringRef, 8> lines;
  text.split(lines, '\n');
  std::string result;
  for (StringRef line : lines) {
    if (size_t comment = line.find("--"); comment != StringRef::npos)
      line = line.take_front(comment);
    line = line.trim();
    if (!line.empty())
      result += (result.empty() ? "" : " ") + line.str();
  }
  return cleanText(result);
}

/// From the beginning of a declaration to its first `;` outside of parentheses.
static StringRef headingText(StringRef text) {
  unsigned depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with("--"))
      at = std::min(text.find('\n', at), text.size() - 1);
    depth += text[at] == '(';
    depth -= text[at] == ')' && depth != 0;
    if (text[at] == ';' && depth == 0)
      return text.take_front(at);
  }
  return text;
}

/// "var", "config var", "inout" ...: what stands before the name.
static StringRef wordBefore(const Declared &declared) {
  if (auto *variable = dyn_cast_or_null<ast::VariableDecl>(declared.decl)) {
    if (variable->flavor == ast::VariableDecl::Config)
      return "config var ";
    return variable->flavor == ast::VariableDecl::Const ? "const " : "var ";
  }
  if (declared.kind == Kind::Program)
    return "program ";
  if (declared.kind == Kind::Region && !declared.type)
    return "region ";
  return declared.kind == Kind::Direction && !declared.type ? "direction " : "";
}

std::string declarationText(const Analysis &a, const Declared &declared) {
  StringRef whole = a.sources.text(declared.range);
  bool isWhole = declared.kind == Kind::Procedure ||
                 declared.kind == Kind::Type || declared.kind == Kind::Grid ||
                 declared.kind == Kind::Distribution ||
                 declared.kind == Kind::Domain;
  if (isWhole && declared.kind == Kind::Procedure)
    return onOneLine(headingText(whole));
  if (isWhole)
    return onOneLine(whole);
  std::string text = wordBefore(declared).str() + declared.name.str();
  if (declared.kind == Kind::Enumerator)
    return text;
  if (declared.type)
    text += ": " + onOneLine(a.sources.text(declared.type->range));
  bool showsValue = declared.kind != Kind::Variable &&
                    declared.kind != Kind::Array && declared.value;
  if (showsValue)
    text += " = " + onOneLine(a.sources.text(declared.value->range));
  return text;
}

/// The comment lines that end right above a line, without their marks.
static std::string commentAbove(const LineTable &lines, unsigned number) {
  std::vector<std::string> found;
  while (number-- > 0) {
    StringRef line = lines.line(number).trim();
    if (!line.consume_front("--"))
      break;
    found.push_back(line.trim().str());
  }
  std::reverse(found.begin(), found.end());
  return join(found, "\n");
}

std::string commentOf(const Analysis &a, const Declared &declared) {
  SourceRange name = declared.nameRange;
  StringRef text = a.sources.text(name.file);
  auto lineEnd =
      static_cast<uint32_t>(std::min(text.find('\n', name.end), text.size()));
  std::optional<size_t> last;
  for (const auto &[number, token] : enumerate(a.tokens.tokens))
    if (token.range.file == name.file && token.range.begin < lineEnd &&
        token.range.begin >= name.begin)
      last = number;
  bool isShort = declared.kind != Kind::Procedure;
  if (SourceRange behind =
          last && isShort ? a.tokens.commentAfter(*last) : SourceRange();
      behind.isValid())
    return cleanText(a.sources.text(behind));
  LineTable lines(text);
  uint32_t begin = declared.decl && isa<ast::ProcedureDecl>(declared.decl)
                       ? declared.range.begin
                       : name.begin;
  return cleanText(commentAbove(lines, lines.position(begin).line));
}

//===----------------------------------------------------------------------===//
// Hover
//===----------------------------------------------------------------------===//

/// What is known of a declaration beside its text.
static std::string factsOf(const Analysis &a, const Declared &declared) {
  std::string text = describe(declared.kind).str();
  if (unsigned rank = rankOf(a.symbols, declared))
    text += " of rank " + std::to_string(rank);
  auto *parallel = dyn_cast_or_null<ast::ParallelType>(declared.type);
  if (parallel && declared.kind == Kind::Array)
    text += " over `" + onOneLine(a.sources.text(parallel->dims->range)) +
            "`, of `" + onOneLine(a.sources.text(parallel->element->range)) +
            "`";
  auto *type = dyn_cast_or_null<ast::TypeDecl>(declared.decl);
  if (type && declared.kind != Kind::Type)
    text += " of `" + type->name.text.str() + "`";
  if (declared.procedure && declared.kind != Kind::Field)
    text += ", local to `" + declared.procedure->name.text.str() + "`";
  if (declared.nameRange.file != 0)
    text += ", declared in `" +
            cleanText(
                sys::path::filename(a.sources.name(declared.nameRange.file))) +
            "`";
  return text;
}

static std::string hoverText(const Analysis &a, const Use &use) {
  std::string text;
  for (unsigned number : use.declared) {
    const Declared &declared = a.symbols.all[number];
    if (!text.empty())
      text += "\n\n";
    text += "```zpl\n" + declarationText(a, declared) + "\n```\n" +
            factsOf(a, declared);
    if (std::string comment = commentOf(a, declared); !comment.empty())
      text += "\n\n" + comment;
  }
  if (!text.empty())
    return text;
  StringRef name = a.sources.text(use.range);
  std::optional<StandardText> standard = standardText(name);
  if (!standard)
    return "";
  std::string heading = name.str();
  if (standard->isFunction)
    heading += standard->parameters.starts_with("<<")
                   ? standard->parameters.str()
                   : "(" + standard->parameters.str() + ")";
  text = "```zpl\n" + heading + "\n```\npredeclared";
  if (!standard->what.empty())
    text += ": " + standard->what.str();
  return text;
}

json::Value hover(const Document &d, uint32_t offset) {
  const Analysis &a = *d.analysis;
  if (isInComment(a, offset))
    return nullptr;
  const Use *use = a.symbols.useAt(0, offset);
  std::string text = use ? hoverText(a, *use) : "";
  std::string costs = costsAt(a, offset);
  if (d.compiled)
    costs += (costs.empty() ? "" : "\n") + compiledAt(a, *d.compiled, offset);
  if (!costs.empty())
    text += (text.empty() ? "" : "\n\n---\n") + costs;
  if (text.empty())
    return nullptr;
  json::Object result{{"contents", json::Object{{"kind", "markdown"},
                                                {"value", cleanText(text)}}}};
  if (use)
    result["range"] = rangeJson(a, use->range);
  return result;
}

//===----------------------------------------------------------------------===//
// Definition and references
//===----------------------------------------------------------------------===//

/// The use at a place that means something of the program; null: none.
static const Use *declaredUseAt(const Analysis &a, uint32_t offset) {
  if (isInComment(a, offset))
    return nullptr;
  const Use *use = a.symbols.useAt(0, offset);
  return use && !use->declared.empty() ? use : nullptr;
}

/// The line `#include` at a place: what it brings in.
static std::optional<uint32_t> includedAt(const Analysis &a, uint32_t offset) {
  for (const auto &[number, line] : enumerate(a.includes))
    if (line.range.begin <= offset && offset <= line.range.end)
      for (uint32_t file = 1; file < a.broughtBy.size(); ++file)
        if (a.broughtBy[file] == number)
          return file;
  return std::nullopt;
}

json::Value definition(const Document &d, uint32_t offset) {
  const Analysis &a = *d.analysis;
  if (std::optional<uint32_t> file = includedAt(a, offset))
    return json::Array{locationJson(d, {*file, 0, 0})};
  const Use *use = declaredUseAt(a, offset);
  if (!use)
    return nullptr;
  json::Array result;
  for (unsigned number : use->declared)
    result.push_back(locationJson(d, a.symbols.all[number].nameRange));
  return result;
}

/// All uses that mean what \p use does.
static std::vector<const Use *> usesLike(const Analysis &a, const Use &use) {
  std::vector<const Use *> result;
  for (const Use &other : a.symbols.uses)
    if (!other.declared.empty() &&
        is_contained(use.declared, other.declared[0]))
      result.push_back(&other);
  return result;
}

static bool isDeclaration(const Analysis &a, const Use &use) {
  return any_of(use.declared, [&](unsigned number) {
    SourceRange range = a.symbols.all[number].nameRange;
    return range.file == use.range.file && range.begin == use.range.begin;
  });
}

json::Value references(const Document &d, uint32_t offset,
                       bool withDeclarations) {
  const Analysis &a = *d.analysis;
  const Use *use = declaredUseAt(a, offset);
  if (!use)
    return nullptr;
  json::Array result;
  for (const Use *other : usesLike(a, *use))
    if (withDeclarations || !isDeclaration(a, *other))
      result.push_back(locationJson(d, other->range));
  return result;
}

//===----------------------------------------------------------------------===//
// Rename
//===----------------------------------------------------------------------===//

static Error refusal(const Twine &why) {
  return createStringError(inconvertibleErrorCode(), why);
}

static Expected<const Use *> renamedUse(const Document &d, uint32_t offset) {
  const Analysis &a = *d.analysis;
  const Use *use =
      isInComment(a, offset) ? nullptr : a.symbols.useAt(0, offset);
  if (!use)
    return refusal("there is no name here");
  std::string name = cleanText(a.sources.text(use->range));
  if (use->declared.empty())
    return refusal(standardText(name)
                       ? "'" + name + "' is predeclared"
                       : "'" + name + "' is not declared in the program");
  if (a.hasSyntaxErrors)
    return refusal("the program has syntax errors, which may hide uses of '" +
                   name + "'");
  for (unsigned number : use->declared)
    if (uint32_t file = a.symbols.all[number].nameRange.file; file != 0)
      return refusal("'" + name + "' is declared in '" +
                     cleanText(sys::path::filename(a.sources.name(file))) +
                     "': rename it there");
  return use;
}

Expected<json::Value> prepareRename(const Document &d, uint32_t offset) {
  Expected<const Use *> use = renamedUse(d, offset);
  if (!use)
    return use.takeError();
  SourceRange range = (*use)->range;
  return json::Object{
      {"range", rangeJson(*d.analysis, range)},
      {"placeholder", cleanText(d.analysis->sources.text(range))}};
}

static bool isReserved(StringRef name) {
  static constexpr StringLiteral reserved[] = {
#define KEYWORD(Id, text) text,
#include "zpl/Lex/Tokens.def"
  };
  return is_contained(reserved, name);
}

static bool isName(StringRef name) {
  return !name.empty() && !isDigit(name[0]) &&
         all_of(name, [](char c) { return isAlnum(c) || c == '_'; });
}

/// The declaration that stands in the way of a new name; null: none.
static const Declared *clash(const Analysis &a, const Declared &renamed,
                             StringRef name) {
  for (const Declared &other : a.symbols.all) {
    if (other.name != name || other.kind == Kind::Program)
      continue;
    bool isField = renamed.kind == Kind::Field || other.kind == Kind::Field;
    if (isField ? renamed.owner == other.owner
                : !renamed.procedure || !other.procedure ||
                      renamed.procedure == other.procedure)
      return &other;
  }
  return nullptr;
}

Expected<json::Value> rename(const Document &d, uint32_t offset,
                             StringRef name) {
  const Analysis &a = *d.analysis;
  Expected<const Use *> use = renamedUse(d, offset);
  if (!use)
    return use.takeError();
  if (!isName(name))
    return refusal("'" + name + "' is no name");
  if (isReserved(name))
    return refusal("'" + name + "' is a reserved word");
  if (standardText(name))
    return refusal("'" + name + "' is predeclared");
  const Declared &declared = a.symbols.all[(*use)->declared.front()];
  if (const Declared *other =
          name == declared.name ? nullptr : clash(a, declared, name))
    return refusal("'" + name + "' is " + describe(other->kind) + " in line " +
                   Twine(a.sources.lineColumn(other->nameRange).line) +
                   " already");
  std::map<std::string, json::Array> edits;
  for (const Use *other : usesLike(a, **use)) {
    uint32_t file = other->range.file;
    edits[file == 0 ? d.uri : uriOfPath(a.sources.name(file))].push_back(
        json::Object{{"range", rangeJson(a, other->range)}, {"newText", name}});
  }
  json::Object changes;
  for (auto &[uri, list] : edits)
    changes[uri] = std::move(list);
  return json::Object{{"changes", std::move(changes)}};
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

namespace {
struct OpenCall {
  size_t callee;     ///< its token
  unsigned argument; ///< from 0
};
} // namespace

/// The call whose parentheses are open at a place.
static std::optional<OpenCall> openCall(const Analysis &a, uint32_t offset) {
  unsigned depth = 0, commas = 0;
  size_t before = tokensBefore(a, offset);
  for (size_t steps = 0; before-- > 1 && steps < 1000; ++steps) {
    const Token &token = a.tokens.tokens[a.own[before]];
    if (isOneOf(token.kind, TokenKind::Semicolon, TokenKind::Begin,
                TokenKind::Then, TokenKind::Do))
      return std::nullopt;
    commas += token.kind == TokenKind::Comma && depth == 0;
    depth += isOneOf(token.kind, TokenKind::RParen, TokenKind::RBracket);
    if (!isOneOf(token.kind, TokenKind::LParen, TokenKind::LBracket))
      continue;
    if (depth != 0) {
      --depth;
      continue;
    }
    size_t callee = a.own[before - 1];
    if (token.kind == TokenKind::LParen && isWord(a.tokens.tokens[callee].kind))
      return OpenCall{callee, commas};
    commas = 0;
  }
  return std::nullopt;
}

static json::Object signature(StringRef label, ArrayRef<std::string> parameters,
                              StringRef comment) {
  json::Array list;
  for (const std::string &parameter : parameters)
    list.push_back(json::Object{{"label", cleanText(parameter)}});
  json::Object result{{"label", cleanText(label)},
                      {"parameters", std::move(list)}};
  if (!comment.empty())
    result["documentation"] = cleanText(comment);
  return result;
}

static json::Value signatures(json::Array list, unsigned argument) {
  return json::Object{{"signatures", std::move(list)},
                      {"activeSignature", 0},
                      {"activeParameter", argument}};
}

static json::Object declaredSignature(const Analysis &a,
                                      const Declared &declared,
                                      const ast::ProcedureDecl &procedure) {
  std::vector<std::string> parameters;
  for (const ast::Formal &formal : procedure.formals) {
    std::string text = formal.name.text.str();
    if (formal.type)
      text += ": " + onOneLine(a.sources.text(formal.type->range));
    if (formal.init)
      text += " = " + onOneLine(a.sources.text(formal.init->range));
    parameters.push_back(text);
  }
  std::string label = declared.name.str() + "(" + join(parameters, "; ") + ")";
  if (procedure.result)
    label += ": " + onOneLine(a.sources.text(procedure.result->range));
  return signature(label, parameters, commentOf(a, declared));
}

json::Value signatureHelp(const Document &d, uint32_t offset) {
  const Analysis &a = *d.analysis;
  std::optional<OpenCall> call = openCall(a, offset);
  if (!call || isInComment(a, offset))
    return nullptr;
  SourceRange name = a.tokens.tokens[call->callee].range;
  StringRef text = a.sources.text(name);
  json::Array list;
  for (unsigned number :
       a.symbols.find(text, a.symbols.procedureAt(name.file, name.begin))) {
    const Declared &declared = a.symbols.all[number];
    if (auto *procedure = dyn_cast_or_null<ast::ProcedureDecl>(declared.decl))
      list.push_back(declaredSignature(a, declared, *procedure));
  }
  if (!list.empty())
    return signatures(std::move(list), call->argument);
  std::optional<StandardText> standard = standardText(text);
  if (!standard || !standard->isFunction)
    return nullptr;
  SmallVector<StringRef, 4> pieces;
  standard->parameters.split(pieces, ", ", -1, /*KeepEmpty=*/false);
  std::vector<std::string> parameters(pieces.begin(), pieces.end());
  list.push_back(signature(text.str() + "(" + standard->parameters.str() + ")",
                           parameters, standard->what));
  return signatures(std::move(list), call->argument);
}

} // namespace zpl::editor
