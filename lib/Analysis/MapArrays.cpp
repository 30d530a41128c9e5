//===- MapArrays.cpp - Arrays that are maps of remaps ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     proc @f(array %Q) { [@R] %Q = ... }      Q and P are one set, for
//     call @f(array @P)                        P may be what f writes;
//     gather %T = @A at (@P) over @R           and it has maps
//
// Names are joined where two may be of one array: arguments and parameters,
// views and their family, shifted and flooded arrays and what they are made of.
// What else one statement may write, in procedures that may have aliases, Effects
// knows. So a statement that writes a map says so, whatever the name is.
//
// Cost: a look at each statement and expression.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/MapArrays.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

MapArrays::MapArrays(const Module &module) : module(module) {
  auto addFamily = [&](const Array *array) {
    if (array->family)
      names.unionSets(array, array->family);
  };
  for (const Procedure *procedure : module.procedures) {
    for (const Array *array : procedure->arrays)
      addFamily(array);
    forEachStmt(procedure->body, [&](const Stmt &stmt) { addNames(stmt); });
  }
  for (const Procedure *procedure : module.procedures)
    forEachStmt(procedure->body, [&](const Stmt &stmt) {
      if (auto *check = dyn_cast<CheckStmt>(&stmt))
        addMaps(check->maps, check->mask);
      if (auto *window = dyn_cast<WindowStmt>(&stmt))
        for (const WindowReference &reference : window->references)
          addMaps(reference.maps, reference.mask);
    });
  if (!bits.empty())
    effects.emplace(module);
}

void MapArrays::addNames(const Stmt &stmt) {
  if (auto *shift = dyn_cast<ShiftStmt>(&stmt))
    for (const ShiftView &view : shift->views)
      names.unionSets(view.target, shift->source);
  if (auto *flood = dyn_cast<FloodStmt>(&stmt))
    names.unionSets(flood->target, flood->source);
  forEachExpr(stmt, [&](const Expr &e) {
    if (auto *call = dyn_cast<CallExpr>(&e))
      addArguments(*call);
  });
}

void MapArrays::addArguments(const CallExpr &call) {
  for (auto [arg, param] : zip(call.args, call.callee->params)) {
    if (param.array && arg.array) {
      names.unionSets(param.array, arg.array);
    } else if (param.array && arg.place) {
      if (const ElementExpr *element = rootElement(arg.place))
        names.unionSets(param.array, element->array);
    } else if (param.variable && param.variable->type.isFamily()) {
      const Expr *place = arg.place ? arg.place : arg.value;
      if (const Variable *family = place ? rootVariable(place) : nullptr)
        names.unionSets(param.variable, family);
    }
  }
}

void MapArrays::addMaps(ArrayRef<Map> maps, const Mask &mask) {
  auto add = [&](const Array *array) {
    if (array)
      bits.try_emplace(names.getOrInsertLeaderValue(array), bits.size() % 63);
  };
  for (const Map &map : maps)
    add(map.array);
  add(mask.array);
}

uint64_t MapArrays::setOf(const void *name) const {
  auto leader = names.findLeader(name);
  auto bit = leader == names.member_end() ? bits.end() : bits.find(*leader);
  return bit == bits.end() ? 0 : uint64_t(1) << bit->second;
}

uint64_t MapArrays::setsOf(ArrayRef<Map> maps, const Mask &mask) const {
  uint64_t sets = mask.array ? setOf(mask.array) : 0;
  for (const Map &map : maps)
    sets |= map.array ? setOf(map.array) : 0;
  return sets;
}

uint64_t MapArrays::writtenBy(const Procedure &procedure,
                              const Stmt &stmt) const {
  // Names that are bound to other arrays are no elements that change.
  if (!effects || isa<BindArrayStmt>(stmt) ||
      groupOf(stmt) == StmtGroup::Branch)
    return 0;
  WriteSet written = effects->writes(procedure, stmt);
  uint64_t sets = 0;
  for (const Array *array : written.arrays)
    sets |= setOf(array);
  for (const Variable *family : written.families)
    sets |= setOf(family);
  if (written.reallocates)
    sets = ~uint64_t(0) >> 1;
  return sets;
}

} // namespace zpl::air
