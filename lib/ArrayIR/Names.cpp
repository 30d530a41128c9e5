//===- Names.cpp - New names beside old ones ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes that make variables and transfers name them after what they stand for
// (`delta.local`, `t`); the second of a name gets `.1`. The text form needs
// names to be unique, and people read them in dumps and in LLVM IR.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/Names.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace zpl::air {

NameAllocator::NameAllocator(const Procedure &procedure) {
  for (const Parameter &param : procedure.params)
    taken.insert(param.variable ? param.variable->name
                 : param.array  ? param.array->name
                                : param.region->name);
  for (const Variable *variable : procedure.variables)
    taken.insert(variable->name);
  for (const Region *region : procedure.regions)
    taken.insert(region->name);
  for (const Array *array : procedure.arrays)
    taken.insert(array->name);
  for (const Transfer *transfer : procedure.transfers)
    taken.insert(transfer->name);
}

NameAllocator::NameAllocator(const Module &module) {
  for (const TypeInfo *type : module.types)
    taken.insert(type->name);
  for (const Variable *variable : module.variables)
    taken.insert(variable->name);
  for (const Region *region : module.regions)
    taken.insert(region->name);
  for (const Array *array : module.arrays)
    taken.insert(array->name);
}

std::string NameAllocator::make(StringRef base) {
  std::string name = base.str();
  for (unsigned n = 1; !taken.insert(name).second; ++n)
    name = (base + "." + Twine(n)).str();
  return name;
}

} // namespace zpl::air
