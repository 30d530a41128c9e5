//===- LowerRegion.cpp - Region values ------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region is a zrt_region in memory whose bounds are computed inline: no call,
// no allocation, a few instructions per dimension. With a direction component d
// the bounds (l, h) of one dimension become
//
//            d < 0           d > 0
//   of       (l+d, l-1)      (h+1, h+d)
//   in       (l, l-d-1)      (h-d+1, h)
//   at       (l+d, h+d)      (l+d, h+d)
//
// and a component 0 keeps the dimension. Components are nearly always
// constants, and then only one column is stored; otherwise two selects per
// bound pick it. Bounds have 64 bits here, so nothing overflows before the
// check that they are 32-bit indices (CheckStmt::Bounds).
//
// All dimensions are computed before any is stored: an expression may read the
// region that is set.
//
//===----------------------------------------------------------------------===//

#include "FunctionLowering.h"
#include "LowerMLoop.h"

using namespace llvm;

namespace zpl::codegen {

Value *FunctionLowering::boundAddress(Value *region, unsigned dim,
                                      bool isHigh) {
  auto number = [&](auto field) {
    return builder.getInt32(static_cast<unsigned>(field));
  };
  return builder.CreateInBoundsGEP(
      types.region, region,
      {builder.getInt32(0), number(RegionField::Dim), builder.getInt32(dim),
       number(isHigh ? RangeField::Hi : RangeField::Lo)});
}

Value *FunctionLowering::readBound(const air::Region *region, unsigned dim,
                                   bool isHigh) {
  if (mloop)
    if (Value *known = mloop->hoisted(region, dim, isHigh))
      return known;
  return builder.CreateAlignedLoad(
      types.i64, boundAddress(address(region), dim, isHigh), Align(8),
      Twine(region->name) + (isHigh ? ".hi" : ".lo") + Twine(dim));
}

FunctionLowering::Range FunctionLowering::readRange(const air::Region *region,
                                                    unsigned dim) {
  Value *lo = readBound(region, dim, /*isHigh=*/false);
  return {lo, readBound(region, dim, /*isHigh=*/true)};
}

/// Of an array's declared region, from its descriptor.
FunctionLowering::Range FunctionLowering::declaredRange(const air::Array *array,
                                                        unsigned dim) {
  Value *region = builder.CreateStructGEP(
      types.array, address(array), static_cast<unsigned>(ArrayField::Region));
  auto bound = [&](bool isHigh) {
    return builder.CreateAlignedLoad(
        types.i64, boundAddress(region, dim, isHigh), Align(8),
        Twine(array->name) + (isHigh ? ".hi" : ".lo") + Twine(dim));
  };
  Value *lo = bound(false);
  return {lo, bound(true)};
}

/// Picks by the sign of \p component; a constant one needs no code.
FunctionLowering::Range FunctionLowering::selectRange(Value *component,
                                                      Range below, Range same,
                                                      Range above) {
  if (auto *constant = dyn_cast<ConstantInt>(component))
    return constant->isNegative() ? below : constant->isZero() ? same : above;
  Value *isBelow = builder.CreateICmpSLT(component, builder.getInt64(0));
  Value *isSame = builder.CreateICmpEQ(component, builder.getInt64(0));
  auto select = [&](Value *ifBelow, Value *ifSame, Value *ifAbove) {
    return builder.CreateSelect(
        isSame, ifSame, builder.CreateSelect(isBelow, ifBelow, ifAbove));
  };
  return {select(below.lo, same.lo, above.lo),
          select(below.hi, same.hi, above.hi)};
}

FunctionLowering::Range FunctionLowering::rangeOf(Range base,
                                                  Value *component) {
  Constant *one = builder.getInt64(1);
  Range below = {builder.CreateAdd(base.lo, component),
                 builder.CreateSub(base.lo, one)};
  Range above = {builder.CreateAdd(base.hi, one),
                 builder.CreateAdd(base.hi, component)};
  return selectRange(component, below, base, above);
}

FunctionLowering::Range FunctionLowering::rangeIn(Range base,
                                                  Value *component) {
  Constant *one = builder.getInt64(1);
  Range below = {base.lo,
                 builder.CreateSub(builder.CreateSub(base.lo, component), one)};
  Range above = {builder.CreateAdd(builder.CreateSub(base.hi, component), one),
                 base.hi};
  return selectRange(component, below, base, above);
}

FunctionLowering::Range FunctionLowering::lowerDim(const air::RegionExpr &value,
                                                   unsigned dim) {
  auto component = [&] { return lowerIndex(value.direction[dim]); };
  switch (value.kind) {
  case air::RegionExpr::Same:
    return readRange(value.base, dim);
  case air::RegionExpr::Of:
    return rangeOf(readRange(value.base, dim), component());
  case air::RegionExpr::In:
    return rangeIn(readRange(value.base, dim), component());
  case air::RegionExpr::At: {
    Range base = readRange(value.base, dim);
    Value *distance = component();
    return {builder.CreateAdd(base.lo, distance),
            builder.CreateAdd(base.hi, distance)};
  }
  case air::RegionExpr::Declared:
    return declaredRange(value.array, dim);
  case air::RegionExpr::Dims:
    break;
  }
  const air::DimExpr &part = value.dims[dim];
  if (part.kind == air::DimExpr::Inherit)
    return readRange(value.base, dim);
  Value *lo = lowerIndex(part.lo);
  return {lo, part.kind == air::DimExpr::Single ? lo : lowerIndex(part.hi)};
}

void FunctionLowering::lowerSetRegion(const air::SetRegionStmt *stmt) {
  SmallVector<Range, ZRT_MAX_RANK> dims;
  for (unsigned d = 0; d < stmt->target->rank(); ++d)
    dims.push_back(lowerDim(stmt->value, d));
  Value *region = address(stmt->target);
  for (unsigned d = 0; d < dims.size(); ++d) {
    builder.CreateAlignedStore(dims[d].lo, boundAddress(region, d, false),
                               Align(8));
    builder.CreateAlignedStore(dims[d].hi, boundAddress(region, d, true),
                               Align(8));
  }
}

} // namespace zpl::codegen
