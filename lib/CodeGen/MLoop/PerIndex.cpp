//===- PerIndex.cpp - Procedures that M-loops call ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] A := nearest(B);         mloop ... { store @A = call @nearest(@B) }
//
// The body of nearest is inlined in the loop and is to become part of its
// vectors, so what would keep an M-loop from it must stay out of nearest, and
// of what nearest calls, too.
//
// A worklist over the calls, linear in the module.
//
//===----------------------------------------------------------------------===//

#include "MLoop/PerIndex.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

/// Visits what the statements' own expressions call.
static void forEachCallee(const air::StmtList &list, bool onlyOfMLoops,
                          function_ref<void(const air::Procedure *)> visit) {
  air::forEachStmt(list, [&](const air::Stmt &stmt) {
    if (onlyOfMLoops && !isa<air::MLoopStmt>(stmt))
      return;
    air::forEachExpr(stmt, [&](const air::Expr &e) {
      if (auto *call = dyn_cast<air::CallExpr>(&e))
        visit(call->callee);
    });
  });
}

DenseSet<const air::Procedure *> proceduresPerIndex(const air::Module &module) {
  DenseSet<const air::Procedure *> result;
  SmallVector<const air::Procedure *> open;
  auto add = [&](const air::Procedure *callee) {
    if (result.insert(callee).second)
      open.push_back(callee);
  };
  for (const air::Procedure *procedure : module.procedures)
    forEachCallee(procedure->body, /*onlyOfMLoops=*/true, add);
  while (!open.empty())
    forEachCallee(open.pop_back_val()->body, /*onlyOfMLoops=*/false, add);
  return result;
}

} // namespace zpl::codegen
