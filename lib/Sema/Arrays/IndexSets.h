//===- IndexSets.h - Compares regions as they are known ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the bounds of two regions show: whether the indices of one lie within
/// those of others, whether they are the same.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_INDEXSETS_H
#define ZPL_LIB_SEMA_ARRAYS_INDEXSETS_H

#include "Check/Places.h"

namespace zpl::sema {

enum class Verdict : uint8_t {
  Proven,
  Unknown,
  Wrong,
  WrongUnlessEmpty ///< of what it is asked for
};

struct Comparison {
  Verdict verdict;
  unsigned dim = 0; ///< where it is wrong
};

/// Whether \p place surely has no index.
bool isEmpty(const Place &place);

/// Whether \p place surely has an index. Both are false where the bounds do not
/// show it.
bool isNotEmpty(const Place &place);

/// Whether the indices of \p needed lie within those of \p stored: the declared
/// region of an array and the borders at its sides. Flooded dimensions of
/// either hold all indices.
Comparison compareWithin(const Place &needed, llvm::ArrayRef<Place> stored);

/// Whether dimension \p dim of two regions, neither flooded, has the same
/// indices; Wrong supposes that both have some.
Verdict compareDim(const DimBounds &a, const DimBounds &b);

/// Whether two regions have the same indices.
Comparison compareSame(const Place &a, const Place &b);

/// Whether the indices of \p needed have the alignment of \p declared.
Verdict compareAlignment(const DimBounds &needed, const DimBounds &declared);

/// "1..n + 1", "5", "1..9 by 2"; empty if it cannot be said.
std::string text(const DimBounds &dim);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_INDEXSETS_H
