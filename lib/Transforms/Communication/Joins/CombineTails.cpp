//===- CombineTails.cpp - What moves with a combination -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     combine sum %s.local over @R
//     set @s = %s.local             -- uses what the combination writes
//     set @norm = sqrt(@s)          -- uses what the tail writes
//     set @k = add(@k, i32 1)       -- uses nothing of that: behind the tail
//
// `s := +<< A; norm := sqrt(s)` is one thing to who moves it: what keeps the
// result apart from its first use would stop at the very next statement else.
//
// Cost: linear in the tail.
//
//===----------------------------------------------------------------------===//

#include "Communication/Joins/CombineTails.h"
#include "zpl/Analysis/Overlap.h"
#include "zpl/Analysis/Speculation.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

bool isLocalValue(const Variable &variable) {
  return variable.storage == Storage::Local && !variable.byReference;
}

bool mayBeOne(const Variable &a, const Variable &b) {
  return &a == &b || (a.byReference && !isLocalValue(b)) ||
         (b.byReference && !isLocalValue(a));
}

bool leavesMemory(const Stmt &stmt) {
  auto *combine = dyn_cast<CombineStmt>(&stmt);
  bool found = groupOf(stmt) == StmtGroup::Runtime ||
               groupOf(stmt) == StmtGroup::Leave ||
               (combine && combine->phase != CombineStmt::Whole);
  forEachList(stmt, [&](const StmtList &list) {
    found = found || any_of(list, [](const Stmt *inner) {
              return leavesMemory(*inner);
            });
  });
  return found;
}

std::string afterIt(const Stmt &stmt, const PassContext &context) {
  return " after it" + context.atLine(stmt.range);
}

RunTimeChecks possibleChecks(const PassContext &context) {
  RunTimeChecks checks = RunTimeChecks::all();
  checks.overflow = context.checksOverflow;
  return checks;
}

CombineTail::CombineTail(const CombineStmt &combine, const StmtList &list,
                         size_t at, const PassContext &context)
    : end(at + 1) {
  RunTimeChecks checks = possibleChecks(context);
  for (const CombineStmt::Value &value : combine.values())
    written.push_back(value.variable);
  while (end < list.size() && extend(*list[end], checks))
    ++end;
}

bool CombineTail::extend(const Stmt &stmt, const RunTimeChecks &checks) {
  auto *set = dyn_cast<SetStmt>(&stmt);
  auto *target = set ? dyn_cast<VarExpr>(set->target) : nullptr;
  if (!target || callsProcedure(stmt) || mayFail(*set->value, checks))
    return false;
  SmallVector<const Variable *, 4> here;
  forEachExpr(*set->value, [&](const Expr &e) {
    if (auto *variable = dyn_cast<VarExpr>(&e))
      here.push_back(variable->variable);
  });
  if (none_of(here, [&](const Variable *variable) {
        return is_contained(written, variable);
      }))
    return false;
  written.push_back(target->variable);
  read.append(here);
  return true;
}

bool mayTouch(const Stmt &stmt, const Variable &variable) {
  bool found = mentions(stmt, &variable);
  forEachExpr(stmt, [&](const Expr &e) {
    auto *other = dyn_cast<VarExpr>(&e);
    found |= other && mayBeOne(*other->variable, variable);
  });
  return found;
}

bool CombineTail::isTouchedBy(const Stmt &stmt) const {
  return any_of(written, [&](const Variable *variable) {
    return mayTouch(stmt, *variable);
  });
}

} // namespace zpl::air
