//===- Parser.cpp - Text to array IR: declarations and names --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads what Printer.cpp writes; the grammar is in docs/ArrayIR.md.
//
//  1. The text becomes tokens (Lexer.cpp).
//  2. Globals are declared in their order: a region before the arrays over it.
//  3. Procedures call each other in any order, so all signatures are read
//     first and bodies are skipped by counting braces;
//  4. then each body is read: its declarations, its statements.
//
// Each name is looked up at once, in the scope that its sigil tells (% the
// procedure, @ the module), and must be of the sort that its place needs. The
// first error ends the parse. Time and memory are linear in the text.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Parser.h"
#include "Text/ParserImpl.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace zpl::air {

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

Token Parser::next() {
  Token token = peek();
  if (at + 1 < tokens.size())
    ++at;
  return token;
}

bool Parser::accept(StringRef text) {
  if (!at_(text))
    return false;
  next();
  return true;
}

bool Parser::expect(StringRef text) {
  return accept(text) || fail(peek(), "expected '" + text + "'");
}

bool Parser::fail(const Token &token, const Twine &message) {
  if (!errorMessage.empty())
    return false;
  errorRange = range(token);
  errorMessage = token.kind == Token::Error ? token.text.str() : message.str();
  return false;
}

bool Parser::tooDeep() {
  return depth > MaxDepth && !fail(peek(), "nested too deeply");
}

SourceRange Parser::rangeFrom(const Token &first) const {
  return range(first).to(range(at > 0 ? tokens[at - 1] : first));
}

//===----------------------------------------------------------------------===//
// Small pieces
//===----------------------------------------------------------------------===//

std::string Parser::nameOf(const Token &token) {
  StringRef text = token.text.drop_front();
  return text.starts_with("\"") ? unquote(text) : text.str();
}

bool Parser::parseString(std::string &text) {
  if (peek().kind != Token::String)
    return fail(peek(), "expected a string");
  text = unquote(next().text);
  return true;
}

bool Parser::parseOptionalString(std::string &text) {
  return peek().kind != Token::String || parseString(text);
}

bool Parser::parseInteger(int64_t &value) {
  if (peek().kind != Token::Number)
    return fail(peek(), "expected an integer");
  Token token = next();
  if (token.text.getAsInteger(10, value))
    return fail(token, "not an integer of 64 bits");
  return true;
}

bool Parser::parseUnsigned(unsigned &value, unsigned limit) {
  Token token = peek();
  int64_t wide = 0;
  if (!parseInteger(wide))
    return false;
  if (wide < 0 || wide >= int64_t(limit))
    return fail(token, "expected a number from 0 to " + Twine(limit - 1));
  value = unsigned(wide);
  return true;
}

bool Parser::parseShape(Shape &shape) {
  return expect("<") && parseList(">", [&] {
           if (accept(".."))
             shape.push_back(DimKind::Range);
           else if (accept("."))
             shape.push_back(DimKind::Singleton);
           else if (accept("*"))
             shape.push_back(DimKind::Flood);
           else if (accept("::"))
             shape.push_back(DimKind::Grid);
           else if (accept("by"))
             shape.push_back(DimKind::Strided);
           else
             return fail(peek(), "expected '..', '.', '*', '::' or 'by'");
           return true;
         });
}

bool Parser::parseOffset(Offset &offset) {
  return expect("(") && parseList(")", [&] {
           offset.push_back(0);
           return parseInteger(offset.back());
         });
}

/// `(0, 2)`: a set of dimensions.
bool Parser::parseDimensions(uint32_t &set) {
  return expect("(") && parseList(")", [&] {
           unsigned dim;
           if (!parseUnsigned(dim, 32))
             return false;
           set |= uint32_t(1) << dim;
           return true;
         });
}

/// `(0,1)..(0,1) steps (0) wraps (0, 1)`.
bool Parser::parseFluff(Fluff &fluff) {
  return parseOffset(fluff.below) && expect("..") && parseOffset(fluff.above) &&
         (!accept("steps") || parseDimensions(fluff.steps)) &&
         (!accept("wraps") || parseDimensions(fluff.wraps));
}

bool Parser::parseReduction(Reduction &op) {
#define AIR_REDUCTION(Id, text)                                                \
  if (accept(text)) {                                                          \
    op = Reduction::Id;                                                        \
    return true;                                                               \
  }
#include "zpl/ArrayIR/Ops.def"
  return fail(peek(), "expected a reduction");
}

/// `sum`, or `with @f`.
bool Parser::parseReduction(Reduction &op, Procedure *&with) {
  op = Reduction::Sum;
  return accept("with") ? (with = parseProcedureName()) != nullptr
                        : parseReduction(op);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

bool Parser::parseNewName(Token::Kind kind, Scope &scope, Token &token) {
  token = peek();
  if (token.kind != kind)
    return fail(token, kind == Token::Local ? "expected a name with '%'"
                                            : "expected a name with '@'");
  next();
  if (!scope.try_emplace(nameOf(token)).second)
    return fail(token, "'" + token.text + "' is declared twice");
  return true;
}

const Parser::Named *Parser::lookup(const Token &token) {
  Scope &scope = token.kind == Token::Global ? globals : locals;
  auto found = scope.find(nameOf(token));
  if (found != scope.end())
    return &found->second;
  fail(token, "'" + token.text + "' is not declared");
  return nullptr;
}

/// `%t.a.b` names the variable `t.a.b`, or the field b of `t.a`, or ...: the
/// longest name that is declared; \p fields gets the rest, without its point.
const Parser::Named *Parser::lookupPointed(Token &token, StringRef &fields) {
  Scope &scope = token.kind == Token::Global ? globals : locals;
  bool isQuoted = token.text.drop_front().starts_with("\"");
  StringRef name = token.text;
  while (!isQuoted && !scope.contains(name.drop_front()) && name.contains('.'))
    name = name.rsplit('.').first;
  if (isQuoted || name == token.text || !scope.contains(name.drop_front()))
    return lookup(token);
  fields = token.text.drop_front(name.size() + 1);
  token.text = name;
  return &scope.find(name.drop_front())->second;
}

const Parser::Named *Parser::parseNamed() {
  if (peek().kind == Token::Local || peek().kind == Token::Global)
    return lookup(next());
  fail(peek(), "expected a name");
  return nullptr;
}

Variable *Parser::parseVariable() {
  Token token = peek();
  const Named *named = parseNamed();
  if (named && !named->variable)
    fail(token, "'" + token.text + "' is not a variable");
  return named ? named->variable : nullptr;
}

Region *Parser::parseRegion() {
  Token token = peek();
  const Named *named = parseNamed();
  if (named && !named->region)
    fail(token, "'" + token.text + "' is not a region");
  return named ? named->region : nullptr;
}

Array *Parser::parseArray() {
  Token token = peek();
  const Named *named = parseNamed();
  if (named && !named->array)
    fail(token, "'" + token.text + "' is not an array");
  return named ? named->array : nullptr;
}

Transfer *Parser::parseTransfer() {
  Token token = peek();
  const Named *named = parseNamed();
  if (named && !named->transfer)
    fail(token, "'" + token.text + "' is not a transfer");
  return named ? named->transfer : nullptr;
}

Procedure *Parser::parseProcedureName() {
  Token token = peek();
  if (token.kind != Token::Global) {
    fail(token, "expected the name of a procedure");
    return nullptr;
  }
  next();
  Procedure *found = procedures.lookup(nameOf(token));
  if (!found)
    fail(token, "there is no procedure '" + token.text + "'");
  return found;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

Variable *Parser::parseVariableDecl(Storage storage) {
  Token keyword = next(), name;
  auto kind = storage == Storage::Global ? Token::Global : Token::Local;
  if (!parseNewName(kind, scopeOf(storage), name))
    return nullptr;
  auto &awaited = kind == Token::Global ? awaitedGlobals : awaitedLocals;
  Variable *variable = awaited.lookup(nameOf(name)).first;
  awaited.erase(nameOf(name));
  if (!variable)
    variable = module.make<Variable>();
  if (!expect(":") || !parseType(variable->type))
    return nullptr;
  variable->isFree = storage == Storage::Global && accept("free");
  variable->onHeap = accept("heap");
  if (accept("extern") && !parseString(variable->thunk))
    return nullptr;
  variable->name = variable->text = nameOf(name);
  variable->storage = storage;
  variable->byReference = keyword.text == "ref";
  variable->isConfig = keyword.text == "config";
  variable->range = range(name);
  if (variable->isConfig &&
      !(expect("=") && parseString(variable->configDefault) &&
        parseOptionalString(variable->configComment)))
    return nullptr;
  scopeOf(storage)[variable->name].variable = variable;
  return variable;
}

Region *Parser::parseRegionDecl(Storage storage) {
  next();
  Token name;
  auto *region = module.make<Region>();
  auto kind = storage == Storage::Global ? Token::Global : Token::Local;
  if (!parseNewName(kind, scopeOf(storage), name) || !expect(":") ||
      !parseShape(region->shape) || !parseOptionalString(region->text))
    return nullptr;
  region->name = nameOf(name);
  region->storage = storage;
  region->range = range(name);
  scopeOf(storage)[region->name].region = region;
  return region;
}

/// `(3, _)`.
bool Parser::parseLines(Array &array) {
  return expect("(") && parseList(")", [&] {
           unsigned &count = array.lines.emplace_back(AllLines);
           Token token = peek();
           return accept("_") ||
                  (parseUnsigned(count, 64) &&
                   (count != 0 ||
                    fail(token, "expected '_' or a number from 1")));
         });
}

Array *Parser::parseArrayDecl(Storage storage) {
  next();
  Token name;
  auto *array = module.make<Array>();
  auto kind = storage == Storage::Global ? Token::Global : Token::Local;
  if (!parseNewName(kind, scopeOf(storage), name) || !expect(":") ||
      !parseType(array->element) || !parseShape(array->shape))
    return nullptr;
  if (accept("view") && !(expect("of") && (array->family = parseVariable())))
    return nullptr;
  array->isAlone = accept("alone");
  unsigned panel = 0;
  if (accept("panel")) {
    if (!parseUnsigned(panel, 64))
      return nullptr;
    array->panel = int(panel);
  }
  if (accept("lines") && !parseLines(*array))
    return nullptr;
  if (accept("over") && !(array->declared = parseRegion()))
    return nullptr;
  if (accept("borders") && !(expect("(") && parseList(")", [&] {
                               return (array->borders.emplace_back() =
                                           parseRegion()) != nullptr;
                             })))
    return nullptr;
  if (accept("fluff") && !parseFluff(array->fluff))
    return nullptr;
  if (!parseOptionalString(array->text))
    return nullptr;
  array->name = nameOf(name);
  array->storage = storage;
  array->range = range(name);
  scopeOf(storage)[array->name].array = array;
  return array;
}

Transfer *Parser::parseTransferDecl() {
  next();
  Token name;
  auto *transfer = module.make<Transfer>();
  if (!parseNewName(Token::Local, locals, name) || !expect("=") ||
      !(accept("views") || parseItems(transfer->items)) || !expect("over") ||
      !(transfer->region = parseRegion()))
    return nullptr;
  transfer->name = nameOf(name);
  transfer->range = range(name);
  if (accept("by")) {
    if (!expect("callers"))
      return nullptr;
    transfer->byCallers = true;
  }
  locals[transfer->name].transfer = transfer;
  return transfer;
}

/// `{@A: (0,1) (0,-1), @B: (1,0)}`.
bool Parser::parseItems(ItemVector &items) {
  return expect("{") && parseList("}", [&] {
           Array *array = parseArray();
           if (!array || !expect(":"))
             return false;
           do {
             items.push_back({array, {}});
             if (!parseOffset(items.back().second))
               return false;
           } while (at_("("));
           return true;
         });
}

/// `module @m`, `init @p`, `entry @p`.
bool Parser::parseHeader() {
  if (!expect("module"))
    return false;
  if (peek().kind != Token::Global)
    return fail(peek(), "expected the module's name with '@'");
  module.name = nameOf(next());
  for (auto [keyword, name] :
       {std::pair("init", &initName), std::pair("entry", &entryName)}) {
    if (!accept(keyword))
      continue;
    if (peek().kind != Token::Global)
      return fail(peek(), "expected the name of a procedure");
    *name = next();
  }
  return true;
}

bool Parser::parseGlobals() {
  while (true) {
    if (at_("type")) {
      parseTypeDecl();
    } else if (at_("var") || at_("config")) {
      if (auto *variable = parseVariableDecl(Storage::Global))
        module.variables.push_back(variable);
    } else if (at_("region")) {
      if (auto *region = parseRegionDecl(Storage::Global))
        module.regions.push_back(region);
    } else if (at_("array")) {
      if (auto *array = parseArrayDecl(Storage::Global))
        module.arrays.push_back(array);
    } else {
      return nothingAwaited();
    }
    if (!errorMessage.empty())
      return false;
  }
}

bool Parser::parseParameter(Procedure &proc) {
  Parameter param;
  if (at_("var") || at_("ref"))
    param.variable = parseVariableDecl(Storage::Param);
  else if (at_("array"))
    param.array = parseArrayDecl(Storage::Param);
  else if (at_("region"))
    param.region = parseRegionDecl(Storage::Param);
  else
    return fail(peek(), "expected 'var', 'ref', 'array' or 'region'");
  proc.params.push_back(param);
  return errorMessage.empty();
}

bool Parser::parseAttributes(Procedure &proc) {
  proc.sourceName = proc.name;
  if (accept("->") && !parseType(proc.result))
    return false;
  proc.form = at_("loop") ? Form::Loop : Form::Block;
  if (!accept("loop") && !expect("block"))
    return false;
  proc.isScalar = accept("scalar");
  proc.mayAlias = accept("may-alias");
  return (!accept("source") || parseString(proc.sourceName)) &&
         (!accept("extern") || parseString(proc.thunk));
}

bool Parser::parseSignature(Procedure &proc) {
  Token first = next(), name = peek();
  if (name.kind != Token::Global)
    return fail(name, "expected the procedure's name with '@'");
  proc.name = nameOf(next());
  if (!procedures.try_emplace(proc.name, &proc).second)
    return fail(name, "'" + name.text + "' is declared twice");
  if (!expect("(") || !parseList(")", [&] { return parseParameter(proc); }) ||
      !nothingAwaited() || !parseAttributes(proc))
    return false;
  proc.range = range(first).to(range(name));
  return true;
}

bool Parser::skipBody(const Procedure &proc) {
  bodies.push_back(at);
  if (!proc.thunk.empty())
    return true;
  if (!expect("{"))
    return false;
  for (unsigned open = 1; open > 0; next()) {
    if (peek().kind == Token::End || peek().kind == Token::Error)
      return fail(peek(), "expected '}'");
    if (at_("{"))
      ++open;
    else if (at_("}"))
      --open;
  }
  return true;
}

bool Parser::atDeclaration() const {
  return at_("var") || at_("array") || at_("transfer") ||
         (at_("region") && peek(2).is(":"));
}

bool Parser::parseLocals(Procedure &proc) {
  while (atDeclaration()) {
    if (at_("var")) {
      if (auto *variable = parseVariableDecl(Storage::Local))
        proc.variables.push_back(variable);
    } else if (at_("region")) {
      if (auto *region = parseRegionDecl(Storage::Local))
        proc.regions.push_back(region);
    } else if (at_("array")) {
      if (auto *array = parseArrayDecl(Storage::Local))
        proc.arrays.push_back(array);
    } else if (auto *transfer = parseTransferDecl()) {
      proc.transfers.push_back(transfer);
    }
    if (!errorMessage.empty())
      return false;
  }
  return nothingAwaited();
}

bool Parser::parseBody(Procedure &proc) {
  locals.clear();
  for (const Parameter &param : proc.params) {
    if (param.variable)
      locals[param.variable->name].variable = param.variable;
    else if (param.array)
      locals[param.array->name].array = param.array;
    else
      locals[param.region->name].region = param.region;
  }
  if (!expect("{") || !parseLocals(proc))
    return false;
  while (!accept("}")) {
    Stmt *stmt = parseStmt();
    if (!stmt)
      return false;
    proc.body.push_back(stmt);
  }
  return true;
}

bool Parser::parseProcedures() {
  while (peek().kind != Token::End) {
    if (!at_("proc"))
      return fail(peek(), "expected a declaration");
    auto *proc = module.make<Procedure>();
    module.procedures.push_back(proc);
    locals.clear();
    if (!parseSignature(*proc) || !skipBody(*proc))
      return false;
  }
  for (auto [proc, body] : zip(module.procedures, bodies)) {
    at = body;
    if (proc->thunk.empty() && !parseBody(*proc))
      return false;
  }
  for (auto [name, place] : {std::pair(&initName, &module.initialize),
                             std::pair(&entryName, &module.entry)}) {
    if (!*name)
      continue;
    *place = procedures.lookup(nameOf(**name));
    if (!*place)
      return fail(**name, "there is no procedure '" + (*name)->text + "'");
  }
  return true;
}

bool Parser::parseModule() {
  return parseHeader() && parseGlobals() && parseProcedures();
}

std::unique_ptr<Module> parse(uint32_t file, const SourceManager &sources,
                              std::string &error) {
  auto module = std::make_unique<Module>();
  Parser parser(file, sources.text(file), *module);
  if (parser.parseModule())
    return module;
  LineColumn place = sources.lineColumn(parser.errorRange);
  error = formatv("{0}:{1}:{2}: error: {3}", sources.name(file), place.line,
                  place.column, parser.errorMessage);
  return nullptr;
}

} // namespace zpl::air
