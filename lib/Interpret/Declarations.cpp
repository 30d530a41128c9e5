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

#include "Declarations.h"
#include "Arrays/ArrayExpressions.h"
#include "Arrays/Families.h"
#include "Distributions.h"
#include "Errors.h"
#include "Expressions.h"
#include "Io/ConfigVariables.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Regions/RegionValues.h"
#include "Run.h"
#include "Statements.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

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

static void declare(Run &run, const sema::Variable *variable, Frame &owner);
static void declare(Run &run, const sema::Array *array, Frame &owner);

void declareGlobals(Run &run) {
  std::vector<const sema::Symbol *> order(run.program.globals.begin(),
                                          run.program.globals.end());
  for (const sema::Procedure *procedure : run.program.procedures)
    for (const sema::Symbol *local : procedure->locals) {
      auto isLater = [&](const sema::Symbol *other) {
        return other->range.file == local->range.file &&
               other->range.begin > local->range.begin;
      };
      if (isStatic(local))
        order.insert(find_if(order, isLater), local);
    }
  for (const sema::Symbol *symbol : order)
    declare(run, symbol, run.memory.globals);
}

//===----------------------------------------------------------------------===//
// One declaration
//===----------------------------------------------------------------------===//

void declare(Run &run, const sema::Symbol *symbol, Frame &owner) {
  switch (symbol->kind) {
  case sema::SymbolKind::Variable:
    return declare(run, cast<sema::Variable>(symbol), owner);
  case sema::SymbolKind::Array:
    return declare(run, cast<sema::Array>(symbol), owner);
  case sema::SymbolKind::Region: {
    auto *region = cast<sema::Region>(symbol);
    Region value = evaluate(run, *region->init, /*mayBeUnset=*/true);
    value.text = region->name;
    distribute(run, region, value, region->range);
    owner.regions[region] = std::make_shared<const Region>(std::move(value));
    return;
  }
  case sema::SymbolKind::Direction: {
    auto *direction = cast<sema::Direction>(symbol);
    for (auto [d, component] : enumerate(direction->components)) {
      int64_t value = component.constant ? *component.constant
                                         : eval(run, component.init).integer;
      if (direction->type != Type::Error)
        checkComponent(run, value, direction->type, d, direction->range);
      owner.components[{direction, unsigned(d)}] = value;
    }
    return;
  }
  case sema::SymbolKind::Grid:
    return declare(run, cast<sema::Grid>(symbol));
  case sema::SymbolKind::Distribution:
    return declare(run, cast<sema::Distribution>(symbol));
  case sema::SymbolKind::Domain:
    return declare(run, cast<sema::Domain>(symbol));
  case sema::SymbolKind::Procedure:
  case sema::SymbolKind::Type:
    return;
  }
}

/// Fails if an array of \p counts elements of \p bytes each has no room beside
/// those of all calls; else gives its bytes.
static double checkRoom(Run &run, const std::string &name,
                        ArrayRef<int64_t> counts, double bytes,
                        SourceRange where) {
  constexpr double MostBytes = 8e9;
  for (int64_t count : counts)
    bytes *= double(count);
  if (bytes + run.memory.held > MostBytes)
    fail(run, where,
         formatv("out of memory: variable {0} needs {1:F0} bytes", name, bytes)
             .str());
  return bytes;
}

/// Fails if bounds that are computed where \p variable is declared are none, or
/// there is no room for what is between them. \p type: its, or of elements.
static double checkSize(Run &run, const sema::Variable *variable, Type type) {
  if (type != Type::Array)
    return double(sizeOf(run, type));
  const sema::TypeInfo &info = *type.info();
  double bytes = checkSize(run, variable, info.element);
  SmallVector<int64_t, 2> counts;
  for (unsigned d = 0; d != info.lo.size(); ++d) {
    int64_t lo = boundOf(run, info.lo[d]), hi = boundOf(run, info.hi[d]);
    auto isLocal = [](const sema::TypeBound &bound) {
      return bound.variable && bound.variable->storage == sema::Storage::Local;
    };
    bool isComputed = isLocal(info.lo[d]) || isLocal(info.hi[d]);
    if (isComputed && hi < lo && uint64_t(hi) + 1 != uint64_t(lo))
      fail(run, variable->range,
           formatv("bounds {0}..{1} in dimension {2} of {3}: an empty array "
                   "ends one before it begins",
                   lo, hi, d + 1, variable->name)
               .str());
    uint64_t count = hi < lo ? 0 : uint64_t(hi) - uint64_t(lo) + 1;
    counts.push_back(int64_t(std::min(count, uint64_t(INT64_MAX))));
  }
  if (is_contained(counts, 0))
    return 0;
  return checkRoom(run, variable->name, counts, bytes, variable->range);
}

static void declare(Run &run, const sema::Variable *variable, Frame &owner) {
  if (variable->isExtern)
    return;
  char *&address = owner.variables[variable];
  if (!address && variable->type == Type::Array) {
    double bytes = checkSize(run, variable, variable->type);
    owner.held += bytes;
    run.memory.held += bytes;
  }
  if (!address)
    address = allocate(owner, sizeOf(run, variable->type));
  variable->isConfig ? configure(run, variable) : initialize(run, variable);
}

char *addressOf(Run &run, const sema::Variable *variable) {
  auto local = run.memory.frame->variables.find(variable);
  if (local != run.memory.frame->variables.end())
    return local->second;
  auto global = run.memory.globals.variables.find(variable);
  if (global != run.memory.globals.variables.end())
    return global->second;
  if (variable->isExtern)
    fail(run, variable->range,
         "'" + variable->name +
             "' is a variable of C, which cannot be "
             "interpreted; compile the program");
  bool isLocal = variable->storage == sema::Storage::Local &&
                 run.memory.frame != &run.memory.globals;
  Frame &owner = isLocal ? *run.memory.frame : run.memory.globals;
  return owner.variables[variable] =
             allocate(owner, sizeOf(run, variable->type));
}

/// Copies the elements that arrays of lengths \p to and \p from both have.
static void copyElements(char *target, ArrayRef<int64_t> to, const char *source,
                         ArrayRef<int64_t> from, int64_t element) {
  int64_t toRow = element, fromRow = element;
  for (size_t d = 1; d != to.size(); ++d) {
    toRow *= to[d];
    fromRow *= from[d];
  }
  for (int64_t row = 0; row < std::min(to[0], from[0]); ++row)
    if (to.size() > 1)
      copyElements(target + row * toRow, to.drop_front(),
                   source + row * fromRow, from.drop_front(), element);
    else
      std::memcpy(target + row * element, source + row * element, element);
}

void resize(Run &run, const sema::ResizeStmt *stmt) {
  const sema::Variable *variable = stmt->target->variable;
  const sema::TypeInfo &info = *variable->type.info();
  SmallVector<int64_t, 2> from, to;
  for (auto [d, bound] : enumerate(info.hi)) {
    from.push_back(boundOf(run, bound));
    to.push_back(eval(run, stmt->lengths[d]).integer);
    if (to.back() < 0)
      fail(run, stmt->range,
           formatv("length {0} in dimension {1} of {2} is negative", to.back(),
                   d + 1, variable->name)
               .str());
  }
  int64_t element = sizeOf(run, info.element);
  if (!is_contained(to, 0))
    checkRoom(run, variable->name, to, double(element), stmt->range);
  bool isLocal = run.memory.frame->variables.contains(variable);
  Frame &owner = isLocal ? *run.memory.frame : run.memory.globals;
  char *old = addressOf(run, variable);
  int64_t bytes = is_contained(to, 0) ? 0 : element;
  for (int64_t length : to)
    bytes *= length;
  char *made = allocate(owner, bytes);
  copyElements(made, to, old, from, element);
  for (auto [bound, length] : zip(info.hi, to)) {
    Value value;
    value.integer = length;
    store(Type::Longint, addressOf(run, bound.variable), value);
  }
  owner.variables[variable] = made;
  erase_if(owner.memory, [&](const auto &piece) { return piece.get() == old; });
}

void initialize(Run &run, const sema::Variable *variable) {
  if (variable->init) {
    Value value = eval(run, variable->init);
    store(variable->type, addressOf(run, variable), value);
  }
  execute(run, variable->setup);
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

std::unique_ptr<ArrayStorage> makeArray(Run &run, const std::string &name,
                                        Type element, Region declared,
                                        SourceRange where,
                                        std::vector<Region> borders) {
  constexpr double MostBytes = 1e11;
  double bytes = double(sizeOf(run, element));
  for (const Dim &dim : declared.dims)
    bytes *= double(dim.count());
  if (bytes > MostBytes)
    fail(run, where,
         "no memory for " + (name.empty() ? "an array" : name) + " over " +
             declared.describe());
  return std::make_unique<ArrayStorage>(name, element, sizeOf(run, element),
                                        std::move(declared),
                                        std::move(borders));
}

static void declare(Run &run, const sema::Array *array, Frame &owner) {
  if (array->family != Type::Error)
    return declareFamily(run, array, owner);
  owner.storage.push_back(makeDeclared(run, array));
  owner.arrays[array] = owner.storage.back().get();
  distribute(run, array, owner.arrays[array]->declared, array->range);
  follow(run, array, *owner.arrays[array]);
  initialize(run, array, *owner.arrays[array]);
}

void initialize(Run &run, const sema::Array *array, ArrayStorage &target) {
  Cover declared;
  declared.region = std::make_shared<const Region>(target.declared);
  under(run, declared, [&] {
    if (array->init) {
      std::unique_ptr<ArrayStorage> values =
          materialize(run, array->init, declared);
      forEachIndex(*declared.region, [&](const Index &index) {
        store(array->element, target.at(index),
              load(run, array->element, values->at(index)));
      });
    }
    execute(run, array->setup);
  });
}

ArrayStorage &find(Run &run, const sema::Array *array) {
  if (ArrayStorage *local = run.memory.frame->arrays.lookup(array))
    return *local;
  if (ArrayStorage *global = run.memory.globals.arrays.lookup(array))
    return *global;
  fail(run, array->range, array->name + " is used before its declaration");
}

} // namespace zpl::interpreter
