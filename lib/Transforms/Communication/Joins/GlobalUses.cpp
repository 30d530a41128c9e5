//===- GlobalUses.cpp - Which globals procedures have to do with ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     proc @f(var %x : f64) -> f64 scalar { return mul(%x, @scale) }
//     mloop @R { store @B = call @f(@A) }        -- uses @scale
//
// Of each procedure, the globals that it names and the procedures that it
// calls; then what these have to do with is added until nothing is new. A C
// function knows no globals, but calls what it is given.
//
// Cost: a look at each statement, and as many rounds as calls are deep.
//
//===----------------------------------------------------------------------===//

#include "Communication/Joins/GlobalUses.h"
#include "zpl/Analysis/Speculation.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

/// The procedures that a statement itself calls, for elements and to combine
/// as well.
static SmallVector<const Procedure *, 4> calledBy(const Stmt &stmt) {
  SmallVector<const Procedure *, 4> called;
  forEachExpr(stmt, [&](const Expr &e) {
    if (auto *call = dyn_cast<CallExpr>(&e))
      called.push_back(call->callee);
  });
  forEachOperand(stmt, [&](const Operand &operand) {
    if (Procedure *procedure = operand.as<Procedure *>())
      called.push_back(procedure);
  });
  return called;
}

GlobalUses::GlobalUses(const Module &module) {
  for (const Procedure *procedure : module.procedures) {
    Uses &uses = all[procedure];
    auto name = [&](const Variable *variable) {
      if (variable && variable->storage == Storage::Global)
        uses.globals.insert(variable);
    };
    forEachStmt(procedure->body, [&](const Stmt &stmt) {
      forEachExpr(stmt, [&](const Expr &e) {
        if (auto *variable = dyn_cast<VarExpr>(&e))
          name(variable->variable);
      });
      forEachOperand(stmt, [&](const Operand &operand) {
        name(operand.as<Variable *>());
      });
      for (const Procedure *called : calledBy(stmt))
        uses.called.insert(called);
    });
    for (const Callback &callback : procedure->callbacks)
      uses.called.insert(callback.procedure);
  }
  for (bool grows = true; grows;) {
    grows = false;
    for (auto &[procedure, uses] : all)
      for (const Procedure *called : uses.called) {
        if (called == procedure)
          continue;
        size_t before = uses.globals.size();
        const auto &others = all.find(called)->second.globals;
        uses.globals.insert(others.begin(), others.end());
        grows |= uses.globals.size() != before;
      }
  }
}

bool GlobalUses::mayUse(const Procedure &procedure,
                        const Variable &global) const {
  return all.find(&procedure)->second.globals.contains(&global);
}

bool GlobalUses::mayUseInCalls(const Stmt &stmt, const Variable &global) const {
  bool found = any_of(calledBy(stmt), [&](const Procedure *called) {
    return mayUse(*called, global);
  });
  forEachList(stmt, [&](const StmtList &list) {
    for (const Stmt *inner : list)
      found = found || mayUseInCalls(*inner, global);
  });
  return found;
}

bool GlobalUses::isClosed(const Procedure &procedure,
                          const RunTimeChecks &checks,
                          DenseSet<const Procedure *> &callers) const {
  const Uses &uses = all.find(&procedure)->second;
  if (!procedure.thunk.empty() || !uses.globals.empty() ||
      !callers.insert(&procedure).second)
    return false;
  bool good = all_of(uses.called, [&](const Procedure *called) {
    return isClosed(*called, checks, callers);
  });
  callers.erase(&procedure);
  forEachStmt(procedure.body, [&](const Stmt &stmt) {
    good = good && isa<SetStmt, CallStmt, IfStmt, ForStmt, ReturnStmt>(stmt);
    forEachRoot(stmt,
                [&](const Expr &root) { good &= !mayFail(root, checks); });
  });
  return good;
}

} // namespace zpl::air
