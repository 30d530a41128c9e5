//===- LoopRegions.cpp - M-loops over equal regions -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A number stands for the value of each region at the loops of a list, found
// along one walk through it (RegionValues): equal numbers, equal values.
//
// Cost: linear in the statements.
//
//===----------------------------------------------------------------------===//

#include "Loops/LoopRegions.h"

using namespace llvm;

namespace zpl::air {

LoopRegions::LoopRegions(const StmtList &list, const Procedure &procedure,
                         const Effects &effects) {
  RegionValues values;
  RegionState state;
  for (const Stmt *stmt : list) {
    if (auto *loop = dyn_cast<MLoopStmt>(stmt))
      numbers[loop] = values.number(loop->region, state);
    if (auto *set = dyn_cast<SetRegionStmt>(stmt))
      values.set(*set, state);
    else
      values.forget(effects.writes(procedure, *stmt), state);
  }
}

bool LoopRegions::areEqual(const MLoopStmt &a, const MLoopStmt &b) const {
  bool isSparse = a.region->isSparse || b.region->isSparse;
  return a.region->shape == b.region->shape &&
         (!isSparse || a.region == b.region) &&
         numbers.lookup(&a) == numbers.lookup(&b) &&
         a.region->domain == b.region->domain;
}

} // namespace zpl::air
