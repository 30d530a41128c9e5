//===- Procedure.cpp - Parameters, locals and temporaries -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame of a procedure. An instance of
//
//     procedure smooth(inout A: [ , ] double; k: integer): double;
//     var T: [ , ] double;
//     begin ... return x; end;
//
// becomes
//
//     proc @smooth(%R2, %A, %k) -> f64 {
//       alloc %T             -- over %R2: blank dimensions are the call's
//       ...
//       free %T
//       return %x
//     }
//
// 1. The covering regions that the instance needs come first as parameters,
//    then what gets a result that is an array or of run-time size, then the
//    formals.
// 2. Aggregates of mode `in` may be the caller's memory and are copied. Results
//    (`out`) are cleared, then the locals are set up in the order of their
//    declarations. Variables are zero at entry by the rules of the IR.
// 3. Every way out frees the local arrays and the variables on the heap: each
//    return, and the end.
//
// Temporary arrays live within one statement, but for the masks of scopes:
// every way out of a scope frees its mask. Temporary variables that are too
// large for the stack are made at entry, once, and freed on every way out;
// those whose size is not known there where they are used.
//
//===----------------------------------------------------------------------===//

#include "Procedure.h"
#include "Expressions.h"
#include "Families.h"
#include "Followers.h"
#include "Operators/Domains.h"
#include "Operators/Masks.h"
#include "Operators/Regions.h"
#include "Operators/Sparse.h"
#include "References.h"
#include "Statements/ArrayStatements.h"
#include "Statements/Statements.h"
#include "Types.h"
#include "Values.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

ProcedureState::ProcedureState(ModuleBuilder &builder,
                               const sema::Instance &instance,
                               air::Procedure &procedure)
    : builder(builder), module(builder.module), instance(instance),
      procedure(procedure), current(&procedure.body) {}

/// The last token of a body, which is its `end`.
static SourceRange endOf(SourceRange body) {
  constexpr uint32_t length = 3;
  if (body.end - body.begin > length)
    body.begin = body.end - length;
  return body;
}

static void addCovers(ProcedureState &p);
static air::Array *addParameter(ProcedureState &p, llvm::StringRef name,
                                air::Type element, air::Shape shape,
                                SourceRange range);
static void addResult(ProcedureState &p);
static void addParameters(ProcedureState &p);
static void addParameter(ProcedureState &p, const sema::Array *array,
                         const sema::Shape &shape, bool isAlone);
static void nameSame(ProcedureState &p);
static void setTypes(ProcedureState &p);
static void copyInParameters(ProcedureState &p);
static void zeroOutParameters(ProcedureState &p);
static void clear(ProcedureState &p, const sema::Array *array);
static void addLocals(ProcedureState &p);
static void addLocal(ProcedureState &p, const sema::Symbol *symbol);
static void addLocalArray(ProcedureState &p, const sema::Array *array);

/// The procedures that C is given, in the order of the calls that stand for
/// them.
static void addCallbacks(ProcedureState &p) {
  const sema::Procedure &source = *p.instance.procedure;
  auto *calls = cast_or_null<sema::BlockStmt>(source.body);
  for (auto [i, symbol] : enumerate(source.callbacks)) {
    const auto *call = cast<sema::CallStmt>(calls->body[i])->call;
    p.procedure.callbacks.push_back(
        {p.builder.procedures.lookup(p.instance.callees.lookup(call)), symbol});
  }
}

void buildInstance(ProcedureState &p) {
  const sema::Procedure &source = *p.instance.procedure;
  addCovers(p);
  addResult(p);
  addParameters(p);
  p.procedure.result = resultType(p, &source);
  if (source.isExtern)
    return addCallbacks(p);
  copyInParameters(p);
  zeroOutParameters(p);
  addLocals(p);
  statement(p, source.body);
  SourceRange end = endOf(source.bodyRange);
  bool hasEnd = fallsThrough(source.body);
  if (hasEnd && source.result != sema::Type::Void)
    emit<air::MissingReturnStmt>(p, source.name, end);
  else if (hasEnd)
    freeLocals(p, end);
  finish(p, hasEnd, end);
}

void finish(ProcedureState &p, bool fallsThrough, SourceRange end) {
  p.procedure.body.insert(p.procedure.body.begin(), p.frame.memberBinds.begin(),
                          p.frame.memberBinds.end());
  if (p.frame.heapTemporaries.empty())
    return;
  auto free = [&](air::StmtList &list, SourceRange range) {
    for (air::Variable *variable : reverse(p.frame.heapTemporaries))
      list.push_back(p.module.make<air::FreeVariableStmt>(variable, range));
  };
  air::rewriteStmts(p.procedure.body,
                    [&](air::Stmt *stmt, air::StmtList &result) {
                      if (isa<air::ReturnStmt>(stmt))
                        free(result, stmt->range);
                      result.push_back(stmt);
                    });
  if (fallsThrough)
    free(p.procedure.body, end);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

static void addCovers(ProcedureState &p) {
  SourceRange range = p.instance.procedure->range;
  for (unsigned rank = 1; rank <= sema::MaxRank; ++rank) {
    if (!p.instance.covers[rank])
      continue;
    auto *region = p.module.make<air::Region>();
    region->name = p.frame.names.unique(("R" + Twine(rank)).str());
    region->shape = convert(*p.instance.covers[rank]);
    region->domain = p.builder.domains.lookup(p.instance.coverDomains[rank]);
    region->isSparse = p.instance.coverSparse[rank];
    region->storage = air::Storage::Param;
    region->range = range;
    air::Parameter parameter;
    parameter.region = region;
    p.procedure.params.push_back(parameter);
    p.covers[rank] = region;
    sema::MaskKind mask = p.instance.masks[rank];
    if (mask == sema::MaskKind::None)
      continue;
    p.covers[rank].mask.array = addParameter(
        p, ("M" + Twine(rank)).str(), air::Type::Bool, region->shape, range);
    p.covers[rank].mask.array->domain = region->domain;
    p.covers[rank].mask.array->isSparse = hasSparseMask(p, p.instance, *region);
    p.covers[rank].mask.value = mask == sema::MaskKind::With;
  }
}

static air::Array *addParameter(ProcedureState &p, StringRef name,
                                air::Type element, air::Shape shape,
                                SourceRange range) {
  auto *array = p.module.make<air::Array>();
  array->name = p.frame.names.unique(name);
  array->element = element;
  array->shape = std::move(shape);
  array->storage = air::Storage::Param;
  array->range = range;
  air::Parameter parameter;
  parameter.array = array;
  p.procedure.params.push_back(parameter);
  return array;
}

/// Where `return` puts what it does not give back; the caller has made it.
static void addResult(ProcedureState &p) {
  const sema::Procedure &source = *p.instance.procedure;
  if (source.resultRank) {
    p.frame.result.array = addParameter(
        p, "result", typeFor(p, source.result),
        convert(*p.instance.covers[source.resultRank]), source.range);
    const air::Region &cover = *p.covers[source.resultRank].region;
    p.frame.result.array->domain = cover.domain;
    p.frame.result.array->isSparse = cover.isSparse;
  } else if (returnsByReference(&source)) {
    p.frame.result.variable = p.module.make<air::Variable>();
    p.frame.result.variable->name = p.frame.names.unique("result");
    p.frame.result.variable->type = typeFor(p, source.result);
    p.frame.result.variable->storage = air::Storage::Param;
    p.frame.result.variable->byReference = true;
    p.frame.result.variable->range = source.range;
    p.procedure.params.push_back(p.frame.result);
  }
}

static void addParameters(ProcedureState &p) {
  for (auto [i, symbol] : enumerate(p.instance.procedure->params))
    if (auto *variable = dyn_cast<sema::Variable>(symbol))
      addParameter(p, variable, !p.frame.shared.empty() && p.frame.shared[i]);
    else
      addParameter(p, cast<sema::Array>(symbol), p.instance.paramShapes[i],
                   p.instance.mayAlias && p.instance.alone[i]);
  setTypes(p);
  nameSame(p);
}

void addParameter(ProcedureState &p, const sema::Variable *variable,
                  bool isShared) {
  auto *made = p.module.make<air::Variable>();
  made->name = p.frame.names.unique(variable->name);
  made->text = variable->name;
  made->storage = air::Storage::Param;
  made->byReference = isShared || sema::isByReference(variable->mode);
  made->range = variable->range;
  if (variable->mode == sema::Mode::Const && !isShared)
    p.known.stableVariables.insert(made);
  p.frame.locals.variables[variable] = made;
  air::Parameter parameter;
  parameter.variable = made;
  p.procedure.params.push_back(parameter);
}

static void addParameter(ProcedureState &p, const sema::Array *array,
                         const sema::Shape &shape, bool isAlone) {
  if (array->family != sema::Type::Error)
    return addFamilyParameter(p, array, shape);
  air::Array *made = addParameter(p, array->name, air::Type::Void,
                                  convert(shape), array->range);
  made->text = array->name;
  made->domain = domainOf(p, *array);
  made->isSparse = isSparse(p, *array);
  made->isAlone = isAlone;
  p.frame.locals.arrays[array] = made;
}

/// Parameters that are one array are the first of them.
static void nameSame(ProcedureState &p) {
  const std::vector<sema::Symbol *> &params = p.instance.procedure->params;
  for (auto [i, first] : enumerate(p.instance.sameAs))
    if (first != i)
      p.frame.locals.arrays[cast<sema::Array>(params[i])] =
          p.frame.locals.arrays.at(cast<sema::Array>(params[first]));
}

/// Blank bounds of a formal are parameters that follow it.
static void setTypes(ProcedureState &p) {
  for (const sema::Symbol *symbol : p.instance.procedure->params)
    if (auto *variable = dyn_cast<sema::Variable>(symbol))
      find(p, variable)->type = typeFor(p, variable->type);
    else if (auto *array = cast<sema::Array>(symbol);
             array->family != sema::Type::Error)
      family(p, array).variable->type = familyType(p, array);
    else
      find(p, array)->element = typeFor(p, array->element);
}

static void copyInParameters(ProcedureState &p) {
  for (const sema::Symbol *symbol : p.instance.procedure->params) {
    auto *variable = dyn_cast<sema::Variable>(symbol);
    auto *array = dyn_cast<sema::Array>(symbol);
    if (array && array->mode == sema::Mode::In &&
        array->family != sema::Type::Error)
      copyInFamily(p, array);
    if (!variable || variable->mode != sema::Mode::In)
      continue;
    air::Variable *given = find(p, variable);
    if (!given->type.isAggregate())
      continue;
    SourceRange range = variable->range;
    air::Variable *copy = makeVariable(p, variable->name, given->type, range);
    std::swap(copy->text, given->text);
    allocate(p, copy, range, /*isZero=*/false);
    emit<air::SetStmt>(p, variableExpr(p, copy, range),
                       variableExpr(p, given, range), range);
    p.frame.locals.variables[variable] = copy;
  }
}

static void zeroOutParameters(ProcedureState &p) {
  for (const sema::Symbol *symbol : p.instance.procedure->params) {
    auto *variable = dyn_cast<sema::Variable>(symbol);
    if (variable && variable->mode == sema::Mode::Out) {
      air::Variable *target = find(p, variable);
      SourceRange range = variable->range;
      if (target->type == air::Type::Timer)
        emit<air::TimerStmt>(p, air::TimerStmt::Clear, target, nullptr, nullptr,
                             range);
      else
        emit<air::SetStmt>(p, variableExpr(p, target, range),
                           zero(p, target->type, range), range);
    }
    auto *array = dyn_cast<sema::Array>(symbol);
    if (array && array->mode == sema::Mode::Out)
      clear(p, array);
  }
}

/// Zeroes all elements of an array parameter.
static void clear(ProcedureState &p, const sema::Array *array) {
  if (array->family != sema::Type::Error)
    return clearFamily(p, array);
  air::Array *target = find(p, array);
  SourceRange range = array->range;
  storeElements(p, elementOf(p, target, range), zero(p, target->element, range),
                declaredRegion(p, target, range), range);
}

//===----------------------------------------------------------------------===//
// Locals
//===----------------------------------------------------------------------===//

static void addLocals(ProcedureState &p) {
  // Loops of a declaration's setup count in hidden variables, which may stand
  // after it.
  for (const sema::Symbol *symbol : p.instance.procedure->locals) {
    auto *variable = dyn_cast<sema::Variable>(symbol);
    if (variable && variable->isHidden &&
        variable->storage == sema::Storage::Local)
      p.frame.locals.variables[variable] = makeVariable(
          p, variable->name, typeFor(p, variable->type), variable->range);
  }
  for (const sema::Symbol *symbol : p.instance.procedure->locals)
    addLocal(p, symbol);
}

static void addLocalVariable(ProcedureState &p,
                             const sema::Variable *variable) {
  if (variable->storage == sema::Storage::Static)
    return;
  air::Variable *&made = p.frame.locals.variables[variable];
  if (!made)
    made = makeVariable(p, variable->name, typeFor(p, variable->type),
                        variable->range);
  made->text = variable->isHidden ? "" : variable->name;
  if (variable->isConst)
    p.known.stableVariables.insert(made);
  allocate(p, made, variable->range);
  initialize(p, variable);
}

static void addLocalRegion(ProcedureState &p, const sema::Region *region) {
  SaveAndRestore domain(p.domains[region->rank()], domainOf(p, *region));
  air::Region *made =
      makeRegion(p, region->name, shapeOf(p, *region->init), region->range);
  made->text = region->name;
  made->isTemporary = false;
  made->isSparse = isSparse(p, *region->init);
  p.frame.locals.regions[region] = made;
  setRegion(p, made, *region->init);
}

static void addLocal(ProcedureState &p, const sema::Symbol *symbol) {
  switch (symbol->kind) {
  case sema::SymbolKind::Variable:
    return addLocalVariable(p, cast<sema::Variable>(symbol));
  case sema::SymbolKind::Array:
    if (cast<sema::Array>(symbol)->storage != sema::Storage::Static)
      addLocalArray(p, cast<sema::Array>(symbol));
    return;
  case sema::SymbolKind::Region:
    return addLocalRegion(p, cast<sema::Region>(symbol));
  case sema::SymbolKind::Direction:
    return initialize(p, cast<sema::Direction>(symbol), p.frame.locals,
                      air::Storage::Local);
  case sema::SymbolKind::Grid: // of the program
  case sema::SymbolKind::Distribution:
  case sema::SymbolKind::Domain:
  case sema::SymbolKind::Procedure:
  case sema::SymbolKind::Type:
    return;
  }
}

/// The region of a local array; arrays of one definition share it unless they
/// follow a variable.
static air::Region *localRegion(ProcedureState &p, const sema::Array *array) {
  if (array->over) {
    air::Region *region = makeRegion(
        p, array->name + ".region", shapeOf(p, *array->declared), array->range);
    region->text = array->declared->text;
    region->isSparse = isSparse(p, *array->declared);
    setDeclared(p, region, array);
    return region;
  }
  air::Region *&declared = p.frame.locals.anonymous[array->declared];
  if (!declared)
    declared = array->declared->kind == sema::RegionExpr::Ref
                   ? find(p, array->declared->region)
                   : evaluate(p, *array->declared, array->name + ".region");
  return declared;
}

static void addLocalArray(ProcedureState &p, const sema::Array *array) {
  SaveAndRestore domain(p.domains[array->rank], domainOf(p, *array));
  if (array->family != sema::Type::Error)
    return addLocalFamily(p, array);
  air::Region *declared = localRegion(p, array);
  air::Array *made = makeArray(p, array->name, typeFor(p, array->element),
                               declared->shape, array->range);
  made->text = array->name;
  made->declared = declared;
  made->domain = declared->domain;
  made->isSparse = declared->isSparse;
  made->fluff = fluffOf(*array, *declared);
  if (!array->over && !made->isSparse)
    for (const sema::RegionExpr *border : array->borders)
      made->borders.push_back(evaluate(p, *border, array->name + ".border"));
  p.frame.locals.arrays[array] = made;
  p.frame.localMemory.push_back(made);
  allocate(p, array, made);
  initialize(p, array);
}

void initialize(ProcedureState &p, const sema::Variable *variable) {
  if (variable->init && !assignDirectly(p, variable, variable->init)) {
    const air::Expr *init = value(p, variable->init);
    const air::Expr *target =
        variableExpr(p, find(p, variable), variable->range);
    emit<air::SetStmt>(p, target, init, variable->range);
    adoptPatterns(p, target, variable->type, variable->range);
  }
  statements(p, variable->setup);
}

void initialize(ProcedureState &p, const sema::Direction *direction,
                SymbolMap &map, air::Storage storage) {
  auto &known = storage == air::Storage::Global ? p.module.directions
                                                : p.procedure.directions;
  known.push_back({direction->name, {}, direction->range});
  for (auto [d, component] : enumerate(direction->components)) {
    known.back().components.push_back({component.constant.value_or(0)});
    if (component.constant)
      continue;
    std::string name = (direction->name + "." + Twine(d + 1)).str();
    air::Variable *variable =
        storage == air::Storage::Global
            ? makeGlobal(p.builder, name, air::Type::I64, direction->range)
            : makeVariable(p, name, air::Type::I64, direction->range);
    map.components[{direction, unsigned(d)}] = variable;
    known.back().components.back().variable = variable;
    const air::Expr *init = castTo(p, air::Type::I64, value(p, component.init));
    const air::Expr *made = variableExpr(p, variable, direction->range);
    emit<air::SetStmt>(p, made, init, direction->range);
    if (direction->type != sema::Type::Error)
      checkComponent(p, made, direction->type, d, direction->range);
  }
}

void initialize(ProcedureState &p, const sema::Array *array) {
  if (array->family != sema::Type::Error)
    return initializeFamily(p, array);
  if (!array->init && array->setup.empty())
    return;
  air::Array *target = find(p, array);
  SaveAndRestore domain(p.domains[array->rank], target->domain);
  air::Region *declared = declaredRegion(p, target, array->range);
  open(p, declared, [&] { initializeElements(p, array, target, declared); });
}

void initializeElements(ProcedureState &p, const sema::Array *array,
                        air::Array *target, air::Region *declared) {
  if (array->init) {
    TemporaryScope scope(p);
    prepare(p, array->init, declared);
    assign(p, elementOf(p, target, array->range), array->init, declared,
           array->range);
    scope.free(array->range);
  }
  statements(p, array->setup);
}

void allocate(ProcedureState &p, air::Variable *variable, SourceRange range,
              bool isZero) {
  variable->onHeap = needsHeap(variable->type, air::Storage::Local);
  if (!variable->onHeap)
    return;
  emit<air::AllocVariableStmt>(p, variable, range)->isRaw = !isZero;
  p.frame.localMemory.push_back(variable);
}

void freeOpen(ProcedureState &p, size_t first, SourceRange range) {
  for (air::Array *array :
       reverse(ArrayRef(p.frame.temporaries).drop_front(first)))
    emit<air::FreeArrayStmt>(p, array, range);
}

void freeLocals(ProcedureState &p, SourceRange range) {
  for (auto memory : reverse(p.frame.localMemory))
    if (auto *array = dyn_cast<air::Array *>(memory))
      emit<air::FreeArrayStmt>(p, array, range);
    else if (auto *family = dyn_cast<const sema::Array *>(memory))
      freeFamily(p, family, range);
    else
      emit<air::FreeVariableStmt>(p, cast<air::Variable *>(memory), range);
}

//===----------------------------------------------------------------------===//
// Making and finding
//===----------------------------------------------------------------------===//

air::Variable *makeVariable(ProcedureState &p, StringRef name, air::Type type,
                            SourceRange range) {
  auto *variable = p.module.make<air::Variable>();
  variable->name = p.frame.names.unique(name);
  variable->type = type;
  variable->range = range;
  p.procedure.variables.push_back(variable);
  return variable;
}

air::Region *makeRegion(ProcedureState &p, StringRef name, air::Shape shape,
                        SourceRange range) {
  auto *region = p.module.make<air::Region>();
  region->name = p.frame.names.unique(name);
  region->shape = std::move(shape);
  region->range = range;
  region->domain = p.domains[region->rank()];
  region->isTemporary = true;
  p.procedure.regions.push_back(region);
  return region;
}

air::Region *copyRegion(ProcedureState &p, StringRef name, air::Region *region,
                        const air::Domain *domain, bool isSparse,
                        SourceRange range) {
  air::Region *copy = makeRegion(p, name, region->shape, range);
  copy->domain = domain;
  copy->isSparse = isSparse;
  copy->text = region->text;
  air::RegionExpr value;
  value.base = region;
  emit<air::SetRegionStmt>(p, copy, value, range);
  return copy;
}

air::Region *inDomain(ProcedureState &p, air::Region *region,
                      const air::Domain *domain, SourceRange range) {
  return region->domain == domain
             ? region
             : copyRegion(p, "in", region, domain, region->isSparse, range);
}

air::Array *makeArray(ProcedureState &p, StringRef name, air::Type element,
                      air::Shape shape, SourceRange range) {
  auto *array = p.module.make<air::Array>();
  array->name = p.frame.names.unique(name);
  array->element = element;
  array->shape = std::move(shape);
  array->domain = p.domains[array->rank()];
  array->range = range;
  p.procedure.arrays.push_back(array);
  return array;
}

air::Variable *temporary(ProcedureState &p, air::Type type, SourceRange range,
                         bool isZero) {
  return temporary(p, "t", type, range, isZero);
}

air::Variable *temporary(ProcedureState &p, StringRef name, air::Type type,
                         SourceRange range, bool isZero) {
  air::Variable *variable = scratch(p, name, type, range, isZero);
  p.known.stableVariables.insert(variable);
  return variable;
}

air::Variable *scratch(ProcedureState &p, StringRef name, air::Type type,
                       SourceRange range, bool isZero) {
  air::Variable *variable = makeVariable(p, name, type, range);
  variable->onHeap = needsHeap(type, air::Storage::Local);
  if (!variable->onHeap)
    return variable;
  p.frame.heapTemporaries.push_back(variable);
  auto *alloc = p.module.make<air::AllocVariableStmt>(variable, range);
  alloc->isRaw = !isZero;
  if (isSizedInBody(p, type)) { // here, and perhaps not for the first time
    emit<air::FreeVariableStmt>(p, variable, range);
    p.current->push_back(alloc);
    return variable;
  }
  p.procedure.body.insert(p.procedure.body.begin() + p.frame.allocationPoint++,
                          alloc);
  return variable;
}

air::Array *temporaryArray(ProcedureState &p, air::Type element,
                           air::Region *region, SourceRange range) {
  air::Array *array = makeArray(p, "T", element, region->shape, range);
  array->declared = region;
  array->isSparse = region->isSparse;
  array->domain = region->domain;
  emit<air::AllocArrayStmt>(p, array, range);
  p.frame.temporaries.push_back(array);
  return array;
}

void TemporaryScope::free(SourceRange range) {
  while (!p.statement.openWave && p.frame.temporaries.size() > mark) {
    emit<air::FreeArrayStmt>(p, p.frame.temporaries.back(), range);
    p.frame.temporaries.pop_back();
  }
}

void TemporaryScope::freeAllBut(air::Array *array, SourceRange range) {
  bool isOurs = erase(p.frame.temporaries, array);
  free(range);
  if (isOurs)
    p.frame.temporaries.push_back(array);
}

air::Variable *find(const ProcedureState &p, const sema::Variable *variable) {
  air::Variable *local = p.frame.locals.variables.lookup(variable);
  return local ? local : p.builder.globals.variables.lookup(variable);
}

air::Array *find(const ProcedureState &p, const sema::Array *array) {
  air::Array *local = p.frame.locals.arrays.lookup(array);
  return local ? local : p.builder.globals.arrays.lookup(array);
}

air::Region *find(const ProcedureState &p, const sema::Region *region) {
  air::Region *local = p.frame.locals.regions.lookup(region);
  return local ? local : p.builder.globals.regions.lookup(region);
}

air::Variable *find(const ProcedureState &p, const sema::Direction *direction,
                    unsigned dim) {
  air::Variable *local = p.frame.locals.components.lookup({direction, dim});
  return local ? local : p.builder.globals.components.lookup({direction, dim});
}

void appendTo(ProcedureState &p, air::StmtList &list,
              function_ref<void()> generate) {
  SaveAndRestore outer(p.current, &list);
  SaveAndRestore outerStart(p.statement.start, list.size());
  size_t bound = p.known.boundViews.size();
  generate();
  p.known.boundViews.truncate(bound);
}

} // namespace zpl::arraygen
