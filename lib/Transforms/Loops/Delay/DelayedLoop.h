//===- DelayedLoop.h - Loops whose updates may be delayed -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_DELAY_DELAYEDLOOP_H
#define ZPL_LIB_TRANSFORMS_LOOPS_DELAY_DELAYEDLOOP_H

#include "zpl/Analysis/Effects.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace zpl::air {

/// A row or column of a matrix that a statement reads or writes.
struct Touch {
  unsigned dim; ///< 0: a row, 1: a column
  /// Its single index, in that dimension, is that of this region.
  Region *region;
};

/// A `for` loop whose body updates a matrix in an M-loop, from floods of single
/// rows and columns, and otherwise touches only rows and columns of it.
struct DelayedLoop {
  ForStmt *loop = nullptr;
  Variable *k = nullptr; ///< the variable of the loop
  MLoopStmt *sweep = nullptr;
  Array *matrix = nullptr; ///< of rank 2; what the sweep stores
  /// Those that the sweep reads, each of one row or column.
  llvm::SmallVector<FloodStmt *, 2> floods;
  /// The statement of the body that sets the region of the sweep; null: none.
  SetRegionStmt *set = nullptr;
  /// By dimension: the sweep's region begins at k + 0 or k + 1, so that it loses
  /// one index in each iteration. Nothing: it does not change.
  std::optional<int64_t> shrinks[2];
  /// What must be up to date before a statement of the body.
  llvm::DenseMap<const Stmt *, llvm::SmallVector<Touch, 1>> touches;
  /// By dimension: row k, or column k, is touched in each iteration.
  bool touchesK[2] = {false, false};

  /// The temporary that takes a flood, as an array of the sweep.
  bool isFlooded(const Array *array) const;
};

/// What keeps a loop from being one, in words for the user, and where.
struct Obstacle {
  std::string why; ///< empty: nothing does, or it is nothing of the kind
  SourceRange place;
};

/// Reads \p loop, of \p procedure, as such a loop; nothing, and \p obstacle, if
/// it is none. \p effects: of the module as it is.
std::optional<DelayedLoop>
readDelayedLoop(ForStmt &loop, const Procedure &procedure, const Module &module,
                const Effects &effects, Obstacle &obstacle);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_DELAY_DELAYEDLOOP_H
