//===- KnownBounds.cpp - Bounds that the program's text shows -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region @R    = [i32 1 .. @n, i32 -2 .. i32 2]       1..n and -2..2
//
// If only one statement sets a region its bounds are the region's wherever that
// is used (RegionDefinitions.h), if they are constants or expressions of config
// variables that only the command line and their default set.
//
// Cost: one look at each statement and its effects.
//
//===----------------------------------------------------------------------===//

#include "KnownBounds.h"
#include "Effects.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

KnownBounds::KnownBounds(const Module &module) : definitions(module) {
  for (const Variable *variable : module.variables)
    if (variable->isConfig)
      fixed.insert(variable);
  Effects effects(module);
  for (const Procedure *procedure : module.procedures)
    for (const Stmt *stmt : procedure->body)
      if (!isa<ConfigStmt>(stmt))
        for (const Variable *v : effects.writes(*procedure, *stmt).variables)
          fixed.erase(v);
}

std::optional<KnownBounds::Range> KnownBounds::constant(const Region *region,
                                                        unsigned dim) const {
  const Expr *low = definitions.bound(region, dim, /*isHigh=*/false);
  const Expr *high = definitions.bound(region, dim, /*isHigh=*/true);
  if (!low || !high)
    return std::nullopt;
  auto lo = constantInteger(low), hi = constantInteger(high);
  if (!lo || !hi)
    return std::nullopt;
  return Range{*lo, *hi};
}

std::optional<KnownBounds::Range> KnownBounds::few(const Region *region,
                                                   unsigned dim) const {
  constexpr int64_t MaxFew = 8;
  auto loops = count_if(region->shape, [](DimKind kind) {
    return kind == DimKind::Range || kind == DimKind::Strided;
  });
  if (loops < 2 || region->shape[dim] != DimKind::Range)
    return std::nullopt;
  auto range = constant(region, dim);
  if (!range || range->lo >= range->hi || range->hi - range->lo >= MaxFew)
    return std::nullopt;
  return range;
}

/// Equal operations on equal constants and variables that never change.
bool KnownBounds::areEqual(const Expr *a, const Expr *b) const {
  auto ca = constantInteger(a), cb = constantInteger(b);
  if (ca && cb)
    return *ca == *cb;
  auto peel = [](const Expr *e) {
    auto *conversion = dyn_cast<CastExpr>(e);
    bool widens = conversion && conversion->type == Type::I64 &&
                  conversion->operand->type == Type::I32;
    return widens ? conversion->operand : e;
  };
  a = peel(a);
  b = peel(b);
  if (a->kind != b->kind || !(a->type == b->type))
    return false;
  if (auto *x = dyn_cast<VarExpr>(a))
    return x->variable == cast<VarExpr>(b)->variable &&
           fixed.contains(x->variable);
  if (auto *x = dyn_cast<BinaryExpr>(a)) {
    auto *y = cast<BinaryExpr>(b);
    return x->op == y->op && areEqual(x->left, y->left) &&
           areEqual(x->right, y->right);
  }
  return false;
}

bool KnownBounds::isBound(const Expr *value, const Region *region, unsigned dim,
                          bool isHigh) const {
  if (auto *own = dyn_cast<BoundExpr>(value))
    return own->region == region && own->dim == dim &&
           own->which == (isHigh ? BoundExpr::Hi : BoundExpr::Lo) &&
           region->shape[dim] != DimKind::Strided;
  const Expr *known = definitions.bound(region, dim, isHigh);
  return known && areEqual(value, known);
}

} // namespace zpl::air
