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

#include "Check/Checker.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

void Checker::announce(const ast::Decl &d) {
  auto one = [&](const ast::Name &name) {
    names.announce(name.text, name.range);
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

const Procedure *Checker::checkModule(const ast::Module &module) {
  program.name = module.name.text.str();
  mainFile = module.name.range.file;
  for (const ast::Decl *d : module.decls)
    announce(*d);
  lookUpConstants(module);
  for (const ast::Decl *d : module.decls)
    declaration(*d);
  instantiateAll();
  types.placeBounds();
  checkPrototypes();
  checkEntry(module);
  importExterns();
  checkDefaults();
  if (!diags.hasErrors())
    reportUnused();
  return entry;
}

void Checker::declaration(const ast::Decl &d) {
  auto *declared = llvm::dyn_cast<ast::VariableDecl>(&d);
  Storage storage = declared  ? storageOf(*declared)
                    : current ? Storage::Local
                              : Storage::Global;
  llvm::SaveAndRestore outer(declaring, Declaring{d.range, storage});
  auto reportUnsupported = [&](const ast::Name &name, llvm::StringRef what) {
    notSupported(d.range, what);
    declareDummy(name);
  };
  switch (d.kind) {
  case ast::DeclKind::Variable:
    return variableDecl(llvm::cast<ast::VariableDecl>(d));
  case ast::DeclKind::Type:
    return typeDecl(llvm::cast<ast::TypeDecl>(d));
  case ast::DeclKind::Region:
    return regionDecl(llvm::cast<ast::RegionDecl>(d));
  case ast::DeclKind::Direction:
    return directionDecl(llvm::cast<ast::DirectionDecl>(d));
  case ast::DeclKind::Grid:
    return reportUnsupported(llvm::cast<ast::GridDecl>(d).name, "a grid");
  case ast::DeclKind::Distribution:
    return reportUnsupported(llvm::cast<ast::DistributionDecl>(d).name,
                             "a distribution");
  case ast::DeclKind::Domain:
    return reportUnsupported(llvm::cast<ast::DomainDecl>(d).name, "a domain");
  case ast::DeclKind::Procedure:
    return procedureDecl(llvm::cast<ast::ProcedureDecl>(d));
  case ast::DeclKind::ExternHeader:
    return externHeader(llvm::cast<ast::ExternHeaderDecl>(d));
  }
  llvm_unreachable("declaration");
}

void Checker::add(Symbol *symbol) {
  names.declare(symbol);
  (current ? current->locals : program.globals).push_back(symbol);
  declarations.push_back(symbol);
}

void Checker::declareDummy(const ast::Name &name) {
  auto *dummy = program.make<Variable>(name.text, name.range);
  names.declare(dummy);
}

void Checker::notSupported(SourceRange range, llvm::StringRef what) {
  diags.report(range, Diag::NotSupported, what).done();
}

void Checker::variableDecl(const ast::VariableDecl &d) {
  bool inherited = mayInherit;
  if (d.isStatic)
    mayInherit = false;
  bool isMulti = llvm::any_of(
      d.names, [](const ast::DefinedName &name) { return name.multi; });
  FamilySyntax family = familySyntax(*d.type);
  if (isMulti && !family.member)
    family.member = parallelType(*d.type);
  if (isMulti && !family.member)
    diags.report(d.names.front().range, Diag::MultiVariable).done();
  if ((isMulti && !family.member) || isLaterType(d)) {
    for (const ast::DefinedName &name : d.names)
      declareDummy(name);
  } else if (d.isExtern) {
    externVariables(d);
  } else if (family.member) {
    familyVariables(d, family);
  } else if (auto *parallel = parallelType(*d.type)) {
    arrayVariables(d, *parallel);
  } else {
    Type type = initializedType(*d.type, d.init);
    if (!valueConstants(d, type))
      scalarVariables(d, type);
  }
  mayInherit = inherited;
}

/// Reports variables and constants of types that are not supported.
bool Checker::isLaterType(const ast::VariableDecl &d) {
  const ast::TypeExpr *type = d.type;
  while (auto *array = llvm::dyn_cast<ast::IndexedArrayType>(type))
    type = array->element;
  switch (type->kind) {
  case ast::TypeKind::Grid:
  case ast::TypeKind::Distribution:
    valueType(*type); // reports
    return true;
  case ast::TypeKind::Parallel:
  case ast::TypeKind::Named:
  case ast::TypeKind::Enum:
  case ast::TypeKind::Record:
  case ast::TypeKind::IndexedArray:
  case ast::TypeKind::Region:
  case ast::TypeKind::Direction:
    return false;
  }
  llvm_unreachable("type");
}

/// Constants and config variables have a value from the start.
void Checker::checkHasValue(const ast::VariableDecl &d) {
  if (d.flavor == ast::VariableDecl::Var || d.init)
    return;
  diags
      .report(d.names.front().range, Diag::NeedsValue, d.names.front().text,
              d.flavor == ast::VariableDecl::Config ? "a config variable"
                                                    : "a constant")
      .done();
}

Storage Checker::storageOf(const ast::VariableDecl &d) const {
  if (!current)
    return Storage::Global;
  return d.isStatic ? Storage::Static : Storage::Local;
}

/// Reports a type that no config variable may have.
bool Checker::checkConfigType(const ast::VariableDecl &d, Type type) {
  while (type == Type::Array)
    type = type.info()->element;
  if (type == Type::Record)
    return llvm::all_of(type.info()->fields, [&](const TypeField &field) {
      return checkConfigType(d, field.type);
    });
  bool isFine = type != Type::File && type != Type::Opaque &&
                type != Type::Union && type != Type::Timer &&
                type != Type::Region && type != Type::Direction;
  if (!isFine)
    diags.report(d.type->range, Diag::ConfigType, text(type)).done();
  return isFine;
}

void Checker::scalarVariables(const ast::VariableDecl &d, Type type) {
  checkHasValue(d);
  bool isConst = d.flavor != ast::VariableDecl::Var;
  bool isFree = d.isFree || (inFreeProcedure() && !d.isStatic);
  if (type == Type::Timer && isConst)
    diags.report(d.type->range, Diag::ConstantTimer).done();
  else if (d.flavor == ast::VariableDecl::Config)
    checkConfigType(d, type);
  std::unique_ptr<Initializer> init;
  if (d.init)
    init = initializer(*d.init, type, 0, isFree);
  for (const ast::DefinedName &name : d.names) {
    auto *variable = program.make<Variable>(name.text, name.range);
    variable->type = type;
    variable->storage = storageOf(d);
    variable->isConst = isConst;
    variable->isConfig = d.flavor == ast::VariableDecl::Config;
    variable->isFree = isFree;
    if (init)
      initialize(*variable, *init);
    if (variable->isConfig && d.init) {
      variable->configDefault = diags.sources().text(d.init->range).str();
      variable->configComment = d.comment.str();
      overrideDefault(*variable);
    }
    if (d.isStatic)
      checkStatic(variable->init, variable->setup);
    add(variable);
  }
}

void Checker::initialize(Variable &variable, const Initializer &init) {
  if (init.value)
    variable.init = init.value;
  else
    setUpAlone(program.make<VariableExpr>(&variable, init.range), init,
               variable.storage, variable.setup);
}

/// What static variables need to be set up is global, as they are.
void Checker::setUpAlone(const Expr *place, const Initializer &init,
                         Storage storage, StmtList &to) {
  Procedure *procedure = current;
  if (storage == Storage::Static)
    current = nullptr;
  setUp(place, init, to);
  current = procedure;
}

void Checker::arrayVariables(const ast::VariableDecl &d,
                             const ast::ParallelType &type) {
  checkHasValue(d);
  if (d.flavor == ast::VariableDecl::Config)
    diags.report(d.type->range, Diag::ConfigArray).done();
  if (d.isFree)
    diags.report(d.type->range, Diag::FreeArray).done();
  Type element = elementType(type);
  const RegionExpr *declared = region(*type.dims, 0);
  bool isWrong = !declared || element == Type::Error ||
                 (d.isStatic && !checkStatic(*declared));
  std::unique_ptr<Initializer> init;
  if (d.init && declared) {
    scopeRanks.push_back(declared->rank);
    init = initializer(*d.init, element, declared->rank, false);
    scopeRanks.pop_back();
  }
  for (const ast::DefinedName &name : d.names) {
    if (isWrong) {
      declareDummy(name);
      continue;
    }
    auto *array = program.make<Array>(name.text, name.range);
    array->element = element;
    array->rank = declared->rank;
    array->storage = storageOf(d);
    array->isConst = d.flavor != ast::VariableDecl::Var;
    setDeclared(*array, *declared);
    if (init && init->value) {
      array->init = init->value;
    } else if (init) {
      auto *place = program.make<ArrayExpr>(array, init->range);
      place->text = array->name;
      scopeRanks.push_back(declared->rank);
      setUpAlone(place, *init, array->storage, array->setup);
      scopeRanks.pop_back();
    }
    if (d.isStatic)
      checkStatic(array->init, array->setup);
    add(array);
  }
}

/// The type of a parallel array's elements.
Type Checker::elementType(const ast::ParallelType &type) {
  Type element = valueType(*type.element);
  if (element != Type::Timer && !holdsRegions(element))
    return element;
  diags
      .report(type.element->range, Diag::PartType,
              "element of a parallel array", text(element))
      .done();
  return Type::Error;
}

void Checker::regionDecl(const ast::RegionDecl &d) {
  if (d.distribution) {
    notSupported(d.range, "a region with a distribution");
    return declareDummy(d.name);
  }
  if (d.name.multi)
    return multiDefinition(d.name, Type::Region, *d.value);
  if (const RegionExpr *value = region(*d.value, 0))
    return declareRegion(d.name, value);
  declareDummy(d.name);
}

void Checker::declareRegion(const ast::Name &name, const RegionExpr *value) {
  auto *symbol = program.make<Region>(name.text, name.range);
  symbol->init = value;
  symbol->shape = knownShape(*value);
  add(symbol);
}

void Checker::directionDecl(const ast::DirectionDecl &d) {
  if (d.name.multi)
    return multiDefinition(d.name, Type::Direction, *d.value);
  if (std::optional<DirectionExprs> components = direction(*d.value))
    return declareDirection(d.name, *components, Type::Error);
  declareDummy(d.name);
}

void Checker::declareDirection(const ast::Name &name,
                               const DirectionExprs &components, Type type) {
  auto *symbol = program.make<Direction>(name.text, name.range);
  symbol->type = type;
  for (const Expr *component : components) {
    Direction::Component made;
    made.init = component;
    if (auto *literal = llvm::dyn_cast<LiteralExpr>(component))
      made.constant = literal->integer;
    symbol->components.push_back(made);
  }
  add(symbol);
}

} // namespace zpl::sema
