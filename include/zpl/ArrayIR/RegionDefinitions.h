//===- RegionDefinitions.h - What regions are set to ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_REGIONDEFINITIONS_H
#define ZPL_ARRAYIR_REGIONDEFINITIONS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace zpl::air {

/// The only statement that sets each region. Valid while no statement that sets
/// a region of the module is added or removed.
class RegionDefinitions {
public:
  explicit RegionDefinitions(const Module &module);

  /// Null if there are several, or none: a region of the caller, or a tile.
  const RegionExpr *find(const Region *region) const;

  /// The expression of the lower (or \p isHigh: upper) bound in a dimension,
  /// where that is a Range or Single of a literal, or inherited from one. A
  /// sparse region has those of its base. What it depends on may have changed
  /// since. Null if there is none.
  const Expr *bound(const Region *region, unsigned dim, bool isHigh) const;

  /// How many steps from region to region there can be: a region may be made of
  /// itself.
  size_t longestChain() const { return definitions.size(); }

private:
  llvm::DenseMap<const Region *, const SetRegionStmt *> definitions;
};

/// The value of an integer constant, also where it is converted to I64.
std::optional<int64_t> constantInteger(const Expr *expr);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_REGIONDEFINITIONS_H
