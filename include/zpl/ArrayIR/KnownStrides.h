//===- KnownStrides.h - Strides that the program's text shows ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_KNOWNSTRIDES_H
#define ZPL_ARRAYIR_KNOWNSTRIDES_H

#include "zpl/ArrayIR/RegionDefinitions.h"

namespace zpl::air {

/// What the only statements that set regions say of their strides and first
/// indices: which never are in both of two regions, whatever their values. Valid as
/// long as RegionDefinitions.
class KnownStrides {
public:
  explicit KnownStrides(const Module &module) : definitions(module) {}

  /// Whether no element of \p array at an index of \p a is the one at \p offset
  /// from an index of \p b. All are of one rank.
  bool areIndependent(const Array &array, const Region *a, const Region *b,
                      const Offset &offset) const;

  /// The same for two indices of one value of \p region, and an offset that is
  /// not 0.
  bool isIndependentOfItself(const Array &array, const Region *region,
                             const Offset &offset) const;

  /// How far from those of \p a the indices of \p b lie, which have the same
  /// strides, if the ends that are known say it all; none if too few are.
  std::optional<Offset> likelyDistance(const Region *a, const Region *b) const;

  /// The lower bound of a dimension of what \p region is set to, if it is
  /// constant; none without a region.
  std::optional<int64_t> constantLow(const Region *region, unsigned dim) const;

private:
  /// What holds for all indices x in a dimension: x = remainder (mod modulus),
  /// or x = remainder if the modulus is 0. Modulus 1 says nothing; no
  /// remainder, that there is one.
  struct Residue {
    int64_t modulus = 1;
    std::optional<int64_t> remainder = 0;
  };
  /// What the definitions of \p region say of a dimension; \p steps of them have
  /// been followed already.
  Residue residue(const Region *region, unsigned dim, size_t steps = 0) const;
  /// The same for `base by direction`.
  Residue strided(const RegionExpr &by, unsigned dim, size_t steps) const;

  RegionDefinitions definitions;
};

} // namespace zpl::air

#endif // ZPL_ARRAYIR_KNOWNSTRIDES_H
