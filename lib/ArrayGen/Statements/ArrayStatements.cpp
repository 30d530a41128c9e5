//===- ArrayStatements.cpp - Array statements in normal form --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An array statement of the IR may run element by element in any order. A ZPL
// statement reads its whole right side first, which shows when the target is
// read at another index:
//
//     A := A@east + B@far;       shift %T = %B by (@k) over %R
//                                alloc %T.1 over %R
//                                [%R] %T.1 = add %A@(0,1), %T
//                                free %T
//                                [%R] %A = %T.1
//                                free %T.1
//
// The value goes through a temporary if storing could change what is still to
// be read: the target read at an offset, a temporary that shares its storage,
// or that of an array that could be the target under another name.
//
// Under a mask only its indices are evaluated and stored, in temporaries too.
//
//===----------------------------------------------------------------------===//

#include "Statements/ArrayStatements.h"
#include "Calls.h"
#include "Expressions.h"
#include "Families.h"
#include "Operators/Masks.h"
#include "Operators/Operators.h"
#include "Operators/Remap.h"
#include "Operators/ShiftedTargets.h"
#include "Operators/Waves.h"
#include "Places.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/Statements.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

/// The whole statement at once, if the value is an operator that can put its
/// result into the target.
static bool assignDirectly(ProcedureState &p, air::Array *target,
                           const sema::Expr *source, Cover over);

bool mayShareStorage(const ProcedureState &p, const air::Array *a,
                     const air::Array *b) {
  if (const air::Array *source = p.known.borrowedFrom.lookup(a))
    return mayShareStorage(p, source, b);
  if (a == b)
    return true;
  if (a->family && a->family == b->family)
    return !areDistinct(p.known, a, b);
  return air::mayBeSame(p.module, *a, *b, p.instance.mayAlias);
}

bool isAnyWritten(const ProcedureState &p, ArrayRef<air::Array *> written,
                  const air::Array *array) {
  return any_of(written, [&](const air::Array *target) {
    return mayShareStorage(p, array, target);
  });
}

bool disturbs(const ProcedureState &p, const air::Array *target,
              const air::Expr *value) {
  if (auto *element = dyn_cast<air::ElementExpr>(value)) {
    bool moved = element->isShifted() ||
                 (p.known.borrowedFrom.contains(element->array) &&
                  !p.statement.floods.contains(element->array));
    return moved && mayShareStorage(p, element->array, target);
  }
  bool result = false;
  if (auto *call = dyn_cast<air::CallExpr>(value))
    for (const air::Argument &argument : call->args)
      if (argument.place && air::rootElement(argument.place))
        result |=
            mayShareStorage(p, air::rootElement(argument.place)->array, target);
  air::forEachOperand(*value, [&](const air::Expr &operand) {
    result = result || disturbs(p, target, &operand);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Values in arrays
//===----------------------------------------------------------------------===//

const air::Expr *wholeValue(ProcedureState &p, const sema::Expr *expr,
                            Cover over) {
  auto *call = dyn_cast<sema::CallExpr>(expr);
  if (call && isPromoted(call) && !returnsByReference(call->callee))
    return scalarCall(p, call, over);
  return value(p, expr, over);
}

void storeElements(ProcedureState &p, const air::Expr *target,
                   const air::Expr *value, Cover over, SourceRange range) {
  if (p.statement.openWave) {
    air::ElementOp op;
    op.target = target;
    op.value = value;
    op.range = range;
    return addOperation(p, op, over);
  }
  auto *stmt = emit<air::ArrayAssignStmt>(p, over.region, target, value, range);
  stmt->guard = guardExpr(p, over, range);
}

air::Array *store(ProcedureState &p, const air::Expr *value, Cover over,
                  TemporaryScope &scope, air::Fluff fluff) {
  SourceRange range = value->range;
  air::Array *result = temporaryArray(p, value->type, over.region, range);
  result->fluff = std::move(fluff);
  storeElements(p, elementOf(p, result, range), value, over, range);
  scope.freeAllBut(result, range);
  return result;
}

air::Array *materialize(ProcedureState &p, const sema::Expr *expr, Cover over,
                        air::Fluff fluff) {
  auto *call = dyn_cast<sema::CallExpr>(expr);
  if (call && isPromoted(call) && returnsByReference(call->callee)) {
    air::Argument result;
    air::Array *made =
        temporaryArray(p, typeFor(p, call->type), over.region, expr->range);
    TemporaryScope scope(p);
    result.place = elementOf(p, made, expr->range);
    callElements(p, scalarCall(p, call, over, &result), over, expr->range);
    scope.free(expr->range);
    return made;
  }
  TemporaryScope scope(p);
  return store(p, wholeValue(p, expr, over), over, scope, std::move(fluff));
}

air::Array *readable(ProcedureState &p, const sema::Expr *expr, Cover over,
                     ArrayRef<air::Array *> written,
                     ArrayRef<const sema::Expr *> later) {
  TemporaryScope scope(p);
  const air::Expr *made = wholeValue(p, expr, over);
  auto *element = dyn_cast<air::ElementExpr>(made);
  bool isChanged =
      !isStable(p, made) && any_of(later, [&](const sema::Expr *expr) {
        return p.builder.facts.of(expr).effects;
      });
  if (element && !element->isShifted() && !isChanged &&
      !isAnyWritten(p, written, element->array))
    return element->array;
  return store(p, made, over, scope);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void assignArray(ProcedureState &p, const sema::ArrayAssignStmt *stmt) {
  if (!rootArray(stmt->target)->direction.empty())
    return assignShifted(p, stmt);
  Cover over = p.covers[stmt->target->rank];
  TemporaryScope scope(p);
  prepareTarget(p, stmt->target, over);
  prepare(p, stmt->value, over);
  air::Array *written[] = {find(p, rootArray(stmt->target))};
  SaveAndRestore outer(p.statement.targets, {{written[0], over.region}});
  const air::Expr *target =
      placeExpr(p, stmt->target, over, stmt->value, written);
  assign(p, target, stmt->value, over, stmt->range, rootArray(stmt->target));
  scope.free(stmt->range);
}

void assign(ProcedureState &p, const air::Expr *target,
            const sema::Expr *source, Cover over, SourceRange range,
            const sema::ArrayExpr *root) {
  air::Array *array = air::rootElement(target)->array;
  SaveAndRestore outer(p.statement.targets, {{array, over.region}});
  TemporaryScope scope(p);
  bool mayMove = root && p.builder.facts.of(source).parallel;
  if (mayMove || !isa<air::ElementExpr>(target) ||
      !assignDirectly(p, array, source, over)) {
    const air::Expr *elements = wholeValue(p, source, over);
    if (disturbs(p, array, elements))
      elements = save(p, elements, over, scope);
    if (mayMove)
      checkAgain(p, root);
    storeElements(p, target, elements, over, range);
  }
  scope.free(range);
}

static bool assignDirectly(ProcedureState &p, air::Array *target,
                           const sema::Expr *source, Cover over) {
  air::Array *made = nullptr;
  if (air::isOneForMany(*target, *over.region))
    return false; // it takes the values in turn
  if (auto *scan = dyn_cast<sema::ScanExpr>(source))
    made = scanned(p, scan, over, target);
  else if (auto *gather = dyn_cast<sema::GatherExpr>(source))
    made = gathered(p, gather, over, target);
  else
    return false;
  if (made != target)
    storeElements(p, elementOf(p, target, source->range),
                  elementOf(p, made, source->range), over, source->range);
  return true;
}

} // namespace zpl::arraygen
