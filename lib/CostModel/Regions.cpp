//===- Regions.cpp - Regions and arrays, as formulas ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region R = [1..n, 1..n];   [["1", "n"], ["1", "n"]], n*n points
//     [north of R]               [["0", "0"], ["1", "n"]], n points
//     [R by [2, 2]]              [["1", "2*floor((n - 1)/2) + 1", "2"], ...]
//
// follow the same rules as the runtime's regions (RegionOps), with directions
// of unknown sign as sums over the three cases.
//
//===----------------------------------------------------------------------===//

#include "State.h"

using namespace llvm;

namespace zpl::costmodel {

Formula gridExtent(unsigned rank, unsigned dim) {
  return Formula::name("r" + std::to_string(dim) + "." + std::to_string(rank));
}

Formula Dimension::extent() const {
  if (air::isPerProcessor(kind) || kind == air::DimKind::Singleton)
    return 1;
  return quotient(hi - lo, stride) + 1;
}

Formula pointsOf(const RegionValue &region) {
  Formula points = 1;
  for (const Dimension &dim : region)
    points = points * dim.extent();
  return points;
}

/// \p below if d < 0, \p same if d = 0, \p above if d > 0.
static Formula bySign(const Formula &d, const Formula &below,
                      const Formula &same, const Formula &above) {
  if (std::optional<double> number = d.number())
    return *number < 0 ? below : *number > 0 ? above : same;
  if (int sign = d.sign())
    return sign < 0 ? below : above;
  return Formula::apply("<", {d, 0}) * below +
         Formula::apply("==", {d, 0}) * same +
         Formula::apply("<", {0, d}) * above;
}

/// A dimension of `d of`, `d in`, `at d`, `by d`.
static Dimension moved(air::RegionExpr::Kind kind, Dimension dim,
                       const Formula &d) {
  Formula lo = dim.lo, hi = dim.hi;
  switch (kind) {
  case air::RegionExpr::Of:
    dim.lo = bySign(d, lo + d, lo, hi + 1);
    dim.hi = bySign(d, lo - 1, hi, hi + d);
    break;
  case air::RegionExpr::In:
    dim.lo = bySign(d, lo, lo, hi - d + 1);
    dim.hi = bySign(d, lo - d - 1, hi, hi);
    break;
  case air::RegionExpr::At:
    dim.lo = lo + d;
    dim.hi = hi + d;
    dim.align = dim.align + d;
    break;
  case air::RegionExpr::By: {
    Formula step = dim.stride * bySign(d, 0 - d, 1, d);
    Formula length = step * quotient(hi - lo, step);
    dim.lo = bySign(d, hi - length, lo, lo);
    dim.hi = bySign(d, hi, hi, lo + length);
    dim.stride = step;
    dim.align = bySign(d, hi, dim.align, lo);
    break;
  }
  case air::RegionExpr::Dims:
  case air::RegionExpr::Same:
  case air::RegionExpr::Declared:
  case air::RegionExpr::Where:
    break;
  }
  return dim;
}

static Dimension literal(State &s, const air::DimExpr &e,
                         const Dimension &inherited) {
  Dimension dim;
  switch (e.kind) {
  case air::DimExpr::Range:
    dim.lo = evaluate(s, *e.lo);
    dim.hi = evaluate(s, *e.hi);
    break;
  case air::DimExpr::Single:
    dim.lo = dim.hi = evaluate(s, *e.lo);
    break;
  case air::DimExpr::Seq:
    dim.lo = evaluate(s, *e.lo);
    dim.hi = evaluate(s, *e.hi);
    dim.stride = evaluate(s, *e.stride);
    dim.align = evaluate(s, *e.align);
    break;
  case air::DimExpr::Inherit:
    return inherited;
  case air::DimExpr::Flood:
  case air::DimExpr::Grid:
    dim.lo = dim.hi = 0;
    break;
  }
  return dim;
}

RegionValue evaluate(State &s, const air::RegionExpr &e,
                     const air::Region &to) {
  unsigned rank = to.rank();
  RegionValue base(rank);
  if (e.base)
    base = regionOf(s, *e.base);
  else if (e.array)
    base = arrayOf(s, *e.array).declared;
  base.resize(rank);
  RegionValue result;
  for (unsigned d = 0; d < rank; ++d) {
    Dimension dim = base[d];
    if (e.kind == air::RegionExpr::Dims)
      dim = literal(s, e.dims[d], base[d]);
    else if (d < e.direction.size())
      dim = moved(e.kind, dim, evaluate(s, *e.direction[d]));
    dim.kind = to.shape[d];
    result.push_back(dim);
  }
  if (e.kind == air::RegionExpr::Where)
    s.notes.insert("sparse regions count as dense ones");
  return result;
}

const RegionValue &regionOf(State &s, const air::Region &region) {
  auto known = s.regions.find(&region);
  if (known != s.regions.end())
    return known->second;
  RegionValue value;
  for (air::DimKind kind : region.shape) {
    Dimension dim;
    dim.kind = kind;
    dim.hi = unknown(s, region.text.empty() ? region.name : region.text,
                     region.range, "1", "an extent of a region");
    value.push_back(dim);
  }
  return s.regions[&region] = value;
}

json::Value toJson(const RegionValue &region) {
  json::Array dims;
  for (const Dimension &dim : region) {
    if (air::isPerProcessor(dim.kind)) {
      dims.push_back("*");
      continue;
    }
    json::Array bounds{dim.lo.text(), dim.hi.text()};
    if (!(dim.stride == 1)) {
      bounds.push_back(dim.stride.text());
      bounds.push_back(dim.align.text());
    }
    dims.push_back(std::move(bounds));
  }
  return dims;
}

static unsigned sizeOfAggregate(const air::TypeInfo &info) {
  uint64_t size = 0, alignment = 1;
  if (info.kind == air::Type::Opaque)
    return unsigned(info.size);
  if (info.kind == air::Type::Array) {
    size = sizeOf(info.element);
    for (auto [lo, hi] : zip(info.lo, info.hi))
      if (!lo.variable && !hi.variable)
        size *= uint64_t(std::max<int64_t>(hi.value - lo.value + 1, 0));
    return unsigned(size);
  }
  for (const air::Field &field : info.fields) {
    uint64_t bytes = sizeOf(field.type);
    uint64_t each = std::min<uint64_t>(std::max<uint64_t>(bytes, 1), 8);
    alignment = std::max(alignment, each);
    if (info.kind == air::Type::Union)
      size = std::max(size, bytes);
    else
      size = (size + each - 1) / each * each + bytes;
  }
  return unsigned((size + alignment - 1) / alignment * alignment);
}

unsigned sizeOf(air::Type type) {
  switch (type.kind()) {
  case air::Type::Void:
    return 0;
  case air::Type::Bool:
  case air::Type::Char:
  case air::Type::I8:
  case air::Type::U8:
    return 1;
  case air::Type::I16:
  case air::Type::U16:
    return 2;
  case air::Type::I32:
  case air::Type::U32:
  case air::Type::F32:
  case air::Type::File:
  case air::Type::Enum:
    return 4;
  case air::Type::I64:
  case air::Type::U64:
  case air::Type::F64:
  case air::Type::C32:
  case air::Type::Str:
  case air::Type::Timer:
  case air::Type::Handle:
    return 8;
  case air::Type::F80:
  case air::Type::C64:
    return 16;
  case air::Type::C80:
    return 32;
  case air::Type::Opaque:
  case air::Type::Record:
  case air::Type::Union:
  case air::Type::Array:
    return sizeOfAggregate(*type.info());
  }
  llvm_unreachable("a type outside its enumeration");
}

const ArrayValue &arrayOf(State &s, const air::Array &array) {
  auto known = s.arrays.find(&array);
  if (known != s.arrays.end())
    return known->second;
  ArrayValue value;
  value.elementBytes = sizeOf(array.element);
  if (array.declared)
    value.declared = regionOf(s, *array.declared);
  else
    value.declared.resize(array.rank());
  return s.arrays[&array] = value;
}

} // namespace zpl::costmodel
