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
// silences its uses.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Types.h"
#include "Walk.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

void Checker::checkModule(const ast::Module &module) {
  program.name = module.name.text.str();
  for (const ast::Decl *d : module.decls) {
    if (auto *variable = llvm::dyn_cast<ast::VariableDecl>(d))
      for (const ast::Name &name : variable->names)
        names.announce(name.text, name.range);
    else if (auto *region = llvm::dyn_cast<ast::RegionDecl>(d))
      names.announce(region->name.text, region->name.range);
    else if (auto *direction = llvm::dyn_cast<ast::DirectionDecl>(d))
      names.announce(direction->name.text, direction->name.range);
    else if (auto *procedure = llvm::dyn_cast<ast::ProcedureDecl>(d))
      names.announce(procedure->name.text, procedure->name.range);
  }
  for (const ast::Decl *d : module.decls)
    declaration(*d);
  checkPrototypes();
  checkEntry(module);
}

void Checker::declaration(const ast::Decl &d) {
  switch (d.kind) {
  case ast::DeclKind::Variable:
    return variableDecl(llvm::cast<ast::VariableDecl>(d));
  case ast::DeclKind::Region:
    return regionDecl(llvm::cast<ast::RegionDecl>(d));
  case ast::DeclKind::Direction:
    return directionDecl(llvm::cast<ast::DirectionDecl>(d));
  case ast::DeclKind::Procedure:
    return procedureDecl(llvm::cast<ast::ProcedureDecl>(d));
  }
  llvm_unreachable("declaration");
}

void Checker::add(Symbol *symbol) {
  names.declare(symbol);
  (current ? current->locals : program.globals).push_back(symbol);
}

void Checker::declareDummy(const ast::Name &name) {
  names.declare(program.make<Variable>(name.text, name.range));
}

ScalarType Checker::elementType(const ast::TypeRef &type) {
  std::optional<ScalarType> named = typeNamed(type.element.text);
  if (named)
    return *named;
  if (isLaterType(type.element.text))
    diags
        .report(type.element.range, Diag::NotSupported,
                llvm::formatv("type '{0}'", type.element.text).str())
        .done();
  else
    reportUnknownType(type.element);
  return ScalarType::Error;
}

void Checker::reportUnknownType(const ast::Name &name) {
  llvm::StringRef meant = llvm::StringSwitch<llvm::StringRef>(name.text)
                              .CasesLower("int", "int32", "integer", "integer")
                              .CasesLower("long", "int64", "longint", "longint")
                              .CasesLower("bool", "boolean", "boolean")
                              .CasesLower("real", "double", "double")
                              .CasesLower("float", "single", "float")
                              .CasesLower("str", "string", "string")
                              .Default("");
  if (meant.empty()) {
    diags.report(name.range, Diag::UnknownType, name.text, "").done();
    return;
  }
  diags
      .report(name.range, Diag::UnknownType, name.text,
              llvm::formatv("; did you mean '{0}'?", meant).str())
      .fixIt(name.range, meant);
}

void Checker::variableDecl(const ast::VariableDecl &d) {
  bool inherited = mayInherit;
  if (d.isStatic)
    mayInherit = false;
  ScalarType type = elementType(d.type);
  if (d.type.dims)
    arrayVariables(d, type);
  else
    scalarVariables(d, type);
  mayInherit = inherited;
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

void Checker::scalarVariables(const ast::VariableDecl &d, ScalarType type) {
  checkHasValue(d);
  const Expr *init = nullptr;
  if (d.init) {
    init = convert(scalar(*d.init, "initializer of a scalar"), type);
    if (isError(init) || (d.isStatic && !checkStatic(*init)))
      init = nullptr;
  }
  if (type == ScalarType::Timer && d.flavor != ast::VariableDecl::Var)
    diags.report(d.type.range, Diag::ConstantTimer).done();
  for (const ast::Name &name : d.names) {
    auto *variable = program.make<Variable>(name.text, name.range);
    variable->type = type;
    variable->storage = storageOf(d);
    variable->isConst = d.flavor != ast::VariableDecl::Var;
    variable->isConfig = d.flavor == ast::VariableDecl::Config;
    variable->init = init;
    if (variable->isConfig && d.init) {
      variable->configDefault = diags.sources().text(d.init->range).str();
      variable->configComment = d.comment.str();
    }
    add(variable);
  }
}

void Checker::arrayVariables(const ast::VariableDecl &d, ScalarType type) {
  checkHasValue(d);
  if (d.flavor == ast::VariableDecl::Config)
    diags.report(d.type.range, Diag::ConfigArray).done();
  if (type == ScalarType::String || type == ScalarType::Timer) {
    diags
        .report(d.type.range, Diag::NotSupported,
                llvm::formatv("a parallel array of type {0}", text(type)).str())
        .done();
    type = ScalarType::Error;
  }
  const RegionExpr *declared = region(*d.type.dims, 0);
  bool isWrong = !declared || type == ScalarType::Error ||
                 (d.isStatic && !checkStatic(*declared));
  const Expr *init = nullptr;
  if (d.init && declared)
    init = arrayInit(d, type, declared->rank);
  for (const ast::Name &name : d.names) {
    if (isWrong) {
      declareDummy(name);
      continue;
    }
    auto *array = program.make<Array>(name.text, name.range);
    array->element = type;
    array->rank = declared->rank;
    array->storage = storageOf(d);
    array->isConst = d.flavor != ast::VariableDecl::Var;
    array->declared = declared;
    array->init = init;
    add(array);
  }
}

/// The declared region covers the initializer.
const Expr *Checker::arrayInit(const ast::VariableDecl &d, ScalarType type,
                               unsigned rank) {
  scopeRanks.push_back(rank);
  const Expr *init = expr(*d.init);
  scopeRanks.pop_back();
  if (isError(init) || reportFree(init))
    return nullptr;
  if (init->isArray() && init->rank != Expr::AnyRank && init->rank != rank) {
    diags
        .report(d.init->range, Diag::AssignedRank, init->rank,
                d.names.front().text, rank)
        .done();
    return nullptr;
  }
  if (!fitsRank(init, rank) || (d.isStatic && !checkStatic(*init)))
    return nullptr;
  init = convert(init, type);
  return isError(init) ? nullptr : init;
}

/// Static variables are set up when the program starts, where the procedure's
/// formals and other locals do not exist.
bool Checker::checkStatic(const Expr &init) {
  const Symbol *local = nullptr;
  SourceRange place;
  forEachExpr(init, [&](const Expr &e) {
    const Symbol *used = nullptr;
    Storage storage = Storage::Global;
    if (auto *variable = llvm::dyn_cast<VariableExpr>(&e)) {
      used = variable->variable;
      storage = variable->variable->storage;
    } else if (auto *array = llvm::dyn_cast<ArrayExpr>(&e)) {
      used = array->array;
      storage = array->array->storage;
    } else if (auto *component = llvm::dyn_cast<ComponentExpr>(&e)) {
      used = component->direction;
      storage = llvm::is_contained(current->locals, used) ? Storage::Local
                                                          : Storage::Global;
    }
    if (local || storage == Storage::Global || storage == Storage::Static)
      return;
    local = used;
    place = e.range;
  });
  if (!local)
    return true;
  diags.report(place, Diag::StaticNeedsLocal, local->name)
      .note(local->range, Diag::DeclaredHere, local->name);
  return false;
}

bool Checker::checkStatic(const RegionExpr &region) {
  bool isFine = true;
  for (const RegionDim &dim : region.dims)
    for (const Expr *bound : {dim.lo, dim.hi})
      isFine &= !bound || checkStatic(*bound);
  for (const Expr *component : region.direction)
    isFine &= checkStatic(*component);
  if (region.base)
    isFine &= checkStatic(*region.base);
  if (region.region && llvm::is_contained(current->locals, region.region)) {
    diags.report(region.range, Diag::StaticNeedsLocal, region.region->name)
        .note(region.region->range, Diag::DeclaredHere, region.region->name);
    return false;
  }
  return isFine;
}

void Checker::regionDecl(const ast::RegionDecl &d) {
  const RegionExpr *value = region(*d.value, 0);
  if (!value)
    return declareDummy(d.name);
  auto *symbol = program.make<Region>(d.name.text, d.name.range);
  symbol->init = value;
  // An inherited dimension of a local region may be a range in one call and a
  // singleton in another; a range stands for both.
  Covers covers;
  for (unsigned rank = 1; rank <= MaxRank; ++rank)
    covers[rank] = Shape(rank, DimKind::Range);
  symbol->shape = shapeOf(*value, covers);
  add(symbol);
}

void Checker::directionDecl(const ast::DirectionDecl &d) {
  std::optional<DirectionExprs> components = direction(*d.value);
  if (!components)
    return declareDummy(d.name);
  auto *symbol = program.make<Direction>(d.name.text, d.name.range);
  for (const Expr *component : *components) {
    Direction::Component made;
    made.init = component;
    if (auto *literal = llvm::dyn_cast<LiteralExpr>(component))
      made.constant = literal->integer;
    symbol->components.push_back(made);
  }
  add(symbol);
}

} // namespace zpl::sema
