//===- StencilTablet.cpp - Partial sums that recur ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tablet of
//
//     w0 * A + w1 * (A@n + A@s + A@e + A@w) + w2 * (A@ne + A@nw + A@se + A@sw)
//
// has a column for each weight and position along the innermost dimension; a
// column holds what stands there in the other dimensions:
//
//            -1        0        1
//     w0              {0}
//     w1    {0}     {-1,1}     {0}
//     w2   {-1,1}             {-1,1}
//
// The pattern P = {-1,1}, of A@n + A@s, occurs three times, so an element needs
// one addition for it rather than three: at the next index the sum at position
// 1 is the one at position 0, and then that at -1. This is the tablet of the
// dissertation (5.3.4), with the weights factored out.
//
// Patterns are found by greed: of all intersections of two columns or patterns,
// with equal or with opposite signs, the one that saves most is taken out of
// all columns, which then hold the pattern's number instead; again, until no
// two have two parts in common. Among equal ones the first is taken.
//
// Cost: with c columns of p parts, at most c * p patterns, each O(c^3 * p). A
// stencil of 27 points has 6 to 9 columns of at most 4 parts.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/Stencils.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

namespace zpl::sema {

using Part = Tablet::Part;
using Parts = Tablet::Parts;

void Tablet::add(unsigned group, int64_t inner, Part part) {
  auto key = [](const Column &column) {
    return std::pair(column.group, column.inner);
  };
  auto it = llvm::lower_bound(columns, std::pair(group, inner),
                              [&](const Column &column, const auto &wanted) {
                                return key(column) < wanted;
                              });
  if (it == columns.end() || key(*it) != std::pair(group, inner))
    it = columns.insert(it, {group, inner, {}});
  auto place = llvm::lower_bound(it->parts, part,
                                 [](Part a, Part b) { return a.id < b.id; });
  it->parts.insert(place, part);
}

/// What both have, with equal signs or with opposite ones; as in \p a, but so
/// that the first part is added.
static Parts commonParts(const Parts &a, const Parts &b, bool areOpposite) {
  Parts common;
  for (Part part : a)
    if (llvm::is_contained(b, Part{part.id, part.isNegative != areOpposite}))
      common.push_back(part);
  if (!common.empty() && common.front().isNegative)
    for (Part &part : common)
      part.isNegative = !part.isNegative;
  return common;
}

/// Whether \p parts hold the pattern, and then whether with opposite signs.
static std::optional<bool> signOf(const Parts &parts, const Parts &pattern) {
  for (bool areOpposite : {false, true})
    if (llvm::all_of(pattern, [&](Part part) {
          return llvm::is_contained(
              parts, Part{part.id, part.isNegative != areOpposite});
        }))
      return areOpposite;
  return std::nullopt;
}

unsigned Tablet::saving(const Parts &pattern) const {
  auto holds = [&](const Parts &parts) {
    return signOf(parts, pattern).has_value();
  };
  unsigned count = llvm::count_if(patterns, holds);
  for (const Column &column : columns)
    count += holds(column.parts);
  return (count - 1) * (pattern.size() - 1);
}

Parts Tablet::bestPattern() const {
  std::vector<const Parts *> all;
  for (const Column &column : columns)
    all.push_back(&column.parts);
  for (const Parts &pattern : patterns)
    all.push_back(&pattern);
  Parts best;
  unsigned most = 0;
  for (auto [i, a] : llvm::enumerate(all))
    for (const Parts *b : llvm::ArrayRef(all).drop_front(i + 1))
      for (bool areOpposite : {false, true}) {
        Parts common = commonParts(*a, *b, areOpposite);
        if (common.size() < 2)
          continue;
        unsigned saved = saving(common);
        if (saved > most) {
          most = saved;
          best = std::move(common);
        }
      }
  return best;
}

void Tablet::replace(Parts &parts, const Parts &pattern, unsigned id) {
  std::optional<bool> isNegative = signOf(parts, pattern);
  if (!isNegative)
    return;
  llvm::erase_if(parts, [&](Part part) {
    return llvm::any_of(pattern, [&](Part p) { return p.id == part.id; });
  });
  parts.push_back({id, *isNegative});
}

bool Tablet::findPatterns() {
  for (Parts best = bestPattern(); !best.empty(); best = bestPattern()) {
    unsigned id = references + patterns.size();
    for (Column &column : columns)
      replace(column.parts, best, id);
    for (Parts &pattern : patterns)
      replace(pattern, best, id);
    patterns.push_back(std::move(best));
  }
  return !patterns.empty();
}

std::vector<const Tablet::Column *> Tablet::columnsOf(unsigned group) const {
  std::vector<const Column *> own;
  for (const Column &column : columns)
    if (column.group == group)
      own.push_back(&column);
  for (auto it = own.begin(); it != own.end();)
    it = std::stable_partition(it, own.end(),
                               [like = *it](const Column *column) {
                                 return column->parts == like->parts;
                               });
  return own;
}

} // namespace zpl::sema
