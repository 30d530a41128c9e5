//===- SplitLoop.cpp - Most iterations of a loop by many ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for %k = i32 1 to @n by 1 {        set %k.from = i32 1
//       BODY(%k)                         set %k.bound = @n
//     }                                  if ge(%k.bound, i32 -2147483645) {
//                                          for %k = %k.from
//                                              to sub(%k.bound, i32 3) by 4 {
//                                            BODY(%k) ... BODY(%k + 3)
//                                          }
//                                     =>   set %k.from = %k
//                                        }
//                                        for %k = %k.from to %k.bound by 1 {
//                                          BODY(%k)
//                                        }
//
// The condition keeps the bound of the first loop from wrapping around. What is
// left over, and what k is in the end, is the second loop's.
//
// Cost: constant.
//
//===----------------------------------------------------------------------===//

#include "Loops/Jam/SplitLoop.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/Twine.h"
#include <limits>

using namespace llvm;

namespace zpl::air {

static bool isOne(const Expr *expr) {
  auto *constant = dyn_cast<ConstExpr>(expr);
  return constant && constant->integer == 1;
}

bool stepsByOne(const ForStmt &loop) {
  return isa<VarExpr>(loop.variable) && !loop.down && isOne(loop.step) &&
         (loop.variable->type == Type::I32 || loop.variable->type == Type::I64);
}

bool readsVariableByName(const ForStmt &loop, ArrayRef<Stmt *> stmts) {
  const Variable &variable = *cast<VarExpr>(loop.variable)->variable;
  if (variable.storage == Storage::Local)
    return true;
  bool found = variable.storage == Storage::Param;
  for (const Stmt *stmt : stmts)
    forEachExpr(*stmt, [&](const Expr &expr) {
      auto *read = dyn_cast<VarExpr>(&expr);
      found |= read && read->variable->byReference;
    });
  return !found;
}

const Expr *loopConstant(const ForStmt &loop, int64_t value, Module &module) {
  auto *expr = module.make<ConstExpr>(loop.variable->type, loop.range);
  expr->integer = value;
  return expr;
}

static const Expr *localOf(const ForStmt &loop, StringRef suffix,
                           Procedure &procedure, Module &module,
                           NameAllocator &names) {
  auto *variable = module.make<Variable>();
  variable->name = names.make(
      (Twine(cast<VarExpr>(loop.variable)->variable->name) + suffix).str());
  variable->type = loop.variable->type;
  variable->range = loop.range;
  procedure.variables.push_back(variable);
  return module.make<VarExpr>(variable, loop.range);
}

ForStmt *splitLoop(ForStmt &loop, int64_t count, StmtList iterations,
                   const Expr *condition, Procedure &procedure, Module &module,
                   NameAllocator &names, StmtList &result) {
  SourceRange range = loop.range;
  const Expr *from = localOf(loop, ".from", procedure, module, names),
             *bound = localOf(loop, ".bound", procedure, module, names);
  result.push_back(module.make<SetStmt>(from, loop.from, range));
  result.push_back(module.make<SetStmt>(bound, loop.bound, range));

  int64_t least = loop.variable->type == Type::I32
                      ? std::numeric_limits<int32_t>::min()
                      : std::numeric_limits<int64_t>::min();
  const Expr *hasRoom = module.make<CompareExpr>(
      CompareOp::Ge, bound, loopConstant(loop, least + count - 1, module),
      range);
  if (condition)
    hasRoom = module.make<BinaryExpr>(BinaryOp::And, hasRoom, condition, range);
  auto *guard = module.make<IfStmt>(hasRoom, range);
  auto *made = module.make<ForStmt>(
      loop.variable, from,
      module.make<BinaryExpr>(BinaryOp::Sub, bound,
                              loopConstant(loop, count - 1, module), range),
      loopConstant(loop, count, module), false, range);
  made->body = std::move(iterations);
  guard->thenBody = {made, module.make<SetStmt>(from, loop.variable, range)};
  result.push_back(guard);

  loop.from = from;
  loop.bound = bound;
  result.push_back(&loop);
  return made;
}

} // namespace zpl::air
