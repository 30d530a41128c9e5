//===- Facts.h - What is true of a whole pattern ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_FACTS_H
#define ZRT_SPARSE_FACTS_H

#include "Sparse/Cursor.h"

namespace zrt {

/// The number of indices on all processors. Collective the first time.
int64_t totalOf(Transport &transport, const Pattern &pattern);

/// The numbers of indices of all processors. Collective the first time.
const std::vector<int64_t> &countsOf(Transport &transport,
                                     const Pattern &pattern);

/// The smallest box of ranges that holds all indices of all processors.
/// Collective the first time.
const Box &hullOf(Transport &transport, const Pattern &pattern);

/// The least index in row-major order, of all processors, that moved by
/// \p direction (null: zero) is not one of \p boxes, in the dimensions of
/// \p floods any; false if there is none. Collective.
bool findOutside(Transport &transport, const OwnIndices &indices,
                 const int64_t *direction, const std::vector<Box> &boxes,
                 int floods, int64_t *index);

/// Whether both have the same indices on all processors. Collective.
bool areSame(Transport &transport, const Pattern &a, const Pattern &b);

} // namespace zrt

#endif // ZRT_SPARSE_FACTS_H
