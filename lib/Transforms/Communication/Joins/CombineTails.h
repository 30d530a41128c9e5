//===- CombineTails.h - What moves with a combination -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_JOINS_COMBINETAILS_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_JOINS_COMBINETAILS_H

#include "zpl/Support/RunTimeChecks.h"
#include "zpl/Transforms/PassContext.h"
#include "llvm/ADT/SmallVector.h"

namespace zpl::air {

/// A variable of this procedure that nothing else knows.
bool isLocalValue(const Variable &variable);

/// Whether both may be one variable: one by reference is any but local ones.
bool mayBeOne(const Variable &a, const Variable &b);

/// Whether \p stmt itself, not what is nested in it or called, reads or writes a
/// variable, under any name.
bool mayTouch(const Stmt &stmt, const Variable &variable);

/// The checks that the program may make, as far as a pass knows.
RunTimeChecks possibleChecks(const PassContext &context);

/// Whether a statement, or one nested in it, has effects beside memory, does not
/// go on behind itself, or is a half of a combination.
bool leavesMemory(const Stmt &stmt);

/// " after it (line 12)" for remarks, and reasons why combinations stay apart.
std::string afterIt(const Stmt &stmt, const PassContext &context);
inline constexpr llvm::StringLiteral BesideMemory =
    "input, output, or a statement that may leave stands in between";
inline constexpr llvm::StringLiteral OpenOperator =
    "its operator may fail, or use more than its arguments, and keeps its "
    "place";

/// A combination, and the assignments to variables that follow it and use its
/// result:
///
///     combine sum %s.local over @R
///     set @s = %s.local             -- the tail
///     set @norm = sqrt(@s)
struct CombineTail {
  llvm::SmallVector<const Variable *, 4> written; ///< the combined ones, too
  llvm::SmallVector<const Variable *, 4> read;
  size_t end; ///< the position after it in its list

  /// That of \p combine, at position \p at of \p list. Assignments that call or
  /// may fail are none of it, so moving it moves no error.
  CombineTail(const CombineStmt &combine, const StmtList &list, size_t at,
              const PassContext &context);

  /// Whether it itself may touch what the tail writes.
  bool isTouchedBy(const Stmt &stmt) const;

private:
  bool extend(const Stmt &stmt, const RunTimeChecks &checks);
};

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_JOINS_COMBINETAILS_H
