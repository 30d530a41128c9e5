//===- Places.cpp - Fields and subscripts ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A place is a name with fields and subscripts, `t.pos[f(i)].x`. What of it is
// evaluated are its *parts*: the subscripts, from left to right; the variable
// is only looked at when it is read or written. So
//
//     t.pos[f(i)].x := g(t)      set %t.1 = call @f(%i)
//                                set %t.pos[%t.1].x = call @g(%t)
//
// Where a field or subscript is taken of a value, `f(i).x`, the value is a part
// too, the first.
//
// In an array statement parts without arrays are evaluated once; the others,
// as in `lookup[A]`, element by element.
//
//===----------------------------------------------------------------------===//

#include "Places.h"
#include "Expressions.h"
#include "Operators/Sparse.h"
#include "Procedure.h"
#include "References.h"

using namespace llvm;

namespace zpl::arraygen {

void addParts(const sema::Expr *place,
              SmallVectorImpl<const sema::Expr *> &parts) {
  if (auto *field = dyn_cast<sema::FieldExpr>(place)) {
    addParts(field->base, parts);
  } else if (auto *subscript = dyn_cast<sema::SubscriptExpr>(place)) {
    addParts(subscript->base, parts);
    parts.append(subscript->subscripts.begin(), subscript->subscripts.end());
  } else if (!isa<sema::VariableExpr, sema::ArrayExpr, sema::IrvExpr>(place)) {
    parts.push_back(place);
  }
}

/// An indexed array of regions or directions: a wrong subscript would give a
/// region that nobody wrote.
static bool isOfValues(sema::Type type) {
  if (type != sema::Type::Array)
    return false;
  while (type == sema::Type::Array)
    type = type.info()->element;
  return type == sema::Type::Region || type == sema::Type::Direction;
}

const air::Expr *placeExpr(ProcedureState &p, const sema::Expr *place,
                           const air::Expr *const *&next, Cover over) {
  if (auto *field = dyn_cast<sema::FieldExpr>(place)) {
    const air::Expr *base = placeExpr(p, field->base, next, over);
    return p.module.make<air::FieldExpr>(base, field->field,
                                         typeFor(p, field->type), field->range);
  }
  if (auto *subscript = dyn_cast<sema::SubscriptExpr>(place)) {
    const air::Expr *base = placeExpr(p, subscript->base, next, over);
    ArrayRef<const air::Expr *> subscripts(next, subscript->subscripts.size());
    next += subscripts.size();
    auto *made = p.module.make<air::SubscriptExpr>(
        base, subscripts, p.module.copy(subscript->text),
        typeFor(p, subscript->type), subscript->range);
    made->isChecked = isOfValues(subscript->base->type);
    return made;
  }
  if (auto *name = dyn_cast<sema::VariableExpr>(place)) {
    if (air::Array *states = p.statement.foldStates.lookup(name->variable))
      return elementOf(p, states, name->range);
    return variableExpr(p, find(p, name->variable), name->range);
  }
  if (auto *array = dyn_cast<sema::ArrayExpr>(place))
    return element(p, array, over);
  if (auto *irv = dyn_cast<sema::IrvExpr>(place))
    return irvValue(p, irv, /*isPlace=*/true);
  return *next++;
}

const air::Expr *placeExpr(ProcedureState &p, const sema::Expr *place,
                           Cover over, ArrayRef<const sema::Expr *> later,
                           ArrayRef<air::Array *> written) {
  SmallVector<const sema::Expr *, 4> parts;
  addParts(place, parts);
  ExprList values = operands(p, parts, over, written, later);
  const air::Expr *const *next = values.begin();
  return placeExpr(p, place, next, over);
}

const sema::ArrayExpr *rootArray(const sema::Expr *place) {
  return dyn_cast<sema::ArrayExpr>(sema::rootOf(place));
}

} // namespace zpl::arraygen
