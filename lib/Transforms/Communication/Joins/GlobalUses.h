//===- GlobalUses.h - Which globals procedures have to do with --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_JOINS_GLOBALUSES_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_JOINS_GLOBALUSES_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/Support/RunTimeChecks.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace zpl::air {

/// Which global variables procedures read or write themselves, and through what
/// they call. What they are given by reference is their caller's business.
class GlobalUses {
public:
  explicit GlobalUses(const Module &module);

  bool mayUse(const Procedure &procedure, const Variable &global) const;
  /// Whether \p stmt, or one nested in it, calls a procedure that may use it.
  bool mayUseInCalls(const Stmt &stmt, const Variable &global) const;

  /// Whether calling \p procedure does nothing but set what it is given by
  /// reference, from that, and ends: when it is called does not matter. Not if
  /// it calls itself.
  bool isClosed(const Procedure &procedure, const RunTimeChecks &checks) const {
    llvm::DenseSet<const Procedure *> callers;
    return isClosed(procedure, checks, callers);
  }

private:
  bool isClosed(const Procedure &procedure, const RunTimeChecks &checks,
                llvm::DenseSet<const Procedure *> &callers) const;
  struct Uses {
    llvm::DenseSet<const Variable *> globals;
    llvm::DenseSet<const Procedure *> called;
  };
  llvm::DenseMap<const Procedure *, Uses> all;
};

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_JOINS_GLOBALUSES_H
