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
//    then the formals.
// 2. Results (`out`) are cleared, then the locals are set up in the order of
//    their declarations. Scalars are zero at entry by the rules of the IR.
// 3. Every way out frees the local arrays: each return, and the end.
//
// Temporary arrays live within one statement, so no return or exit can leave
// one behind.
//
//===----------------------------------------------------------------------===//

#include "Procedure.h"
#include "llvm/ADT/Twine.h"

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
  addParameters();
  zeroOutParameters();
  addLocals();
  statement(source.body);
  if (!fallsThrough(source.body))
    return;
  SourceRange end = endOf(source.bodyRange);
  if (source.result != sema::ScalarType::Void)
    emit<air::MissingReturnStmt>(source.name, end);
  else
    freeLocalArrays(end);
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void ProcedureBuilder::addCovers() {
  for (unsigned rank = 1; rank <= sema::MaxRank; ++rank) {
    if (!instance.covers[rank])
      continue;
    auto *region = module.make<air::Region>();
    region->name = names.unique(("R" + Twine(rank)).str());
    region->shape = convert(*instance.covers[rank]);
    region->storage = air::Storage::Param;
    region->range = instance.procedure->range;
    covers[rank] = region;
    air::Parameter parameter;
    parameter.region = region;
    procedure.params.push_back(parameter);
  }
}

void ProcedureBuilder::addParameters() {
  for (auto [i, symbol] : enumerate(instance.procedure->params)) {
    air::Parameter parameter;
    if (auto *variable = dyn_cast<sema::Variable>(symbol)) {
      auto *made = module.make<air::Variable>();
      made->name = names.unique(variable->name);
      made->type = convert(variable->type);
      made->storage = air::Storage::Param;
      made->byReference = sema::isByReference(variable->mode);
      made->range = variable->range;
      if (variable->mode == sema::Mode::Const)
        stableVariables.insert(made);
      locals.variables[variable] = parameter.variable = made;
    } else {
      auto *array = cast<sema::Array>(symbol);
      auto *made = module.make<air::Array>();
      made->name = names.unique(array->name);
      made->text = array->name;
      made->element = convert(array->element);
      made->shape = convert(instance.paramShapes[i]);
      made->storage = air::Storage::Param;
      made->range = array->range;
      locals.arrays[array] = parameter.array = made;
    }
    procedure.params.push_back(parameter);
  }
}

void ProcedureBuilder::zeroOutParameters() {
  for (const sema::Symbol *symbol : instance.procedure->params) {
    auto *variable = dyn_cast<sema::Variable>(symbol);
    if (variable && variable->mode == sema::Mode::Out) {
      air::Variable *target = find(variable);
      if (target->type == air::Type::Timer)
        emit<air::TimerStmt>(air::TimerStmt::Clear, target, nullptr, nullptr,
                             variable->range);
      else
        emit<air::SetStmt>(target, constant(target->type, 0, variable->range),
                           variable->range);
    }
    auto *array = dyn_cast<sema::Array>(symbol);
    if (array && array->mode == sema::Mode::Out)
      clear(array);
  }
}

/// Zeroes all elements of an array parameter.
void ProcedureBuilder::clear(const sema::Array *array) {
  air::Array *target = find(array);
  air::Region *all = makeRegion("declared", target->shape, array->range);
  air::RegionExpr declared;
  declared.kind = air::RegionExpr::Declared;
  declared.array = target;
  emit<air::SetRegionStmt>(all, declared, array->range);
  emit<air::ArrayAssignStmt>(
      all, target, constant(target->element, 0, array->range), array->range);
}

//===----------------------------------------------------------------------===//
// Locals
//===----------------------------------------------------------------------===//

void ProcedureBuilder::addLocals() {
  for (const sema::Symbol *symbol : instance.procedure->locals)
    addLocal(symbol);
}

void ProcedureBuilder::addLocal(const sema::Symbol *symbol) {
  switch (symbol->kind) {
  case sema::SymbolKind::Variable: {
    auto *variable = cast<sema::Variable>(symbol);
    if (variable->storage == sema::Storage::Static)
      return;
    air::Variable *made =
        makeVariable(variable->name, convert(variable->type), variable->range);
    if (variable->isConst)
      stableVariables.insert(made);
    locals.variables[variable] = made;
    return initialize(variable);
  }
  case sema::SymbolKind::Array:
    if (cast<sema::Array>(symbol)->storage != sema::Storage::Static)
      addLocalArray(cast<sema::Array>(symbol));
    return;
  case sema::SymbolKind::Region: {
    auto *region = cast<sema::Region>(symbol);
    air::Region *made =
        makeRegion(region->name, convert(region->shape), region->range);
    made->text = region->name;
    locals.regions[region] = made;
    return setRegion(made, *region->init);
  }
  case sema::SymbolKind::Direction:
    return initialize(cast<sema::Direction>(symbol), locals,
                      air::Storage::Local);
  case sema::SymbolKind::Procedure:
    return;
  }
}

void ProcedureBuilder::addLocalArray(const sema::Array *array) {
  air::Region *&declared = locals.anonymous[array->declared];
  if (!declared)
    declared = evaluate(*array->declared, array->name + ".region");
  air::Array *made = makeArray(array->name, convert(array->element),
                               declared->shape, array->range);
  made->text = array->name;
  made->declared = declared;
  made->fluff = fluffOf(array->directions, array->rank);
  locals.arrays[array] = made;
  localArrays.push_back(made);
  emit<air::AllocArrayStmt>(made, array->range);
  initialize(array);
}

void ProcedureBuilder::initialize(const sema::Variable *variable) {
  if (!variable->init)
    return;
  air::Variable *target = find(variable);
  if (!assignDirectly(variable, variable->init))
    emit<air::SetStmt>(target, value(variable->init), variable->range);
}

void ProcedureBuilder::initialize(const sema::Direction *direction,
                                  SymbolMap &map, air::Storage storage) {
  for (auto [d, component] : enumerate(direction->components)) {
    if (component.constant)
      continue;
    std::string name = (direction->name + "." + Twine(d + 1)).str();
    air::Variable *variable =
        storage == air::Storage::Global
            ? makeGlobal(builder, name, air::Type::I64, direction->range)
            : makeVariable(name, air::Type::I64, direction->range);
    map.components[{direction, unsigned(d)}] = variable;
    const air::Expr *init = castTo(air::Type::I64, value(component.init));
    emit<air::SetStmt>(variable, init, direction->range);
  }
}

void ProcedureBuilder::initialize(const sema::Array *array) {
  if (!array->init)
    return;
  air::Array *target = find(array);
  open(target->declared, [&] {
    TemporaryScope scope(*this);
    prepare(array->init, target->declared);
    assign(target, array->init, target->declared, array->range);
    scope.free(array->range);
  });
}

void ProcedureBuilder::freeLocalArrays(SourceRange range) {
  for (air::Array *array : reverse(localArrays))
    emit<air::FreeArrayStmt>(array, range);
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
  air::Variable *variable = makeVariable("t", type, range);
  stableVariables.insert(variable);
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

void ProcedureBuilder::TemporaryScope::free(SourceRange range) {
  while (builder.temporaries.size() > mark) {
    builder.emit<air::FreeArrayStmt>(builder.temporaries.back(), range);
    builder.temporaries.pop_back();
  }
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
  air::StmtList *outer = current;
  current = &list;
  generate();
  current = outer;
}

} // namespace zpl::arraygen
