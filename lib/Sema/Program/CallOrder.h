//===- CallOrder.h - Procedures, callees first ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The calls of a program. What holds for a procedure because it holds for one
/// that it calls is found in one round over this order, but for recursion.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_CALLORDER_H
#define ZPL_LIB_SEMA_PROGRAM_CALLORDER_H

#include "zpl/Sema/Program.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace zpl::sema {

class CallOrder {
public:
  explicit CallOrder(const Program &program);

  /// All procedures; of two that do not call each other recursively, the callee
  /// comes before its caller.
  llvm::ArrayRef<Procedure *> calleesFirst() const { return order; }

  /// The calls in the text of \p procedure, its static initializers aside.
  llvm::ArrayRef<const CallExpr *> callsOf(const Procedure *procedure) const;

private:
  void addFrom(Procedure *root);

  std::vector<Procedure *> order;
  llvm::DenseMap<const Procedure *, std::vector<const CallExpr *>> calls;
  llvm::DenseMap<const Procedure *, size_t> seen; ///< with the next call to see
};

/// The calls in global and static initializers.
std::vector<const CallExpr *> callsOfInitializers(const Program &program);

/// All calls of the program: of global and static initializers, then of each
/// procedure's text.
std::vector<const CallExpr *> callsIn(const Program &program);

/// Does the call run once per element?
bool isPromoted(const CallExpr &call);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_CALLORDER_H
