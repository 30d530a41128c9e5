//===- MergedPatterns.h - Unions and intersections --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_MERGEDPATTERNS_H
#define ZRT_SPARSE_MERGEDPATTERNS_H

#include "Sparse/Pattern.h"

namespace zrt {

/// The indices that are in one of both, or in both. Either may be null: none.
PatternPtr united(const Pattern *a, const Pattern *b, PatternBuilder builder);
/// Those in both.
PatternPtr common(const Pattern *a, const Pattern *b, PatternBuilder builder);
/// Those in \p a only.
PatternPtr without(const Pattern *a, const Pattern *b, PatternBuilder builder);

} // namespace zrt

#endif // ZRT_SPARSE_MERGEDPATTERNS_H
