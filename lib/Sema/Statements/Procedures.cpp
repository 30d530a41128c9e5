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
// A procedure with parameters that are generic or procedures is a pattern: its
// body waits for its calls (Patterns.cpp).
//
//===----------------------------------------------------------------------===//

#include "Statements/Procedures.h"
#include "Arrays/Families.h"
#include "Arrays/RegionOps.h"
#include "Arrays/Regions.h"
#include "Check/Arguments.h"
#include "Check/Calls.h"
#include "Check/Checking.h"
#include "Distributions/Distributions.h"
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
#include "llvm/Support/SaveAndRestore.h"

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

bool isBlank(const ast::Dim &dim) { return dim.kind == ast::Dim::Blank; }

} // namespace

bool isGeneric(const Symbol &param) {
  if (auto *array = llvm::dyn_cast<Array>(&param))
    return innermostElement(array->element) == Type::Generic;
  auto *variable = llvm::dyn_cast<Variable>(&param);
  return variable && (innermostElement(variable->type) == Type::Generic ||
                      isUntyped(variable->type));
}

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
  if (auto *type = llvm::dyn_cast<ast::ProcedureType>(f.type))
    return checkHeading(c, f.name, *type);
  if (Symbol *distributing = checkDistributingFormal(c, f))
    return distributing;
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

/// Sets the result of \p procedure, as it is written or none. \p mayBeOpaque:
/// it is a function of C.
static void resultType(Checking &c, const ast::TypeExpr *written,
                       bool mayBeOpaque, Procedure &procedure) {
  procedure.result = Type::Void;
  if (!written)
    return;
  auto *parallel = parallelType(c, *written);
  Type type =
      parallel ? elementType(c, *parallel) : resultValueType(c, *written);
  bool isWrong = type == Type::Timer || (type == Type::Opaque && !mayBeOpaque);
  if (isWrong)
    c.diags.report(written->range, Diag::ResultType, text(type)).done();
  procedure.result = isWrong ? Type(Type::Error) : type;
  if (!parallel)
    return;
  // The rank of a region; the value is computed over the covering one.
  Array rank("", written->range);
  formalDims(c, *parallel, rank);
  procedure.resultRank = rank.rank;
  if (rank.rank == 0)
    procedure.result = Type::Error;
}

Procedure *checkHeading(Checking &c, const ast::Name &name,
                        const ast::ProcedureType &type) {
  auto *heading = c.program.make<Procedure>(name.text, name.range);
  llvm::SmallVector<Variable *, 4> hidden;
  llvm::SaveAndRestore outerHidden(c.hiddenParams, &hidden);
  for (const ast::Formal &formal : type.formals) {
    heading->params.push_back(checkFormal(c, formal, /*ofFree=*/false));
    if (formal.init)
      c.diags
          .report(formal.init->range, Diag::DefaultParameter, formal.name.text,
                  "it belongs to a parameter, whose procedure gets all of its "
                  "arguments")
          .done();
  }
  heading->params.insert(heading->params.end(), hidden.begin(), hidden.end());
  c.hiddenParams = nullptr;
  resultType(c, type.result, /*mayBeOpaque=*/true, *heading);
  return heading;
}

std::optional<Type> firstGeneric(const ast::ProcedureDecl &d,
                                 llvm::ArrayRef<FormalBinding> bindings) {
  for (const auto &[i, formal] : llvm::enumerate(d.formals)) {
    const ast::TypeExpr *type = formal.type;
    if (auto *parallel = llvm::dyn_cast<ast::ParallelType>(type))
      type = parallel->element;
    while (auto *array = llvm::dyn_cast<ast::IndexedArrayType>(type))
      type = array->element;
    auto *named = llvm::dyn_cast<ast::NamedType>(type);
    if (named && named->name.text == "generic")
      return bindings.empty() ? Type(Type::Generic) : bindings[i].generic;
  }
  return std::nullopt;
}

void checkSignature(Checking &c, const ast::ProcedureDecl &d,
                    Procedure &procedure,
                    llvm::ArrayRef<FormalBinding> bindings) {
  llvm::SmallVector<Variable *, 4> hidden;
  auto *outerHidden = std::exchange(c.hiddenParams, &hidden);
  auto outerGeneric = c.writtenType.generic;
  procedure.isFree = d.isFree;
  procedure.isRegionOp = d.isRegionOp;
  procedure.params.clear();
  for (size_t i = 0; i != d.formals.size(); ++i) {
    c.writtenType.generic =
        bindings.empty() ? Type(Type::Generic) : bindings[i].generic;
    if (bindings.empty() || (!bindings[i].actual && !bindings[i].place))
      procedure.params.push_back(checkFormal(c, d.formals[i], d.isFree));
  }
  procedure.params.insert(procedure.params.end(), hidden.begin(), hidden.end());
  c.hiddenParams = nullptr;
  c.writtenType.generic = firstGeneric(d, bindings);
  resultType(c, d.result, d.isExtern, procedure);
  c.hiddenParams = outerHidden;
  c.writtenType.generic = outerGeneric;
}

static bool isSameParams(const Procedure &a, const Procedure &b);

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

} // namespace

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
  if (auto *heading = llvm::dyn_cast<Procedure>(&a)) {
    auto &other = llvm::cast<Procedure>(b);
    return isSameParams(*heading, other) && heading->result == other.result &&
           heading->resultRank == other.resultRank;
  }
  if (isGridOrDistribution(a))
    return true;
  return isSameType(llvm::cast<Variable>(a).type, llvm::cast<Variable>(b).type);
}

static bool isSameParams(const Procedure &a, const Procedure &b) {
  llvm::ArrayRef<Symbol *> left = formalsOf(a), right = formalsOf(b);
  return left.size() == right.size() &&
         llvm::all_of(llvm::zip(left, right), [](auto pair) {
           return isSameParam(*std::get<0>(pair), *std::get<1>(pair));
         });
}

/// Do a prototype and a procedure with the same types agree in the rest?
static bool agree(const Checking &c, const Procedure &a, const Procedure &b) {
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
    if (llvm::isa<Procedure>(left))
      continue; // of one heading
    if (isGridOrDistribution(*left)) {
      if (c.patterns.assignable.contains(left) !=
          c.patterns.assignable.contains(right))
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

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void checkProcedureDecl(Checking &c, const ast::ProcedureDecl &d) {
  Procedure *procedure = declareProcedure(c, d);
  if (d.isRegionOp && !checkRegionOp(c, d, *procedure))
    c.names.markUsed(*procedure);
  bool isPattern = c.patterns.contains(procedure);
  if (d.isExported)
    c.names.markUsed(*procedure);
  llvm::StringRef why;
  if (llvm::any_of(formalsOf(*procedure),
                   [](const Symbol *p) { return isGridOrDistribution(*p); }))
    why = "a function of C knows no grids and distributions";
  if (llvm::any_of(formalsOf(*procedure),
                   [](const Symbol *p) { return isGeneric(*p); }))
    why = "a function of C takes one type, not 'generic'";
  if (d.isExtern && !why.empty()) {
    c.diags.report(d.name.range, Diag::ExternUnsupported, d.name.text, why)
        .done();
    return;
  }
  if (d.isExtern)
    externProcedure(c, *procedure, d);
  else if (d.body && !isPattern)
    checkProcedureBody(c, d, *procedure, {});
  else if (!d.isPrototype && !isPattern) // a syntax error
    procedure->body = emptyStmt(c, d.range);
}

/// The symbol of \p d, which may be that of its prototype.
static Procedure *declareProcedure(Checking &c, const ast::ProcedureDecl &d) {
  auto *procedure = c.program.make<Procedure>(d.name.text, d.name.range);
  checkSignature(c, d, *procedure, {});
  setDefaults(c, d, *procedure);
  bool isPattern = llvm::any_of(formalsOf(*procedure), [](const Symbol *param) {
    return isGeneric(*param) || isGridOrDistribution(*param) ||
           llvm::isa<Procedure>(param);
  });
  if (isPattern)
    c.patterns.declared[procedure] = &d;
  for (Symbol *symbol : c.names.declared(d.name.text)) {
    auto *earlier = llvm::dyn_cast<Procedure>(symbol);
    if (!earlier || !isSameParams(*earlier, *procedure))
      continue;
    return redeclare(c, d, *earlier, *procedure);
  }
  c.names.declare(procedure); // reports if the name is something else's
  c.declarations.push_back(procedure);
  (isPattern ? c.patterns.inOrder : c.program.procedures).push_back(procedure);
  return procedure;
}

/// \p procedure is declared by \p d with the parameters of \p earlier.
static Procedure *redeclare(Checking &c, const ast::ProcedureDecl &d,
                            Procedure &earlier, Procedure &procedure) {
  auto pattern = c.patterns.declared.find(&earlier);
  bool isPattern = pattern != c.patterns.declared.end();
  bool hasBody = isPattern ? pattern->second->body != nullptr
                           : earlier.body || earlier.isExtern;
  if (hasBody && (d.body || earlier.isExtern)) {
    c.diags.report(d.name.range, Diag::Redeclared, d.name.text)
        .note(earlier.range, Diag::DeclaredHere, d.name.text);
    return &procedure;
  }
  if (!agree(c, earlier, procedure)) {
    c.diags.report(d.name.range, Diag::PrototypeMismatch, d.name.text)
        .note(earlier.range, Diag::DeclaredHere, d.name.text);
    earlier.body = emptyStmt(c, d.range); // it counts as complete
    return &procedure;
  }
  if (!d.body)
    return &earlier;
  takeDefaults(c, d, earlier, procedure);
  earlier.params = procedure.params;
  earlier.range = procedure.range;
  if (isPattern)
    pattern->second = &d;
  return &earlier;
}

void checkProcedureBody(Checking &c, const ast::ProcedureDecl &d,
                        Procedure &procedure,
                        llvm::ArrayRef<FormalBinding> bindings) {
  c.names.enterProcedure();
  c.current = &procedure;
  c.mayInherit = true;
  c.patterns.bound.clear();
  c.patterns.fixed.clear();
  for (const FormalBinding &binding : bindings)
    if (binding.place) {
      const Symbol &formal = *binding.formal;
      c.names.declareAs(formal.name, formal.range, binding.place);
      if (!c.patterns.assignable.contains(&formal))
        c.patterns.fixed.insert(formal.name);
    } else if (binding.actual) {
      const Procedure &heading = *binding.heading;
      c.names.declareAs(heading.name, heading.range, binding.actual);
      c.patterns.bound[heading.name] = binding;
    }
  for (Symbol *param : procedure.params)
    c.names.declare(param);
  for (const ast::Decl *local : d.locals)
    checkDeclaration(c, *local);
  procedure.body = checkStmt(c, *d.body);
  procedure.bodyRange = d.body->range;
  shatter(c, procedure);
  c.patterns.bound.clear();
  c.patterns.fixed.clear();
  c.mayInherit = false;
  c.current = nullptr;
  c.names.leaveProcedure();
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
