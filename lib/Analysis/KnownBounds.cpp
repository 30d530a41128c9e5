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
// variables that only the command line and their default set. `-w .. w` are few
// indices if the default of w is 2; then they are likely to be those for 1, 2
// or 3.
//
// Cost: one look at each statement and its effects.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/KnownBounds.h"
#include "zpl/Analysis/Effects.h"
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
  for (const Procedure *procedure : module.procedures)
    for (const Stmt *stmt : procedure->body)
      if (auto *config = dyn_cast<ConfigStmt>(stmt);
          config && fixed.contains(config->variable) &&
          config->defaults.size() == 1)
        if (auto *set = dyn_cast<SetStmt>(config->defaults.front()))
          if (auto value = constantInteger(set->value))
            defaults[config->variable] = *value;
}

std::optional<LikelyBounds> KnownBounds::constant(const Region *region,
                                                  unsigned dim) const {
  const Expr *low = definitions.bound(region, dim, /*isHigh=*/false);
  const Expr *high = definitions.bound(region, dim, /*isHigh=*/true);
  if (!low || !high)
    return std::nullopt;
  auto lo = constantInteger(low), hi = constantInteger(high);
  if (!lo || !hi)
    return std::nullopt;
  return LikelyBounds{*lo, *hi};
}

/// Whether it is a Range beside another dimension with a loop.
bool KnownBounds::isFewBesides(const Region *region, unsigned dim) const {
  auto loops = count_if(region->shape, [](DimKind kind) {
    return kind == DimKind::Range || kind == DimKind::Strided;
  });
  return loops >= 2 && region->shape[dim] == DimKind::Range;
}

static bool areFew(const LikelyBounds &bounds) {
  constexpr int64_t MaxFew = 8;
  return bounds.lo < bounds.hi && bounds.hi - bounds.lo < MaxFew;
}

std::optional<LikelyBounds> KnownBounds::few(const Region *region,
                                             unsigned dim) const {
  auto range = isFewBesides(region, dim) ? constant(region, dim) : std::nullopt;
  return range && areFew(*range) ? range : std::nullopt;
}

static bool mentions(const Expr *e, const Variable *variable) {
  bool found = false;
  if (e)
    forEachExpr(*e, [&](const Expr &part) {
      auto *read = dyn_cast<VarExpr>(&part);
      found |= read && read->variable == variable;
    });
  return found;
}

/// The only variable of two expressions; null if there is none or another.
static const Variable *onlyVariable(const Expr *a, const Expr *b) {
  const Variable *variable = nullptr;
  bool isOnly = true;
  for (const Expr *e : {a, b})
    forEachExpr(*e, [&](const Expr &part) {
      auto *read = dyn_cast<VarExpr>(&part);
      isOnly &= !read || !variable || variable == read->variable;
      if (read)
        variable = read->variable;
    });
  return isOnly ? variable : nullptr;
}

/// The value of a sum, difference or product of constants and \p variable, if
/// that is \p value; none if it is something else, or large.
static std::optional<int64_t> valueFor(const Expr *e, const Variable *variable,
                                       int64_t value) {
  constexpr int64_t Large = 1 << 20;
  auto isSmall = [](int64_t n) { return n > -Large && n < Large; };
  if (auto constant = constantInteger(e))
    return isSmall(*constant) ? constant : std::nullopt;
  if (auto *read = dyn_cast<VarExpr>(e))
    return read->variable == variable ? std::optional(value) : std::nullopt;
  if (auto *conversion = dyn_cast<CastExpr>(e))
    return e->type == Type::I64 ? valueFor(conversion->operand, variable, value)
                                : std::nullopt;
  if (auto *unary = dyn_cast<UnaryExpr>(e)) {
    auto operand = valueFor(unary->operand, variable, value);
    return unary->op == UnaryOp::Neg && operand ? std::optional(-*operand)
                                                : std::nullopt;
  }
  auto *binary = dyn_cast<BinaryExpr>(e);
  auto left = binary ? valueFor(binary->left, variable, value) : std::nullopt;
  auto right = binary ? valueFor(binary->right, variable, value) : std::nullopt;
  if (!left || !right)
    return std::nullopt;
  int64_t result = binary->op == BinaryOp::Add   ? *left + *right
                   : binary->op == BinaryOp::Sub ? *left - *right
                   : binary->op == BinaryOp::Mul ? *left * *right
                                                 : Large;
  return isSmall(result) ? std::optional(result) : std::nullopt;
}

/// The bounds that default values give; none if they are no known expressions
/// of one variable.
std::optional<LikelyBounds> KnownBounds::byDefault(const Expr *low,
                                                   const Expr *high) const {
  const Variable *variable = onlyVariable(low, high);
  auto value = defaults.find(variable);
  if (variable && value == defaults.end())
    return std::nullopt;
  int64_t number = variable ? value->second : 0;
  auto lo = valueFor(low, variable, number);
  auto hi = valueFor(high, variable, number);
  return lo && hi ? std::optional(LikelyBounds{*lo, *hi}) : std::nullopt;
}

SmallVector<LikelyBounds, 4> KnownBounds::likely(const Region *region,
                                                 unsigned dim) const {
  constexpr int64_t Near = 1, Many = 32;
  const Expr *low = definitions.bound(region, dim, /*isHigh=*/false);
  const Expr *high = definitions.bound(region, dim, /*isHigh=*/true);
  if (!isFewBesides(region, dim) || !low || !high)
    return {};
  const Variable *variable = onlyVariable(low, high);
  auto value = defaults.find(variable);
  if (value == defaults.end())
    return {};
  int64_t others = 1;
  for (unsigned other = 0; other < region->rank(); ++other) {
    if (other == dim || isPerProcessor(region->shape[other]))
      continue;
    const Expr *from = definitions.bound(region, other, /*isHigh=*/false);
    const Expr *to = definitions.bound(region, other, /*isHigh=*/true);
    if (mentions(from, variable) || mentions(to, variable))
      return {}; // how large a problem is
    auto bounds = from && to ? byDefault(from, to) : std::nullopt;
    int64_t extent = bounds ? bounds->hi - bounds->lo + 1 : Many;
    others = std::min(others * std::clamp<int64_t>(extent, 0, Many), Many);
  }
  if (others < Many)
    return {}; // a small example
  SmallVector<LikelyBounds, 4> result;
  for (int64_t away = 0; away <= Near; ++away)
    for (int64_t near : {value->second + away, value->second - away}) {
      auto lo = valueFor(low, variable, near);
      auto hi = valueFor(high, variable, near);
      if (lo && hi && areFew({*lo, *hi}))
        result.push_back({*lo, *hi});
      else if (away == 0)
        return {};
      if (away == 0)
        break;
    }
  return result;
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

bool KnownBounds::areEqual(const Region &a, const Region &b) const {
  if (a.isSparse || b.isSparse)
    return &a == &b;
  if (a.shape != b.shape || a.domain != b.domain)
    return false;
  for (unsigned dim = 0; dim < a.rank(); ++dim)
    for (bool isHigh : {false, true}) {
      if (a.shape[dim] == DimKind::Flood)
        continue;
      const Expr *x = definitions.bound(&a, dim, isHigh);
      const Expr *y = definitions.bound(&b, dim, isHigh);
      if (!x || !y || !areEqual(x, y))
        return false;
    }
  return true;
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
