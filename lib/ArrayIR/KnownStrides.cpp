//===- KnownStrides.cpp - Strides that the program's text shows -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region @R   = [i32 1 .. @n, i32 1 .. @n]
//     region @Odd = @R by (i64 2, i64 2)             x = 1 (mod 2) in both
//     region @Red = @Odd at (i64 0, i64 1)           1 and 0
//     [@Odd] @A = add(@A@(0,1), @A@(0,-1))           reads none that it stores
//     [@Red] @A = add(@A@(0,1), @A@(0,-1))           reads what @Odd stored
//
// What a stride and an alignment leave of a dimension is one class of residues.
// `by d` keeps every d-th element from the low end on, or from the high end if
// d is negative (language 6.2): if that bound is a constant, so is the residue.
// Two classes with the greatest common divisor g of their moduli have an index
// in common only if their remainders agree modulo g. One dimension in which
// they do not is enough.
//
// Cost: a question costs the length of the chain of definitions, per dimension.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/KnownStrides.h"
#include <cstdlib>
#include <numeric>

using namespace llvm;

namespace zpl::air {

/// The residue of `by d` with a constant d. If the dimension is strided
/// already, what is known of it holds for a part of it.
KnownStrides::Residue KnownStrides::strided(const RegionExpr &by, unsigned dim,
                                            size_t steps) const {
  Residue base = residue(by.base, dim, steps + 1);
  auto stride = constantInteger(by.direction[dim]);
  if (base.modulus != 1 || !stride || *stride == 0 ||
      by.base->shape[dim] != DimKind::Range)
    return base;
  const Expr *end = definitions.bound(by.base, dim, /*isHigh=*/*stride < 0);
  Residue result{std::abs(*stride), std::nullopt};
  if (end)
    result.remainder = constantInteger(end);
  return result;
}

KnownStrides::Residue KnownStrides::residue(const Region *region, unsigned dim,
                                            size_t steps) const {
  const RegionExpr *value = definitions.find(region);
  if (!value || steps > definitions.longestChain())
    return {};
  switch (value->kind) {
  case RegionExpr::Same:
  case RegionExpr::Where:
    return residue(value->base, dim, steps + 1);
  case RegionExpr::By:
    return strided(*value, dim, steps);
  case RegionExpr::At: {
    Residue base = residue(value->base, dim, steps + 1);
    auto component = constantInteger(value->direction[dim]);
    if (!base.remainder || !component)
      base.remainder = std::nullopt;
    else
      *base.remainder += *component;
    return base;
  }
  case RegionExpr::Dims: {
    const DimExpr &d = value->dims[dim];
    if (d.kind == DimExpr::Inherit)
      return residue(value->base, dim, steps + 1);
    if (d.kind == DimExpr::Single)
      return {0, constantInteger(d.lo)};
    auto stride = d.kind == DimExpr::Seq ? constantInteger(d.stride) : 1;
    if (!stride || *stride < 1)
      return {};
    return {*stride, *stride == 1 ? 0 : constantInteger(d.align)};
  }
  case RegionExpr::Of:
  case RegionExpr::In:
  case RegionExpr::Declared:
    return {};
  }
  llvm_unreachable("a region expression outside its enumeration");
}

bool KnownStrides::areIndependent(const Array &array, const Region *a,
                                  const Region *b, const Offset &offset) const {
  for (unsigned dim = 0; dim < a->rank(); ++dim) {
    Residue x = residue(a, dim), y = residue(b, dim);
    if (isPerProcessor(array.shape[dim]) || !x.remainder || !y.remainder)
      continue;
    int64_t apart = *x.remainder - *y.remainder - offset[dim];
    int64_t common = std::gcd(x.modulus, y.modulus);
    if (common == 0 ? apart != 0 : apart % common != 0)
      return true;
  }
  return false;
}

std::optional<Offset> KnownStrides::likelyDistance(const Region *a,
                                                   const Region *b) const {
  Offset distance;
  for (unsigned dim = 0; dim < a->rank(); ++dim) {
    Residue x = residue(a, dim), y = residue(b, dim);
    if (!x.remainder || !y.remainder || x.modulus != y.modulus)
      return std::nullopt;
    distance.push_back(*y.remainder - *x.remainder);
  }
  return distance;
}

bool KnownStrides::isIndependentOfItself(const Array &array,
                                         const Region *region,
                                         const Offset &offset) const {
  for (unsigned dim = 0; dim < region->rank(); ++dim) {
    int64_t modulus = residue(region, dim).modulus;
    if (!isPerProcessor(array.shape[dim]) &&
        (modulus == 0 ? offset[dim] != 0 : offset[dim] % modulus != 0))
      return true;
  }
  return false;
}

std::optional<int64_t> KnownStrides::constantLow(const Region *region,
                                                 unsigned dim) const {
  const Expr *low =
      region ? definitions.bound(region, dim, /*isHigh=*/false) : nullptr;
  return low ? constantInteger(low) : std::nullopt;
}

} // namespace zpl::air
