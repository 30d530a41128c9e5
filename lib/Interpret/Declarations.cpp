//===- Declarations.cpp - Variables, arrays, regions, directions ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Global declarations are evaluated in the order of the source, before the
// entry procedure; local ones in each activation. `static` locals are global
// but for their names, and declared where their procedure stands:
//
//     config var n: integer = 10;      memory for n; -sn=... or 10
//     region R = [1..n];               the region, evaluated now
//     var A: [R] double = Index1;      zeros over R; then the initializer in
//                                      the scope [R]
//
// Whoever uses a global variable before its turn sees zero.
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::interpreter {

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

bool isStatic(const sema::Symbol *symbol) {
  if (auto *variable = dyn_cast<sema::Variable>(symbol))
    return variable->storage == sema::Storage::Static;
  auto *array = dyn_cast<sema::Array>(symbol);
  return array && array->storage == sema::Storage::Static;
}

void Interpreter::declareGlobals() {
  std::vector<const sema::Symbol *> order(program.globals.begin(),
                                          program.globals.end());
  for (const sema::Procedure *procedure : program.procedures)
    for (const sema::Symbol *local : procedure->locals) {
      auto isLater = [&](const sema::Symbol *other) {
        return other->range.file == local->range.file &&
               other->range.begin > local->range.begin;
      };
      if (isStatic(local))
        order.insert(find_if(order, isLater), local);
    }
  for (const sema::Symbol *symbol : order)
    declare(symbol, globals);
}

//===----------------------------------------------------------------------===//
// One declaration
//===----------------------------------------------------------------------===//

void Interpreter::declare(const sema::Symbol *symbol, Frame &owner) {
  switch (symbol->kind) {
  case sema::SymbolKind::Variable:
    return declare(cast<sema::Variable>(symbol), owner);
  case sema::SymbolKind::Array:
    return declare(cast<sema::Array>(symbol), owner);
  case sema::SymbolKind::Region: {
    auto *region = cast<sema::Region>(symbol);
    Region value = evaluate(*region->init);
    value.text = region->name;
    owner.regions[region] = std::make_shared<const Region>(std::move(value));
    return;
  }
  case sema::SymbolKind::Direction: {
    auto *direction = cast<sema::Direction>(symbol);
    for (auto [d, component] : enumerate(direction->components)) {
      int64_t value = component.constant ? *component.constant
                                         : eval(component.init).integer;
      if (direction->type != Type::Error)
        checkComponent(value, direction->type, d, direction->range);
      owner.components[{direction, unsigned(d)}] = value;
    }
    return;
  }
  case sema::SymbolKind::Procedure:
  case sema::SymbolKind::Type:
    return;
  }
}

void Interpreter::declare(const sema::Variable *variable, Frame &owner) {
  if (variable->isExtern)
    return;
  char *&address = owner.variables[variable];
  if (!address)
    address = allocate(owner, sizeOf(variable->type));
  variable->isConfig ? configure(variable) : initialize(variable);
}

/// The memory of a variable; of a global one before its declaration zeros.
char *Interpreter::addressOf(const sema::Variable *variable) {
  auto local = frame->variables.find(variable);
  if (local != frame->variables.end())
    return local->second;
  auto global = globals.variables.find(variable);
  if (global != globals.variables.end())
    return global->second;
  if (variable->isExtern)
    fail(variable->range, "'" + variable->name +
                              "' is a variable of C, which cannot be "
                              "interpreted; compile the program");
  bool isLocal = variable->storage == sema::Storage::Local && frame != &globals;
  Frame &owner = isLocal ? *frame : globals;
  return owner.variables[variable] = allocate(owner, sizeOf(variable->type));
}

void Interpreter::initialize(const sema::Variable *variable) {
  if (variable->init) {
    Value value = eval(variable->init);
    store(variable->type, addressOf(variable), value);
  }
  execute(variable->setup);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

std::unique_ptr<ArrayStorage>
Interpreter::makeArray(const std::string &name, Type element, Region declared,
                       SourceRange where, std::vector<Region> borders) {
  constexpr double MostBytes = 1e11;
  double bytes = double(sizeOf(element));
  for (const Dim &dim : declared.dims)
    bytes *= double(dim.count());
  if (bytes > MostBytes)
    fail(where, "no memory for " + (name.empty() ? "an array" : name) +
                    " over " + declared.describe());
  return std::make_unique<ArrayStorage>(
      name, element, sizeOf(element), std::move(declared), std::move(borders));
}

void Interpreter::declare(const sema::Array *array, Frame &owner) {
  if (array->family != Type::Error)
    return declareFamily(array, owner);
  owner.storage.push_back(makeDeclared(array));
  owner.arrays[array] = owner.storage.back().get();
  follow(array, *owner.arrays[array]);
  initialize(array, *owner.arrays[array]);
}

/// What \p target, which is \p array or a member of it, starts with.
void Interpreter::initialize(const sema::Array *array, ArrayStorage &target) {
  Cover declared;
  declared.region = std::make_shared<const Region>(target.declared);
  under(declared, [&] {
    if (array->init) {
      std::unique_ptr<ArrayStorage> values = materialize(array->init, declared);
      forEachIndex(*declared.region, [&](const Index &index) {
        store(array->element, target.at(index),
              load(array->element, values->at(index)));
      });
    }
    execute(array->setup);
  });
}

ArrayStorage &Interpreter::find(const sema::Array *array) {
  if (ArrayStorage *local = frame->arrays.lookup(array))
    return *local;
  if (ArrayStorage *global = globals.arrays.lookup(array))
    return *global;
  fail(array->range, array->name + " is used before its declaration");
}

} // namespace zpl::interpreter
