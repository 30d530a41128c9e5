//===- LinearMaps.h - Maps that step evenly with an index -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_LINEARMAPS_H
#define ZPL_ANALYSIS_LINEARMAPS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include <optional>

namespace zpl::air {

/// A map that the runtime computes: `linear` or `linear % modulus + shift`, in
/// 32 bits.
struct LinearMap {
  /// Sums, differences and products of scalars and the index of `dim`, which no
  /// product has twice.
  const Expr *linear = nullptr;
  std::optional<unsigned> dim;   ///< of the region; none: a scalar
  const Expr *modulus = nullptr; ///< a scalar; null: none
  const Expr *shift = nullptr;   ///< a scalar; null: none
  bool isSubtracted = false;     ///< the shift
};

/// \p map, an expression over \p region, if it is one.
std::optional<LinearMap> linearMap(const Expr &map, const Region &region);

} // namespace zpl::air

#endif // ZPL_ANALYSIS_LINEARMAPS_H
