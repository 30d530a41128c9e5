//===- Facts.h - What evaluating an expression involves ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What evaluating an expression involves besides its value, and how a call
/// passes what. See Facts.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_FACTS_H
#define ZPL_LIB_ARRAYGEN_FACTS_H

#include "zpl/Sema/Program.h"
#include "llvm/ADT/DenseMap.h"

namespace zpl::arraygen {

/// What evaluating an expression does besides giving a value. They hold for
/// the whole tree below it.
struct Facts {
  /// It needs statements of its own before the one it stands in: array
  /// operators, calls of parallel procedures, timers, functions of the runtime,
  /// regions, `&` and `|` that must not evaluate their right side, promoted
  /// calls that write arrays.
  bool hoists = false;
  /// It may write something that another expression reads, or print.
  bool effects = false;
  /// It is too dear, or not safe, to be evaluated once per element.
  bool once = false;
  /// It must not be evaluated where the source says it is not: it could fail
  /// or never end.
  bool guarded = false;
  /// It calls a procedure that may use arrays.
  bool parallel = false;

  /// What holds of an operand holds of the whole tree.
  void add(const Facts &other) {
    hoists |= other.hoists;
    effects |= other.effects;
    once |= other.once;
    guarded |= other.guarded;
    parallel |= other.parallel;
  }
};

/// Finds and remembers facts, so that asking at every level of a tree stays
/// linear.
class FactTable {
public:
  /// \p checksOverflow: signed integers that wrap around end the run.
  explicit FactTable(bool checksOverflow) : checksOverflow(checksOverflow) {}

  /// The facts about \p expr and all below it.
  Facts of(const sema::Expr *expr);

  /// The facts about what a reduction or scan combines, without the
  /// accumulation of a user-defined one.
  Facts ofFolded(const sema::Expr *operand, const sema::UserFold *user);

private:
  /// The facts about \p expr, which are not known yet.
  Facts find(const sema::Expr *expr);
  bool checksOverflow;
  llvm::DenseMap<const sema::Expr *, Facts> known;
};

/// True if the call, of a scalar procedure with arrays, is element by element.
bool isPromoted(const sema::CallExpr *call);

/// True if a parameter of the call's procedure names its caller's storage.
bool hasReferenceArguments(const sema::CallExpr *call);

/// True if a function's result is of a size that only a run knows: it is put
/// into memory of the caller, by reference.
bool returnsByReference(const sema::Procedure *procedure);

/// How the callee takes argument \p i.
sema::Mode argumentMode(const sema::CallExpr *call, unsigned i);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_FACTS_H
