//===- Partners.h - What a plan has for one partner -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_PARTNERS_H
#define ZRT_TEST_PARTNERS_H

#include <vector>

/// The entry for \p partner, or an empty one.
template <typename Entry>
Entry with(const std::vector<Entry> &partners, int partner) {
  for (const Entry &entry : partners)
    if (entry.partner == partner)
      return entry;
  return {};
}

#endif // ZRT_TEST_PARTNERS_H
