//===- LoopRegions.h - M-loops over equal regions ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_LOOPREGIONS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_LOOPREGIONS_H

#include "zpl/Analysis/Effects.h"
#include "zpl/Analysis/RegionValues.h"
#include "llvm/ADT/DenseMap.h"

namespace zpl::air {

/// Which M-loops of a list are over equal regions. Valid while regions are set
/// as when this was made; loops may move.
class LoopRegions {
public:
  LoopRegions() = default;
  /// What is not set in \p list has the value that it had at its begin.
  LoopRegions(const StmtList &list, const Procedure &procedure,
              const Effects &effects);

  /// Whether both loops, of the list, are over the same indices of one domain.
  /// A sparse region is equal to itself only: its arrays are over just this.
  bool areEqual(const MLoopStmt &a, const MLoopStmt &b) const;

private:
  llvm::DenseMap<const MLoopStmt *, ValueNumber> numbers;
};

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_LOOPREGIONS_H
