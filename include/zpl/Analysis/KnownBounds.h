//===- KnownBounds.h - Bounds that the program's text shows -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_KNOWNBOUNDS_H
#define ZPL_ANALYSIS_KNOWNBOUNDS_H

#include "zpl/ArrayIR/RegionDefinitions.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace zpl::air {

/// What the only statement that sets a region says of its bounds. It holds
/// wherever the region has a value. Valid while no statement that sets a region
/// or variable of the module is added, for the regions that it did not see
/// nothing is known.
class KnownBounds {
public:
  explicit KnownBounds(const Module &module);

  /// The bounds of a Range or Singleton dimension, if they are constant.
  std::optional<LikelyBounds> constant(const Region *region,
                                       unsigned dim) const;

  /// The same, if it is a Range of a few indices beside another dimension with
  /// a loop: loops over it may become a copy for each index
  /// (LoopLevel::likely).
  std::optional<LikelyBounds> few(const Region *region, unsigned dim) const;

  /// For such a dimension with bounds that one config variable decides, which
  /// decides no other dimension's, where these have many indices by default:
  /// the few indices by its default value, and by values near that.
  llvm::SmallVector<LikelyBounds, 4> likely(const Region *region,
                                            unsigned dim) const;

  /// Whether both regions surely have the same indices; only if all dimensions
  /// are Ranges, Singletons or flooded.
  bool areEqual(const Region &a, const Region &b) const;

  /// Whether \p value, an integer, is surely the lower (or \p isHigh: the
  /// upper) bound of the region in that dimension.
  bool isBound(const Expr *value, const Region *region, unsigned dim,
               bool isHigh) const;

private:
  bool areEqual(const Expr *a, const Expr *b) const;
  /// Bounds that hold if config variables have their defaults; none if others are
  /// part of them.
  std::optional<LikelyBounds> byDefault(const Expr *low,
                                        const Expr *high) const;
  /// Whether the dimensions other than \p dim have few indices.
  bool isFewBesides(const Region *region, unsigned dim) const;

  RegionDefinitions definitions;
  /// Config variables that nothing else sets.
  llvm::DenseSet<const Variable *> fixed;
  /// Their default values, where these are constants.
  llvm::DenseMap<const Variable *, int64_t> defaults;
};

} // namespace zpl::air

#endif // ZPL_ANALYSIS_KNOWNBOUNDS_H
