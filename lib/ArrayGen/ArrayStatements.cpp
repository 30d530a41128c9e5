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

#include "Procedure.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

bool ProcedureBuilder::mayShareStorage(const air::Array *a,
                                       const air::Array *b) const {
  if (const air::Array *source = borrowedFrom.lookup(a))
    return mayShareStorage(source, b);
  if (a == b)
    return true;
  if (a->family && a->family == b->family)
    return !areDistinct(a, b);
  return air::mayBeSame(module, *a, *b, instance.mayAlias);
}

bool ProcedureBuilder::isAnyWritten(ArrayRef<air::Array *> written,
                                    const air::Array *array) const {
  return any_of(written, [&](const air::Array *target) {
    return mayShareStorage(array, target);
  });
}

bool ProcedureBuilder::disturbs(const air::Array *target,
                                const air::Expr *value) const {
  if (auto *element = dyn_cast<air::ElementExpr>(value)) {
    bool moved =
        element->isShifted() || (borrowedFrom.contains(element->array) &&
                                 !floods.contains(element->array));
    return moved && mayShareStorage(element->array, target);
  }
  bool result = false;
  if (auto *call = dyn_cast<air::CallExpr>(value))
    for (const air::Argument &argument : call->args)
      if (argument.place && air::rootElement(argument.place))
        result |=
            mayShareStorage(air::rootElement(argument.place)->array, target);
  air::forEachOperand(*value, [&](const air::Expr &operand) {
    result = result || disturbs(target, &operand);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Values in arrays
//===----------------------------------------------------------------------===//

const air::Expr *ProcedureBuilder::wholeValue(const sema::Expr *expr,
                                              Cover over) {
  auto *call = dyn_cast<sema::CallExpr>(expr);
  if (call && isPromoted(call) && !returnsByReference(call->callee))
    return scalarCall(call, over);
  return value(expr, over);
}

void ProcedureBuilder::storeElements(const air::Expr *target,
                                     const air::Expr *value, Cover over,
                                     SourceRange range) {
  if (openWave) {
    air::ElementOp op;
    op.target = target;
    op.value = value;
    op.range = range;
    return addOperation(op, over);
  }
  auto *stmt = emit<air::ArrayAssignStmt>(over.region, target, value, range);
  stmt->guard = guard(over, range);
}

/// A temporary over \p over with \p value; other temporaries of \p scope are
/// freed.
air::Array *ProcedureBuilder::store(const air::Expr *value, Cover over,
                                    TemporaryScope &scope, air::Fluff fluff) {
  SourceRange range = value->range;
  air::Array *result = temporaryArray(value->type, over.region, range);
  result->fluff = std::move(fluff);
  storeElements(elementOf(result, range), value, over, range);
  scope.freeAllBut(result, range);
  return result;
}

air::Array *ProcedureBuilder::materialize(const sema::Expr *expr, Cover over,
                                          air::Fluff fluff) {
  auto *call = dyn_cast<sema::CallExpr>(expr);
  if (call && isPromoted(call) && returnsByReference(call->callee)) {
    air::Argument result;
    air::Array *made =
        temporaryArray(type(call->type), over.region, expr->range);
    TemporaryScope scope(*this);
    result.place = elementOf(made, expr->range);
    callElements(scalarCall(call, over, &result), over, expr->range);
    scope.free(expr->range);
    return made;
  }
  TemporaryScope scope(*this);
  return store(wholeValue(expr, over), over, scope, std::move(fluff));
}

air::Array *ProcedureBuilder::readable(const sema::Expr *expr, Cover over,
                                       ArrayRef<air::Array *> written,
                                       ArrayRef<const sema::Expr *> later) {
  TemporaryScope scope(*this);
  const air::Expr *made = wholeValue(expr, over);
  auto *element = dyn_cast<air::ElementExpr>(made);
  bool isChanged =
      !isStable(made) && any_of(later, [&](const sema::Expr *expr) {
        return builder.facts.of(expr).effects;
      });
  if (element && !element->isShifted() && !isChanged &&
      !isAnyWritten(written, element->array))
    return element->array;
  return store(made, over, scope);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void ProcedureBuilder::assignArray(const sema::ArrayAssignStmt *stmt) {
  if (!rootArray(stmt->target)->direction.empty())
    return assignShifted(stmt);
  Cover over = covers[stmt->target->rank];
  TemporaryScope scope(*this);
  prepareTarget(stmt->target, over);
  prepare(stmt->value, over);
  air::Array *written[] = {find(rootArray(stmt->target))};
  SaveAndRestore outer(targets, {{written[0], over.region}});
  const air::Expr *target = place(stmt->target, over, stmt->value, written);
  assign(target, stmt->value, over, stmt->range, rootArray(stmt->target));
  scope.free(stmt->range);
}

/// `[over] target = source`, prepared; \p root: the reference in the target, if
/// a call in the source may change its region.
void ProcedureBuilder::assign(const air::Expr *target, const sema::Expr *source,
                              Cover over, SourceRange range,
                              const sema::ArrayExpr *root) {
  air::Array *array = air::rootElement(target)->array;
  SaveAndRestore outer(targets, {{array, over.region}});
  TemporaryScope scope(*this);
  bool mayMove = root && builder.facts.of(source).parallel;
  if (mayMove || !isa<air::ElementExpr>(target) ||
      !assignDirectly(array, source, over)) {
    const air::Expr *elements = wholeValue(source, over);
    if (disturbs(array, elements))
      elements = save(elements, over, scope);
    if (mayMove)
      checkAgain(root);
    storeElements(target, elements, over, range);
  }
  scope.free(range);
}

bool ProcedureBuilder::assignDirectly(air::Array *target,
                                      const sema::Expr *source, Cover over) {
  air::Array *made = nullptr;
  if (air::isOneForMany(*target, *over.region))
    return false; // it takes the values in turn
  if (auto *scan = dyn_cast<sema::ScanExpr>(source))
    made = scanned(scan, over, target);
  else if (auto *gather = dyn_cast<sema::GatherExpr>(source))
    made = gathered(gather, over, target);
  else
    return false;
  if (made != target)
    storeElements(elementOf(target, source->range),
                  elementOf(made, source->range), over, source->range);
  return true;
}

} // namespace zpl::arraygen
