//===- Combiners.cpp - What local scatters call ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A scatter's own procedure takes both elements by reference, for the runtime.
// In a loop the value is an expression; here it gets a name, so that it is
// computed once however often the procedure reads it. LLVM inlines the call.
//
//===----------------------------------------------------------------------===//

#include "Remaps/Combiners.h"
#include "zpl/ArrayIR/Clone.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

static bool isNumber(Type type) {
  return type.isInteger() || type.isFloat() || type.isComplex();
}

std::string Combiners::freeName() const {
  std::string name = "put";
  auto isTaken = [&] {
    return any_of(module.procedures,
                  [&](const Procedure *p) { return p->name == name; });
  };
  for (unsigned number = 1; isTaken(); ++number)
    name = "put." + std::to_string(number);
  return name;
}

Procedure *Combiners::make(const ScatterStmt &scatter) {
  const Procedure *combine = scatter.combine;
  if (!isNumber(scatter.target->element) ||
      !isNumber(scatter.source->element) ||
      (combine &&
       (combine->body.size() != 1 || !isa<SetStmt>(combine->body.front()))))
    return nullptr;
  auto *made = module.make<Procedure>();
  made->name = freeName();
  made->sourceName = combine ? combine->sourceName : "put";
  made->isScalar = true;
  made->range = scatter.range;
  auto parameter = [&](const char *name, Type type, bool byReference) {
    auto *variable = module.make<Variable>();
    variable->name = name;
    variable->type = type;
    variable->storage = Storage::Param;
    variable->byReference = byReference;
    variable->range = scatter.range;
    made->params.push_back({variable, nullptr, nullptr});
    return variable;
  };
  Variable *before = parameter("old", scatter.target->element, true);
  Variable *added = parameter("new", scatter.source->element, false);
  auto read = [&](Variable *variable) {
    return module.make<VarExpr>(variable, scatter.range);
  };
  if (combine) {
    Renaming names;
    names.variables[combine->params[0].variable] = read(before);
    names.variables[combine->params[1].variable] = read(added);
    made->body = StmtCloner(module, names).clone(combine->body);
  } else {
    made->body.push_back(
        module.make<SetStmt>(read(before), read(added), scatter.range));
  }
  module.procedures.push_back(made);
  return made;
}

Procedure *Combiners::of(const ScatterStmt &scatter) {
  auto [it, isNew] = known.try_emplace(
      {scatter.combine, scatter.combine ? "" : text(scatter.target->element)},
      nullptr);
  if (isNew)
    it->second = make(scatter);
  return it->second;
}

} // namespace zpl::air
