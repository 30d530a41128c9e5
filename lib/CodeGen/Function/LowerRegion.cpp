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
// region that is set. A sparse region gets its pattern after that
// (Sparse/LowerPatterns.cpp).
//
//===----------------------------------------------------------------------===//

#include "Function/LowerRegion.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerDistributions.h"
#include "Function/LowerRuntime.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerBounds.h"
#include "MLoop/LowerMLoop.h"
#include "Sparse/LowerPatterns.h"

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
  case air::BoundExpr::Patterned:
  case air::BoundExpr::Complete:
  case air::BoundExpr::Parts: // not in the region
    break;
  }
  llvm_unreachable("unknown bound");
}

static llvm::Value *singletonsAddress(FunctionState &fn, llvm::Value *region);
static llvm::Value *levelAddress(FunctionState &fn, llvm::Value *region);

static Value *dimAddress(FunctionState &fn, Value *region, unsigned dim,
                         DimField field) {
  auto number = [&](auto field) {
    return fn.builder.getInt32(static_cast<unsigned>(field));
  };
  return fn.builder.CreateInBoundsGEP(
      fn.types.region, region,
      {fn.builder.getInt32(0), number(RegionField::Dim),
       fn.builder.getInt32(dim), number(field)});
}

Value *readDimField(FunctionState &fn, Value *region, DimKind kind,
                    unsigned dim, DimField field, StringRef name) {
  bool isStride = field == DimField::Stride;
  bool isBound = field == DimField::Lo || field == DimField::Hi;
  if (isPerProcessor(kind) || (kind != DimKind::Strided && !isBound))
    return fn.builder.getInt64(isStride);
  const char *texts[] = {".lo", ".hi", ".stride", ".align"};
  return fn.builder.CreateAlignedLoad(
      fn.types.i64, dimAddress(fn, region, dim, field), Align(8),
      name + Twine(texts[static_cast<unsigned>(field)]) + Twine(dim));
}

static Dim readDim(FunctionState &fn, const air::Region *region, unsigned dim) {
  Value *from = address(fn, region);
  auto read = [&](DimField field) {
    return readDimField(fn, from, region->shape[dim], dim, field, region->name);
  };
  Value *lo = read(DimField::Lo), *hi = read(DimField::Hi);
  Value *stride = read(DimField::Stride);
  return {lo, hi, stride, read(DimField::Align)};
}

/// Reads a dimension of an array's declared region from its descriptor.
static Dim declaredDim(FunctionState &fn, const air::Array *array,
                       unsigned dim) {
  Value *from = declaredRegion(fn, array);
  auto read = [&](DimField field) {
    return readDimField(fn, from, array->shape[dim], dim, field, array->name);
  };
  Value *lo = read(DimField::Lo), *hi = read(DimField::Hi);
  Value *stride = read(DimField::Stride);
  return {lo, hi, stride, read(DimField::Align)};
}

Value *declaredRegion(FunctionState &fn, const air::Array *array) {
  return fn.builder.CreateStructGEP(fn.types.array, address(fn, array),
                                    static_cast<unsigned>(ArrayField::Region));
}

Value *origin(FunctionState &fn, const air::Array *array) {
  static_assert(static_cast<unsigned>(ArrayField::Origin) == 0);
  return fn.builder.CreateAlignedLoad(fn.types.ptr, address(fn, array),
                                      Align(8), array->name + ".origin");
}

void storeBounds(FunctionState &fn, Value *region, unsigned dim, Value *low,
                 Value *high) {
  for (auto [field, bound] :
       {std::pair(DimField::Lo, low), {DimField::Hi, high}})
    fn.builder.CreateAlignedStore(bound, dimAddress(fn, region, dim, field),
                                  Align(8));
}

Value *ownBlock(FunctionState &fn, const air::Region *region) {
  if (region->domain)
    return fn.builder.CreateCall(
        ZRT_CALLEE(fn.calls, zrtA_domain_of),
        {fn.builder.getInt32(numberOf(fn.module.source, region->domain))},
        "own");
  return fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_domain),
                               {fn.builder.getInt32(region->rank())}, "own");
}

bool ownBlockChanges(const air::Region *region) {
  if (!region->domain)
    return false;
  const air::Distribution &value = *region->domain->distribution;
  return value.isVariable || (value.grid && value.grid->isVariable);
}

Constant *domainReference(FunctionState &fn, const air::Region *region) {
  int number = int(numberOf(fn.module.source, region->domain));
  return fn.builder.getInt32(
      uint32_t(number == 0 ? int(region->rank()) : -number));
}

Value *ownBound(FunctionState &fn, Value *own, unsigned dim, bool isHigh,
                bool changes) {
  Value *place = fn.builder.CreateInBoundsGEP(
      fn.types.domain, own,
      {fn.builder.getInt32(0), fn.builder.getInt32(0), fn.builder.getInt32(dim),
       fn.builder.getInt32(isHigh)});
  LoadInst *bound =
      fn.builder.CreateAlignedLoad(fn.types.i64, place, Align(8),
                                   (isHigh ? "own.hi" : "own.lo") + Twine(dim));
  // A domain does not change once it was asked for.
  if (!changes)
    bound->setMetadata(LLVMContext::MD_invariant_load,
                       MDNode::get(fn.builder.getContext(), {}));
  return bound;
}

Value *readBound(FunctionState &fn, const air::Region *region, unsigned dim,
                 air::BoundExpr::Which which) {
  if (fn.mloop)
    if (Value *known = hoisted(*fn.mloop, region, dim, which))
      return known;
  if (which == air::BoundExpr::Level)
    return fn.builder.CreateAlignedLoad(fn.types.i64,
                                        levelAddress(fn, address(fn, region)),
                                        Align(8), region->name + ".level");
  if (which == air::BoundExpr::Patterned)
    return fn.builder.CreateZExt(hasPattern(fn, region), fn.types.i64);
  if (which == air::BoundExpr::Complete)
    return fn.builder.CreateZExt(isComplete(fn, region), fn.types.i64);
  DimKind kind = region->shape[dim];
  if (which == air::BoundExpr::Parts)
    return isPerProcessor(kind)
               ? static_cast<Value *>(fn.builder.getInt64(1))
               : fn.builder.CreateCall(
                     ZRT_CALLEE(fn.calls, zrtA_region_parts),
                     {address(fn, region), fn.builder.getInt32(dim)},
                     region->name + ".parts" + Twine(dim));
  Value *bound = readDimField(fn, address(fn, region), kind, dim,
                              fieldOf(which), region->name);
  bool isOwnLow = which == air::BoundExpr::OwnLo;
  if (isPerProcessor(kind) || (!isOwnLow && which != air::BoundExpr::OwnHi))
    return bound;
  return fn.builder.CreateBinaryIntrinsic(
      isOwnLow ? Intrinsic::smax : Intrinsic::smin, bound,
      ownBound(fn, ownBlock(fn, region), dim, !isOwnLow,
               ownBlockChanges(region)));
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

Value *modulo(FunctionState &fn, Value *number, Value *modulus) {
  Value *rest = fn.builder.CreateSRem(number, modulus);
  Value *isNegative = fn.builder.CreateICmpSLT(rest, fn.builder.getInt64(0));
  return fn.builder.CreateSelect(isNegative,
                                 fn.builder.CreateAdd(rest, modulus), rest);
}

/// Picks the bounds by the sign of \p component; a constant one needs no code.
static Dim selectDim(FunctionState &fn, Value *component, Dim below, Dim same,
                     Dim above) {
  if (auto *constant = dyn_cast<ConstantInt>(component))
    return constant->isNegative() ? below : constant->isZero() ? same : above;
  Value *isBelow = fn.builder.CreateICmpSLT(component, fn.builder.getInt64(0));
  Value *isSame = fn.builder.CreateICmpEQ(component, fn.builder.getInt64(0));
  auto select = [&](Value *ifBelow, Value *ifSame, Value *ifAbove) {
    return fn.builder.CreateSelect(
        isSame, ifSame, fn.builder.CreateSelect(isBelow, ifBelow, ifAbove));
  };
  return {select(below.lo, same.lo, above.lo),
          select(below.hi, same.hi, above.hi), same.stride, same.align};
}

static Dim dimOf(FunctionState &fn, Dim base, Value *component) {
  Constant *one = fn.builder.getInt64(1);
  Dim below = {fn.builder.CreateAdd(base.lo, component),
               fn.builder.CreateSub(base.lo, one), base.stride, base.align};
  Dim above = {fn.builder.CreateAdd(base.hi, one),
               fn.builder.CreateAdd(base.hi, component), base.stride,
               base.align};
  return selectDim(fn, component, below, base, above);
}

static Dim dimIn(FunctionState &fn, Dim base, Value *component) {
  Constant *one = fn.builder.getInt64(1);
  Dim below = {
      base.lo,
      fn.builder.CreateSub(fn.builder.CreateSub(base.lo, component), one),
      base.stride, base.align};
  Dim above = {
      fn.builder.CreateAdd(fn.builder.CreateSub(base.hi, component), one),
      base.hi, base.stride, base.align};
  return selectDim(fn, component, below, base, above);
}

static Dim dimAt(FunctionState &fn, Dim base, Value *component) {
  Value *align = base.align;
  if (!isa<ConstantInt>(base.stride))
    align =
        modulo(fn, fn.builder.CreateAdd(base.align, component), base.stride);
  return {fn.builder.CreateAdd(base.lo, component),
          fn.builder.CreateAdd(base.hi, component), base.stride, align};
}

/// The same of a literal.
static Dim literalDim(FunctionState &fn, const air::RegionExpr &value,
                      unsigned dim) {
  const air::DimExpr &part = value.dims[dim];
  Constant *one = fn.builder.getInt64(1), *zero = fn.builder.getInt64(0);
  switch (part.kind) {
  case air::DimExpr::Inherit:
    return readDim(fn, value.base, dim);
  case air::DimExpr::Flood:
  case air::DimExpr::Grid:
    return {zero, zero, one, zero};
  case air::DimExpr::Single: {
    Value *index = lowerIndex(fn, part.lo);
    return {index, index, one, zero};
  }
  case air::DimExpr::Range: {
    Value *lo = lowerIndex(fn, part.lo);
    return {lo, lowerIndex(fn, part.hi), one, zero};
  }
  case air::DimExpr::Seq: {
    Value *lo = lowerIndex(fn, part.lo), *hi = lowerIndex(fn, part.hi);
    Value *stride = lowerIndex(fn, part.stride);
    return {lo, hi, stride, lowerIndex(fn, part.align)};
  }
  }
  llvm_unreachable("unknown dimension");
}

static Dim lowerDim(FunctionState &fn, const air::RegionExpr &value,
                    unsigned dim) {
  auto component = [&] { return lowerIndex(fn, value.direction[dim]); };
  switch (value.kind) {
  case air::RegionExpr::Same:
  case air::RegionExpr::By:
  case air::RegionExpr::Where:
    return readDim(fn, value.base, dim);
  case air::RegionExpr::Of:
    return dimOf(fn, readDim(fn, value.base, dim), component());
  case air::RegionExpr::In:
    return dimIn(fn, readDim(fn, value.base, dim), component());
  case air::RegionExpr::At:
    return dimAt(fn, readDim(fn, value.base, dim), component());
  case air::RegionExpr::Declared:
    return declaredDim(fn, value.array, dim);
  case air::RegionExpr::Dims:
    return literalDim(fn, value, dim);
  }
  llvm_unreachable("unknown region");
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
  case air::RegionExpr::Where:
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
static Value *lowerSingletons(FunctionState &fn,
                              const air::SetRegionStmt *stmt) {
  const air::RegionExpr &value = stmt->value;
  bool isDeclared = value.kind == air::RegionExpr::Declared;
  const air::Shape *from = isDeclared   ? &value.array->shape
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
  Value *base =
      isDeclared ? declaredRegion(fn, value.array) : address(fn, value.base);
  Value *bits = fn.builder.CreateAnd(
      fn.builder.CreateAlignedLoad(fn.types.i32, singletonsAddress(fn, base),
                                   Align(4)),
      copied);
  return fn.builder.CreateOr(bits, fixed, "singletons");
}

static Value *singletonsAddress(FunctionState &fn, Value *region) {
  return fn.builder.CreateStructGEP(
      fn.types.region, region, static_cast<unsigned>(RegionField::Singletons));
}

static Value *levelAddress(FunctionState &fn, Value *region) {
  return fn.builder.CreateStructGEP(fn.types.region, region,
                                    static_cast<unsigned>(RegionField::Level));
}

/// Its own, or that of the region or array it is made of.
static Value *lowerLevel(FunctionState &fn, const air::RegionExpr &value) {
  if (value.level)
    return lowerIndex(fn, value.level);
  Value *from = value.kind == air::RegionExpr::Declared
                    ? declaredRegion(fn, value.array)
                : value.base ? address(fn, value.base)
                             : nullptr;
  if (!from)
    return fn.builder.getInt64(INT64_MIN);
  return fn.builder.CreateAlignedLoad(fn.types.i64, levelAddress(fn, from),
                                      Align(8), "level");
}

void lowerSetRegion(FunctionState &fn, const air::SetRegionStmt *stmt) {
  SmallVector<Dim, ZRT_MAX_RANK> dims;
  for (unsigned d = 0; d < stmt->target->rank(); ++d)
    dims.push_back(lowerDim(fn, stmt->value, d));
  Value *by = stmt->value.kind == air::RegionExpr::By
                  ? direction(fn, stmt->value.direction)
                  : nullptr;
  PatternSource source;
  if (stmt->target->isSparse)
    source = patternSource(fn, stmt);
  Value *singletons = lowerSingletons(fn, stmt);
  Value *level = lowerLevel(fn, stmt->value);
  Value *region = address(fn, stmt->target);
  fn.builder.CreateAlignedStore(level, levelAddress(fn, region), Align(8));
  for (unsigned d = 0; d < dims.size(); ++d) {
    DimKind kind = stmt->target->shape[d];
    auto store = [&](Value *value, DimField field) {
      fn.builder.CreateAlignedStore(value, dimAddress(fn, region, d, field),
                                    Align(8));
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
    fn.builder.CreateAlignedStore(singletons, singletonsAddress(fn, region),
                                  Align(4));
  if (by)
    fn.builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_region_by), {region, by});
  if (stmt->target->isSparse)
    setPattern(fn, stmt, source);
}

} // namespace zpl::codegen
