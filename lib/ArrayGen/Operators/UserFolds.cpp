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

#include "Procedure.h"

using namespace llvm;

namespace zpl::arraygen {

void ProcedureBuilder::foldElementCall(const sema::CallExpr *call, Cover over,
                                       const air::Expr *guard, bool accumulates,
                                       SourceRange range) {
  const air::CallExpr *made = scalarCall(call, over);
  auto *stmt = emit<air::ElementCallStmt>(over.region, made, range);
  stmt->guard = guard;
  stmt->accumulates = accumulates;
}

void ProcedureBuilder::foldInto(air::Variable *target,
                                const sema::ReduceExpr *expr) {
  SourceRange range = expr->range;
  const sema::UserFold &fold = *expr->user;
  Cover over = covers[expr->operandRank];
  TemporaryScope scope(*this);
  prepare(expr->operand, over);
  locals.variables[fold.state] = target;
  emit<air::CallStmt>(nullptr, scalarCall(fold.identity), range);
  air::Region *region = nullptr;
  if (expr->operandRank == 0) {
    emit<air::CallStmt>(nullptr, scalarCall(fold.accumulate), range);
  } else {
    region = over.region;
    foldElementCall(fold.accumulate, over, guard(over, range),
                    /*accumulates=*/true, range);
  }
  emit<air::CombineStmt>(air::Reduction::Sum, target, region, range)->with =
      procedureOf(fold.combine);
  scope.free(range);
}

void ProcedureBuilder::foldPart(air::Array *target,
                                const sema::ReduceExpr *expr, Cover over,
                                const air::Expr *guard) {
  SourceRange range = expr->range;
  const sema::UserFold &fold = *expr->user;
  foldStates[fold.state] = target;
  foldElementCall(fold.identity, target->declared, /*guard=*/nullptr,
                  /*accumulates=*/false, range);
  foldElementCall(fold.accumulate, over, guard, /*accumulates=*/true, range);
  SmallVector<unsigned, 6> dims;
  for (unsigned d = 0; d < target->rank(); ++d)
    if (target->shape[d] == air::DimKind::Flood &&
        over.region->shape[d] != air::DimKind::Flood)
      dims.push_back(d);
  if (!dims.empty())
    emit<air::CombineArrayStmt>(air::Reduction::Sum, target, dims, range)
        ->with = procedureOf(fold.combine);
}

air::Array *ProcedureBuilder::foldElements(const sema::ScanExpr *expr,
                                           Cover over) {
  SourceRange range = expr->range;
  const sema::UserFold &fold = *expr->user;
  air::Array *states = temporaryArray(type(expr->type), over.region, range);
  foldStates[fold.state] = states;
  TemporaryScope scope(*this);
  const air::CallExpr *accumulate = scalarCall(fold.accumulate, over);
  foldElementCall(fold.identity, over, guard(over, range),
                  /*accumulates=*/false, range);
  auto *stmt = emit<air::ElementCallStmt>(over.region, accumulate, range);
  stmt->guard = guard(over, range);
  scope.free(range);
  return states;
}

} // namespace zpl::arraygen
