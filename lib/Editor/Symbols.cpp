//===- Symbols.cpp - What is declared, and where it is used ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var P: [R] particle;          -- declares P, uses R and particle
//     procedure move(dt: double);   -- dt is a name of move
//     [R] P.x += dt * P.v;          -- x and v are fields of particle
//
// Declarations are read from the tree. Uses are found among the tokens: a name
// means what the procedure around it declares by that name, else what the
// program does. After a point it is a field: the designator before it is read
// backwards to its root, and types are followed forwards from there. In front
// of `:=` among arguments it is a parameter of what is called. So the index
// works on programs that are being written, where the checker says nothing.
//
// Cost: linear in the tokens, but for designators, which are read once for each
// field in them.
//
//===----------------------------------------------------------------------===//

#include "zpl/Editor/Symbols.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>

using namespace llvm;

namespace zpl::editor {

StringRef describe(Kind kind) {
  switch (kind) {
  case Kind::Program:
    return "a program";
  case Kind::Variable:
    return "a variable";
  case Kind::Constant:
    return "a constant";
  case Kind::Config:
    return "a config variable";
  case Kind::Array:
    return "a parallel array";
  case Kind::Region:
    return "a region";
  case Kind::Direction:
    return "a direction";
  case Kind::Grid:
    return "a grid";
  case Kind::Distribution:
    return "a distribution";
  case Kind::Domain:
    return "a domain";
  case Kind::Procedure:
    return "a procedure";
  case Kind::Type:
    return "a type";
  case Kind::Enumerator:
    return "a value of an enumeration";
  case Kind::Field:
    return "a field";
  case Kind::Parameter:
    return "a parameter";
  }
  llvm_unreachable("kind");
}

bool isWord(TokenKind kind) {
  return kind == TokenKind::Name || isKeyword(kind);
}

SourceRange nameIn(const Token &token, const SourceManager &sources) {
  if (isWord(token.kind))
    return token.range;
  if (token.kind != TokenKind::Reduce && token.kind != TokenKind::ScanOp)
    return {};
  if (!isAlpha(sources.text(token.range)[0]) &&
      sources.text(token.range)[0] != '_')
    return {};
  return {token.range.file, token.range.begin, token.range.end - 2};
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

namespace {
/// The index while it is made.
struct Indexing {
  SymbolIndex index;
  DenseSet<const ast::TypeExpr *> seenTypes; ///< names may share one
};
} // namespace

/// The scope of a declaration outside of records.
static Scope &scopeOf(Indexing &x, const ast::ProcedureDecl *procedure) {
  return procedure ? x.index.locals[procedure] : x.index.globals;
}

static void declareIn(Indexing &x, Scope &scope, const Declared &declared) {
  if (declared.name.empty())
    return;
  scope[declared.name].push_back(static_cast<unsigned>(x.index.all.size()));
  x.index.all.push_back(declared);
}

/// Enumerators and fields that a type declares.
static void declareParts(Indexing &x, const ast::TypeExpr *type,
                         const ast::Decl *decl,
                         const ast::ProcedureDecl *procedure) {
  if (!type || !x.seenTypes.insert(type).second)
    return;
  if (auto *enumeration = dyn_cast<ast::EnumType>(type)) {
    for (const ast::EnumType::Value &value : enumeration->values)
      declareIn(x, scopeOf(x, procedure),
                {Kind::Enumerator, value.name.text, value.name.range,
                 value.name.range, decl, type, value.value, procedure});
  } else if (auto *record = dyn_cast<ast::RecordType>(type)) {
    for (const ast::RecordType::Field &field : record->fields) {
      declareIn(x, x.index.fields[record],
                {Kind::Field, field.name.text, field.name.range,
                 field.name.range, decl, field.type, nullptr, procedure,
                 record});
      declareParts(x, field.type, decl, procedure);
    }
  } else if (auto *array = dyn_cast<ast::IndexedArrayType>(type)) {
    declareParts(x, array->element, decl, procedure);
  } else if (auto *parallel = dyn_cast<ast::ParallelType>(type)) {
    declareParts(x, parallel->element, decl, procedure);
  }
}

/// Whether a type as written is that of parallel arrays.
static bool isParallel(const Indexing &x, const ast::TypeExpr *type) {
  for (unsigned steps = 0; type && steps < 100; ++steps) {
    if (isa<ast::ParallelType>(type))
      return true;
    if (auto *array = dyn_cast<ast::IndexedArrayType>(type)) {
      type = array->element;
      continue;
    }
    auto *named = dyn_cast<ast::NamedType>(type);
    auto found =
        named ? x.index.globals.find(named->name.text) : x.index.globals.end();
    if (found == x.index.globals.end())
      return false;
    const Declared &target = x.index.all[found->second.front()];
    type = target.kind == Kind::Type ? target.type : nullptr;
  }
  return false;
}

static Kind kindOfVariable(const Indexing &x, const ast::TypeExpr *type,
                           Kind otherwise) {
  if (!type)
    return otherwise;
  if (isa<ast::RegionType>(type))
    return Kind::Region;
  if (isa<ast::DirectionType>(type))
    return Kind::Direction;
  if (isa<ast::GridType>(type))
    return Kind::Grid;
  if (isa<ast::DistributionType>(type))
    return Kind::Distribution;
  return isParallel(x, type) ? Kind::Array : otherwise;
}

static void declareDecl(Indexing &x, const ast::Decl *decl,
                        const ast::ProcedureDecl *procedure);

static void declareProcedure(Indexing &x, const ast::ProcedureDecl &procedure) {
  declareIn(x, x.index.globals,
            {Kind::Procedure, procedure.name.text, procedure.name.range,
             procedure.range, &procedure, procedure.result});
  x.index.procedures.push_back(&procedure);
  Scope &scope = x.index.locals[&procedure];
  for (const ast::Formal &formal : procedure.formals) {
    Kind kind = kindOfVariable(x, formal.type, Kind::Parameter);
    declareIn(x, scope,
              {kind == Kind::Array ? Kind::Array : Kind::Parameter,
               formal.name.text, formal.name.range, formal.name.range, nullptr,
               formal.type, formal.init, &procedure});
  }
  for (const ast::Decl *local : procedure.locals)
    declareDecl(x, local, &procedure);
}

static void declareVariables(Indexing &x, const ast::VariableDecl &decl,
                             const ast::ProcedureDecl *procedure) {
  Kind plain = decl.flavor == ast::VariableDecl::Config  ? Kind::Config
               : decl.flavor == ast::VariableDecl::Const ? Kind::Constant
                                                         : Kind::Variable;
  Kind kind = kindOfVariable(x, decl.type, plain);
  for (const ast::DefinedName &name : decl.names)
    declareIn(x, scopeOf(x, procedure),
              {kind, name.text, name.range, decl.range, &decl, decl.type,
               decl.init, procedure});
  declareParts(x, decl.type, &decl, procedure);
}

/// A declaration with one name and no type.
static void declareOne(Indexing &x, Kind kind, const ast::Name &name,
                       const ast::Decl &decl, const ast::Expr *value,
                       const ast::ProcedureDecl *procedure) {
  declareIn(x, scopeOf(x, procedure),
            {kind, name.text, name.range, decl.range, &decl, nullptr, value,
             procedure});
}

static void declareDecl(Indexing &x, const ast::Decl *decl,
                        const ast::ProcedureDecl *procedure) {
  switch (decl->kind) {
  case ast::DeclKind::Variable:
    return declareVariables(x, *cast<ast::VariableDecl>(decl), procedure);
  case ast::DeclKind::Type: {
    auto &type = *cast<ast::TypeDecl>(decl);
    declareIn(x, scopeOf(x, procedure),
              {Kind::Type, type.name.text, type.name.range, type.range, &type,
               type.type, nullptr, procedure});
    return declareParts(x, type.type, &type, procedure);
  }
  case ast::DeclKind::Region: {
    auto &region = *cast<ast::RegionDecl>(decl);
    return declareOne(x, Kind::Region, region.name, region, region.value,
                      procedure);
  }
  case ast::DeclKind::Direction: {
    auto &direction = *cast<ast::DirectionDecl>(decl);
    return declareOne(x, Kind::Direction, direction.name, direction,
                      direction.value, procedure);
  }
  case ast::DeclKind::Grid:
    return declareOne(x, Kind::Grid, cast<ast::GridDecl>(decl)->name, *decl,
                      nullptr, procedure);
  case ast::DeclKind::Distribution:
    return declareOne(x, Kind::Distribution,
                      cast<ast::DistributionDecl>(decl)->name, *decl, nullptr,
                      procedure);
  case ast::DeclKind::Domain:
    return declareOne(x, Kind::Domain, cast<ast::DomainDecl>(decl)->name, *decl,
                      nullptr, procedure);
  case ast::DeclKind::Procedure:
    return declareProcedure(x, *cast<ast::ProcedureDecl>(decl));
  case ast::DeclKind::ExternHeader:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

ArrayRef<unsigned>
SymbolIndex::find(StringRef name, const ast::ProcedureDecl *procedure) const {
  if (procedure)
    if (auto scope = locals.find(procedure); scope != locals.end())
      if (auto found = scope->second.find(name); found != scope->second.end())
        return found->second;
  auto found = globals.find(name);
  if (found == globals.end())
    return {};
  return found->second;
}

static bool isBefore(SourceRange a, SourceRange b) {
  return std::pair(a.file, a.begin) < std::pair(b.file, b.begin);
}

const Use *SymbolIndex::useAt(uint32_t file, uint32_t offset) const {
  auto after = std::upper_bound(uses.begin(), uses.end(),
                                SourceRange{file, offset, offset},
                                [](SourceRange place, const Use &use) {
                                  return isBefore(place, use.range);
                                });
  if (after == uses.begin())
    return nullptr;
  const Use &use = *std::prev(after);
  return use.range.file == file && offset <= use.range.end ? &use : nullptr;
}

const ast::ProcedureDecl *SymbolIndex::procedureAt(uint32_t file,
                                                   uint32_t offset) const {
  auto after = std::upper_bound(
      procedures.begin(), procedures.end(), SourceRange{file, offset, offset},
      [](SourceRange place, const ast::ProcedureDecl *procedure) {
        return isBefore(place, procedure->range);
      });
  if (after == procedures.begin())
    return nullptr;
  const ast::ProcedureDecl *last = *std::prev(after);
  return last->range.file == file && offset <= last->range.end ? last : nullptr;
}

//===----------------------------------------------------------------------===//
// Types of designators
//===----------------------------------------------------------------------===//

/// What a parallel array has for elements, what a name of a type stands for;
/// null: it is neither.
static const ast::TypeExpr *withinType(const SymbolIndex &index,
                                       const ast::TypeExpr *type) {
  if (auto *parallel = dyn_cast<ast::ParallelType>(type))
    return parallel->element;
  auto *named = dyn_cast<ast::NamedType>(type);
  if (!named)
    return nullptr;
  ArrayRef<unsigned> found = index.find(named->name.text, nullptr);
  bool isType = !found.empty() && index.all[found.front()].kind == Kind::Type;
  return isType ? index.all[found.front()].type : nullptr;
}

const ast::RecordType *recordOf(const SymbolIndex &index,
                                const ast::TypeExpr *type) {
  for (unsigned steps = 0; type && steps < 100; ++steps) {
    if (auto *record = dyn_cast<ast::RecordType>(type))
      return record;
    type = withinType(index, type);
  }
  return nullptr;
}

/// The type of an element of indexed arrays of a type; null: it is none.
static const ast::TypeExpr *elementOf(const SymbolIndex &index,
                                      const ast::TypeExpr *type) {
  for (unsigned steps = 0; type && steps < 100; ++steps) {
    if (auto *array = dyn_cast<ast::IndexedArrayType>(type))
      return array->element;
    type = withinType(index, type);
  }
  return nullptr;
}

static TokenKind openerOf(TokenKind closer) {
  if (closer == TokenKind::RBracket)
    return TokenKind::LBracket;
  return closer == TokenKind::RBrace ? TokenKind::LBrace : TokenKind::LParen;
}

/// The index of the bracket that \p close closes; none: there is no such.
static std::optional<size_t> openingBracket(const TokenBuffer &tokens,
                                            size_t close) {
  TokenKind closer = tokens.tokens[close].kind, opener = openerOf(closer);
  unsigned depth = 0;
  for (size_t at = close + 1; at-- > 0;) {
    depth += tokens.tokens[at].kind == closer;
    if (tokens.tokens[at].kind == opener && --depth == 0)
      return at;
    if (close - at > 10000)
      break;
  }
  return std::nullopt;
}

const ast::TypeExpr *typeOfDesignator(const SymbolIndex &index,
                                      const TokenBuffer &tokens,
                                      const SourceManager &sources,
                                      size_t last) {
  /// From the end: a bracket as an empty text, a field by its name.
  SmallVector<StringRef, 8> steps;
  for (;;) {
    const Token &token = tokens.tokens[last];
    if (isOneOf(token.kind, TokenKind::RBracket, TokenKind::RParen,
                TokenKind::RBrace)) {
      std::optional<size_t> open = openingBracket(tokens, last);
      if (!open || *open == 0)
        return nullptr;
      if (token.kind == TokenKind::RBracket)
        steps.push_back("");
      last = *open - 1;
      continue;
    }
    if (!isWord(token.kind))
      return nullptr;
    if (last < 2 || tokens.tokens[last - 1].kind != TokenKind::Dot)
      break;
    steps.push_back(sources.text(token.range));
    last -= 2;
  }
  SourceRange root = tokens.tokens[last].range;
  ArrayRef<unsigned> found =
      index.find(sources.text(root), index.procedureAt(root.file, root.begin));
  const ast::TypeExpr *type =
      found.empty() ? nullptr : index.all[found.front()].type;
  for (StringRef step : reverse(steps)) {
    if (step.empty()) {
      type = elementOf(index, type);
      continue;
    }
    const ast::RecordType *record = recordOf(index, type);
    auto fields = index.fields.find(record);
    if (!record || fields == index.fields.end() ||
        !fields->second.contains(step))
      return nullptr;
    type = index.all[fields->second.lookup(step).front()].type;
  }
  return type;
}

//===----------------------------------------------------------------------===//
// Uses
//===----------------------------------------------------------------------===//

/// What the field in token \p at may be: that of the type before the point or,
/// if that is not known, the only one of that name.
static SmallVector<unsigned, 1> findField(const SymbolIndex &index,
                                          const TokenBuffer &tokens,
                                          const SourceManager &sources,
                                          size_t at) {
  StringRef name = sources.text(tokens.tokens[at].range);
  const ast::TypeExpr *type = typeOfDesignator(index, tokens, sources, at - 2);
  if (const ast::RecordType *record = recordOf(index, type)) {
    auto fields = index.fields.find(record);
    return fields == index.fields.end() ? SmallVector<unsigned, 1>()
                                        : fields->second.lookup(name);
  }
  SmallVector<unsigned, 1> found;
  for (const auto &record : index.fields)
    for (unsigned field : record.second.lookup(name))
      found.push_back(field);
  if (found.size() != 1)
    found.clear();
  return found;
}

/// The parameter that `name :=` among the arguments in token \p at names.
static SmallVector<unsigned, 1> findParameter(const SymbolIndex &index,
                                              const TokenBuffer &tokens,
                                              const SourceManager &sources,
                                              size_t at) {
  unsigned depth = 0;
  for (size_t open = at; open-- > 1 && at - open < 1000;) {
    TokenKind kind = tokens.tokens[open].kind;
    if (isOneOf(kind, TokenKind::Semicolon, TokenKind::End))
      break;
    depth += isOneOf(kind, TokenKind::RParen, TokenKind::RBracket);
    if (!isOneOf(kind, TokenKind::LParen, TokenKind::LBracket))
      continue;
    if (depth-- != 0)
      continue;
    SmallVector<unsigned, 1> found;
    for (unsigned callee :
         index.find(sources.text(tokens.tokens[open - 1].range), nullptr))
      if (auto *procedure =
              dyn_cast_or_null<ast::ProcedureDecl>(index.all[callee].decl)) {
        auto scope = index.locals.find(procedure);
        if (scope != index.locals.end())
          append_range(found, scope->second.lookup(
                                  sources.text(tokens.tokens[at].range)));
      }
    return found;
  }
  return {};
}

/// Whether token \p at is the name of an argument.
static bool isArgumentName(const TokenBuffer &tokens, size_t at) {
  return at > 0 && at + 1 < tokens.tokens.size() &&
         tokens.tokens[at + 1].kind == TokenKind::Assign &&
         isOneOf(tokens.tokens[at - 1].kind, TokenKind::LParen,
                 TokenKind::Comma);
}

/// The declarations by the place of their names.
using DeclaredAt = DenseMap<std::pair<uint32_t, uint32_t>, unsigned>;

static void addUse(SymbolIndex &index, const DeclaredAt &places,
                   const TokenBuffer &tokens, const SourceManager &sources,
                   size_t at) {
  SourceRange range = nameIn(tokens.tokens[at], sources);
  if (!range.isValid())
    return;
  Use use{range, {}};
  auto place = places.find({range.file, range.begin});
  if (place != places.end()) {
    const Declared &declared = index.all[place->second];
    ArrayRef<unsigned> same;
    if (!declared.owner)
      same = index.find(declared.name, declared.procedure);
    if (is_contained(same, place->second))
      use.declared.assign(same.begin(), same.end());
    else
      use.declared.push_back(place->second);
  } else if (at >= 2 && tokens.tokens[at - 1].kind == TokenKind::Dot) {
    use.declared = findField(index, tokens, sources, at);
  } else if (isArgumentName(tokens, at)) {
    use.declared = findParameter(index, tokens, sources, at);
  }
  if (use.declared.empty() &&
      (at == 0 || tokens.tokens[at - 1].kind != TokenKind::Dot)) {
    ArrayRef<unsigned> found = index.find(
        sources.text(range), index.procedureAt(range.file, range.begin));
    use.declared.assign(found.begin(), found.end());
  }
  if (tokens.tokens[at].kind == TokenKind::Name || !use.declared.empty())
    index.uses.push_back(std::move(use));
}

SymbolIndex indexSymbols(const ast::Module &module, const TokenBuffer &tokens,
                         const SourceManager &sources) {
  Indexing x;
  if (!module.name.text.empty())
    x.index.all.push_back({Kind::Program, module.name.text, module.name.range,
                           module.name.range});
  for (const ast::Decl *decl : module.decls)
    declareDecl(x, decl, nullptr);
  SymbolIndex &index = x.index;
  stable_sort(index.procedures,
              [](auto *a, auto *b) { return isBefore(a->range, b->range); });
  DeclaredAt places;
  for (const auto &[number, declared] : enumerate(index.all))
    places.try_emplace({declared.nameRange.file, declared.nameRange.begin},
                       static_cast<unsigned>(number));
  for (size_t at = 0; at < tokens.tokens.size(); ++at)
    addUse(index, places, tokens, sources, at);
  stable_sort(index.uses, [](const Use &a, const Use &b) {
    return isBefore(a.range, b.range);
  });
  return std::move(x.index);
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

static unsigned rankOfExpr(const SymbolIndex &index, const ast::Expr *e,
                           const ast::ProcedureDecl *procedure,
                           unsigned depth) {
  if (!e || depth > 100)
    return 0;
  auto ofName = [&](StringRef name) {
    ArrayRef<unsigned> found = index.find(name, procedure);
    if (found.empty())
      return 0u;
    const Declared &d = index.all[found.front()];
    if (auto *type = dyn_cast_or_null<ast::ParallelType>(d.type))
      return rankOfExpr(index, type->dims, d.procedure, depth + 1);
    return rankOfExpr(index, d.value, d.procedure, depth + 1);
  };
  if (auto *name = dyn_cast<ast::NameRef>(e))
    return ofName(name->name);
  if (auto *paren = dyn_cast<ast::Paren>(e))
    return rankOfExpr(index, paren->inner, procedure, depth + 1);
  if (auto *multi = dyn_cast<ast::Multi>(e))
    return rankOfExpr(index, multi->base, procedure, depth + 1);
  if (auto *subscript = dyn_cast<ast::Subscript>(e))
    return rankOfExpr(index, subscript->base, procedure, depth + 1);
  if (auto *list = dyn_cast<ast::List>(e))
    return static_cast<unsigned>(list->items.size());
  if (auto *scaled = dyn_cast<ast::Scaledby>(e))
    return rankOfExpr(index, scaled->direction, procedure, depth + 1);
  if (auto *op = dyn_cast<ast::RegionOp>(e))
    return rankOfExpr(index, op->region, procedure, depth + 1);
  if (auto *op = dyn_cast<ast::UserRegionOp>(e))
    return rankOfExpr(index, op->region, procedure, depth + 1);
  if (auto *where = dyn_cast<ast::Where>(e))
    return rankOfExpr(index, where->region, procedure, depth + 1);
  if (auto *region = dyn_cast<ast::RegionCall>(e))
    return rankOfExpr(index, region->array, procedure, depth + 1);
  auto *literal = dyn_cast<ast::RegionLit>(e);
  if (!literal)
    return 0;
  if (literal->dims.size() == 1 && literal->dims[0].kind == ast::Dim::Single)
    if (unsigned rank =
            rankOfExpr(index, literal->dims[0].lo, procedure, depth + 1))
      return rank;
  return static_cast<unsigned>(literal->dims.size());
}

unsigned rankOf(const SymbolIndex &index, const Declared &declared) {
  if (auto *type = dyn_cast_or_null<ast::RegionType>(declared.type))
    if (!type->components.empty())
      return static_cast<unsigned>(type->components.size());
  if (auto *type = dyn_cast_or_null<ast::DirectionType>(declared.type))
    if (!type->components.empty())
      return static_cast<unsigned>(type->components.size());
  const ast::TypeExpr *type = declared.type;
  if (declared.kind == Kind::Array)
    for (unsigned steps = 0; type && steps < 100; ++steps) {
      if (auto *parallel = dyn_cast<ast::ParallelType>(type))
        return rankOfExpr(index, parallel->dims, declared.procedure, 0);
      if (auto *array = dyn_cast<ast::IndexedArrayType>(type)) {
        type = array->element;
        continue;
      }
      auto *named = dyn_cast<ast::NamedType>(type);
      ArrayRef<unsigned> found =
          named ? index.find(named->name.text, nullptr) : ArrayRef<unsigned>();
      if (found.empty() || index.all[found.front()].type == type)
        return 0;
      type = index.all[found.front()].type;
    }
  if (declared.kind == Kind::Region || declared.kind == Kind::Direction)
    return rankOfExpr(index, declared.value, declared.procedure, 0);
  return 0;
}

} // namespace zpl::editor
