//===- RemapElements.cpp - Elements by maps, and when ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     A#[Index2 + 1, P]                    over R
//
//     region %whole = declared @A
//     eq(parts(%whole, 0), i64 1) ...      nothing of A or R is divided
//     ge(add(lo(@R, 1), i64 1), lo(%whole, 0)), le(...)
//
//     @A#(add(i64(index(1)), i64 1), @P checked (1) "A#[Index2 + 1, P]")
//
// On several processors `few` says whether it is worth while to have all of A on
// each of them: its elements, FewTimes, are no more than the indices of R that a
// processor has.
//
// A map in closed form (MapForms.h) is part of the condition, others are tested
// where they are used. Under a mask all but plain indices are: what the mask
// excludes may be anywhere.
//
//===----------------------------------------------------------------------===//

#include "Remaps/RemapElements.h"
#include "Remaps/MapForms.h"

using namespace llvm;

namespace zpl::air {

void RemapElements::require(const Expr *next) {
  condition = condition ? module.make<BinaryExpr>(BinaryOp::And, condition,
                                                  next, next->range)
                        : next;
}

/// What it costs to make room for an element and to bring it to all processors,
/// in indices of a loop over maps. Measured with a sparse matrix of 8 elements
/// per row and with particles, 100 per point.
constexpr int64_t FewTimes = 16;

const Expr *RemapElements::number(int64_t value, SourceRange range) {
  auto *made = module.make<ConstExpr>(Type::I64, range);
  made->integer = value;
  made->number = static_cast<double>(value);
  return made;
}

/// About: strides are not looked at. Dimension \p without does not count.
const Expr *RemapElements::sizeOf(Region *region, SourceRange range,
                                  std::optional<unsigned> without) {
  const Expr *size = number(1, range);
  auto make = [&](BinaryOp op, const Expr *a, const Expr *b) {
    return module.make<BinaryExpr>(op, a, b, range);
  };
  for (unsigned d = 0; d < region->rank(); ++d) {
    auto bound = [&](BoundExpr::Which which) {
      return module.make<BoundExpr>(region, d, which, range);
    };
    if (isPerProcessor(region->shape[d]) || d == without)
      continue;
    const Expr *extent =
        make(BinaryOp::Add,
             make(BinaryOp::Sub, bound(BoundExpr::Hi), bound(BoundExpr::Lo)),
             number(1, range));
    size = make(BinaryOp::Mul, size, extent);
  }
  return size;
}

void RemapElements::requireFew(Region *whole, Region *region,
                               SourceRange range) {
  auto times = [&](const Expr *a, const Expr *b) {
    return module.make<BinaryExpr>(BinaryOp::Mul, a, b, range);
  };
  const Expr *all = times(number(FewTimes, range), sizeOf(whole, range));
  for (unsigned d = 0; d < region->rank(); ++d)
    if (!isPerProcessor(region->shape[d]))
      all = times(all,
                  module.make<BoundExpr>(region, d, BoundExpr::Parts, range));
  auto also = [&](const Expr *next) {
    few = few ? module.make<BinaryExpr>(BinaryOp::And, few, next, range) : next;
  };
  // Of none there would be nothing in the place of a wrong one.
  also(module.make<CompareExpr>(CompareOp::Ge, sizeOf(whole, range),
                                number(1, range), range));
  also(module.make<CompareExpr>(CompareOp::Le, all, sizeOf(region, range),
                                range));
}

/// A shorter row costs less as single elements.
const Expr *RemapElements::hasLongRows(Region *region, unsigned dim,
                                       SourceRange range) {
  return module.make<CompareExpr>(CompareOp::Ge, sizeOf(region, range, dim),
                                  number(figures.remapRow, range), range);
}

void RemapElements::compare(CompareOp op, const Expr *a, const Expr *b) {
  require(module.make<CompareExpr>(op, a, b, b->range));
}

Region *RemapElements::newRegion(Array &array, StringRef name,
                                 SourceRange range) {
  auto *region = module.make<Region>();
  region->name = names.make(name);
  region->shape = array.shape;
  region->domain = array.domain;
  region->isTemporary = true;
  region->range = range;
  procedure.regions.push_back(region);
  return region;
}

Region *RemapElements::declaredRegion(Array &array, SourceRange range) {
  Region *region = newRegion(array, "whole", range);
  RegionExpr value;
  value.kind = RegionExpr::Declared;
  value.array = &array;
  before.push_back(module.make<SetRegionStmt>(region, value, range));
  return region;
}

Region *RemapElements::imageRegion(Array &array, ArrayRef<DimExpr> dims,
                                   SourceRange range) {
  Region *region = newRegion(array, "reached", range);
  RegionExpr value;
  value.kind = RegionExpr::Dims;
  value.dims.assign(dims.begin(), dims.end());
  for (auto [kind, dim] : zip(region->shape, dims))
    kind = dim.kind == DimExpr::Single  ? DimKind::Singleton
           : dim.kind == DimExpr::Flood ? DimKind::Flood
                                        : DimKind::Range;
  before.push_back(module.make<SetRegionStmt>(region, value, range));
  return region;
}

const RemapExpr *RemapElements::of(const Remapped &remap) {
  SourceRange range = remap.range;
  Array &array = *remap.array;
  Region *whole = declaredRegion(array, range);
  auto bound = [&](Region *region, unsigned d, BoundExpr::Which which) {
    return module.make<BoundExpr>(region, d, which, range);
  };
  const Expr *one = number(1, range);
  requireFew(whole, remap.region, range);
  for (Region *region : {whole, remap.region})
    for (unsigned d = 0; d < region->rank(); ++d)
      if (!isPerProcessor(region->shape[d]))
        compare(CompareOp::Eq, bound(region, d, BoundExpr::Parts), one);
  SmallVector<const Expr *, 4> maps;
  uint32_t checked = 0;
  for (unsigned d = 0; d < array.rank(); ++d) {
    const Expr *map = mapValue(remap.maps[d], module, range);
    bool isAny = isPerProcessor(array.shape[d]);
    bool mayBeClosed = array.shape[d] != DimKind::Strided &&
                       (!remap.mask.array || !remap.maps[d].value);
    ClosedMap closed = !isAny && mayBeClosed
                           ? closedMap(*map, *remap.region, module)
                           : ClosedMap();
    maps.push_back(isAny ? one : closed.value ? closed.value : map);
    if (!closed.value) {
      checked |= uint32_t(!isAny) << d;
      continue;
    }
    for (const Expr *each : closed.when)
      require(each);
    compare(CompareOp::Ge, closed.lo, bound(whole, d, BoundExpr::Lo));
    compare(CompareOp::Le, closed.hi, bound(whole, d, BoundExpr::Hi));
  }
  if (!condition) { // each processor has all, of the array and of the region
    auto *always = module.make<ConstExpr>(Type::Bool, range);
    always->integer = 1;
    condition = always;
  }
  auto *made = module.make<RemapExpr>(&array, maps, range);
  made->checked = checked;
  made->text = module.copy(remap.text);
  return made;
}

const RemapExpr *RemapElements::later(const Remapped &remap, Array *whole) {
  SmallVector<const Expr *, 4> maps;
  for (const Map &map : remap.maps)
    maps.push_back(mapValue(map, module, remap.range));
  auto *made = module.make<RemapExpr>(whole, maps, remap.range);
  made->checked = (uint32_t(1) << maps.size()) - 1;
  made->checksLater = true;
  made->text = module.copy(remap.text);
  return made;
}

} // namespace zpl::air
