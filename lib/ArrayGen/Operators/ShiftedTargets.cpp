//===- ShiftedTargets.cpp - What is assigned to shifted arrays ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] A@d := B + C@e;
//
// assigns to the elements at the indices of `R at d`. There the statement is an
// ordinary one, if what it reads is moved back by d:
//
//     check write %A over %R at (d) "A@d"
//     region %target = %R at (d)
//     shift {%T by (-d)} = %B over %target
//     shift {%T.1 by (e - d)} = %C over %target
//     [%target] %A = add(%T, %T.1)
//
// So it is one loop, and A@d in the value, as of `A@d += e`, is the element
// itself. Checks are those over R, before anything is moved.
//
// That takes values that are evaluated index by index, elements, indices and
// scalars in any expressions. Where something else is in the value (operators
// with regions of their own, procedures with effects), under a mask, and for
// constant directions that fluff does not serve, the value is computed over R
// and put where it belongs by the runtime; so is what is assigned to `A@^d`:
//
//     [R] A@^d := B + 1;         alloc %T over %R
//                                [%R] %T = add %B, 1
//                                put-wrap %A by (d) = %T over %R
//                                free %T
//
// So are sparse arrays, of which the runtime says by their names as written what
// they do not store.
//
// For a part of the shifted elements, `P@^d.x`, whole elements are read,
// changed and put back.
//
//===----------------------------------------------------------------------===//

#include "Operators/ShiftedTargets.h"
#include "Expressions.h"
#include "Families.h"
#include "Operators/Sparse.h"
#include "Places.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

//===----------------------------------------------------------------------===//
// At the target
//===----------------------------------------------------------------------===//

/// Whether the value of \p expr at one index depends on elements at indices a
/// fixed distance away only, on that index, and on scalars that are no values
/// of arrays: a full reduction has the statement's own region.
static bool isElementWise(const sema::Expr &expr) {
  if (isa<sema::FloodExpr, sema::ReduceExpr, sema::ScanExpr, sema::GatherExpr,
          sema::EnclosingMaskExpr>(expr))
    return false;
  auto *call = dyn_cast<sema::CallExpr>(&expr);
  if (call && call->isArray() &&
      (!isPromoted(call) || hasReferenceArguments(call) ||
       returnsByReference(call->callee)))
    return false;
  bool result = true;
  sema::forEachOperand(expr, [&](const sema::Expr &operand) {
    result = result && (expr.isArray() || !operand.isArray()) &&
             isElementWise(operand);
  });
  return result;
}

/// Whether a direction consists of constants, one of them beyond fluff.
static bool isFar(const sema::ArrayExpr &expr) {
  auto literal = [](const sema::Expr *component) {
    return dyn_cast<sema::LiteralExpr>(component);
  };
  return all_of(expr.direction, literal) &&
         any_of(expr.direction, [&](const sema::Expr *component) {
           return std::abs(literal(component)->integer) > sema::FarthestFluff;
         });
}

static void putShifted(ProcedureState &p, const sema::ArrayAssignStmt *stmt);

static bool mayAssignAtTarget(const ProcedureState &p,
                              const sema::ArrayAssignStmt *stmt) {
  const sema::ArrayExpr *root = rootArray(stmt->target);
  return !root->wraps && !isFar(*root) && !p.statement.openWave &&
         !isSparse(p, *root->array) &&
         !p.covers[stmt->target->rank].mask.array &&
         !p.builder.facts.of(stmt->value).effects &&
         !p.builder.facts.of(stmt->target).effects &&
         isElementWise(*stmt->value) && isElementWise(*stmt->target);
}

/// a - b, of constants at once; \p a may be null for 0.
static const air::Expr *difference(ProcedureState &p, const air::Expr *a,
                                   const air::Expr *b, SourceRange range) {
  auto *left = dyn_cast_or_null<air::ConstExpr>(a);
  auto *right = dyn_cast<air::ConstExpr>(b);
  auto wide = [&](const air::Expr *value, const air::ConstExpr *known) {
    return value && !known
               ? castTo(p, air::Type::I64, value)
               : constant(p, air::Type::I64, known ? known->integer : 0, range);
  };
  if ((!a || left) && right)
    return constant(p, air::Type::I64,
                    (left ? left->integer : 0) - right->integer, range);
  if (right && right->integer == 0)
    return a;
  return p.module.make<air::BinaryExpr>(air::BinaryOp::Sub, wide(a, left),
                                        wide(b, right), range);
}

ExprList distance(ProcedureState &p, const sema::ArrayExpr *expr) {
  ExprList result = p.statement.directions.lookup(expr);
  if (!p.statement.movedTo)
    return result;
  ArrayRef<const air::Expr *> back =
      p.statement.directions[p.statement.movedTo];
  result.resize(back.size());
  for (auto [component, target] : zip(result, back))
    component = expr == p.statement.movedTo
                    ? constant(p, air::Type::I64, 0, expr->range)
                    : difference(p, component, target, expr->range);
  return result;
}

const air::Expr *index(ProcedureState &p, const sema::IndexExpr *expr) {
  const air::Expr *here = p.module.make<air::IndexExpr>(expr->dim, expr->range);
  if (!p.statement.movedTo)
    return here;
  const air::Expr *back =
      p.statement.directions[p.statement.movedTo][expr->dim];
  auto *constant = dyn_cast<air::ConstExpr>(back);
  if (constant && constant->integer == 0)
    return here;
  return p.module.make<air::BinaryExpr>(
      air::BinaryOp::Sub, here, castTo(p, here->type, back), expr->range);
}

void assignShifted(ProcedureState &p, const sema::ArrayAssignStmt *stmt) {
  if (!mayAssignAtTarget(p, stmt))
    return putShifted(p, stmt);
  const sema::ArrayExpr *root = rootArray(stmt->target);
  Cover over = p.covers[stmt->target->rank];
  TemporaryScope scope(p);
  prepareTarget(p, stmt->target, over);
  prepare(p, stmt->value, over);
  air::RegionExpr moved;
  moved.kind = air::RegionExpr::At;
  moved.base = over.region;
  moved.direction = p.statement.directions[root];
  Cover target = makeRegion(p, "target", over.region->shape, stmt->range);
  target.region->isSparse = over.region->isSparse;
  emit<air::SetRegionStmt>(p, target.region, moved, stmt->range);
  SaveAndRestore outerMove(p.statement.movedTo, root);
  air::Array *written[] = {find(p, root)};
  SaveAndRestore outer(p.statement.targets, {{written[0], target.region}});
  const air::Expr *to =
      placeExpr(p, stmt->target, target, stmt->value, written);
  assign(p, to, stmt->value, target, stmt->range);
  scope.free(stmt->range);
}

//===----------------------------------------------------------------------===//
// By the runtime
//===----------------------------------------------------------------------===//

/// `A@d := e`, `A@^d.x := e`.
static void putShifted(ProcedureState &p, const sema::ArrayAssignStmt *stmt) {
  SourceRange range = stmt->range;
  const sema::ArrayExpr *root = rootArray(stmt->target);
  Cover over = p.covers[stmt->target->rank];
  TemporaryScope scope(p);
  prepareTarget(p, stmt->target, over, p.builder.facts.of(stmt->value).effects);
  air::Array *array = find(p, root);
  prepare(p, stmt->value, over);
  SaveAndRestore outer(p.statement.targets, {{array, /*region=*/nullptr}});
  SmallVector<const sema::Expr *, 4> parts;
  addParts(stmt->target, parts);
  ExprList values = operands(p, parts, over, array, stmt->value);
  air::Array *source = readable(p, stmt->value, over, array);
  if (stmt->target != root) {
    air::Array *elements = materialize(p, root, over.unmasked());
    p.statement.standIns[root] = elements;
    const air::Expr *const *next = values.begin();
    storeElements(p, placeExpr(p, stmt->target, next, over),
                  elementOf(p, source, range), over, range);
    p.statement.standIns.erase(root);
    source = elements;
  }
  checkAgain(p, root);
  emit<air::PutStmt>(p, array, source, over.region,
                     p.statement.directions.lookup(root), root->wraps,
                     over.mask, range)
      ->text = root->text;
  scope.free(range);
}

} // namespace zpl::arraygen
