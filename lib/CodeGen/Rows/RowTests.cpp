//===- RowTests.cpp - M-loops: rows that are left out ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `E |= (>>[ , k] E) & (>>[k, ] E)` does nothing in a row of which the flooded
// column has `false`. That is asked in front of the row:
//
//   mloop.L9.dim0:
//     %c = load %T.1
//     br %c, mloop.L9.row.some, mloop.L9.row.none
//   mloop.L9.row.some:
//   mloop.L9.body:                    the innermost loop
//   mloop.L9.row.none:
//
// What is asked is the same in the row: scalars, indices of outer loops,
// elements of arrays that the innermost loop does not move and the M-loop does
// not store. What that says of operations is RowConditions.cpp's. In a block of
// several rows and repetitions each of them is asked (LowerBlocks.cpp).
//
// It is not asked where values go through rows in registers: sums of all
// elements, scans. LLVM does the same with loops that have one condition, at
// -O3, by making two of them.
//
// Cost: linear in the operations times the arrays that are stored.
//
//===----------------------------------------------------------------------===//

#include "Rows/RowTests.h"
#include "Function/LowerScalar.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::codegen {

static SmallVector<const air::Array *, 4>
arraysStoredBy(const air::MLoopStmt &loop) {
  SmallVector<const air::Array *, 4> stored;
  auto add = [&](const air::Expr *place) {
    const air::ElementExpr *element = place ? air::rootElement(place) : nullptr;
    if (element && !element->array->isPerIndex())
      stored.push_back(element->array);
  };
  for (const air::ElementOp &op : loop.body) {
    add(op.target);
    if (auto *call = dyn_cast_or_null<air::CallExpr>(op.value))
      for (const air::Argument &arg : call->args)
        add(arg.place);
  }
  return stored;
}

/// Whether each index of a row has the same value of the leaf.
static bool standsStill(const LoopPlan &plan, const air::Expr &leaf,
                        ArrayRef<const air::Array *> stored,
                        const PlanContext &context) {
  if (auto *index = dyn_cast<air::IndexExpr>(&leaf))
    return index->dim != plan.nest.back().level->dim;
  if (auto *read = dyn_cast<air::VarExpr>(&leaf))
    return none_of(plan.loop.body, [&](const air::ElementOp &op) {
      return op.variable == read->variable;
    });
  auto *element = dyn_cast<air::ElementExpr>(&leaf);
  return !element || (!element->array->isPerIndex() && element->walker >= 0 &&
                      innerDim(plan, unsigned(element->walker)) < 0 &&
                      all_of(stored, [&](const air::Array *array) {
                        return context.aliases.areApart(array, element->array);
                      }));
}

std::vector<air::RowTerms> planTests(const LoopPlan &plan,
                                     const PlannedPart &part,
                                     const PlanContext &context) {
  if (isSparse(plan) || plan.nest.empty())
    return {};
  SmallVector<const air::Array *, 4> stored = arraysStoredBy(plan.loop);
  auto isTheSame = [&](const air::Expr &e) {
    bool isSame = true;
    air::forEachExpr(e, [&](const air::Expr &inner) {
      isSame = isSame && !isa<air::CallExpr, air::RemapExpr>(inner) &&
               standsStill(plan, inner, stored, context);
    });
    return isSame;
  };
  return air::rowConditions(part.ops, isTheSame, context.options.checks);
}

/// Whether the term holds at the current row.
static Value *lowerTerm(MLoopState &m, const air::RowTerm &term) {
  Value *value = lower(m.fn, term.value);
  if (term.value->type != air::Type::Bool)
    value =
        m.builder.CreateICmpNE(value, Constant::getNullValue(value->getType()));
  return term.isNegated ? m.builder.CreateNot(value) : value;
}

Value *rowDoesSomething(MLoopState &m) {
  if (m.part->tests.empty() || !m.accumulators.empty() || m.few)
    return nullptr;
  Value *any = nullptr;
  for (const air::RowTerms &terms : m.part->tests) {
    Value *all = nullptr;
    for (const air::RowTerm &term : terms) {
      Value *holds = lowerTerm(m, term);
      all = all ? m.builder.CreateAnd(all, holds) : holds;
    }
    any = any ? m.builder.CreateOr(any, all) : all;
  }
  return any;
}

} // namespace zpl::codegen
