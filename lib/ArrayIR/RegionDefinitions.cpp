//===- RegionDefinitions.cpp - What regions are set to --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region @R    = [i32 1 .. @n, i32 -2 .. i32 2]       1..n and -2..2
//     region %s    = [_, i32 0] from @R                   1..n and 0
//
// Most regions are set by one statement of the whole program; what that says
// holds wherever the region has a value. Which region inherits from which does
// not matter: each step has one statement, too.
//
// Cost: one look at each statement; a question costs the length of the chain.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/RegionDefinitions.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

std::optional<int64_t> constantInteger(const Expr *expr) {
  if (auto *conversion = dyn_cast<CastExpr>(expr);
      conversion && conversion->type == Type::I64)
    expr = conversion->operand;
  auto *constant = dyn_cast<ConstExpr>(expr);
  if (!constant || (expr->type != Type::I32 && expr->type != Type::I64))
    return std::nullopt;
  return constant->integer;
}

RegionDefinitions::RegionDefinitions(const Module &module) {
  for (const Procedure *procedure : module.procedures)
    forEachStmt(procedure->body, [&](const Stmt &stmt) {
      if (auto *set = dyn_cast<SetRegionStmt>(&stmt)) {
        auto [entry, isNew] = definitions.try_emplace(set->target, set);
        if (!isNew)
          entry->second = nullptr;
      } else if (auto *wave = dyn_cast<WaveStmt>(&stmt)) {
        if (wave->tile != wave->region)
          definitions[wave->tile] = nullptr;
      } else if (auto *boxes = dyn_cast<BoxesStmt>(&stmt)) {
        definitions[boxes->box] = nullptr;
      }
    });
}

const RegionExpr *RegionDefinitions::find(const Region *region) const {
  const SetRegionStmt *set = definitions.lookup(region);
  return set ? &set->value : nullptr;
}

const Expr *RegionDefinitions::bound(const Region *region, unsigned dim,
                                     bool isHigh) const {
  for (size_t steps = 0; steps <= longestChain(); ++steps) {
    const RegionExpr *value = find(region);
    if (!value)
      return nullptr;
    if (value->kind == RegionExpr::Dims &&
        value->dims[dim].kind != DimExpr::Inherit) {
      const DimExpr &d = value->dims[dim];
      if (d.kind == DimExpr::Range)
        return isHigh ? d.hi : d.lo;
      return d.kind == DimExpr::Single ? d.lo : nullptr;
    }
    if (value->kind != RegionExpr::Dims && value->kind != RegionExpr::Same &&
        value->kind != RegionExpr::Where)
      return nullptr;
    region = value->base;
  }
  return nullptr;
}

} // namespace zpl::air
