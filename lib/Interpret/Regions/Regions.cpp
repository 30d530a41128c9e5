//===- Regions.cpp - Index sets and arrays over them ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region is a list of sequences (l, h, s, a) = { x | l <= x <= h, x = a (mod
// s) }, and its operators are the formulas of language section 6, written down
// one by one:
//
//     [1..10]               (1, 10, 1, 0)
//     [1..10] by [3]        (1, 10, 3, 1)       1 4 7 10
//     [1..10] by [-3]       (1, 10, 3, 1)       10 7 4 1
//     ... at [2]            (3, 12, 3, 0)       3 6 9 12
//
// A sparse region has the set of its indices beside its dimensions; operators
// give the dimensions, and what of the set lies within them.
//
// An array is stored densely over the *positions* (x - a) / s of its declared
// region and the borders beside it: the box around all of them.
//
//===----------------------------------------------------------------------===//

#include "Regions/Regions.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

using namespace llvm;

namespace zpl::interpreter {

/// x mod s, of 0..s-1 also for negative x.
static int64_t modulo(int64_t x, int64_t s) {
  return s == 1 ? 0 : (x % s + s) % s;
}

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

int64_t Dim::first() const { return lo + modulo(align - lo, stride); }
int64_t Dim::last() const { return hi - modulo(hi - align, stride); }

int64_t Dim::count() const {
  return lo > hi || first() > last() ? 0 : (last() - first()) / stride + 1;
}

bool Dim::contains(int64_t x) const {
  return isFlood() || (lo <= x && x <= hi && modulo(x - align, stride) == 0);
}

bool haveSameIndices(const Dim &a, const Dim &b) {
  if (a.isFlood() || b.isFlood())
    return a.kind == b.kind;
  if (a.count() != b.count() || a.count() == 0)
    return a.count() == b.count();
  return a.first() == b.first() && a.last() == b.last();
}

Dim dimOf(int64_t d, const Dim &base) {
  Dim result = base;
  if (d == 0)
    return result;
  if (d < 0) {
    result.lo = base.lo + d;
    result.hi = base.lo - 1;
  } else {
    result.lo = base.hi + 1;
    result.hi = base.hi + d;
  }
  if (result.kind == DimKind::Singleton)
    result.kind = DimKind::Range;
  return result;
}

Dim dimIn(int64_t d, const Dim &base) {
  Dim result = base;
  if (d == 0)
    return result;
  if (d < 0)
    result.hi = base.lo - d - 1;
  else
    result.lo = base.hi - d + 1;
  if (result.kind == DimKind::Singleton)
    result.kind = DimKind::Range;
  return result;
}

Dim dimAt(const Dim &base, int64_t d) {
  Dim result = base;
  if (base.isFlood())
    return result;
  result.lo += d;
  result.hi += d;
  result.align = modulo(base.align + d, base.stride);
  return result;
}

Dim dimBy(const Dim &base, int64_t d) {
  Dim result = base;
  if (d == 0 || base.isFlood() || base.kind == DimKind::Singleton)
    return result;
  result.kind = DimKind::Strided;
  result.stride = base.stride * std::abs(d);
  result.align = d < 0 ? base.hi - modulo(base.hi - base.align, base.stride)
                       : base.lo + modulo(base.align - base.lo, base.stride);
  result.align = modulo(result.align, result.stride);
  return result;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

bool Region::isEmpty() const {
  return any_of(dims, [](const Dim &dim) { return dim.count() == 0; });
}

bool Region::bound(const Index &index) const {
  for (auto [d, dim] : enumerate(dims))
    if (!dim.contains(index[d]))
      return false;
  return true;
}

bool Region::contains(const Index &index) const {
  return !isUnset && bound(index) && (!pattern || pattern->count(index) != 0);
}

Region Region::withoutPattern() const {
  Region dense = *this;
  dense.pattern = nullptr;
  dense.isUnset = false;
  return dense;
}

int64_t Region::size() const {
  if (isSparse())
    return pattern ? int64_t(pattern->size()) : 0;
  int64_t size = 1;
  for (const Dim &dim : dims)
    size *= dim.count();
  return size;
}

bool haveSameIndices(const Region &a, const Region &b) {
  if (a.isSparse() || b.isSparse())
    return a.isSparse() == b.isSparse() &&
           haveSameIndices(a.withoutPattern(), b.withoutPattern()) &&
           (a.pattern == b.pattern ||
            (a.pattern && b.pattern && *a.pattern == *b.pattern));
  if (a.isEmpty() || b.isEmpty())
    return a.isEmpty() == b.isEmpty();
  return all_of(zip_equal(a.dims, b.dims), [](auto pair) {
    return haveSameIndices(std::get<0>(pair), std::get<1>(pair));
  });
}

std::string Region::bounds() const {
  std::string text;
  for (const Dim &dim : dims) {
    text += text.empty() ? "[" : ", ";
    if (dim.isFlood()) {
      text += dim.kind == DimKind::Grid ? "::" : "*";
      continue;
    }
    text += std::to_string(dim.lo);
    if (dim.kind != DimKind::Singleton)
      text += ".." + std::to_string(dim.hi);
    if (dim.stride != 1)
      text += " by " + std::to_string(dim.stride);
  }
  return text + "]";
}

std::string Region::describe() const {
  std::string all = bounds();
  if (text.empty() || text == all)
    return "region " + all;
  return "region " + text + (text[0] == '[' ? " = " : " ") + all;
}

static void visitFrom(const Region &region, unsigned d, Index &index,
                      function_ref<void(const Index &)> visit) {
  if (d == region.rank())
    return visit(index);
  const Dim &dim = region.dims[d];
  int64_t count = dim.count(), x = dim.first();
  for (int64_t k = 0; k < count; ++k, x += dim.stride) {
    index[d] = x;
    visitFrom(region, d + 1, index, visit);
  }
}

bool isWithin(const Region &inner, const Region &outer,
              ArrayRef<int64_t> direction) {
  if (inner.isSparse())
    return !inner.pattern || all_of(*inner.pattern, [&](const Index &index) {
      return outer.bound(moved(index, direction));
    });
  for (auto [d, dims] : enumerate(zip_equal(inner.dims, outer.dims))) {
    const auto &[in, out] = dims;
    int64_t distance = direction.empty() ? 0 : direction[d];
    int64_t count = in.count();
    if (count == 0)
      return true;
    bool contains = out.contains(in.first() + distance) &&
                    out.contains(in.last() + distance);
    bool steps = out.isFlood() || count == 1 || in.stride % out.stride == 0;
    if (!contains || !steps)
      return inner.isEmpty();
  }
  return true;
}

void forEachIndex(const Region &region,
                  function_ref<void(const Index &)> visit) {
  if (region.isSparse()) {
    std::shared_ptr<const Pattern> pattern = region.pattern;
    if (pattern)
      for (const Index &index : *pattern)
        visit(index);
    return;
  }
  Index index{};
  if (!region.isEmpty())
    visitFrom(region, 0, index, visit);
}

Index moved(const Index &index, ArrayRef<int64_t> direction) {
  Index result = index;
  for (auto [d, component] : enumerate(direction))
    result[d] += component;
  return result;
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

ArrayStorage::ArrayStorage(std::string name, Type element, int64_t elementSize,
                           Region theDeclared, std::vector<Region> theBorders)
    : name(std::move(name)), element(element), elementSize(elementSize),
      declared(std::move(theDeclared)), borders(std::move(theBorders)),
      pitch(elementSize) {
  Index greatest{};
  bool isFirst = true;
  auto include = [&](const Region &region) {
    if (region.isEmpty())
      return;
    for (auto [d, dim] : enumerate(region.dims)) {
      int64_t lo = position(dim.first(), d), hi = position(dim.last(), d);
      least[d] = isFirst ? lo : std::min(least[d], lo);
      greatest[d] = isFirst ? hi : std::max(greatest[d], hi);
    }
    isFirst = false;
  };
  include(declared);
  for (const Region &border : borders)
    include(border);
  elements = isFirst ? 0 : 1;
  for (unsigned d = 0; d != declared.rank(); ++d) {
    extent[d] = isFirst ? 0 : greatest[d] - least[d] + 1;
    elements *= extent[d];
  }
  data.resize((elements + 1) * elementSize + 1); // so that no address is null
  first = data.data();
  irv = first + elements * elementSize;
}

ArrayStorage::ArrayStorage(const ArrayStorage &whole, Type element,
                           int64_t elementSize, char *first)
    : name(whole.name), element(element), elementSize(elementSize),
      declared(whole.declared), borders(whole.borders), least(whole.least),
      extent(whole.extent), elements(whole.elements), pitch(whole.pitch),
      first(first), irv(whole.irv + (first - whole.first)) {}

void ArrayStorage::copyElements(const ArrayStorage &source) {
  for (int64_t i = 0; i != elements; ++i)
    std::copy_n(source.first + i * source.pitch, elementSize,
                first + i * pitch);
  std::copy_n(source.irv, elementSize, irv);
}

int64_t ArrayStorage::position(int64_t index, unsigned d) const {
  const Dim &dim = declared.dims[d];
  if (dim.isFlood())
    return 0;
  if (dim.stride == 1) // the usual case
    return index;
  int64_t distance = index - dim.align;
  return (distance - modulo(distance, dim.stride)) / dim.stride;
}

bool ArrayStorage::stores(const Index &index) const {
  return declared.contains(index) ||
         any_of(borders, [&](const Region &r) { return r.contains(index); });
}

bool ArrayStorage::bounds(const Index &index) const {
  return declared.bound(index) ||
         any_of(borders, [&](const Region &r) { return r.contains(index); });
}

char *ArrayStorage::address(const Index &index) const {
  if (declared.isSparse() && !stores(index))
    return irv;
  int64_t place = 0;
  for (unsigned d = 0; d != declared.rank(); ++d) {
    int64_t p = position(index[d], d) - least[d];
    if (p < 0 || p >= extent[d])
      return nullptr;
    place = place * extent[d] + p;
  }
  return first + place * pitch;
}

} // namespace zpl::interpreter
