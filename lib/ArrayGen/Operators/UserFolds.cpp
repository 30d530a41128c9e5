//===- UserFolds.cpp - User-defined reductions and scans ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     best := minloc<< (A, Index1);
//
//     call @minloc.identity(ref %t)
//     [@R] accumulate call @minloc.accumulate(@A, index(0), ref %t)
//     combine with @minloc.combine %t over @R
//     set %best = %t
//
//     [1..n, 1] M := minloc<<[R] (A, Index2);
//
//     alloc %T over %reduced                                  -- of [1..n, *]
//     [%reduced] call @minloc.identity(ref %T)
//     [@R] accumulate call @minloc.accumulate(@A, index(1), ref %T)
//     combine-array with @minloc.combine %T dims (1)
//     [%scope] @M = %T
//
//     M := minloc|| (A, Index2);
//
//     alloc %L over @R
//     [@R] call @minloc.identity(ref %L)
//     [@R] call @minloc.accumulate(@A, index(1), ref %L)
//     scan @M = with @minloc.combine from @minloc.identity %L over @R dims (2)
//
// A state is always a variable or an array of this statement alone: operands
// may read what the result is assigned to. In a scan elements become states of
// their own, for the order of combining counts there, and accumulators are
// asked for any order only.
//
// The checker's tree names a state by a hidden variable. It stands for the
// variable %t, or (foldStates) for the elements of %T and %L.
//
//===----------------------------------------------------------------------===//

#include "Operators/UserFolds.h"
#include "Calls.h"
#include "Operators/Domains.h"
#include "Operators/Masks.h"
#include "Procedure.h"
#include "References.h"

using namespace llvm;

namespace zpl::arraygen {

static void foldElementCall(ProcedureState &p, const sema::CallExpr *call,
                            Cover over, const air::Expr *guard,
                            bool accumulates, SourceRange range) {
  const air::CallExpr *made = scalarCall(p, call, over);
  auto *stmt = emit<air::ElementCallStmt>(p, over.region, made, range);
  stmt->guard = guard;
  stmt->accumulates = accumulates;
}

void foldInto(ProcedureState &p, air::Variable *target,
              const sema::ReduceExpr *expr) {
  SourceRange range = expr->range;
  const sema::UserFold &fold = *expr->user;
  PartScope domain(p, expr->operand, expr->operandRank);
  Cover over = p.covers[expr->operandRank];
  TemporaryScope scope(p);
  prepare(p, expr->operand, over);
  p.frame.locals.variables[fold.state] = target;
  emit<air::CallStmt>(p, nullptr, scalarCall(p, fold.identity), range);
  air::Region *region = nullptr;
  if (expr->operandRank == 0) {
    emit<air::CallStmt>(p, nullptr, scalarCall(p, fold.accumulate), range);
  } else {
    region = over.region;
    foldElementCall(p, fold.accumulate, over, guardExpr(p, over, range),
                    /*accumulates=*/true, range);
  }
  emit<air::CombineStmt>(p, air::Reduction::Sum, target, region, range)->with =
      procedureOf(p, fold.combine);
  scope.free(range);
}

void foldPart(ProcedureState &p, air::Array *target,
              const sema::ReduceExpr *expr, Cover over,
              const air::Expr *guard) {
  SourceRange range = expr->range;
  const sema::UserFold &fold = *expr->user;
  p.statement.foldStates[fold.state] = target;
  foldElementCall(p, fold.identity, target->declared, /*guard=*/nullptr,
                  /*accumulates=*/false, range);
  foldElementCall(p, fold.accumulate, over, guard, /*accumulates=*/true, range);
  SmallVector<unsigned, 6> dims;
  for (unsigned d = 0; d < target->rank(); ++d)
    if (target->shape[d] == air::DimKind::Flood &&
        over.region->shape[d] != air::DimKind::Flood)
      dims.push_back(d);
  if (!dims.empty())
    emit<air::CombineArrayStmt>(p, air::Reduction::Sum, target, dims, range)
        ->with = procedureOf(p, fold.combine);
}

air::Array *foldElements(ProcedureState &p, const sema::ScanExpr *expr,
                         Cover over) {
  SourceRange range = expr->range;
  const sema::UserFold &fold = *expr->user;
  air::Array *states =
      temporaryArray(p, typeFor(p, expr->type), over.region, range);
  p.statement.foldStates[fold.state] = states;
  TemporaryScope scope(p);
  const air::CallExpr *accumulate = scalarCall(p, fold.accumulate, over);
  foldElementCall(p, fold.identity, over, guardExpr(p, over, range),
                  /*accumulates=*/false, range);
  auto *stmt = emit<air::ElementCallStmt>(p, over.region, accumulate, range);
  stmt->guard = guardExpr(p, over, range);
  scope.free(range);
  return states;
}

} // namespace zpl::arraygen
