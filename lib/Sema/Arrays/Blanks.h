//===- Blanks.h - What blank references range over --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Blank references: `A[] := B[] + index1` means a loop over all elements of
/// indexed arrays, one level of loops for each `[]`. They come as hidden loop
/// variables around the statement; `index1[2]` is the position in dimension 1
/// of the second level. Below, levels and dimensions count from 0, and
/// Checking::blanks is not null but where the function says so.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_BLANKS_H
#define ZPL_LIB_SEMA_ARRAYS_BLANKS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// Levels that `index1[k]` may name.
constexpr unsigned MaxBlankLevels = 64;

/// Filled while the expressions of a statement are checked: the first reference
/// says over what the loops run, the others follow it.
struct Blanks {
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

/// Adds to \p to what sets \p target, an indexed array or a parallel array of
/// such ones, element by element to \p init, in which `index1` ... are the
/// position: loops with hidden variables. \p init may also be a value of the
/// array's own type, or of its elements'.
void promoteOver(Checking &c, const Expr *target, const ast::Expr &init,
                 StmtList &to);

/// Adds to \p to \p body, once for each element that the blank references range
/// over; \p body itself if there was none. Nothing after a report.
void repeat(Checking &c, Blanks &over, StmtList body, SourceRange range,
            StmtList &to);

/// A new variable without a name in the source, of the procedure at hand, else
/// of the program.
Variable *hiddenVariable(Checking &c, llvm::StringRef name, Type type,
                         SourceRange range);

/// The variable of the loop over dimension \p dim of \p level; made when it is
/// first asked for.
Variable *loopVariable(Checking &c, unsigned level, unsigned dim,
                       SourceRange range);

/// The number of indices of \p info in dimension \p dim, hi - lo + 1, as an
/// expression of type longint.
const Expr *extentExpr(Checking &c, const TypeInfo &info, unsigned dim,
                       SourceRange range);

/// `base[]` at \p level, which goes up by one; the first reference of a level
/// leads. Reports a \p base without elements, `[]` where no statement can be
/// repeated (Checking::blanks is null), and another shape than the leading
/// reference's.
const Expr *blankSubscript(Checking &c, const Expr *base, SourceRange range,
                           unsigned &level);

/// The element of \p base at the position of the loops of \p level, whose
/// leading array is known. Its subscripts are moved if its low bounds are not
/// the leader's.
const Expr *elementOf(Checking &c, const Expr *base, unsigned level,
                      SourceRange range);

/// Whether an array of type \p info, \p written so, may follow the leading
/// reference of \p level: equal numbers of indices. Reports what is certainly
/// wrong; extents that are not constants are compared by the run
/// (Blanks::checks).
bool followsShape(Checking &c, const TypeInfo &info, unsigned level,
                  llvm::StringRef written, SourceRange range);

/// Called at the end of a designator with \p levels blank references: false
/// after a report that the statement's others have another number. In a
/// promotion the greatest number counts.
bool endDesignator(Checking &c, unsigned levels, SourceRange range);

/// `index2` at \p level as a value of type integer. Reports it where there are
/// no blank references (Checking::blanks may be null). Whether the level exists
/// is seen at the end (checkPositions).
const Expr *positionIndex(Checking &c, unsigned dim, unsigned level,
                          SourceRange range);

/// `index1[2]`; reports a level that is no positive literal.
const Expr *positionAtLevel(Checking &c, const ast::Subscript &e, unsigned dim);

/// Whether all of `index1` ... in the statement are those of loops in \p over:
/// reports others.
bool checkPositions(Checking &c, const Blanks &over);

/// Makes the levels of \p type, down to its innermost elements, lead as
/// \p written; the outermost one is number \p first.
void leadWith(Checking &c, Type type, llvm::StringRef written,
              SourceRange range, unsigned first = 0);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_BLANKS_H
