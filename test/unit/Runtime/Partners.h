//===- Partners.h - What a plan has for one partner -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_PARTNERS_H
#define ZRT_TEST_PARTNERS_H

#include "HandRegions.h"
#include "Layout/Box.h"

#include <vector>

/// The entry for \p partner, or an empty one.
template <typename Entry>
Entry with(const std::vector<Entry> &partners, int partner) {
  for (const Entry &entry : partners)
    if (entry.partner == partner)
      return entry;
  return {};
}

/// Calls \p body with every index of \p box.
template <typename Body> void forIndices(const zrt::Box &box, Body body) {
  zrt_region region = {};
  region.rank = box.rank;
  for (int d = 0; d < box.rank; ++d)
    region.dim[d] = hand::strided(box.dim[d].lo, box.dim[d].hi,
                                  box.dim[d].stride, box.dim[d].lo);
  hand::forAll(region, body);
}

#endif // ZRT_TEST_PARTNERS_H
