//===- Agreement.h - Do all processors change a pattern alike? --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_SPARSE_AGREEMENT_H
#define ZRT_ENTRY_SPARSE_AGREEMENT_H

#include "Sparse/Addition.h"

namespace zrt {

/// What a processor is about to do to a pattern, as far as all do the same.
struct PatternChange {
  const zrt_region &result;          ///< the region that gets it
  const zrt_region *value = nullptr; ///< of which indices are taken, if any
  int32_t operation = 0;             ///< enum zrt_pattern_operator
  SharedAdditions added;             ///< by a modify
  const zrt_loc *loc;
};

/// Ends the run, naming two processors and what they do, unless all do the same.
/// Collective.
void checkAgreement(const PatternChange &change);

} // namespace zrt

#endif // ZRT_ENTRY_SPARSE_AGREEMENT_H
