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

#include "Text/Parser.h"
#include "Text/ParseCommunication.h"
#include "Text/ParseForms.h"
#include "Text/ParseStatements.h"
#include "Text/ParseTypes.h"
#include "Text/Parsing.h"
#include "zpl/ArrayIR/Parser.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace zpl::air {

//===----------------------------------------------------------------------===//
// Tokens
//===----------------------------------------------------------------------===//

Token next(Parsing &p) {
  Token token = peek(p);
  if (p.at + 1 < p.tokens.size())
    ++p.at;
  return token;
}

bool accept(Parsing &p, StringRef text) {
  if (!isAt(p, text))
    return false;
  next(p);
  return true;
}

bool expect(Parsing &p, StringRef text) {
  return accept(p, text) || fail(p, peek(p), "expected '" + text + "'");
}

bool fail(Parsing &p, const Token &token, const Twine &message) {
  if (!p.errorMessage.empty())
    return false;
  p.errorRange = range(p, token);
  p.errorMessage =
      token.kind == Token::Error ? token.text.str() : message.str();
  return false;
}

bool tooDeep(Parsing &p) {
  return p.depth > Parsing::MaxDepth && !fail(p, peek(p), "nested too deeply");
}

SourceRange rangeFrom(const Parsing &p, const Token &first) {
  return range(p, first).to(range(p, p.at > 0 ? p.tokens[p.at - 1] : first));
}

//===----------------------------------------------------------------------===//
// Small pieces
//===----------------------------------------------------------------------===//

std::string nameOf(const Token &token) {
  StringRef text = token.text.drop_front();
  return text.starts_with("\"") ? unquote(text) : text.str();
}

bool parseString(Parsing &p, std::string &text) {
  if (peek(p).kind != Token::String)
    return fail(p, peek(p), "expected a string");
  text = unquote(next(p).text);
  return true;
}

bool parseOptionalString(Parsing &p, std::string &text) {
  return peek(p).kind != Token::String || parseString(p, text);
}

bool parseInteger(Parsing &p, int64_t &value) {
  if (peek(p).kind != Token::Number)
    return fail(p, peek(p), "expected an integer");
  Token token = next(p);
  if (token.text.getAsInteger(10, value))
    return fail(p, token, "not an integer of 64 bits");
  return true;
}

bool parseUnsigned(Parsing &p, unsigned &value, unsigned limit) {
  Token token = peek(p);
  int64_t wide = 0;
  if (!parseInteger(p, wide))
    return false;
  if (wide < 0 || wide >= int64_t(limit))
    return fail(p, token, "expected a number from 0 to " + Twine(limit - 1));
  value = unsigned(wide);
  return true;
}

static bool parseShape(Parsing &p, Shape &shape) {
  return expect(p, "<") && parseList(p, ">", [&] {
           if (accept(p, ".."))
             shape.push_back(DimKind::Range);
           else if (accept(p, "."))
             shape.push_back(DimKind::Singleton);
           else if (accept(p, "*"))
             shape.push_back(DimKind::Flood);
           else if (accept(p, "::"))
             shape.push_back(DimKind::Grid);
           else if (accept(p, "by"))
             shape.push_back(DimKind::Strided);
           else
             return fail(p, peek(p), "expected '..', '.', '*', '::' or 'by'");
           return true;
         });
}

bool parseOffset(Parsing &p, Offset &offset) {
  return expect(p, "(") && parseList(p, ")", [&] {
           offset.push_back(0);
           return parseInteger(p, offset.back());
         });
}

/// `(0, 2)`: a set of dimensions.
bool parseDimensions(Parsing &p, uint32_t &set) {
  return expect(p, "(") && parseList(p, ")", [&] {
           unsigned dim;
           if (!parseUnsigned(p, dim, 32))
             return false;
           set |= uint32_t(1) << dim;
           return true;
         });
}

/// `(0,1)..(0,1) steps (0) wraps (0, 1)`.
static bool parseFluff(Parsing &p, Fluff &fluff) {
  return parseOffset(p, fluff.below) && expect(p, "..") &&
         parseOffset(p, fluff.above) &&
         (!accept(p, "steps") || parseDimensions(p, fluff.steps)) &&
         (!accept(p, "wraps") || parseDimensions(p, fluff.wraps));
}

bool parseReduction(Parsing &p, Reduction &op) {
#define AIR_REDUCTION(Id, text)                                                \
  if (accept(p, text)) {                                                       \
    op = Reduction::Id;                                                        \
    return true;                                                               \
  }
#include "zpl/ArrayIR/Ops.def"
  return fail(p, peek(p), "expected a reduction");
}

bool parseReduction(Parsing &p, Reduction &op, Procedure *&with) {
  op = Reduction::Sum;
  return accept(p, "with") ? (with = parseProcedureName(p)) != nullptr
                           : parseReduction(p, op);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

bool parseNewName(Parsing &p, Token::Kind kind, Scope &scope, Token &token) {
  token = peek(p);
  if (token.kind != kind)
    return fail(p, token,
                kind == Token::Local ? "expected a name with '%'"
                                     : "expected a name with '@'");
  next(p);
  if (!scope.try_emplace(nameOf(token)).second)
    return fail(p, token, "'" + token.text + "' is declared twice");
  return true;
}

const Named *lookup(Parsing &p, const Token &token) {
  Scope &scope = token.kind == Token::Global ? p.globals : p.locals;
  auto found = scope.find(nameOf(token));
  if (found != scope.end())
    return &found->second;
  fail(p, token, "'" + token.text + "' is not declared");
  return nullptr;
}

const Named *lookupPointed(Parsing &p, Token &token, StringRef &fields) {
  Scope &scope = token.kind == Token::Global ? p.globals : p.locals;
  bool isQuoted = token.text.drop_front().starts_with("\"");
  StringRef name = token.text;
  while (!isQuoted && !scope.contains(name.drop_front()) && name.contains('.'))
    name = name.rsplit('.').first;
  if (isQuoted || name == token.text || !scope.contains(name.drop_front()))
    return lookup(p, token);
  fields = token.text.drop_front(name.size() + 1);
  token.text = name;
  return &scope.find(name.drop_front())->second;
}

const Named *parseNamed(Parsing &p) {
  if (peek(p).kind == Token::Local || peek(p).kind == Token::Global)
    return lookup(p, next(p));
  fail(p, peek(p), "expected a name");
  return nullptr;
}

Variable *parseVariable(Parsing &p) {
  Token token = peek(p);
  const Named *named = parseNamed(p);
  if (named && !named->variable)
    fail(p, token, "'" + token.text + "' is not a variable");
  return named ? named->variable : nullptr;
}

Region *parseRegion(Parsing &p) {
  Token token = peek(p);
  const Named *named = parseNamed(p);
  if (named && !named->region)
    fail(p, token, "'" + token.text + "' is not a region");
  return named ? named->region : nullptr;
}

Array *parseArray(Parsing &p) {
  Token token = peek(p);
  const Named *named = parseNamed(p);
  if (named && !named->array)
    fail(p, token, "'" + token.text + "' is not an array");
  return named ? named->array : nullptr;
}

Transfer *parseTransfer(Parsing &p) {
  Token token = peek(p);
  const Named *named = parseNamed(p);
  if (named && !named->transfer)
    fail(p, token, "'" + token.text + "' is not a transfer");
  return named ? named->transfer : nullptr;
}

Procedure *parseProcedureName(Parsing &p) {
  Token token = peek(p);
  if (token.kind != Token::Global) {
    fail(p, token, "expected the name of a procedure");
    return nullptr;
  }
  next(p);
  Procedure *found = p.procedures.lookup(nameOf(token));
  if (!found)
    fail(p, token, "there is no procedure '" + token.text + "'");
  return found;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

static Variable *parseVariableDecl(Parsing &p, Storage storage) {
  Token keyword = next(p), name;
  auto kind = storage == Storage::Global ? Token::Global : Token::Local;
  if (!parseNewName(p, kind, scopeOf(p, storage), name))
    return nullptr;
  auto &awaited = kind == Token::Global ? p.awaitedGlobals : p.awaitedLocals;
  Variable *variable = awaited.lookup(nameOf(name)).first;
  awaited.erase(nameOf(name));
  if (!variable)
    variable = p.module.make<Variable>();
  if (!expect(p, ":") || !parseType(p, variable->type))
    return nullptr;
  variable->isFree = storage == Storage::Global && accept(p, "free");
  variable->onHeap = accept(p, "heap");
  if (accept(p, "extern") && !parseString(p, variable->thunk))
    return nullptr;
  variable->name = variable->text = nameOf(name);
  variable->storage = storage;
  variable->byReference = keyword.text == "ref";
  variable->isConfig = keyword.text == "config";
  variable->range = range(p, name);
  if (variable->isConfig &&
      !(expect(p, "=") && parseString(p, variable->configDefault) &&
        parseOptionalString(p, variable->configComment)))
    return nullptr;
  scopeOf(p, storage)[variable->name].variable = variable;
  return variable;
}

/// `sparse`, or nothing.
static bool parseSparse(Parsing &p, bool &isSparse) {
  isSparse = accept(p, "sparse");
  return true;
}

static Region *parseRegionDecl(Parsing &p, Storage storage) {
  next(p);
  Token name;
  auto *region = p.module.make<Region>();
  auto kind = storage == Storage::Global ? Token::Global : Token::Local;
  if (!parseNewName(p, kind, scopeOf(p, storage), name) || !expect(p, ":") ||
      !parseShape(p, region->shape) || !parseSparse(p, region->isSparse) ||
      !parseIn(p, region->domain) || !parseOptionalString(p, region->text))
    return nullptr;
  region->name = nameOf(name);
  region->storage = storage;
  region->range = range(p, name);
  scopeOf(p, storage)[region->name].region = region;
  return region;
}

/// `(3, _)`.
static bool parseLines(Parsing &p, Array &array) {
  return expect(p, "(") && parseList(p, ")", [&] {
           unsigned &count = array.lines.emplace_back(AllLines);
           Token token = peek(p);
           return accept(p, "_") ||
                  (parseUnsigned(p, count, 64) &&
                   (count != 0 ||
                    fail(p, token, "expected '_' or a number from 1")));
         });
}

/// `of @F`, `of @F member (3)`.
static bool parseView(Parsing &p, Array &array) {
  if (!expect(p, "of") || !(array.family = parseVariable(p)))
    return false;
  return !accept(p, "member") || (expect(p, "(") && parseList(p, ")", [&] {
                                    array.member.push_back(0);
                                    return parseInteger(p, array.member.back());
                                  }));
}

/// `sum (2, -1)`.
static bool parseCarries(Parsing &p, Array &array) {
  return parseReduction(p, array.carryOp) && parseScanDims(p, array.carryDims);
}

/// How the elements lie in memory, and what the array is for (storedAs() of the
/// printer).
static bool parseStoredAs(Parsing &p, Array &array) {
  array.isAlone = accept(p, "alone");
  unsigned panel = 0;
  array.hasSlots = accept(p, "slots");
  if (array.hasSlots || accept(p, "panel")) {
    if (!parseUnsigned(p, panel, 64))
      return false;
    array.panel = int(panel);
  }
  if (accept(p, "lines") && !parseLines(p, array))
    return false;
  if ((accept(p, "rows") || accept(p, "elements")) &&
      !(expect(p, "of") && (array.fetched = parseArray(p))))
    return false;
  if (accept(p, "carries") && !parseCarries(p, array))
    return false;
  return true;
}

static Array *parseArrayDecl(Parsing &p, Storage storage) {
  next(p);
  Token name;
  auto *array = p.module.make<Array>();
  auto kind = storage == Storage::Global ? Token::Global : Token::Local;
  if (!parseNewName(p, kind, scopeOf(p, storage), name) || !expect(p, ":") ||
      !parseType(p, array->element) || !parseShape(p, array->shape) ||
      !parseSparse(p, array->isSparse) ||
      (accept(p, "as") && !(array->pattern = parseRegion(p))))
    return nullptr;
  if (accept(p, "view") && !parseView(p, *array))
    return nullptr;
  if (!parseStoredAs(p, *array))
    return nullptr;
  if (!parseIn(p, array->domain) ||
      (accept(p, "over") && !(array->declared = parseRegion(p))))
    return nullptr;
  if (accept(p, "borders") && !(expect(p, "(") && parseList(p, ")", [&] {
                                  return (array->borders.emplace_back() =
                                              parseRegion(p)) != nullptr;
                                })))
    return nullptr;
  if (accept(p, "fluff") && !parseFluff(p, array->fluff))
    return nullptr;
  if (!parseOptionalString(p, array->text))
    return nullptr;
  array->name = nameOf(name);
  array->storage = storage;
  array->range = range(p, name);
  scopeOf(p, storage)[array->name].array = array;
  return array;
}

static Transfer *parseTransferDecl(Parsing &p) {
  next(p);
  Token name;
  auto *transfer = p.module.make<Transfer>();
  if (!parseNewName(p, Token::Local, p.locals, name) || !expect(p, "=") ||
      !(accept(p, "views") || parseItems(p, transfer->items)) ||
      !expect(p, "over") || !(transfer->region = parseRegion(p)))
    return nullptr;
  transfer->name = nameOf(name);
  transfer->range = range(p, name);
  if (accept(p, "by")) {
    if (!expect(p, "callers"))
      return nullptr;
    transfer->byCallers = true;
  }
  p.locals[transfer->name].transfer = transfer;
  return transfer;
}

bool parseItems(Parsing &p, ItemVector &items) {
  return expect(p, "{") && parseList(p, "}", [&] {
           Array *array = parseArray(p);
           if (!array || !expect(p, ":"))
             return false;
           do {
             items.push_back({array, {}});
             if (!parseOffset(p, items.back().second))
               return false;
           } while (isAt(p, "("));
           return true;
         });
}

/// `module @m`, `init @p`, `entry @p`.
static bool parseHeader(Parsing &p) {
  if (!expect(p, "module"))
    return false;
  if (peek(p).kind != Token::Global)
    return fail(p, peek(p), "expected the module's name with '@'");
  p.module.name = nameOf(next(p));
  for (auto [keyword, name] :
       {std::pair("init", &p.initName), std::pair("entry", &p.entryName)}) {
    if (!accept(p, keyword))
      continue;
    if (peek(p).kind != Token::Global)
      return fail(p, peek(p), "expected the name of a procedure");
    *name = next(p);
  }
  return true;
}

static bool parseGlobals(Parsing &p) {
  while (true) {
    if (isAt(p, "type")) {
      parseTypeDecl(p);
    } else if (isAt(p, "var") || isAt(p, "config")) {
      if (auto *variable = parseVariableDecl(p, Storage::Global))
        p.module.variables.push_back(variable);
    } else if (isAt(p, "grid") || isAt(p, "distribution") ||
               isAt(p, "domain")) {
      parseDistributionDecl(p);
    } else if (isAt(p, "region")) {
      if (auto *region = parseRegionDecl(p, Storage::Global))
        p.module.regions.push_back(region);
    } else if (isAt(p, "array")) {
      if (auto *array = parseArrayDecl(p, Storage::Global))
        p.module.arrays.push_back(array);
    } else {
      return nothingAwaited(p);
    }
    if (!p.errorMessage.empty())
      return false;
  }
}

static bool parseParameter(Parsing &p, Procedure &proc) {
  Parameter param;
  if (isAt(p, "var") || isAt(p, "ref"))
    param.variable = parseVariableDecl(p, Storage::Param);
  else if (isAt(p, "array"))
    param.array = parseArrayDecl(p, Storage::Param);
  else if (isAt(p, "region"))
    param.region = parseRegionDecl(p, Storage::Param);
  else
    return fail(p, peek(p), "expected 'var', 'ref', 'array' or 'region'");
  proc.params.push_back(param);
  return p.errorMessage.empty();
}

static bool parseAttributes(Parsing &p, Procedure &proc) {
  proc.sourceName = proc.name;
  if (accept(p, "->") && !parseType(p, proc.result))
    return false;
  proc.form = isAt(p, "loop") ? Form::Loop : Form::Block;
  if (!accept(p, "loop") && !expect(p, "block"))
    return false;
  proc.isScalar = accept(p, "scalar");
  proc.mayAlias = accept(p, "may-alias");
  return (!accept(p, "source") || parseString(p, proc.sourceName)) &&
         (!accept(p, "extern") || parseString(p, proc.thunk));
}

static bool parseSignature(Parsing &p, Procedure &proc) {
  Token first = next(p), name = peek(p);
  if (name.kind != Token::Global)
    return fail(p, name, "expected the procedure's name with '@'");
  proc.name = nameOf(next(p));
  if (!p.procedures.try_emplace(proc.name, &proc).second)
    return fail(p, name, "'" + name.text + "' is declared twice");
  if (!expect(p, "(") ||
      !parseList(p, ")", [&] { return parseParameter(p, proc); }) ||
      !nothingAwaited(p) || !parseAttributes(p, proc))
    return false;
  proc.range = range(p, first).to(range(p, name));
  return true;
}

static bool skipBody(Parsing &p, const Procedure &proc) {
  p.bodies.push_back(p.at);
  if (!proc.thunk.empty()) {
    while (isAt(p, "callback"))
      next(p), next(p), next(p);
    return true;
  }
  if (!expect(p, "{"))
    return false;
  for (unsigned open = 1; open > 0; next(p)) {
    if (peek(p).kind == Token::End || peek(p).kind == Token::Error)
      return fail(p, peek(p), "expected '}'");
    if (isAt(p, "{"))
      ++open;
    else if (isAt(p, "}"))
      --open;
  }
  return true;
}

static bool atDeclaration(const Parsing &p) {
  return isAt(p, "var") || isAt(p, "array") || isAt(p, "transfer") ||
         (isAt(p, "region") && peek(p, 2).is(":"));
}

static bool parseLocals(Parsing &p, Procedure &proc) {
  while (atDeclaration(p)) {
    if (isAt(p, "var")) {
      if (auto *variable = parseVariableDecl(p, Storage::Local))
        proc.variables.push_back(variable);
    } else if (isAt(p, "region")) {
      if (auto *region = parseRegionDecl(p, Storage::Local))
        proc.regions.push_back(region);
    } else if (isAt(p, "array")) {
      if (auto *array = parseArrayDecl(p, Storage::Local))
        proc.arrays.push_back(array);
    } else if (auto *transfer = parseTransferDecl(p)) {
      proc.transfers.push_back(transfer);
    }
    if (!p.errorMessage.empty())
      return false;
  }
  return nothingAwaited(p);
}

static bool parseBody(Parsing &p, Procedure &proc) {
  p.locals.clear();
  for (const Parameter &param : proc.params) {
    if (param.variable)
      p.locals[param.variable->name].variable = param.variable;
    else if (param.array)
      p.locals[param.array->name].array = param.array;
    else
      p.locals[param.region->name].region = param.region;
  }
  if (!expect(p, "{") || !parseLocals(p, proc))
    return false;
  while (!accept(p, "}")) {
    Stmt *stmt = parseStmt(p);
    if (!stmt)
      return false;
    proc.body.push_back(stmt);
  }
  return true;
}

/// { 'callback' GLOBAL STRING }
static bool parseCallbacks(Parsing &p, Procedure &proc) {
  while (accept(p, "callback")) {
    Callback callback;
    callback.procedure = parseProcedureName(p);
    if (!callback.procedure || !parseString(p, callback.symbol))
      return false;
    proc.callbacks.push_back(std::move(callback));
  }
  return true;
}

static bool parseProcedures(Parsing &p) {
  while (peek(p).kind != Token::End) {
    if (!isAt(p, "proc"))
      return fail(p, peek(p), "expected a declaration");
    auto *proc = p.module.make<Procedure>();
    p.module.procedures.push_back(proc);
    p.locals.clear();
    if (!parseSignature(p, *proc) || !skipBody(p, *proc))
      return false;
  }
  for (auto [proc, body] : zip(p.module.procedures, p.bodies)) {
    p.at = body;
    if (proc->thunk.empty() ? !parseBody(p, *proc) : !parseCallbacks(p, *proc))
      return false;
  }
  for (auto [name, place] : {std::pair(&p.initName, &p.module.initialize),
                             std::pair(&p.entryName, &p.module.entry)}) {
    if (!*name)
      continue;
    *place = p.procedures.lookup(nameOf(**name));
    if (!*place)
      return fail(p, **name, "there is no procedure '" + (*name)->text + "'");
  }
  return true;
}

static bool parseModule(Parsing &p) {
  return parseHeader(p) && parseGlobals(p) && parseProcedures(p);
}

std::unique_ptr<Module> parse(uint32_t file, const SourceManager &sources,
                              std::string &error) {
  auto module = std::make_unique<Module>();
  Parsing parser(file, sources.text(file), *module);
  if (parseModule(parser))
    return module;
  LineColumn place = sources.lineColumn(parser.errorRange);
  error = formatv("{0}:{1}:{2}: error: {3}", sources.name(file), place.line,
                  place.column, parser.errorMessage);
  return nullptr;
}

} // namespace zpl::air
