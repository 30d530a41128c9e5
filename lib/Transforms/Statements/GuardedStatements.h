//===- GuardedStatements.h - Array statements and guards --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the passes over masks have in common: array statements with guards,
/// what expressions read, and masks that are known.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_STATEMENTS_GUARDEDSTATEMENTS_H
#define ZPL_LIB_TRANSFORMS_STATEMENTS_GUARDEDSTATEMENTS_H

#include "zpl/Analysis/Effects.h"
#include "zpl/Analysis/KnownBounds.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/Transforms/PassContext.h"
#include <optional>

namespace zpl::air {

/// What array statements of Block form have in common.
struct GuardedStatement {
  Region *&region;
  const Expr *&guard; ///< may be null
};

/// The region and the guard of an array statement of Block form, which may be
/// changed through it; empty for other statements.
std::optional<GuardedStatement> guardedStatement(Stmt &stmt);

/// The guard of such a statement; null if there is none.
const Expr *guardOf(const Stmt &stmt);

/// What an expression reads.
struct Reads {
  llvm::DenseSet<const Array *> arrays;
  llvm::DenseSet<const Region *> regions;
  llvm::DenseSet<const Variable *> variables;
  bool calls = false;

  /// Those of \p expr and of all in it.
  explicit Reads(const Expr &expr) { add(expr); }

  /// Nothing yet.
  Reads() = default;

  /// Adds what \p expr reads itself; what its calls read is not known, only
  /// that there are some.
  void add(const Expr &expr);

  /// May executing what writes \p written change the value? Says nothing of
  /// calls.
  bool isChangedBy(const WriteSet &written) const;
};

/// Replaces guards by what the masks in them consist of, and drops masks that
/// nothing reads any more.
void forwardMasks(Procedure &procedure, Module &module, const Effects &effects,
                  PassContext &context);

/// Makes of a promoted procedure whose branches run over regions of their own
/// one statement for each assignment; \p result gets them. False, and nothing
/// done, if it is none.
bool splitShard(const ElementCallStmt &call, const Procedure &procedure,
                const KnownBounds &known, Module &module, StmtList &result);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_STATEMENTS_GUARDEDSTATEMENTS_H
