//===- Globals.cpp - Global declarations ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the globals of the module and the procedure that evaluates their
// declarations in the order of the source, before the entry procedure:
//
//     config var n: integer = 100;        config @n { set @n = 100 }
//     region R = [1..n, 1..n];            region @R = [1..@n, 1..@n]
//                                         declare @R
//     var A, B: [R] double;               alloc @A
//                                         alloc @B
//
// The first array of a rank fixes how the rank is distributed, from the regions
// that the runtime knows by then. So arrays are allocated as late as possible:
// at the end, or before an initializer that runs parallel code. Static locals
// are globals that only one procedure can name; they are declared where that
// procedure is.
//
//===----------------------------------------------------------------------===//

#include "Calls.h"
#include "Expressions.h"
#include "Families.h"
#include "Followers.h"
#include "Operators/Domains.h"
#include "Operators/Regions.h"
#include "Operators/Sparse.h"
#include "Places.h"
#include "Procedure.h"
#include "Values.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

namespace {

class GlobalsBuilder {
public:
  explicit GlobalsBuilder(ModuleBuilder &builder)
      : builder(builder), procedure(*builder.module.make<air::Procedure>()),
        code(builder, builder.program.initializer, procedure) {
    procedure.name = builder.names.unique("initialize");
    procedure.sourceName = "initialize";
  }

  air::Procedure *build();

private:
  void makeHidden(const sema::Symbol *symbol);
  void declare(const sema::Symbol *symbol);
  void declare(const sema::Variable *variable);
  void declare(const sema::Region *region);
  void declare(const sema::Grid *grid);
  void declare(const sema::Distribution *distribution);
  void declare(const sema::Domain *domain);
  air::DistributionRule rule(const sema::Distribution::Dim &dim);
  void declare(const sema::Array *array);
  void declareOne(const sema::Array *array);
  void declareGlobalFamily(const sema::Array *array);
  air::Region *makeRegion(StringRef name, air::Shape shape, SourceRange range);
  air::Region *regionFor(const sema::RegionExpr &expr, StringRef name);
  air::Region *declaredRegion(const sema::Array *array);
  void allocateWaiting();

  ModuleBuilder &builder;
  air::Procedure &procedure; ///< `initialize`
  ProcedureState code;
  std::vector<const sema::Array *> waiting; ///< not allocated yet
  /// Evaluated, of domains that stand behind them.
  std::vector<std::pair<const air::Domain *, air::Region *>> undeclared;
  DenseSet<const air::Domain *> declaredDomains;
};

} // namespace

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

static bool isStatic(const sema::Symbol *symbol) {
  if (auto *variable = dyn_cast<sema::Variable>(symbol))
    return variable->storage == sema::Storage::Static;
  auto *array = dyn_cast<sema::Array>(symbol);
  return array && array->storage == sema::Storage::Static;
}

/// All globals and static locals in the order of the source. Statics stand
/// before the first global of their file that comes after them.
static std::vector<const sema::Symbol *> inOrder(const sema::Program &program) {
  std::vector<const sema::Symbol *> order(program.globals.begin(),
                                          program.globals.end());
  for (const sema::Procedure *procedure : program.procedures)
    for (const sema::Symbol *local : procedure->locals) {
      if (!isStatic(local))
        continue;
      auto isLater = [&](const sema::Symbol *other) {
        return other->range.file == local->range.file &&
               other->range.begin > local->range.begin;
      };
      order.insert(find_if(order, isLater), local);
    }
  return order;
}

air::Procedure *GlobalsBuilder::build() {
  std::vector<const sema::Symbol *> order = inOrder(builder.program);
  for (const sema::Symbol *symbol : order)
    makeHidden(symbol);
  for (const sema::Symbol *symbol : order) {
    startDeclaration(code);
    declare(symbol);
  }
  allocateWaiting();
  finish(code, /*fallsThrough=*/true, SourceRange());
  return &procedure;
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

/// True if evaluating \p expr runs procedures that could use arrays.
static bool runsParallelCode(ModuleBuilder &builder, const sema::Expr *expr) {
  return expr && builder.facts.of(expr).parallel;
}

static bool runsParallelCode(ModuleBuilder &builder,
                             const sema::StmtList &setup) {
  return any_of(setup, [&](const sema::Stmt *stmt) {
    if (auto *assign = dyn_cast<sema::AssignStmt>(stmt))
      return runsParallelCode(builder, assign->value);
    if (auto *loop = dyn_cast<sema::ForStmt>(stmt))
      return runsParallelCode(builder, loop->from) ||
             runsParallelCode(builder, loop->bound) ||
             runsParallelCode(builder, loop->body);
    if (auto *block = dyn_cast<sema::BlockStmt>(stmt))
      return runsParallelCode(builder, block->body);
    if (auto *assign = dyn_cast<sema::RegionAssignStmt>(stmt)) {
      bool runs = false;
      sema::forEachOperand(*assign->value, [&](const sema::Expr &part) {
        runs = runs || runsParallelCode(builder, &part);
      });
      return runs;
    }
    return !isa<sema::CheckShapeStmt, sema::ResizeStmt>(stmt);
  });
}

/// Loops of a declaration's setup count in hidden variables, and bounds of
/// types are such; both may stand after what uses them.
void GlobalsBuilder::makeHidden(const sema::Symbol *symbol) {
  auto *variable = dyn_cast<sema::Variable>(symbol);
  if (variable && variable->isHidden)
    builder.globals.variables[variable] =
        makeGlobal(builder, variable->name, builder.convert(variable->type),
                   variable->range);
}

void GlobalsBuilder::declare(const sema::Symbol *symbol) {
  switch (symbol->kind) {
  case sema::SymbolKind::Variable:
    return declare(cast<sema::Variable>(symbol));
  case sema::SymbolKind::Array:
    return declare(cast<sema::Array>(symbol));
  case sema::SymbolKind::Region:
    return declare(cast<sema::Region>(symbol));
  case sema::SymbolKind::Direction:
    return initialize(code, cast<sema::Direction>(symbol), builder.globals,
                      air::Storage::Global);
  case sema::SymbolKind::Grid:
    return declare(cast<sema::Grid>(symbol));
  case sema::SymbolKind::Distribution:
    return declare(cast<sema::Distribution>(symbol));
  case sema::SymbolKind::Domain:
    return declare(cast<sema::Domain>(symbol));
  case sema::SymbolKind::Procedure:
  case sema::SymbolKind::Type:
    return;
  }
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

void makeDomains(ModuleBuilder &builder) {
  for (const sema::Symbol *symbol : builder.program.globals)
    if (auto *grid = dyn_cast<sema::Grid>(symbol)) {
      auto *made = builder.module.make<air::Grid>();
      made->name = builder.names.unique(grid->name);
      made->text = grid->name;
      made->rank = grid->rank;
      made->isVariable = grid->init != nullptr;
      made->range = grid->range;
      builder.module.grids.push_back(made);
      builder.grids[grid] = made;
    } else if (auto *distribution = dyn_cast<sema::Distribution>(symbol)) {
      auto *made = builder.module.make<air::Distribution>();
      made->name = builder.names.unique(distribution->name);
      made->text = distribution->name;
      made->rank = distribution->rank;
      made->grid = builder.grids.lookup(distribution->grid);
      made->isVariable = !distribution->values.empty();
      made->range = distribution->range;
      builder.module.distributions.push_back(made);
      builder.distributions[distribution] = made;
    } else if (auto *domain = dyn_cast<sema::Domain>(symbol)) {
      auto *made = builder.module.make<air::Domain>();
      made->name = builder.names.unique(domain->name);
      made->text = domain->name;
      made->distribution = builder.distributions.lookup(domain->distribution);
      made->isScattered = sema::mayBeScattered(domain->distribution);
      made->range = domain->range;
      builder.module.domains.push_back(made);
      builder.domains[domain] = made;
    }
}

void GlobalsBuilder::declare(const sema::Grid *grid) {
  SmallVector<const air::Expr *, 6> extents;
  for (const sema::Expr *extent : grid->extents)
    extents.push_back(extent ? value(code, extent)
                             : constant(code, air::Type::I32, 0, grid->range));
  auto *made =
      emit<air::SetGridStmt>(code, builder.grids.lookup(grid), grid->range);
  made->value = builder.grids.lookup(grid->init);
  made->extents = std::move(extents);
}

air::DistributionRule GlobalsBuilder::rule(const sema::Distribution::Dim &dim) {
  air::DistributionRule made;
  switch (dim.kind) {
  case sema::Distribution::Dim::Block:
    if (!dim.lo)
      return made;
    made.kind = air::DistributionRule::Bounded;
    made.lo = value(code, dim.lo);
    made.hi = value(code, dim.hi);
    return made;
  case sema::Distribution::Dim::Cyclic:
    made.kind = air::DistributionRule::Cyclic;
    return made;
  case sema::Distribution::Dim::BlockCyclic:
    made.kind = air::DistributionRule::BlockCyclic;
    made.lo = value(code, dim.length);
    return made;
  case sema::Distribution::Dim::Cut:
    made.kind = air::DistributionRule::Cut;
    made.points = placeExpr(code, dim.points, Cover());
    return made;
  case sema::Distribution::Dim::Nondist:
    made.kind = air::DistributionRule::None;
    return made;
  case sema::Distribution::Dim::Function:
    made.kind = air::DistributionRule::Owner;
    made.owner = procedureOf(code, dim.owner);
    return made;
  }
  llvm_unreachable("a kind of distribution outside its enumeration");
}

void GlobalsBuilder::declare(const sema::Distribution *distribution) {
  SmallVector<air::DistributionRule, 6> rules;
  for (const sema::Distribution::Dim &dim : distribution->dims)
    rules.push_back(rule(dim));
  auto *made = emit<air::SetDistributionStmt>(
      code, builder.distributions.lookup(distribution), distribution->range);
  made->rules = std::move(rules);
  if (!distribution->values.empty())
    made->value = builder.distributions.lookup(distribution->values.front());
}

void GlobalsBuilder::declare(const sema::Domain *domain) {
  const air::Domain *made = builder.domains.lookup(domain);
  declaredDomains.insert(made);
  for (auto [of, region] : undeclared)
    if (of == made)
      emit<air::DeclareRegionStmt>(code, region, region->range);
}

void GlobalsBuilder::declare(const sema::Region *region) {
  SaveAndRestore domain(code.domains[region->rank()], domainOf(code, *region));
  air::Region *made =
      makeRegion(region->name, convert(region->shape), region->range);
  made->text = region->name;
  made->isTemporary = false;
  made->isSparse = isSparse(code, *region->init);
  builder.globals.regions[region] = made;
  if (made->isSparse) // patterns may be what arrays and procedures say
    allocateWaiting();
  setRegion(code, made, *region->init);
  if (!made->domain || declaredDomains.contains(made->domain))
    emit<air::DeclareRegionStmt>(code, made, region->range);
  else
    undeclared.push_back({made->domain, made});
}

//===----------------------------------------------------------------------===//
// Variables and arrays
//===----------------------------------------------------------------------===//

void GlobalsBuilder::declare(const sema::Variable *variable) {
  air::Variable *&made = builder.globals.variables[variable];
  if (!made) {
    made = makeGlobal(builder, variable->name, builder.convert(variable->type),
                      variable->range);
    made->text = variable->name;
  }
  made->isConfig = variable->isConfig;
  made->isFree = variable->isFree;
  made->configDefault = variable->configDefault;
  made->configComment = variable->configComment;
  if (variable->isExtern)
    made->thunk = variable->thunk;
  made->onHeap &= made->thunk.empty();
  if (made->onHeap)
    emit<air::AllocVariableStmt>(code, made, variable->range);
  if (runsParallelCode(builder, variable->init) ||
      runsParallelCode(builder, variable->setup))
    allocateWaiting();
  if (!variable->isConfig) {
    initialize(code, variable);
    if (variable->type == sema::Type::Region && variable->init)
      declareValue(code, variable);
    return;
  }
  auto *config = emit<air::ConfigStmt>(code, made, variable->range);
  appendTo(code, config->defaults, [&] { initialize(code, variable); });
}

air::Region *GlobalsBuilder::makeRegion(StringRef name, air::Shape shape,
                                        SourceRange range) {
  auto *region = builder.module.make<air::Region>();
  region->name = builder.names.unique(name);
  region->shape = std::move(shape);
  region->storage = air::Storage::Global;
  region->domain = code.domains[region->rank()];
  region->isTemporary = true;
  region->range = range;
  builder.module.regions.push_back(region);
  return region;
}

/// The named region, or a hidden one that holds the region of this definition.
air::Region *GlobalsBuilder::regionFor(const sema::RegionExpr &expr,
                                       StringRef name) {
  if (expr.kind == sema::RegionExpr::Ref)
    return builder.globals.regions.lookup(expr.region);
  air::Region *&region = builder.globals.anonymous[&expr];
  if (region)
    return region;
  region = makeRegion(name, shapeOf(code, expr), expr.range);
  region->text = expr.text;
  region->isSparse = isSparse(code, expr);
  if (region->isSparse)
    allocateWaiting();
  setRegion(code, region, expr);
  return region;
}

air::Region *GlobalsBuilder::declaredRegion(const sema::Array *array) {
  const sema::RegionExpr &expr = *array->declared;
  if (array->over) {
    air::Region *region =
        makeRegion(array->name + ".region", shapeOf(code, expr), array->range);
    region->text = expr.text;
    region->isSparse = isSparse(code, expr);
    setDeclared(code, region, array);
    return region;
  }
  bool isNew = expr.kind != sema::RegionExpr::Ref &&
               !builder.globals.anonymous.contains(&expr);
  air::Region *region = regionFor(expr, array->name + ".region");
  if (isNew)
    emit<air::DeclareRegionStmt>(code, region, expr.range);
  return region;
}

void GlobalsBuilder::declare(const sema::Array *array) {
  SaveAndRestore domain(code.domains[array->rank], domainOf(code, *array));
  if (array->family != sema::Type::Error)
    declareGlobalFamily(array);
  else
    declareOne(array);
  waiting.push_back(array);
  if (!array->init && array->setup.empty())
    return;
  allocateWaiting();
  initialize(code, array);
}

void GlobalsBuilder::declareGlobalFamily(const sema::Array *array) {
  air::Variable *made =
      makeGlobal(builder, array->name, familyType(code, array), array->range);
  made->text = array->name;
  builder.globals.families[array] = {made, shapeOf(code, *array->declared)};
  if (made->onHeap)
    emit<air::AllocVariableStmt>(code, made, array->range);
  declareFamily(code, array);
}

void GlobalsBuilder::declareOne(const sema::Array *array) {
  air::Region *region = declaredRegion(array);
  auto *made = builder.module.make<air::Array>();
  made->name = builder.names.unique(array->name);
  made->text = array->name;
  made->element = builder.convert(array->element);
  made->shape = region->shape;
  made->storage = air::Storage::Global;
  made->declared = region;
  made->domain = region->domain;
  made->isSparse = region->isSparse;
  made->fluff = fluffOf(*array, *region);
  for (const sema::RegionExpr *border : array->borders) {
    if (made->isSparse)
      break;
    if (array->over) {
      made->borders.push_back(makeRegion(
          array->name + ".border", shapeOf(code, *border), border->range));
      setBorder(code, made->borders.back(), *border, region);
    } else {
      made->borders.push_back(regionFor(*border, array->name + ".border"));
    }
  }
  made->range = array->range;
  builder.globals.arrays[array] = made;
  builder.module.arrays.push_back(made);
}

void GlobalsBuilder::allocateWaiting() {
  for (const sema::Array *array : std::exchange(waiting, {}))
    if (array->family != sema::Type::Error)
      allocateFamily(code, array);
    else
      allocate(code, array, builder.globals.arrays.lookup(array));
}

//===----------------------------------------------------------------------===//
// The number of processors
//===----------------------------------------------------------------------===//

void countProcessors(ModuleBuilder &builder, air::Procedure &initialize) {
  air::Variable *count = builder.processors;
  auto *one =
      builder.module.make<air::ConstExpr>(air::Type::I32, SourceRange());
  one->integer = 1;
  air::Stmt *statements[] = {
      builder.module.make<air::SetStmt>(
          builder.module.make<air::VarExpr>(count, SourceRange()), one,
          SourceRange()),
      builder.module.make<air::CombineStmt>(air::Reduction::Sum, count,
                                            /*region=*/nullptr, SourceRange())};
  initialize.body.insert(initialize.body.begin(), std::begin(statements),
                         std::end(statements));
}

air::Procedure *buildGlobals(ModuleBuilder &builder) {
  return GlobalsBuilder(builder).build();
}

} // namespace zpl::arraygen
