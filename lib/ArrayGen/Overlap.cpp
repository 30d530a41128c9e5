//===- Overlap.cpp - Whether regions have indices in common ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [k+1..n, k+1..n] A := A - (>>[ , k] A) * (>>[k, ] A);
//
// Row k and column k are not written: in one dimension k lies below k+1. So
// what is flooded may be read where it is.
//
// Bounds are compared as they were written, a variable and a distance from it.
// That says something only while the variables have not changed since the
// regions were evaluated: each statement that could write variables, and each
// loop, starts a new time.
//
//===----------------------------------------------------------------------===//

#include "Overlap.h"
#include "Procedure.h"

using namespace llvm;

namespace zpl::arraygen {

namespace {

/// The value of a variable (null: 0), and how far from it.
struct Bound {
  const air::Variable *variable;
  int64_t distance;
};

} // namespace

static std::optional<Bound> boundOf(const air::Expr *expr) {
  if (auto *constant = dyn_cast<air::ConstExpr>(expr))
    return Bound{nullptr, constant->integer};
  // C may change its variables without a statement that says so.
  if (auto *read = dyn_cast<air::VarExpr>(expr);
      read && read->variable->thunk.empty())
    return Bound{read->variable, 0};
  if (auto *conversion = dyn_cast<air::CastExpr>(expr))
    return conversion->type == air::Type::I64 &&
                   conversion->operand->type == air::Type::I32
               ? boundOf(conversion->operand)
               : std::nullopt;
  auto *sum = dyn_cast<air::BinaryExpr>(expr);
  auto *distance = sum ? dyn_cast<air::ConstExpr>(sum->right) : nullptr;
  bool isSum = distance && sum->op == air::BinaryOp::Add;
  if (!isSum && !(distance && sum->op == air::BinaryOp::Sub))
    return std::nullopt;
  std::optional<Bound> bound = boundOf(sum->left);
  if (bound)
    bound->distance += isSum ? distance->integer : -distance->integer;
  return bound;
}

bool isLess(const air::Expr *a, const air::Expr *b) {
  std::optional<Bound> left = boundOf(a), right = boundOf(b);
  return left && right && left->variable == right->variable &&
         left->distance < right->distance;
}

/// What dimension \p d of a literal was written as, if its variables have not
/// changed; Inherit if that is not known.
static air::DimExpr dimension(const Knowledge &known, const air::Region *region,
                              unsigned d) {
  auto value = known.regionValues.find(region);
  if (value == known.regionValues.end() || value->second.time != known.time ||
      value->second.expr.kind != air::RegionExpr::Dims)
    return {};
  const air::RegionExpr &expr = value->second.expr;
  return expr.dims[d].kind == air::DimExpr::Inherit
             ? dimension(known, expr.base, d)
             : expr.dims[d];
}

bool areDisjoint(const Knowledge &known, const air::Region *a,
                 const air::Region *b) {
  for (unsigned d = 0; d != a->rank(); ++d) {
    air::DimExpr left = dimension(known, a, d), right = dimension(known, b, d);
    if (!left.lo || !right.lo) // those of a Seq bound it as well
      continue;
    auto end = [](const air::DimExpr &dim) { return dim.hi ? dim.hi : dim.lo; };
    if (isLess(end(left), right.lo) || isLess(end(right), left.lo))
      return true;
  }
  return false;
}

} // namespace zpl::arraygen
