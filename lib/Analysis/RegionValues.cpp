//===- RegionValues.cpp - Which regions have equal values -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each region scope of a program sets a region of its own:
//
//     region %r   = [i32 1 .. @n, i32 1 .. @n]
//     region %r.1 = [i32 1 .. @n, i32 1 .. @n]
//
// yet a transfer over %r serves statements over %r.1. This is value numbering
// as in textbooks: an expression becomes a text in which variables and regions
// are replaced by the numbers of their values; equal texts get equal numbers.
// What is assigned something that cannot be written so (the result of a call)
// gets a number of its own, and so does what differs between two paths that
// meet and what a loop changes, at the loop's head.
//
// If all dimensions are ranges or single indices with constant bounds, those
// are kept beside the number, and "is within" is arithmetic; else it is "is the
// same". Strided and flooded regions are compared by their numbers only; but
// what is written as a part of a region,
//
//     region %part = [max(lo(%r,0), %k) .. hi(%r,0), _] from %r
//
// is within it, of whatever kind that is.
//
// Cost: linear in the expressions, plus at each meeting of paths the number of
// regions and variables that have been set.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/RegionValues.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace zpl::air {

ValueNumber RegionValues::fresh() {
  bounds.emplace_back();
  return bounds.size() - 1;
}

ValueNumber RegionValues::numberOf(StringRef key,
                                   std::optional<Bounds> constant) {
  auto [entry, isNew] = table.try_emplace(key, 0);
  if (isNew) {
    entry->second = fresh();
    bounds.back() = std::move(constant);
  }
  return entry->second;
}

ValueNumber RegionValues::number(const Region *region,
                                 const RegionState &state) {
  auto found = state.regions.find(region);
  if (found != state.regions.end())
    return found->second;
  bool isGlobal = region->storage == Storage::Global;
  return numberOf(((isGlobal ? "@" : "%") + region->name), std::nullopt);
}

ValueNumber RegionValues::number(const Variable *variable,
                                 const RegionState &state) {
  auto found = state.variables.find(variable);
  if (found != state.variables.end())
    return found->second;
  bool isGlobal = variable->storage == Storage::Global;
  return numberOf(((isGlobal ? "@" : "%") + variable->name), std::nullopt);
}

/// Appends a text that determines the value; false if there is none.
bool RegionValues::addKey(const Expr &expr, const RegionState &state,
                          std::string &key) {
  switch (expr.kind) {
  case ExprKind::Const:
    key += std::to_string(cast<ConstExpr>(expr).integer);
    return expr.type == Type::I32 || expr.type == Type::I64;
  case ExprKind::Var:
    key += "v" + std::to_string(number(cast<VarExpr>(expr).variable, state));
    return true;
  case ExprKind::Bound: {
    const auto &bound = cast<BoundExpr>(expr);
    key += (text(bound.which) + Twine(bound.dim) + "r" +
            Twine(number(bound.region, state)))
               .str();
    return true;
  }
  case ExprKind::Unary:
    key += text(cast<UnaryExpr>(expr).op);
    break;
  case ExprKind::Binary:
    key += text(cast<BinaryExpr>(expr).op);
    break;
  case ExprKind::Cast:
    key += text(expr.type);
    break;
  case ExprKind::Field:
    key += "." + std::to_string(cast<FieldExpr>(expr).field);
    break;
  case ExprKind::Subscript:
    key += "[]";
    break;
  case ExprKind::Element:
  case ExprKind::Remap:
  case ExprKind::Index:
  case ExprKind::Compare:
  case ExprKind::Fma:
  case ExprKind::Math:
  case ExprKind::Call:
  case ExprKind::Complex:
    return false;
  }
  bool good = true;
  key += '(';
  forEachOperand(expr, [&](const Expr &operand) {
    key += text(operand.type);
    good = good && addKey(operand, state, key);
    key += ',';
  });
  key += ')';
  return good;
}

static std::optional<int64_t> constantOf(const Expr *expr) {
  if (auto *cast = dyn_cast<CastExpr>(expr); cast && cast->type == Type::I64)
    expr = cast->operand;
  auto *constant = dyn_cast<ConstExpr>(expr);
  bool isInteger = expr->type == Type::I32 || expr->type == Type::I64;
  // Index values have 32 bits, so sums of a few of them cannot overflow.
  if (!constant || !isInteger ||
      constant->integer != int32_t(constant->integer))
    return std::nullopt;
  return constant->integer;
}

/// Bounds of `[c..c, c]` and of `R`, `R at [c]` with constant R.
std::optional<RegionValues::Bounds>
RegionValues::constantBounds(const RegionExpr &value,
                             const RegionState &state) {
  std::optional<Bounds> base;
  if (value.base)
    base = bounds[number(value.base, state)];
  Bounds result;
  switch (value.kind) {
  case RegionExpr::Dims:
    for (auto [d, dim] : enumerate(value.dims)) {
      if (dim.kind == DimExpr::Inherit) {
        if (!base)
          return std::nullopt;
        result.push_back((*base)[d]);
        continue;
      }
      if (dim.kind == DimExpr::Flood || dim.kind == DimExpr::Grid ||
          dim.kind == DimExpr::Seq)
        return std::nullopt;
      auto lo = constantOf(dim.lo);
      auto hi = dim.kind == DimExpr::Range ? constantOf(dim.hi) : lo;
      if (!lo || !hi)
        return std::nullopt;
      result.push_back({*lo, *hi});
    }
    return result;
  case RegionExpr::At:
    if (!base)
      return std::nullopt;
    for (auto [component, range] : zip(value.direction, *base)) {
      auto c = constantOf(component);
      if (!c)
        return std::nullopt;
      result.push_back({range.first + *c, range.second + *c});
    }
    return result;
  case RegionExpr::Of:
  case RegionExpr::In:
  case RegionExpr::By:
  case RegionExpr::Same:
  case RegionExpr::Declared:
  case RegionExpr::Where:
    return std::nullopt;
  }
  return std::nullopt;
}

/// Whether \p expr is that bound of the region, or that and limits beside it.
static bool isWithin(const Expr *expr, const Region *region, unsigned dim,
                     BoundExpr::Which which) {
  if (auto *bound = dyn_cast<BoundExpr>(expr))
    return bound->region == region && bound->dim == dim &&
           bound->which == which;
  auto *binary = dyn_cast<BinaryExpr>(expr);
  bool limits =
      binary && ((which == BoundExpr::Lo && binary->op == BinaryOp::Max) ||
                 (which == BoundExpr::Hi && binary->op == BinaryOp::Min));
  return limits && (isWithin(binary->left, region, dim, which) ||
                    isWithin(binary->right, region, dim, which));
}

/// The region that \p value is written as a part of, if it is.
std::optional<ValueNumber> RegionValues::containing(const RegionExpr &value,
                                                    const RegionState &state) {
  if (value.kind != RegionExpr::Dims || !value.base)
    return std::nullopt;
  const Region *base = value.base;
  for (auto [d, dim] : enumerate(value.dims)) {
    if (dim.kind == DimExpr::Inherit)
      continue;
    bool isRange =
        dim.kind == DimExpr::Range && base->shape[d] == DimKind::Range;
    bool isStrided = dim.kind == DimExpr::Seq &&
                     base->shape[d] == DimKind::Strided &&
                     isWithin(dim.stride, base, d, BoundExpr::Stride) &&
                     isWithin(dim.align, base, d, BoundExpr::Align);
    if ((!isRange && !isStrided) || !isWithin(dim.lo, base, d, BoundExpr::Lo) ||
        !isWithin(dim.hi, base, d, BoundExpr::Hi))
      return std::nullopt;
  }
  return number(base, state);
}

ValueNumber RegionValues::evaluate(const RegionExpr &value,
                                   const RegionState &state, bool isSparse) {
  bool isOfSparse = value.base && value.base->isSparse;
  if (value.kind == RegionExpr::Same && !value.level && isSparse == isOfSparse)
    return number(value.base, state);
  // A declared region may change with each allocation; what a pattern is made
  // of is not looked at.
  if (value.kind == RegionExpr::Declared || value.kind == RegionExpr::Where ||
      value.pattern)
    return fresh();
  std::string key = (isSparse ? "s" : "") + std::to_string(value.kind) + "[";
  bool good = true;
  auto add = [&](const Expr *expr) {
    good = good && addKey(*expr, state, key);
    key += ' ';
  };
  for (const DimExpr &dim : value.dims) {
    key += "rs*_qg"[dim.kind];
    for (const Expr *part : {dim.lo, dim.hi, dim.stride, dim.align})
      if (part)
        add(part);
  }
  if (value.level) {
    key += 'l';
    add(value.level);
  }
  for (const Expr *component : value.direction)
    add(component);
  if (value.base)
    key += "r" + std::to_string(number(value.base, state));
  std::optional<Bounds> constant;
  std::optional<ValueNumber> whole;
  if (!isSparse && !isOfSparse) { // else not all within bounds are there
    constant = constantBounds(value, state);
    whole = containing(value, state);
  }
  ValueNumber result = good ? numberOf(key, constant) : fresh();
  if (whole)
    wholes.try_emplace(result, *whole);
  return result;
}

void RegionValues::set(const SetRegionStmt &stmt, RegionState &state) {
  state.regions[stmt.target] =
      evaluate(stmt.value, state, stmt.target->isSparse);
}

void RegionValues::forget(const WriteSet &written, RegionState &state) {
  for (const Region *region : written.regions)
    state.regions[region] = fresh();
  for (const Variable *variable : written.variables)
    state.variables[variable] = fresh();
}

void RegionValues::meet(RegionState &into, const RegionState &other) {
  auto meetMaps = [&](auto &a, const auto &b) {
    for (const auto &entry : b)
      a.try_emplace(entry.first, number(entry.first, into));
    for (auto &entry : a)
      if (entry.second != number(entry.first, other))
        entry.second = fresh();
  };
  meetMaps(into.regions, other.regions);
  meetMaps(into.variables, other.variables);
}

bool RegionValues::covers(ValueNumber outer, ValueNumber inner) const {
  if (outer == inner)
    return true;
  if (auto whole = wholes.find(inner); whole != wholes.end())
    return covers(outer, whole->second);
  if (!bounds[outer] || !bounds[inner])
    return false;
  bool isEmpty = any_of(*bounds[inner],
                        [](auto range) { return range.first > range.second; });
  bool isWithin = all_of(zip(*bounds[outer], *bounds[inner]), [](auto pair) {
    auto [o, i] = pair;
    return o.first <= i.first && i.second <= o.second;
  });
  return isEmpty ||
         (bounds[outer]->size() == bounds[inner]->size() && isWithin);
}

} // namespace zpl::air
