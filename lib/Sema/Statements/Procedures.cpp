//===- Procedures.cpp - Checks procedures ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     prototype odd(n: integer): boolean;
//     procedure even(n: integer): boolean; ...  -- may call odd
//     procedure odd(n: integer): boolean; ...   -- the same Procedure
//     procedure odd(x: double): boolean; ...    -- another one
//     procedure swap(inout a, b: generic); ...  -- as many as calls need
//
// A prototype and its procedure share one symbol, so that calls through either
// mean the same; the procedure's own parameters replace the prototype's. They
// belong together if their parameters have the same types; with other types it
// is an overload.
//
// A procedure with generic parameters is a pattern. For each combination of
// types that it is called with, its declaration is checked anew as if these
// types were written there; this is done after all other declarations, one
// instance after the other, for an instance may ask for further ones.
//
//===----------------------------------------------------------------------===//

#include "Statements/Procedures.h"
#include "Arrays/Families.h"
#include "Arrays/RegionOps.h"
#include "Arrays/Regions.h"
#include "Check/Calls.h"
#include "Check/Checking.h"
#include "Names/Externs.h"
#include "Statements/Declarations.h"
#include "Statements/Shatter.h"
#include "Statements/Statements.h"
#include "Tree/Walk.h"
#include "Types/TypeExprs.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

namespace {

Mode modeOf(ast::Formal::Mode mode) {
  switch (mode) {
  case ast::Formal::Const:
    return Mode::Const;
  case ast::Formal::In:
    return Mode::In;
  case ast::Formal::InOut:
  case ast::Formal::Var:
    return Mode::InOut;
  case ast::Formal::Out:
    return Mode::Out;
  }
  llvm_unreachable("mode");
}

bool isGeneric(const Symbol &param) {
  if (auto *array = llvm::dyn_cast<Array>(&param))
    return innermostElement(array->element) == Type::Generic;
  Type type = llvm::cast<Variable>(param).type;
  return innermostElement(type) == Type::Generic || isUntyped(type);
}

bool isBlank(const ast::Dim &dim) { return dim.kind == ast::Dim::Blank; }

} // namespace

llvm::ArrayRef<Symbol *> formalsOf(const Procedure &procedure) {
  return llvm::ArrayRef(procedure.params).take_while([](const Symbol *param) {
    auto *variable = llvm::dyn_cast<Variable>(param);
    return !variable || !variable->isHidden;
  });
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static Procedure *declareProcedure(Checking &c, const ast::ProcedureDecl &d);
static Procedure *redeclare(Checking &c, const ast::ProcedureDecl &d,
                            Procedure &earlier, Procedure &procedure);
static void checkProcedureBody(Checking &c, const ast::ProcedureDecl &d,
                               Procedure &procedure);

void formalDims(Checking &c, const ast::ParallelType &type, Array &array) {
  const ast::RegionLit &dims = *type.dims;
  if (dims.dims.size() > MaxRank) {
    c.diags.report(type.range, Diag::RankTooHigh, dims.dims.size(), MaxRank)
        .done();
    return;
  }
  if (llvm::all_of(dims.dims, isBlank)) {
    array.rank = dims.dims.size();
    return;
  }
  bool outer = std::exchange(c.mayInherit, true);
  array.declared = checkRegion(c, dims, 0);
  c.mayInherit = outer;
  array.rank = array.declared ? array.declared->rank : 0;
}

/// A parameter of \p type that is no parallel array.
static Type formalType(Checking &c, const ast::Formal &f) {
  Type type = valueType(c, *f.type);
  if (type != Type::Timer || isByReference(modeOf(f.mode)))
    return type;
  c.diags.report(f.type->range, Diag::TimerByValue, f.name.text).done();
  return Type::Error;
}

/// \p ofFree: a parameter of a free procedure.
static Symbol *checkFormal(Checking &c, const ast::Formal &f, bool ofFree) {
  if (f.mode == ast::Formal::Var)
    c.diags.report(f.name.range, Diag::VarParameter, f.name.text).done();
  auto *parallel = parallelType(c, *f.type);
  FamilySyntax family = familySyntax(c, *f.type);
  if (!parallel && !family.member) {
    auto *variable = c.program.make<Variable>(f.name.text, f.name.range);
    variable->type = formalType(c, f);
    variable->storage = Storage::Param;
    variable->mode = modeOf(f.mode);
    variable->isFree = f.isFree || ofFree;
    return variable;
  }
  auto *array = c.program.make<Array>(f.name.text, f.name.range);
  array->storage = Storage::Param;
  array->mode = modeOf(f.mode);
  if (family.member) {
    formalFamily(c, family, *array);
    return array;
  }
  formalDims(c, *parallel, *array);
  Type element = elementType(c, *parallel);
  array->element = array->rank == 0 ? Type(Type::Error) : element;
  return array;
}

/// Sets the result of \p procedure.
static void resultType(Checking &c, const ast::ProcedureDecl &d,
                       Procedure &procedure) {
  procedure.result = Type::Void;
  if (!d.result)
    return;
  auto *parallel = parallelType(c, *d.result);
  Type type =
      parallel ? elementType(c, *parallel) : resultValueType(c, *d.result);
  bool isWrong = type == Type::Timer || (type == Type::Opaque && !d.isExtern);
  if (isWrong)
    c.diags.report(d.result->range, Diag::ResultType, text(type)).done();
  procedure.result = isWrong ? Type(Type::Error) : type;
  if (!parallel)
    return;
  // The rank of a region; the value is computed over the covering one.
  Array rank("", d.result->range);
  formalDims(c, *parallel, rank);
  procedure.resultRank = rank.rank;
  if (rank.rank == 0)
    procedure.result = Type::Error;
}

/// Makes the parameters and the result. \p generics: the types of generic
/// formals, one for each formal; empty: they stay generic.
static void checkSignature(Checking &c, const ast::ProcedureDecl &d,
                           Procedure &procedure,
                           llvm::ArrayRef<Type> generics) {
  llvm::SmallVector<Variable *, 4> hidden;
  auto *outerHidden = std::exchange(c.hiddenParams, &hidden);
  auto outerGeneric = c.writtenType.generic;
  std::optional<Type> first;
  procedure.isFree = d.isFree;
  procedure.isRegionOp = d.isRegionOp;
  procedure.params.clear();
  for (size_t i = 0; i != d.formals.size(); ++i) {
    c.writtenType.generic =
        generics.empty() ? Type(Type::Generic) : generics[i];
    procedure.params.push_back(checkFormal(c, d.formals[i], d.isFree));
    const ast::TypeExpr *type = d.formals[i].type;
    auto *named = llvm::dyn_cast<ast::NamedType>(type);
    if (!first && named && named->name.text == "generic")
      first = c.writtenType.generic;
  }
  procedure.params.insert(procedure.params.end(), hidden.begin(), hidden.end());
  c.hiddenParams = nullptr;
  c.writtenType.generic = first;
  resultType(c, d, procedure);
  c.hiddenParams = outerHidden;
  c.writtenType.generic = outerGeneric;
}

namespace {

/// Do parameters of these types take the same arguments?
bool isSameType(Type a, Type b) {
  return matchBounds(a, b, [](TypeBound left, TypeBound right) {
    auto isBlank = [](const TypeBound &bound) {
      return bound.variable && bound.variable->storage == Storage::Param;
    };
    return left == right || (isBlank(left) && isBlank(right));
  });
}

bool isSameParam(const Symbol &a, const Symbol &b) {
  if (a.kind != b.kind)
    return false;
  if (auto *array = llvm::dyn_cast<Array>(&a)) {
    auto &other = llvm::cast<Array>(b);
    bool isOneSort =
        (array->family == Type::Error) == (other.family == Type::Error);
    return isOneSort && isSameType(typeOf(*array), typeOf(other)) &&
           array->rank == other.rank;
  }
  return isSameType(llvm::cast<Variable>(a).type, llvm::cast<Variable>(b).type);
}

bool isSameParams(const Procedure &a, const Procedure &b) {
  llvm::ArrayRef<Symbol *> left = formalsOf(a), right = formalsOf(b);
  return left.size() == right.size() &&
         llvm::all_of(llvm::zip(left, right), [](auto pair) {
           return isSameParam(*std::get<0>(pair), *std::get<1>(pair));
         });
}

/// Do a prototype and a procedure with the same types agree in the rest?
bool agree(const Procedure &a, const Procedure &b) {
  if (a.result != b.result || a.resultRank != b.resultRank ||
      a.isFree != b.isFree)
    return false;
  for (auto [left, right] : llvm::zip(formalsOf(a), formalsOf(b))) {
    if (auto *array = llvm::dyn_cast<Array>(left)) {
      auto *other = llvm::cast<Array>(right);
      if (array->mode != other->mode ||
          (array->declared == nullptr) != (other->declared == nullptr))
        return false;
      continue;
    }
    auto *mine = llvm::cast<Variable>(left);
    auto *theirs = llvm::cast<Variable>(right);
    if (mine->mode != theirs->mode || mine->isFree != theirs->isFree)
      return false;
  }
  return true;
}

} // namespace

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void checkProcedureDecl(Checking &c, const ast::ProcedureDecl &d) {
  Procedure *procedure = declareProcedure(c, d);
  if (d.isRegionOp && !checkRegionOp(c, d, *procedure))
    c.names.markUsed(*procedure);
  if (c.generics.patterns.contains(procedure)) {
    if (d.isExtern)
      c.diags
          .report(d.name.range, Diag::ExternUnsupported, d.name.text,
                  "a function of C takes one type, not 'generic'")
          .done();
    return;
  }
  if (d.isExtern)
    externProcedure(c, *procedure, d);
  else if (d.body)
    checkProcedureBody(c, d, *procedure);
  else if (!d.isPrototype) // a syntax error
    procedure->body = emptyStmt(c, d.range);
}

/// The symbol of \p d, which may be that of its prototype.
static Procedure *declareProcedure(Checking &c, const ast::ProcedureDecl &d) {
  auto *procedure = c.program.make<Procedure>(d.name.text, d.name.range);
  checkSignature(c, d, *procedure, {});
  if (llvm::any_of(formalsOf(*procedure),
                   [](const Symbol *param) { return isGeneric(*param); }))
    c.generics.patterns[procedure] = &d;
  for (Symbol *symbol : c.names.declared(d.name.text)) {
    auto *earlier = llvm::dyn_cast<Procedure>(symbol);
    if (!earlier || !isSameParams(*earlier, *procedure))
      continue;
    return redeclare(c, d, *earlier, *procedure);
  }
  c.names.declare(procedure); // reports if the name is something else's
  c.declarations.push_back(procedure);
  if (!c.generics.patterns.contains(procedure))
    c.program.procedures.push_back(procedure);
  return procedure;
}

/// \p procedure is declared by \p d with the parameters of \p earlier.
static Procedure *redeclare(Checking &c, const ast::ProcedureDecl &d,
                            Procedure &earlier, Procedure &procedure) {
  auto pattern = c.generics.patterns.find(&earlier);
  bool isPattern = pattern != c.generics.patterns.end();
  bool hasBody = isPattern ? pattern->second->body != nullptr
                           : earlier.body || earlier.isExtern;
  if (hasBody && (d.body || earlier.isExtern)) {
    c.diags.report(d.name.range, Diag::Redeclared, d.name.text)
        .note(earlier.range, Diag::DeclaredHere, d.name.text);
    return &procedure;
  }
  if (!agree(earlier, procedure)) {
    c.diags.report(d.name.range, Diag::PrototypeMismatch, d.name.text)
        .note(earlier.range, Diag::DeclaredHere, d.name.text);
    earlier.body = emptyStmt(c, d.range); // it counts as complete
    return &procedure;
  }
  if (!d.body)
    return &earlier;
  earlier.params = procedure.params;
  earlier.range = procedure.range;
  if (isPattern)
    pattern->second = &d;
  return &earlier;
}

static void checkProcedureBody(Checking &c, const ast::ProcedureDecl &d,
                               Procedure &procedure) {
  c.names.enterProcedure();
  c.current = &procedure;
  c.mayInherit = true;
  for (Symbol *param : procedure.params)
    c.names.declare(param);
  for (const ast::Decl *local : d.locals)
    checkDeclaration(c, *local);
  procedure.body = checkStmt(c, *d.body);
  procedure.bodyRange = d.body->range;
  shatter(c, procedure);
  c.mayInherit = false;
  c.current = nullptr;
  c.names.leaveProcedure();
}

//===----------------------------------------------------------------------===//
// Generic procedures
//===----------------------------------------------------------------------===//

Procedure *instantiate(Checking &c, Procedure &pattern,
                       llvm::ArrayRef<Type> arguments) {
  std::vector<std::pair<int, const TypeInfo *>> key;
  llvm::SmallVector<Type, 4> generics;
  for (auto [formal, type] : llvm::zip(formalsOf(pattern), arguments)) {
    generics.push_back(isGeneric(*formal) ? innermostElement(type)
                                          : Type(Type::Void));
    key.push_back({generics.back().kind(), generics.back().info()});
  }
  Procedure *&known = c.generics.instances[{&pattern, key}];
  if (known)
    return known;
  known = c.program.make<Procedure>(pattern.name, pattern.range);
  checkSignature(c, *c.generics.patterns[&pattern], *known, generics);
  c.program.procedures.push_back(known);
  c.generics.pending.push_back({known, &pattern, generics});
  return known;
}

void instantiateAll(Checking &c) {
  llvm::DenseSet<const Procedure *> failed;
  for (size_t i = 0; i != c.generics.pending.size(); ++i) {
    auto [procedure, pattern, generics] = c.generics.pending[i];
    const ast::ProcedureDecl &d = *c.generics.patterns[pattern];
    if (!d.body || failed.contains(pattern)) {
      if (d.body || !d.isPrototype)
        procedure->body = emptyStmt(c, d.range);
      continue;
    }
    unsigned errors = c.diags.errors();
    checkSignature(c, d, *procedure, generics);
    checkProcedureBody(c, d, *procedure);
    // The same again for other types would be no news.
    if (c.diags.errors() != errors)
      failed.insert(pattern);
  }
}

//===----------------------------------------------------------------------===//
// The module
//===----------------------------------------------------------------------===//

void checkPrototypes(Checking &c) {
  for (const Procedure *procedure : c.program.procedures) {
    auto call = c.firstCalls.find(procedure);
    if (procedure->body || procedure->isExtern)
      continue;
    llvm::ArrayRef<Symbol *> overloads = c.names.overloads(procedure->name);
    auto other = llvm::find_if(overloads, [](const Symbol *symbol) {
      auto *overload = llvm::dyn_cast<Procedure>(symbol);
      return overload && overload->body;
    });
    if (overloads.size() == 2 && other != overloads.end())
      c.diags.report((*other)->range, Diag::PrototypeMismatch, procedure->name)
          .note(procedure->range, Diag::DeclaredHere, procedure->name);
    else if (call != c.firstCalls.end())
      c.diags.report(procedure->range, Diag::NoProcedure, procedure->name)
          .note(call->second, Diag::CalledFromHere, procedure->name);
  }
  llvm::erase_if(c.program.procedures, [](const Procedure *p) {
    return p->body == nullptr && !p->isExtern;
  });
}

void checkEntry(Checking &c, const ast::Module &module) {
  llvm::ArrayRef<Symbol *> symbols = c.names.overloads(module.name.text);
  auto isEntry = [](const Symbol *symbol) {
    auto *procedure = llvm::dyn_cast<Procedure>(symbol);
    return procedure && procedure->body && procedure->params.empty();
  };
  auto found = llvm::find_if(symbols, isEntry);
  Symbol *symbol = found != symbols.end() ? *found
                   : symbols.empty()      ? nullptr
                                          : symbols.front();
  c.entry = llvm::dyn_cast_or_null<Procedure>(symbol);
  if (!c.entry || !c.entry->body) {
    auto report =
        c.diags.report(module.name.range, Diag::NoEntry, module.name.text);
    if (symbol)
      report.note(symbol->range, Diag::DeclaredHere, symbol->name);
    return;
  }
  c.names.markUsed(*c.entry);
  if (!c.entry->params.empty())
    c.diags
        .report(c.entry->range, Diag::EntrySignature, c.entry->name,
                "parameters")
        .done();
  else if (c.entry->result != Type::Void)
    c.diags
        .report(c.entry->range, Diag::EntrySignature, c.entry->name, "a result")
        .done();
}

} // namespace zpl::sema
