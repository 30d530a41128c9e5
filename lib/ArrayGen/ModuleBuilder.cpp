//===- ModuleBuilder.cpp - State of one module's generation ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The small common parts: names, shapes, fluff.
//
// Names of the array IR are the source's. Where two things of one scope would
// share one (a temporary `T` beside the user's T, two instances of a procedure,
// static locals of two procedures), the later one gets a suffix: `T.1`.
//
// Fluff is what constant directions ask for: with A@[-1,0] and A@[2,1] in the
// program, A is read up to 1 below and 2 above in the first dimension, and 1
// above in the second. Directions that are not known now, and those of `@^`,
// ask for one position where they lead elsewhere.
//
//===----------------------------------------------------------------------===//

#include "ModuleBuilder.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::arraygen {

std::string NameSet::unique(StringRef wanted) {
  if (taken.insert(wanted).second)
    return wanted.str();
  for (unsigned n = 1;; ++n) {
    std::string name = (wanted + "." + Twine(n)).str();
    if (taken.insert(name).second)
      return name;
  }
}

air::Shape convert(const sema::Shape &shape) {
  air::Shape result;
  for (sema::DimKind kind : shape)
    result.push_back(static_cast<air::DimKind>(kind));
  return result;
}

sema::Shape convert(const air::Shape &shape) {
  sema::Shape result;
  for (air::DimKind kind : shape)
    result.push_back(static_cast<sema::DimKind>(kind));
  return result;
}

bool mayServeAs(const air::Shape &given, const air::Shape &wanted) {
  return all_of(zip(given, wanted), [](auto kinds) {
    auto [given, wanted] = kinds;
    bool isRange = wanted == air::DimKind::Range;
    return given == wanted || (isRange && given == air::DimKind::Singleton) ||
           (wanted == air::DimKind::Strided && !air::isPerProcessor(given));
  });
}

air::Offset withoutFloods(ArrayRef<int64_t> direction,
                          const air::Shape &shape) {
  air::Offset offset(direction.begin(), direction.end());
  for (auto [component, kind] : zip(offset, shape))
    if (air::isPerProcessor(kind))
      component = 0;
  return offset;
}

air::Fluff fluffOf(const sema::Array &array, const air::Region &over) {
  const air::Shape &shape = over.shape;
  air::Fluff fluff;
  if (over.isSparse)
    return fluff;
  uint32_t dims = 0; // that directions act in
  for (auto [d, kind] : enumerate(shape))
    dims |= uint32_t(!air::isPerProcessor(kind)) << d;
  fluff.steps = array.stepDims & dims;
  fluff.wraps = array.wrapDims & dims;
  if (array.directions.empty() && fluff.isNone())
    return fluff;
  fluff.below.assign(shape.size(), 0);
  fluff.above.assign(shape.size(), 0);
  for (const SmallVector<int64_t, 6> &direction : array.directions)
    for (auto [d, component] : enumerate(withoutFloods(direction, shape))) {
      fluff.below[d] = std::max(fluff.below[d], -component);
      fluff.above[d] = std::max(fluff.above[d], component);
    }
  return fluff;
}

air::Variable *makeGlobal(ModuleBuilder &builder, StringRef name,
                          air::Type type, SourceRange range) {
  auto *variable = builder.module.make<air::Variable>();
  variable->name = builder.names.unique(name);
  variable->type = type;
  variable->storage = air::Storage::Global;
  variable->range = range;
  variable->onHeap = needsHeap(type, air::Storage::Global);
  builder.module.variables.push_back(variable);
  return variable;
}

void ModuleBuilder::declare(const sema::Instance &instance) {
  auto *procedure = module.make<air::Procedure>();
  procedure->name = names.unique(instance.name);
  procedure->sourceName = instance.procedure->name;
  procedure->isScalar = !instance.procedure->isParallel;
  procedure->mayAlias = instance.mayAlias;
  procedure->thunk = instance.procedure->thunk;
  procedure->range = instance.procedure->range;
  procedures[&instance] = procedure;
  module.procedures.push_back(procedure);
}

air::Procedure *
ModuleBuilder::instanceOf(const sema::Procedure *procedure) const {
  for (const auto &instance : program.instances)
    if (instance->procedure == procedure)
      return procedures.lookup(instance.get());
  llvm_unreachable("Sema makes an instance of every procedure that is used");
}

air::Variable *ModuleBuilder::processorCount() {
  if (!processors)
    processors = makeGlobal(*this, "PROCESSORS", air::Type::I32, {});
  return processors;
}

} // namespace zpl::arraygen
