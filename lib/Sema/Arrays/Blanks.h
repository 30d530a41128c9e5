//===- Blanks.h - What blank references range over --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The loops that the blank references of one statement stand for.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_BLANKS_H
#define ZPL_LIB_SEMA_ARRAYS_BLANKS_H

#include "Check/Checker.h"

namespace zpl::sema {

/// Levels that `index1[k]` may name.
constexpr unsigned MaxBlankLevels = 64;

/// Filled while the expressions of a statement are checked: the first reference
/// says over what the loops run, the others follow it.
struct CheckerState::Blanks {
  /// One level of arrays within arrays.
  struct Level {
    const TypeInfo *array = nullptr; ///< of the leading reference; null: not
                                     ///< known yet
    std::string text;                ///< the leading reference, as written
    llvm::SmallVector<Variable *, 2> variables; ///< per dimension; null: unused
  };
  /// Where `index1` ... stands for a position.
  struct Position {
    SourceRange range;
    unsigned dim, level;
  };
  llvm::SmallVector<Level, 2> levels;
  llvm::SmallVector<Position, 2> positions;
  /// What depends on positions and is evaluated first, in the loops, and the
  /// variables that have it (FirstValues.h).
  StmtList firsts;
  llvm::SmallVector<const Variable *, 2> firstVariables;
  StmtList checks;    ///< CheckShapeStmts of extents known at run time
  unsigned depth = 0; ///< levels of the references; 0: there was none
  /// As in promoteOver: the levels are those of the target, and depth grows
  /// with what the initializer uses.
  bool isPromotion = false;
  /// The family whose members' regions are checked: their values that are
  /// evaluated first are in hidden arrays, one per member. Null: another use.
  const Array *family = nullptr;
  /// Outer levels, of a family, whose positions are known: there are no loops.
  unsigned given = 0;
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_BLANKS_H
