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
// 1. Checks of all references come first, so that a statement that is illegal
//    changes nothing. The directions are evaluated with them.
// 2. `A@d` with a constant d for which A has fluff stays an element at an
//    offset. Any other direction makes a shifted temporary, which may share
//    A's storage.
// 3. The value goes through a temporary if storing could change what is still
//    to be read: the target read at an offset, a shifted temporary of it, or of
//    an array that could be the target under another name.
//
//===----------------------------------------------------------------------===//

#include "Procedure.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::arraygen {

//===----------------------------------------------------------------------===//
// References
//===----------------------------------------------------------------------===//

/// The compile-time components of a direction, if all are; zeros for none.
static std::optional<air::Offset> constantOffset(const sema::ArrayExpr *expr) {
  if (expr->direction.empty())
    return air::Offset(expr->rank, 0);
  air::Offset offset;
  for (const sema::Expr *component : expr->direction) {
    auto *literal = dyn_cast<sema::LiteralExpr>(component);
    if (!literal)
      return std::nullopt;
    offset.push_back(literal->integer);
  }
  return offset;
}

/// The offset at which fluff lets the reference read the array directly.
static std::optional<air::Offset> directOffset(const sema::ArrayExpr *expr) {
  std::optional<air::Offset> offset = constantOffset(expr);
  if (!offset)
    return std::nullopt;
  bool isZero = all_of(*offset, [](int64_t c) { return c == 0; });
  if (!isZero && !is_contained(expr->array->directions, *offset))
    return std::nullopt;
  return offset;
}

void ProcedureBuilder::check(const sema::ArrayExpr *expr,
                             air::CheckStmt::Kind kind, air::Region *over) {
  if (instance.checked.contains(expr))
    emit<air::CheckStmt>(kind, find(expr->array), over, directions.lookup(expr),
                         expr->text, expr->range);
}

void ProcedureBuilder::prepare(const sema::Expr *expr, air::Region *over) {
  prepare(expr, over, builder.facts.of(expr).effects);
}

void ProcedureBuilder::prepare(const sema::Expr *expr, air::Region *over,
                               bool keepDirections) {
  if (!expr->isArray())
    return;
  switch (expr->kind) {
  case sema::ExprKind::Array: {
    auto *reference = cast<sema::ArrayExpr>(expr);
    TemporaryScope scope(*this);
    ExprList direction = operands(reference->direction);
    if (keepDirections)
      for (const air::Expr *&component : direction)
        component = save(component, nullptr, scope);
    directions[reference] = direction;
    return check(reference, air::CheckStmt::Read, over);
  }
  case sema::ExprKind::Unary:
    return prepare(cast<sema::UnaryExpr>(expr)->operand, over, keepDirections);
  case sema::ExprKind::Binary:
    prepare(cast<sema::BinaryExpr>(expr)->left, over, keepDirections);
    return prepare(cast<sema::BinaryExpr>(expr)->right, over, keepDirections);
  case sema::ExprKind::Compare:
    prepare(cast<sema::CompareExpr>(expr)->left, over, keepDirections);
    return prepare(cast<sema::CompareExpr>(expr)->right, over, keepDirections);
  case sema::ExprKind::Fma:
    prepare(cast<sema::FmaExpr>(expr)->a, over, keepDirections);
    prepare(cast<sema::FmaExpr>(expr)->b, over, keepDirections);
    return prepare(cast<sema::FmaExpr>(expr)->c, over, keepDirections);
  case sema::ExprKind::Cast:
    return prepare(cast<sema::CastExpr>(expr)->operand, over, keepDirections);
  case sema::ExprKind::Math:
    return prepareAll(cast<sema::MathExpr>(expr)->args, over, keepDirections);
  case sema::ExprKind::Call: {
    auto *call = cast<sema::CallExpr>(expr);
    if (!isPromoted(call))
      return;
    for (auto [i, arg] : enumerate(call->args)) {
      if (sema::isByReference(argumentMode(call, i)))
        prepareTarget(arg, over);
      else
        prepare(arg, over, keepDirections);
    }
    return;
  }
  case sema::ExprKind::Field:
    return prepare(cast<sema::FieldExpr>(expr)->base, over, keepDirections);
  case sema::ExprKind::Subscript:
    prepare(cast<sema::SubscriptExpr>(expr)->base, over, keepDirections);
    return prepareAll(cast<sema::SubscriptExpr>(expr)->subscripts, over,
                      keepDirections);
  case sema::ExprKind::Complex:
    prepare(cast<sema::ComplexExpr>(expr)->re, over, keepDirections);
    return prepare(cast<sema::ComplexExpr>(expr)->im, over, keepDirections);
  case sema::ExprKind::Literal:
  case sema::ExprKind::Variable:
  case sema::ExprKind::Component:
  case sema::ExprKind::Index:
  case sema::ExprKind::Reduce:
  case sema::ExprKind::Timer:
  case sema::ExprKind::Processors:
  case sema::ExprKind::Builtin:
    return;
  }
  llvm_unreachable("an expression outside its enumeration");
}

void ProcedureBuilder::prepareAll(ArrayRef<const sema::Expr *> exprs,
                                  air::Region *over, bool keepDirections) {
  for (const sema::Expr *expr : exprs)
    prepare(expr, over, keepDirections);
}

void ProcedureBuilder::prepareTarget(const sema::Expr *place,
                                     air::Region *over) {
  if (const sema::ArrayExpr *array = rootArray(place))
    check(array, air::CheckStmt::Write, over);
  SmallVector<const sema::Expr *, 4> parts;
  addParts(place, parts);
  for (const sema::Expr *part : parts)
    prepare(part, over);
}

/// The element of \p array at the current index.
const air::Expr *ProcedureBuilder::elementOf(air::Array *array,
                                             SourceRange range) {
  return module.make<air::ElementExpr>(array, air::Offset(array->rank(), 0),
                                       range);
}

const air::Expr *ProcedureBuilder::element(const sema::ArrayExpr *expr,
                                           air::Region *over) {
  if (std::optional<air::Offset> offset = directOffset(expr))
    return module.make<air::ElementExpr>(find(expr->array), *offset,
                                         expr->range);
  return elementOf(shifted(expr, over), expr->range);
}

/// The array shifted as prepare() found, alive until the scope ends.
air::Array *ProcedureBuilder::shifted(const sema::ArrayExpr *expr,
                                      air::Region *over) {
  air::Array *source = find(expr->array);
  air::Array *result =
      makeArray("T", source->element, over->shape, expr->range);
  emit<air::ShiftStmt>(result, source, over, directions.lookup(expr),
                       expr->range);
  shiftSources[result] = source;
  temporaries.push_back(result);
  return result;
}

//===----------------------------------------------------------------------===//
// Storage
//===----------------------------------------------------------------------===//

bool ProcedureBuilder::mayShareStorage(const air::Array *a,
                                       const air::Array *b) const {
  if (const air::Array *source = shiftSources.lookup(a))
    return mayShareStorage(source, b);
  if (a == b)
    return true;
  // Locals are new at every entry; two globals are two arrays.
  bool aParam = a->storage == air::Storage::Param;
  bool bParam = b->storage == air::Storage::Param;
  bool anyLocal =
      a->storage == air::Storage::Local || b->storage == air::Storage::Local;
  return instance.mayAlias && (aParam || bParam) && !anyLocal &&
         a->element == b->element && a->rank() == b->rank();
}

bool ProcedureBuilder::disturbs(const air::Array *target,
                                const air::Expr *value) const {
  if (auto *element = dyn_cast<air::ElementExpr>(value)) {
    bool moved = element->isShifted() || shiftSources.contains(element->array);
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
// Statements
//===----------------------------------------------------------------------===//

const air::Expr *ProcedureBuilder::wholeValue(const sema::Expr *expr,
                                              air::Region *over) {
  auto *call = dyn_cast<sema::CallExpr>(expr);
  if (call && isPromoted(call) && !returnsByReference(call->callee))
    return scalarCall(call, over);
  return value(expr, over);
}

/// A temporary over \p over with \p value; other temporaries of \p scope are
/// freed.
air::Array *ProcedureBuilder::store(const air::Expr *value, air::Region *over,
                                    TemporaryScope &scope, air::Fluff fluff) {
  air::Array *result = temporaryArray(value->type, over, value->range);
  result->fluff = std::move(fluff);
  emit<air::ArrayAssignStmt>(over, elementOf(result, value->range), value,
                             value->range);
  temporaries.pop_back();
  scope.free(value->range);
  temporaries.push_back(result);
  return result;
}

air::Array *ProcedureBuilder::materialize(const sema::Expr *expr,
                                          air::Region *over, air::Fluff fluff) {
  auto *call = dyn_cast<sema::CallExpr>(expr);
  if (call && isPromoted(call) && returnsByReference(call->callee)) {
    air::Argument result;
    air::Array *made = temporaryArray(type(call->type), over, expr->range);
    TemporaryScope scope(*this);
    result.place = elementOf(made, expr->range);
    emit<air::ElementCallStmt>(over, scalarCall(call, over, &result),
                               expr->range);
    scope.free(expr->range);
    return made;
  }
  TemporaryScope scope(*this);
  return store(wholeValue(expr, over), over, scope, std::move(fluff));
}

/// An array whose elements over \p over are those of \p expr: an existing one
/// where there is one. It must be read before anything is written.
air::Array *ProcedureBuilder::readable(const sema::Expr *expr,
                                       air::Region *over) {
  auto *reference = dyn_cast<sema::ArrayExpr>(expr);
  if (!reference)
    return materialize(expr, over);
  if (reference->direction.empty())
    return find(reference->array);
  return directOffset(reference) ? materialize(expr, over)
                                 : shifted(reference, over);
}

/// `[over] target = source`, prepared.
void ProcedureBuilder::assign(const air::Expr *target, const sema::Expr *source,
                              air::Region *over, SourceRange range) {
  TemporaryScope scope(*this);
  const air::Expr *elements = wholeValue(source, over);
  if (disturbs(air::rootElement(target)->array, elements))
    elements = save(elements, over, scope);
  emit<air::ArrayAssignStmt>(over, target, elements, range);
  scope.free(range);
}

} // namespace zpl::arraygen
