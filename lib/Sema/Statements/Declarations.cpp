//===- Declarations.cpp - Checks declarations -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     config var n: integer = 100;        -- Variable, isConfig
//     region R = [1..n, 1..n];            -- Region of shape [.., ..]
//     var A, B: [R] double = Index1;      -- two Arrays over R
//     direction east = [0, 1];            -- Direction of constants
//
// Declarations are taken in the order of the source, for a name is declared
// before it is used; an initializer is checked before its names are known. The
// names of one definition share the nodes of its type and initializer. A name
// whose declaration is wrong is declared all the same, as something that
// silences its uses. What the language has and zplc has not yet is reported
// once, and its names are silenced in the same way.
//
//===----------------------------------------------------------------------===//

#include "Statements/Declarations.h"
#include "Arrays/Families.h"
#include "Arrays/Multi.h"
#include "Arrays/Regions.h"
#include "Check/Checking.h"
#include "Check/Values.h"
#include "Distributions/DistributionValues.h"
#include "Distributions/Distributions.h"
#include "Names/Externs.h"
#include "Program/Statics.h"
#include "Program/Unused.h"
#include "Sparse/SparseRegions.h"
#include "State/Checkpoints.h"
#include "Statements/Defaults.h"
#include "Statements/Growables.h"
#include "Statements/Initializers.h"
#include "Statements/Patterns.h"
#include "Statements/Procedures.h"
#include "Tree/Walk.h"
#include "Types/TypeExprs.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

static void checkVariableDecl(Checking &c, const ast::VariableDecl &d);
static void scalarVariables(Checking &c, const ast::VariableDecl &d, Type type);
static void initialize(Checking &c, Variable &variable,
                       const Initializer &init);
static void arrayVariables(Checking &c, const ast::VariableDecl &d,
                           const ast::ParallelType &type);
static void checkRegionDecl(Checking &c, const ast::RegionDecl &d);
static void checkDirectionDecl(Checking &c, const ast::DirectionDecl &d);

void announce(Checking &c, const ast::Decl &d) {
  auto one = [&](const ast::Name &name) {
    c.names.announce(name.text, name.range);
  };
  switch (d.kind) {
  case ast::DeclKind::Variable:
    for (const ast::DefinedName &name : llvm::cast<ast::VariableDecl>(d).names)
      one(name);
    return;
  case ast::DeclKind::Type:
    return one(llvm::cast<ast::TypeDecl>(d).name);
  case ast::DeclKind::Region:
    return one(llvm::cast<ast::RegionDecl>(d).name);
  case ast::DeclKind::Direction:
    return one(llvm::cast<ast::DirectionDecl>(d).name);
  case ast::DeclKind::Grid:
    return one(llvm::cast<ast::GridDecl>(d).name);
  case ast::DeclKind::Distribution:
    return one(llvm::cast<ast::DistributionDecl>(d).name);
  case ast::DeclKind::Domain:
    return one(llvm::cast<ast::DomainDecl>(d).name);
  case ast::DeclKind::Procedure:
    return one(llvm::cast<ast::ProcedureDecl>(d).name);
  case ast::DeclKind::ExternHeader:
    return;
  }
  llvm_unreachable("declaration");
}

const Procedure *checkModule(Checking &c, const ast::Module &module) {
  makeDefaultDomains(c.program);
  c.program.name = module.name.text.str();
  c.program.hasSparse = module.hasWhere;
  c.mainFile = module.name.range.file;
  for (const ast::Decl *d : module.decls)
    announce(c, *d);
  lookUpConstants(c, module);
  for (const ast::Decl *d : module.decls)
    checkDeclaration(c, *d);
  instantiateAll(c);
  settleDistributionValues(c);
  c.types.placeBounds();
  checkPrototypes(c);
  checkEntry(c, module);
  importExterns(c);
  checkDefaults(c);
  settleSparseTypes(c);
  makeCheckpoints(c);
  if (!c.diags.hasErrors())
    reportUnused(c);
  return c.entry;
}

void checkDeclaration(Checking &c, const ast::Decl &d) {
  auto *declared = llvm::dyn_cast<ast::VariableDecl>(&d);
  Storage storage = declared    ? storageOf(c, *declared)
                    : c.current ? Storage::Local
                                : Storage::Global;
  llvm::SaveAndRestore outer(c.declaring, Declaring{d.range, storage});
  switch (d.kind) {
  case ast::DeclKind::Variable:
    return checkVariableDecl(c, llvm::cast<ast::VariableDecl>(d));
  case ast::DeclKind::Type:
    return checkTypeDecl(c, llvm::cast<ast::TypeDecl>(d));
  case ast::DeclKind::Region:
    return checkRegionDecl(c, llvm::cast<ast::RegionDecl>(d));
  case ast::DeclKind::Direction:
    return checkDirectionDecl(c, llvm::cast<ast::DirectionDecl>(d));
  case ast::DeclKind::Grid:
    return checkGridDecl(c, llvm::cast<ast::GridDecl>(d));
  case ast::DeclKind::Distribution:
    return checkDistributionDecl(c, llvm::cast<ast::DistributionDecl>(d));
  case ast::DeclKind::Domain:
    return checkDomainDecl(c, llvm::cast<ast::DomainDecl>(d));
  case ast::DeclKind::Procedure:
    return checkProcedureDecl(c, llvm::cast<ast::ProcedureDecl>(d));
  case ast::DeclKind::ExternHeader:
    return externHeader(c, llvm::cast<ast::ExternHeaderDecl>(d));
  }
  llvm_unreachable("declaration");
}

void addSymbol(Checking &c, Symbol *symbol) {
  c.names.declare(symbol);
  (c.current ? c.current->locals : c.program.globals).push_back(symbol);
  c.declarations.push_back(symbol);
}

void declareDummy(Checking &c, const ast::Name &name) {
  auto *dummy = c.program.make<Variable>(name.text, name.range);
  c.names.declare(dummy);
}

void notSupported(Checking &c, SourceRange range, llvm::StringRef what) {
  c.diags.report(range, Diag::NotSupported, what).done();
}

static void checkVariableDecl(Checking &c, const ast::VariableDecl &d) {
  if (checkDistributionVariable(c, d))
    return;
  if (reportBoundToValue(c, *d.type)) {
    for (const ast::DefinedName &name : d.names)
      declareDummy(c, name);
    return;
  }
  if (const ast::NameRef *binding = bindingOf(c, *d.type)) {
    const Domain *domain = domainNamed(c, {binding->name, binding->range});
    ast::VariableDecl regions = d;
    regions.type = llvm::cast<ast::ParallelType>(d.type)->element;
    checkVariableDecl(c, regions);
    for (const ast::DefinedName &name : d.names)
      bindDeclared(c, name, *domain, binding->range);
    return;
  }
  bool inherited = c.mayInherit;
  if (d.isStatic)
    c.mayInherit = false;
  bool isMulti = llvm::any_of(
      d.names, [](const ast::DefinedName &name) { return name.multi; });
  FamilySyntax family = familySyntax(c, *d.type);
  if (isMulti && !family.member)
    family.member = parallelType(c, *d.type);
  if (isMulti && !family.member)
    c.diags.report(d.names.front().range, Diag::MultiVariable).done();
  if (isMulti && !family.member) {
    for (const ast::DefinedName &name : d.names)
      declareDummy(c, name);
  } else if (d.isExtern) {
    externVariables(c, d);
  } else if (family.member) {
    familyVariables(c, d, family);
  } else if (auto *parallel = parallelType(c, *d.type)) {
    arrayVariables(c, d, *parallel);
  } else if (const ast::IndexedArrayType *blank = growableSyntax(*d.type)) {
    growableVariables(c, d, *blank);
  } else {
    llvm::SaveAndRestore atEntry(c.writtenType.atEntry,
                                 storageOf(c, d) == Storage::Local);
    Type type = initializedType(c, *d.type, d.init);
    if (d.isStatic &&
        reportEntryBounds(c, type, d.type->range, "a static variable"))
      type = Type::Error;
    if (!valueConstants(c, d, type))
      scalarVariables(c, d, type);
  }
  c.mayInherit = inherited;
  if (d.isExported)
    for (const ast::DefinedName &name : d.names)
      for (const Symbol *symbol : c.names.declared(name.text))
        c.names.markUsed(*symbol);
}

void checkHasValue(Checking &c, const ast::VariableDecl &d) {
  if (d.flavor == ast::VariableDecl::Var || d.init)
    return;
  c.diags
      .report(d.names.front().range, Diag::NeedsValue, d.names.front().text,
              d.flavor == ast::VariableDecl::Config ? "a config variable"
                                                    : "a constant")
      .done();
}

Storage storageOf(const Checking &c, const ast::VariableDecl &d) {
  if (!c.current)
    return Storage::Global;
  return d.isStatic ? Storage::Static : Storage::Local;
}

/// Reports a type that no config variable may have.
static bool checkConfigType(Checking &c, const ast::VariableDecl &d,
                            Type type) {
  while (type == Type::Array)
    type = type.info()->element;
  if (type == Type::Record)
    return llvm::all_of(type.info()->fields, [&](const TypeField &field) {
      return checkConfigType(c, d, field.type);
    });
  bool isFine = type != Type::File && type != Type::Opaque &&
                type != Type::Union && type != Type::Timer &&
                type != Type::Region && type != Type::Direction &&
                !isDistributionValue(type);
  if (!isFine)
    c.diags.report(d.type->range, Diag::ConfigType, text(type)).done();
  return isFine;
}

static void scalarVariables(Checking &c, const ast::VariableDecl &d,
                            Type type) {
  checkHasValue(c, d);
  bool isConst = d.flavor != ast::VariableDecl::Var;
  bool isFree = d.isFree || (inFreeProcedure(c) && !d.isStatic);
  if (type == Type::Timer && isConst)
    c.diags.report(d.type->range, Diag::ConstantTimer).done();
  else if (d.flavor == ast::VariableDecl::Config)
    checkConfigType(c, d, type);
  std::unique_ptr<Initializer> init;
  if (d.init)
    init = checkInitializer(c, *d.init, type, 0, isFree);
  for (const ast::DefinedName &name : d.names) {
    auto *variable = c.program.make<Variable>(name.text, name.range);
    variable->type = type;
    variable->storage = storageOf(c, d);
    variable->isConst = isConst;
    variable->isConfig = d.flavor == ast::VariableDecl::Config;
    variable->isFree = isFree;
    if (init)
      initialize(c, *variable, *init);
    if (variable->isConfig && d.init) {
      variable->configDefault = c.diags.sources().text(d.init->range).str();
      variable->configComment = d.comment.str();
      overrideDefault(c, *variable);
    }
    if (d.isStatic)
      checkStatic(c, variable->init, variable->setup);
    addSymbol(c, variable);
  }
}

static void initialize(Checking &c, Variable &variable,
                       const Initializer &init) {
  if (init.value)
    variable.init = init.value;
  else
    setUpAlone(c, c.program.make<VariableExpr>(&variable, init.range), init,
               variable.storage, variable.setup);
}

void setUpAlone(Checking &c, const Expr *place, const Initializer &init,
                Storage storage, StmtList &to) {
  Procedure *procedure = c.current;
  if (storage == Storage::Static)
    c.current = nullptr;
  setUp(c, place, init, to);
  c.current = procedure;
}

static void arrayVariables(Checking &c, const ast::VariableDecl &d,
                           const ast::ParallelType &type) {
  checkHasValue(c, d);
  if (d.flavor == ast::VariableDecl::Config)
    c.diags.report(d.type->range, Diag::ConfigArray).done();
  if (d.isFree)
    c.diags.report(d.type->range, Diag::FreeArray).done();
  Type element = elementType(c, type);
  const RegionExpr *declared = checkRegion(c, *type.dims, 0);
  bool isWrong = !declared || element == Type::Error ||
                 (d.isStatic && !checkStatic(c, *declared));
  std::unique_ptr<Initializer> init;
  if (d.init && declared) {
    c.scopeRanks.push_back(declared->rank);
    init = checkInitializer(c, *d.init, element, declared->rank, false);
    c.scopeRanks.pop_back();
  }
  for (const ast::DefinedName &name : d.names) {
    if (isWrong) {
      declareDummy(c, name);
      continue;
    }
    auto *array = c.program.make<Array>(name.text, name.range);
    array->element = element;
    array->rank = declared->rank;
    array->storage = storageOf(c, d);
    array->isConst = d.flavor != ast::VariableDecl::Var;
    setDeclared(*array, *declared);
    if (init && init->value) {
      array->init = init->value;
    } else if (init) {
      auto *place = c.program.make<ArrayExpr>(array, init->range);
      place->text = array->name;
      c.scopeRanks.push_back(declared->rank);
      setUpAlone(c, place, *init, array->storage, array->setup);
      c.scopeRanks.pop_back();
    }
    if (d.isStatic)
      checkStatic(c, array->init, array->setup);
    addSymbol(c, array);
  }
}

Type elementType(Checking &c, const ast::ParallelType &type) {
  Type element = valueType(c, *type.element);
  if (reportEntryBounds(c, element, type.element->range,
                        "an element of a parallel array"))
    return Type::Error;
  if (element != Type::Timer && !holdsRegions(element))
    return element;
  c.diags
      .report(type.element->range, Diag::PartType,
              "element of a parallel array", text(element))
      .done();
  return Type::Error;
}

static void checkRegionDecl(Checking &c, const ast::RegionDecl &d) {
  const Domain *domain =
      d.distribution ? domainNamed(c, *d.distribution) : nullptr;
  if (d.name.multi)
    multiDefinition(c, d.name, Type::Region, *d.value);
  else if (const RegionExpr *value = checkRegion(c, *d.value, 0))
    declareRegion(c, d.name, value);
  else
    declareDummy(c, d.name);
  if (domain)
    bindDeclared(c, d.name, *domain, d.distribution->range);
}

void declareRegion(Checking &c, const ast::Name &name,
                   const RegionExpr *value) {
  auto *symbol = c.program.make<Region>(name.text, name.range);
  symbol->init = value;
  symbol->shape = knownShape(*value);
  if (isSurelySparse(*value))
    symbol->unset = unsetPatternText(*symbol);
  addSymbol(c, symbol);
}

static void checkDirectionDecl(Checking &c, const ast::DirectionDecl &d) {
  if (d.name.multi)
    return multiDefinition(c, d.name, Type::Direction, *d.value);
  if (std::optional<DirectionExprs> components = checkDirection(c, *d.value))
    return declareDirection(c, d.name, *components, Type::Error);
  declareDummy(c, d.name);
}

void declareDirection(Checking &c, const ast::Name &name,
                      const DirectionExprs &components, Type type) {
  auto *symbol = c.program.make<Direction>(name.text, name.range);
  symbol->type = type;
  for (const Expr *component : components) {
    Direction::Component made;
    made.init = component;
    if (auto *literal = llvm::dyn_cast<LiteralExpr>(component))
      made.constant = literal->integer;
    symbol->components.push_back(made);
  }
  addSymbol(c, symbol);
}

} // namespace zpl::sema
