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
// large for the stack are made at entry, once, and freed on every way out.
//
//===----------------------------------------------------------------------===//

#include "Procedure.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

ProcedureBuilder::ProcedureBuilder(ModuleBuilder &builder,
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

void ProcedureBuilder::buildInstance() {
  const sema::Procedure &source = *instance.procedure;
  addCovers();
  addResult();
  addParameters();
  procedure.result = resultType(&source);
  if (source.isExtern)
    return;
  copyInParameters();
  zeroOutParameters();
  addLocals();
  statement(source.body);
  SourceRange end = endOf(source.bodyRange);
  bool hasEnd = fallsThrough(source.body);
  if (hasEnd && source.result != sema::Type::Void)
    emit<air::MissingReturnStmt>(source.name, end);
  else if (hasEnd)
    freeLocals(end);
  finish(hasEnd, end);
}

void ProcedureBuilder::finish(bool fallsThrough, SourceRange end) {
  if (heapTemporaries.empty())
    return;
  auto free = [&](air::StmtList &list, SourceRange range) {
    for (air::Variable *variable : reverse(heapTemporaries))
      list.push_back(module.make<air::FreeVariableStmt>(variable, range));
  };
  air::rewriteStmts(procedure.body,
                    [&](air::Stmt *stmt, air::StmtList &result) {
                      if (isa<air::ReturnStmt>(stmt))
                        free(result, stmt->range);
                      result.push_back(stmt);
                    });
  if (fallsThrough)
    free(procedure.body, end);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void ProcedureBuilder::addCovers() {
  SourceRange range = instance.procedure->range;
  for (unsigned rank = 1; rank <= sema::MaxRank; ++rank) {
    if (!instance.covers[rank])
      continue;
    auto *region = module.make<air::Region>();
    region->name = names.unique(("R" + Twine(rank)).str());
    region->shape = convert(*instance.covers[rank]);
    region->storage = air::Storage::Param;
    region->range = range;
    air::Parameter parameter;
    parameter.region = region;
    procedure.params.push_back(parameter);
    covers[rank] = region;
    sema::MaskKind mask = instance.masks[rank];
    if (mask == sema::MaskKind::None)
      continue;
    covers[rank].mask.array = addParameter(
        ("M" + Twine(rank)).str(), air::Type::Bool, region->shape, range);
    covers[rank].mask.value = mask == sema::MaskKind::With;
  }
}

air::Array *ProcedureBuilder::addParameter(StringRef name, air::Type element,
                                           air::Shape shape,
                                           SourceRange range) {
  auto *array = module.make<air::Array>();
  array->name = names.unique(name);
  array->element = element;
  array->shape = std::move(shape);
  array->storage = air::Storage::Param;
  array->range = range;
  air::Parameter parameter;
  parameter.array = array;
  procedure.params.push_back(parameter);
  return array;
}

/// Where `return` puts what it does not give back; the caller has made it.
void ProcedureBuilder::addResult() {
  const sema::Procedure &source = *instance.procedure;
  if (source.resultRank) {
    result.array = addParameter("result", type(source.result),
                                convert(*instance.covers[source.resultRank]),
                                source.range);
  } else if (returnsByReference(&source)) {
    result.variable = module.make<air::Variable>();
    result.variable->name = names.unique("result");
    result.variable->type = type(source.result);
    result.variable->storage = air::Storage::Param;
    result.variable->byReference = true;
    result.variable->range = source.range;
    procedure.params.push_back(result);
  }
}

void ProcedureBuilder::addParameters() {
  for (auto [i, symbol] : enumerate(instance.procedure->params))
    if (auto *variable = dyn_cast<sema::Variable>(symbol))
      addParameter(variable, !shared.empty() && shared[i]);
    else
      addParameter(cast<sema::Array>(symbol), instance.paramShapes[i],
                   instance.mayAlias && instance.alone[i]);
  setTypes();
  nameSame();
}

void ProcedureBuilder::addParameter(const sema::Variable *variable,
                                    bool isShared) {
  auto *made = module.make<air::Variable>();
  made->name = names.unique(variable->name);
  made->text = variable->name;
  made->storage = air::Storage::Param;
  made->byReference = isShared || sema::isByReference(variable->mode);
  made->range = variable->range;
  if (variable->mode == sema::Mode::Const && !isShared)
    stableVariables.insert(made);
  locals.variables[variable] = made;
  air::Parameter parameter;
  parameter.variable = made;
  procedure.params.push_back(parameter);
}

void ProcedureBuilder::addParameter(const sema::Array *array,
                                    const sema::Shape &shape, bool isAlone) {
  if (array->family != sema::Type::Error)
    return addFamilyParameter(array, shape);
  air::Array *made =
      addParameter(array->name, air::Type::Void, convert(shape), array->range);
  made->text = array->name;
  made->isAlone = isAlone;
  locals.arrays[array] = made;
}

/// Parameters that are one array are the first of them.
void ProcedureBuilder::nameSame() {
  const std::vector<sema::Symbol *> &params = instance.procedure->params;
  for (auto [i, first] : enumerate(instance.sameAs))
    if (first != i)
      locals.arrays[cast<sema::Array>(params[i])] =
          locals.arrays.at(cast<sema::Array>(params[first]));
}

/// Blank bounds of a formal are parameters that follow it.
void ProcedureBuilder::setTypes() {
  for (const sema::Symbol *symbol : instance.procedure->params)
    if (auto *variable = dyn_cast<sema::Variable>(symbol))
      find(variable)->type = type(variable->type);
    else if (auto *array = cast<sema::Array>(symbol);
             array->family != sema::Type::Error)
      family(array).variable->type = familyType(array);
    else
      find(array)->element = type(array->element);
}

void ProcedureBuilder::copyInParameters() {
  for (const sema::Symbol *symbol : instance.procedure->params) {
    auto *variable = dyn_cast<sema::Variable>(symbol);
    auto *array = dyn_cast<sema::Array>(symbol);
    if (array && array->mode == sema::Mode::In &&
        array->family != sema::Type::Error)
      copyInFamily(array);
    if (!variable || variable->mode != sema::Mode::In)
      continue;
    air::Variable *given = find(variable);
    if (!given->type.isAggregate())
      continue;
    SourceRange range = variable->range;
    air::Variable *copy = makeVariable(variable->name, given->type, range);
    std::swap(copy->text, given->text);
    allocate(copy, range);
    emit<air::SetStmt>(this->variable(copy, range),
                       this->variable(given, range), range);
    locals.variables[variable] = copy;
  }
}

void ProcedureBuilder::zeroOutParameters() {
  for (const sema::Symbol *symbol : instance.procedure->params) {
    auto *variable = dyn_cast<sema::Variable>(symbol);
    if (variable && variable->mode == sema::Mode::Out) {
      air::Variable *target = find(variable);
      SourceRange range = variable->range;
      if (target->type == air::Type::Timer)
        emit<air::TimerStmt>(air::TimerStmt::Clear, target, nullptr, nullptr,
                             range);
      else
        emit<air::SetStmt>(this->variable(target, range),
                           zero(target->type, range), range);
    }
    auto *array = dyn_cast<sema::Array>(symbol);
    if (array && array->mode == sema::Mode::Out)
      clear(array);
  }
}

/// Zeroes all elements of an array parameter.
void ProcedureBuilder::clear(const sema::Array *array) {
  if (array->family != sema::Type::Error)
    return clearFamily(array);
  air::Array *target = find(array);
  SourceRange range = array->range;
  storeElements(elementOf(target, range), zero(target->element, range),
                declaredRegion(target, range), range);
}

//===----------------------------------------------------------------------===//
// Locals
//===----------------------------------------------------------------------===//

void ProcedureBuilder::addLocals() {
  // Loops of a declaration's setup count in hidden variables, which may stand
  // after it.
  for (const sema::Symbol *symbol : instance.procedure->locals) {
    auto *variable = dyn_cast<sema::Variable>(symbol);
    if (variable && variable->isHidden)
      locals.variables[variable] =
          makeVariable(variable->name, type(variable->type), variable->range);
  }
  for (const sema::Symbol *symbol : instance.procedure->locals)
    addLocal(symbol);
}

void ProcedureBuilder::addLocal(const sema::Symbol *symbol) {
  switch (symbol->kind) {
  case sema::SymbolKind::Variable: {
    auto *variable = cast<sema::Variable>(symbol);
    if (variable->storage == sema::Storage::Static)
      return;
    air::Variable *&made = locals.variables[variable];
    if (!made)
      made =
          makeVariable(variable->name, type(variable->type), variable->range);
    made->text = variable->isHidden ? "" : variable->name;
    if (variable->isConst)
      stableVariables.insert(made);
    allocate(made, variable->range);
    return initialize(variable);
  }
  case sema::SymbolKind::Array:
    if (cast<sema::Array>(symbol)->storage != sema::Storage::Static)
      addLocalArray(cast<sema::Array>(symbol));
    return;
  case sema::SymbolKind::Region: {
    auto *region = cast<sema::Region>(symbol);
    air::Region *made =
        makeRegion(region->name, shapeOf(*region->init), region->range);
    made->text = region->name;
    made->isTemporary = false;
    locals.regions[region] = made;
    return setRegion(made, *region->init);
  }
  case sema::SymbolKind::Direction:
    return initialize(cast<sema::Direction>(symbol), locals,
                      air::Storage::Local);
  case sema::SymbolKind::Procedure:
  case sema::SymbolKind::Type:
    return;
  }
}

/// The region of a local array; arrays of one definition share it unless they
/// follow a variable.
air::Region *ProcedureBuilder::localRegion(const sema::Array *array) {
  if (array->over) {
    air::Region *region = makeRegion(array->name + ".region",
                                     shapeOf(*array->declared), array->range);
    region->text = array->declared->text;
    setDeclared(region, array);
    return region;
  }
  air::Region *&declared = locals.anonymous[array->declared];
  if (!declared)
    declared = evaluate(*array->declared, array->name + ".region");
  return declared;
}

void ProcedureBuilder::addLocalArray(const sema::Array *array) {
  if (array->family != sema::Type::Error)
    return addLocalFamily(array);
  air::Region *declared = localRegion(array);
  air::Array *made = makeArray(array->name, type(array->element),
                               declared->shape, array->range);
  made->text = array->name;
  made->declared = declared;
  made->fluff = fluffOf(*array, made->shape);
  if (!array->over)
    for (const sema::RegionExpr *border : array->borders)
      made->borders.push_back(evaluate(*border, array->name + ".border"));
  locals.arrays[array] = made;
  localMemory.push_back(made);
  allocate(array, made);
  initialize(array);
}

void ProcedureBuilder::initialize(const sema::Variable *variable) {
  if (variable->init && !assignDirectly(variable, variable->init)) {
    const air::Expr *init = value(variable->init);
    emit<air::SetStmt>(this->variable(find(variable), variable->range), init,
                       variable->range);
  }
  statements(variable->setup);
}

void ProcedureBuilder::initialize(const sema::Direction *direction,
                                  SymbolMap &map, air::Storage storage) {
  auto &known = storage == air::Storage::Global ? module.directions
                                                : procedure.directions;
  known.push_back({direction->name, {}, direction->range});
  for (auto [d, component] : enumerate(direction->components)) {
    known.back().components.push_back({component.constant.value_or(0)});
    if (component.constant)
      continue;
    std::string name = (direction->name + "." + Twine(d + 1)).str();
    air::Variable *variable =
        storage == air::Storage::Global
            ? makeGlobal(builder, name, air::Type::I64, direction->range)
            : makeVariable(name, air::Type::I64, direction->range);
    map.components[{direction, unsigned(d)}] = variable;
    known.back().components.back().variable = variable;
    const air::Expr *init = castTo(air::Type::I64, value(component.init));
    const air::Expr *made = this->variable(variable, direction->range);
    emit<air::SetStmt>(made, init, direction->range);
    if (direction->type != sema::Type::Error)
      checkComponent(made, direction->type, d, direction->range);
  }
}

void ProcedureBuilder::initialize(const sema::Array *array) {
  if (array->family != sema::Type::Error)
    return initializeFamily(array);
  if (!array->init && array->setup.empty())
    return;
  air::Array *target = find(array);
  air::Region *declared = declaredRegion(target, array->range);
  open(declared, [&] { initializeElements(array, target, declared); });
}

/// What \p target, which is \p array or a member, starts with.
void ProcedureBuilder::initializeElements(const sema::Array *array,
                                          air::Array *target,
                                          air::Region *declared) {
  if (array->init) {
    TemporaryScope scope(*this);
    prepare(array->init, declared);
    assign(elementOf(target, array->range), array->init, declared,
           array->range);
    scope.free(array->range);
  }
  statements(array->setup);
}

/// Gives a local variable its memory if that is on the heap.
void ProcedureBuilder::allocate(air::Variable *variable, SourceRange range) {
  variable->onHeap = needsHeap(variable->type, air::Storage::Local);
  if (!variable->onHeap)
    return;
  emit<air::AllocVariableStmt>(variable, range);
  localMemory.push_back(variable);
}

void ProcedureBuilder::freeOpen(size_t first, SourceRange range) {
  for (air::Array *array : reverse(ArrayRef(temporaries).drop_front(first)))
    emit<air::FreeArrayStmt>(array, range);
}

void ProcedureBuilder::freeLocals(SourceRange range) {
  for (auto memory : reverse(localMemory))
    if (auto *array = dyn_cast<air::Array *>(memory))
      emit<air::FreeArrayStmt>(array, range);
    else if (auto *family = dyn_cast<const sema::Array *>(memory))
      freeFamily(family, range);
    else
      emit<air::FreeVariableStmt>(cast<air::Variable *>(memory), range);
}

//===----------------------------------------------------------------------===//
// Making and finding
//===----------------------------------------------------------------------===//

air::Variable *ProcedureBuilder::makeVariable(StringRef name, air::Type type,
                                              SourceRange range) {
  auto *variable = module.make<air::Variable>();
  variable->name = names.unique(name);
  variable->type = type;
  variable->range = range;
  procedure.variables.push_back(variable);
  return variable;
}

air::Region *ProcedureBuilder::makeRegion(StringRef name, air::Shape shape,
                                          SourceRange range) {
  auto *region = module.make<air::Region>();
  region->name = names.unique(name);
  region->shape = std::move(shape);
  region->range = range;
  region->isTemporary = true;
  procedure.regions.push_back(region);
  return region;
}

air::Array *ProcedureBuilder::makeArray(StringRef name, air::Type element,
                                        air::Shape shape, SourceRange range) {
  auto *array = module.make<air::Array>();
  array->name = names.unique(name);
  array->element = element;
  array->shape = std::move(shape);
  array->range = range;
  procedure.arrays.push_back(array);
  return array;
}

air::Variable *ProcedureBuilder::temporary(air::Type type, SourceRange range) {
  return temporary("t", type, range);
}

air::Variable *ProcedureBuilder::temporary(StringRef name, air::Type type,
                                           SourceRange range) {
  air::Variable *variable = scratch(name, type, range);
  stableVariables.insert(variable);
  return variable;
}

air::Variable *ProcedureBuilder::scratch(StringRef name, air::Type type,
                                         SourceRange range) {
  air::Variable *variable = makeVariable(name, type, range);
  variable->onHeap = needsHeap(type, air::Storage::Local);
  if (!variable->onHeap)
    return variable;
  heapTemporaries.push_back(variable);
  procedure.body.insert(procedure.body.begin() + allocationPoint++,
                        module.make<air::AllocVariableStmt>(variable, range));
  return variable;
}

air::Array *ProcedureBuilder::temporaryArray(air::Type element,
                                             air::Region *region,
                                             SourceRange range) {
  air::Array *array = makeArray("T", element, region->shape, range);
  array->declared = region;
  emit<air::AllocArrayStmt>(array, range);
  temporaries.push_back(array);
  return array;
}

/// What operations of a wave use stays until that is complete.
void ProcedureBuilder::TemporaryScope::free(SourceRange range) {
  while (!builder.openWave && builder.temporaries.size() > mark) {
    builder.emit<air::FreeArrayStmt>(builder.temporaries.back(), range);
    builder.temporaries.pop_back();
  }
}

void ProcedureBuilder::TemporaryScope::freeAllBut(air::Array *array,
                                                  SourceRange range) {
  bool isOurs = erase(builder.temporaries, array);
  free(range);
  if (isOurs)
    builder.temporaries.push_back(array);
}

air::Variable *ProcedureBuilder::find(const sema::Variable *variable) const {
  air::Variable *local = locals.variables.lookup(variable);
  return local ? local : builder.globals.variables.lookup(variable);
}

air::Array *ProcedureBuilder::find(const sema::Array *array) const {
  air::Array *local = locals.arrays.lookup(array);
  return local ? local : builder.globals.arrays.lookup(array);
}

air::Region *ProcedureBuilder::find(const sema::Region *region) const {
  air::Region *local = locals.regions.lookup(region);
  return local ? local : builder.globals.regions.lookup(region);
}

air::Variable *ProcedureBuilder::find(const sema::Direction *direction,
                                      unsigned dim) const {
  air::Variable *local = locals.components.lookup({direction, dim});
  return local ? local : builder.globals.components.lookup({direction, dim});
}

void ProcedureBuilder::appendTo(air::StmtList &list,
                                function_ref<void()> generate) {
  SaveAndRestore outer(current, &list);
  SaveAndRestore outerStart(statementStart, list.size());
  size_t bound = boundViews.size();
  generate();
  boundViews.truncate(bound);
}

} // namespace zpl::arraygen
