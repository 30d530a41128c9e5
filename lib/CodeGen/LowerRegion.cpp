//===- LowerRegion.cpp - Region values ------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region is a zrt_region in memory whose dimensions (l, h, s, a) are computed
// inline: no allocation, a few instructions per dimension, and no call but for
// `by`. With a direction component d they become
//
//            d < 0                 d > 0
//   of       (l+d, l-1, s, a)      (h+1, h+d, s, a)
//   in       (l, l-d-1, s, a)      (h-d+1, h, s, a)
//   at       (l+d, h+d, s, a+d)    (l+d, h+d, s, a+d)       a+d modulo s
//
// and a component 0 keeps the dimension. Components are nearly always
// constants, and then only one column is stored; otherwise two selects per
// bound pick it. Bounds have 64 bits here, so nothing overflows before the
// check that they are 32-bit indices (CheckStmt::Bounds).
//
// What the shape says is not computed: a descriptor starts with stride 1 and
// alignment 0 everywhere, and with (0, 0) in flooded dimensions, so that
// strides are read and written in Strided dimensions only. An instance of a
// procedure that was widened to Strided may be given a singleton there; what it
// makes of it stays one.
//
// The level of a region (language 9) goes with it: its own if one is given,
// else that of the base.
//
// All dimensions are computed before any is stored: an expression may read the
// region that is set.
//
//===----------------------------------------------------------------------===//

#include "FunctionLowering.h"
#include "MLoop/LowerMLoop.h"

using namespace llvm;
using zpl::air::DimKind;

namespace zpl::codegen {

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

static DimField fieldOf(air::BoundExpr::Which which) {
  switch (which) {
  case air::BoundExpr::Lo:
  case air::BoundExpr::OwnLo:
    return DimField::Lo;
  case air::BoundExpr::Hi:
  case air::BoundExpr::OwnHi:
    return DimField::Hi;
  case air::BoundExpr::Stride:
    return DimField::Stride;
  case air::BoundExpr::Align:
    return DimField::Align;
  case air::BoundExpr::Level: // of no dimension
    break;
  }
  llvm_unreachable("unknown bound");
}

Value *FunctionLowering::dimAddress(Value *region, unsigned dim,
                                    DimField field) {
  auto number = [&](auto field) {
    return builder.getInt32(static_cast<unsigned>(field));
  };
  return builder.CreateInBoundsGEP(types.region, region,
                                   {builder.getInt32(0),
                                    number(RegionField::Dim),
                                    builder.getInt32(dim), number(field)});
}

/// A member of a zrt_dim; a constant where the kind of the dimension says it.
Value *FunctionLowering::readDimField(Value *region, DimKind kind, unsigned dim,
                                      DimField field, StringRef name) {
  bool isStride = field == DimField::Stride;
  bool isBound = field == DimField::Lo || field == DimField::Hi;
  if (isPerProcessor(kind) || (kind != DimKind::Strided && !isBound))
    return builder.getInt64(isStride);
  const char *texts[] = {".lo", ".hi", ".stride", ".align"};
  return builder.CreateAlignedLoad(
      types.i64, dimAddress(region, dim, field), Align(8),
      name + Twine(texts[static_cast<unsigned>(field)]) + Twine(dim));
}

FunctionLowering::Dim FunctionLowering::readDim(const air::Region *region,
                                                unsigned dim) {
  Value *from = address(region);
  auto read = [&](DimField field) {
    return readDimField(from, region->shape[dim], dim, field, region->name);
  };
  Value *lo = read(DimField::Lo), *hi = read(DimField::Hi);
  Value *stride = read(DimField::Stride);
  return {lo, hi, stride, read(DimField::Align)};
}

/// Reads a dimension of an array's declared region from its descriptor.
FunctionLowering::Dim FunctionLowering::declaredDim(const air::Array *array,
                                                    unsigned dim) {
  Value *from = declaredRegion(array);
  auto read = [&](DimField field) {
    return readDimField(from, array->shape[dim], dim, field, array->name);
  };
  Value *lo = read(DimField::Lo), *hi = read(DimField::Hi);
  Value *stride = read(DimField::Stride);
  return {lo, hi, stride, read(DimField::Align)};
}

Value *FunctionLowering::declaredRegion(const air::Array *array) {
  return builder.CreateStructGEP(types.array, address(array),
                                 static_cast<unsigned>(ArrayField::Region));
}

Value *FunctionLowering::origin(const air::Array *array) {
  static_assert(static_cast<unsigned>(ArrayField::Origin) == 0);
  return builder.CreateAlignedLoad(types.ptr, address(array), Align(8),
                                   array->name + ".origin");
}

Value *FunctionLowering::ownBlock(unsigned rank) {
  return builder.CreateCall(ZRT_CALLEE(calls, zrtA_domain),
                            {builder.getInt32(rank)}, "own");
}

/// \p changes: the block is one of several boxes, in the runtime's memory.
Value *FunctionLowering::ownBound(Value *own, unsigned dim, bool isHigh,
                                  bool changes) {
  Value *place = builder.CreateInBoundsGEP(
      types.domain, own,
      {builder.getInt32(0), builder.getInt32(0), builder.getInt32(dim),
       builder.getInt32(isHigh)});
  LoadInst *bound = builder.CreateAlignedLoad(
      types.i64, place, Align(8), (isHigh ? "own.hi" : "own.lo") + Twine(dim));
  // A domain does not change once it was asked for.
  if (!changes)
    bound->setMetadata(LLVMContext::MD_invariant_load,
                       MDNode::get(builder.getContext(), {}));
  return bound;
}

Value *FunctionLowering::readBound(const air::Region *region, unsigned dim,
                                   air::BoundExpr::Which which) {
  if (mloop)
    if (Value *known = mloop->hoisted(region, dim, which))
      return known;
  if (which == air::BoundExpr::Level)
    return builder.CreateAlignedLoad(types.i64, levelAddress(address(region)),
                                     Align(8), region->name + ".level");
  DimKind kind = region->shape[dim];
  Value *bound =
      readDimField(address(region), kind, dim, fieldOf(which), region->name);
  bool isOwnLow = which == air::BoundExpr::OwnLo;
  if (isPerProcessor(kind) || (!isOwnLow && which != air::BoundExpr::OwnHi))
    return bound;
  return builder.CreateBinaryIntrinsic(
      isOwnLow ? Intrinsic::smax : Intrinsic::smin, bound,
      ownBound(ownBlock(region->rank()), dim, !isOwnLow));
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

/// The 0..m-1 that is equal to \p number modulo \p modulus, which is positive.
Value *FunctionLowering::modulo(Value *number, Value *modulus) {
  Value *rest = builder.CreateSRem(number, modulus);
  Value *isNegative = builder.CreateICmpSLT(rest, builder.getInt64(0));
  return builder.CreateSelect(isNegative, builder.CreateAdd(rest, modulus),
                              rest);
}

/// Picks the bounds by the sign of \p component; a constant one needs no code.
FunctionLowering::Dim FunctionLowering::selectDim(Value *component, Dim below,
                                                  Dim same, Dim above) {
  if (auto *constant = dyn_cast<ConstantInt>(component))
    return constant->isNegative() ? below : constant->isZero() ? same : above;
  Value *isBelow = builder.CreateICmpSLT(component, builder.getInt64(0));
  Value *isSame = builder.CreateICmpEQ(component, builder.getInt64(0));
  auto select = [&](Value *ifBelow, Value *ifSame, Value *ifAbove) {
    return builder.CreateSelect(
        isSame, ifSame, builder.CreateSelect(isBelow, ifBelow, ifAbove));
  };
  return {select(below.lo, same.lo, above.lo),
          select(below.hi, same.hi, above.hi), same.stride, same.align};
}

FunctionLowering::Dim FunctionLowering::dimOf(Dim base, Value *component) {
  Constant *one = builder.getInt64(1);
  Dim below = {builder.CreateAdd(base.lo, component),
               builder.CreateSub(base.lo, one), base.stride, base.align};
  Dim above = {builder.CreateAdd(base.hi, one),
               builder.CreateAdd(base.hi, component), base.stride, base.align};
  return selectDim(component, below, base, above);
}

FunctionLowering::Dim FunctionLowering::dimIn(Dim base, Value *component) {
  Constant *one = builder.getInt64(1);
  Dim below = {base.lo,
               builder.CreateSub(builder.CreateSub(base.lo, component), one),
               base.stride, base.align};
  Dim above = {builder.CreateAdd(builder.CreateSub(base.hi, component), one),
               base.hi, base.stride, base.align};
  return selectDim(component, below, base, above);
}

FunctionLowering::Dim FunctionLowering::dimAt(Dim base, Value *component) {
  Value *align = base.align;
  if (!isa<ConstantInt>(base.stride))
    align = modulo(builder.CreateAdd(base.align, component), base.stride);
  return {builder.CreateAdd(base.lo, component),
          builder.CreateAdd(base.hi, component), base.stride, align};
}

FunctionLowering::Dim FunctionLowering::lowerDim(const air::RegionExpr &value,
                                                 unsigned dim) {
  auto component = [&] { return lowerIndex(value.direction[dim]); };
  switch (value.kind) {
  case air::RegionExpr::Same:
  case air::RegionExpr::By:
    return readDim(value.base, dim);
  case air::RegionExpr::Of:
    return dimOf(readDim(value.base, dim), component());
  case air::RegionExpr::In:
    return dimIn(readDim(value.base, dim), component());
  case air::RegionExpr::At:
    return dimAt(readDim(value.base, dim), component());
  case air::RegionExpr::Declared:
    return declaredDim(value.array, dim);
  case air::RegionExpr::Dims:
    break;
  }
  const air::DimExpr &part = value.dims[dim];
  Constant *one = builder.getInt64(1), *zero = builder.getInt64(0);
  switch (part.kind) {
  case air::DimExpr::Inherit:
    return readDim(value.base, dim);
  case air::DimExpr::Flood:
  case air::DimExpr::Grid:
    return {zero, zero, one, zero};
  case air::DimExpr::Single: {
    Value *index = lowerIndex(part.lo);
    return {index, index, one, zero};
  }
  case air::DimExpr::Range: {
    Value *lo = lowerIndex(part.lo);
    return {lo, lowerIndex(part.hi), one, zero};
  }
  case air::DimExpr::Seq: {
    Value *lo = lowerIndex(part.lo), *hi = lowerIndex(part.hi);
    Value *stride = lowerIndex(part.stride);
    return {lo, hi, stride, lowerIndex(part.align)};
  }
  }
  llvm_unreachable("unknown dimension");
}

//===----------------------------------------------------------------------===//
// Storing
//===----------------------------------------------------------------------===//

/// Whether dimension \p dim of the value is a singleton if that of its base is.
static bool keepsSingleton(const air::RegionExpr &value, unsigned dim) {
  switch (value.kind) {
  case air::RegionExpr::Same:
  case air::RegionExpr::At:
  case air::RegionExpr::By:
  case air::RegionExpr::Declared:
    return true;
  case air::RegionExpr::Of:
  case air::RegionExpr::In: {
    auto *component = dyn_cast<air::ConstExpr>(value.direction[dim]);
    return component && component->integer == 0;
  }
  case air::RegionExpr::Dims:
    return value.dims[dim].kind == air::DimExpr::Inherit;
  }
  llvm_unreachable("unknown region expression");
}

/// The bits of singletons: those that the target's shape says and, where that
/// says Strided, the base's. Null if the descriptor has them already.
Value *FunctionLowering::lowerSingletons(const air::SetRegionStmt *stmt) {
  const air::RegionExpr &value = stmt->value;
  const air::Shape *from = value.array  ? &value.array->shape
                           : value.base ? &value.base->shape
                                        : nullptr;
  uint32_t fixed = 0, copied = 0;
  for (unsigned d = 0; d < stmt->target->rank(); ++d) {
    DimKind kind = stmt->target->shape[d];
    fixed |= uint32_t(kind == DimKind::Singleton) << d;
    if (kind == DimKind::Strided && from && (*from)[d] == DimKind::Strided &&
        keepsSingleton(value, d))
      copied |= 1u << d;
  }
  if (!copied)
    return nullptr;
  Value *base = value.array ? declaredRegion(value.array) : address(value.base);
  Value *bits = builder.CreateAnd(
      builder.CreateAlignedLoad(types.i32, singletonsAddress(base), Align(4)),
      copied);
  return builder.CreateOr(bits, fixed, "singletons");
}

Value *FunctionLowering::singletonsAddress(Value *region) {
  return builder.CreateStructGEP(
      types.region, region, static_cast<unsigned>(RegionField::Singletons));
}

Value *FunctionLowering::levelAddress(Value *region) {
  return builder.CreateStructGEP(types.region, region,
                                 static_cast<unsigned>(RegionField::Level));
}

/// Its own, or that of the region or array it is made of.
Value *FunctionLowering::lowerLevel(const air::RegionExpr &value) {
  if (value.level)
    return lowerIndex(value.level);
  Value *from = value.array  ? declaredRegion(value.array)
                : value.base ? address(value.base)
                             : nullptr;
  if (!from)
    return builder.getInt64(INT64_MIN);
  return builder.CreateAlignedLoad(types.i64, levelAddress(from), Align(8),
                                   "level");
}

void FunctionLowering::lowerSetRegion(const air::SetRegionStmt *stmt) {
  SmallVector<Dim, ZRT_MAX_RANK> dims;
  for (unsigned d = 0; d < stmt->target->rank(); ++d)
    dims.push_back(lowerDim(stmt->value, d));
  Value *by = stmt->value.kind == air::RegionExpr::By
                  ? direction(stmt->value.direction)
                  : nullptr;
  Value *singletons = lowerSingletons(stmt);
  Value *level = lowerLevel(stmt->value);
  Value *region = address(stmt->target);
  builder.CreateAlignedStore(level, levelAddress(region), Align(8));
  for (unsigned d = 0; d < dims.size(); ++d) {
    DimKind kind = stmt->target->shape[d];
    auto store = [&](Value *value, DimField field) {
      builder.CreateAlignedStore(value, dimAddress(region, d, field), Align(8));
    };
    if (isPerProcessor(kind))
      continue;
    store(dims[d].lo, DimField::Lo);
    store(dims[d].hi, DimField::Hi);
    if (kind != DimKind::Strided)
      continue;
    store(dims[d].stride, DimField::Stride);
    store(dims[d].align, DimField::Align);
  }
  if (singletons)
    builder.CreateAlignedStore(singletons, singletonsAddress(region), Align(4));
  if (by)
    builder.CreateCall(ZRT_CALLEE(calls, zrtA_region_by), {region, by});
}

} // namespace zpl::codegen
