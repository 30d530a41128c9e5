//===- GuardedStatements.h - Array statements and guards --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
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
/// Empty for other statements.
std::optional<GuardedStatement> guardedStatement(Stmt &stmt);

/// What an expression reads.
struct Reads {
  llvm::DenseSet<const Array *> arrays;
  llvm::DenseSet<const Region *> regions;
  llvm::DenseSet<const Variable *> variables;
  bool calls = false;
  explicit Reads(const Expr &expr) { add(expr); }
  Reads() = default;
  void add(const Expr &expr);
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
