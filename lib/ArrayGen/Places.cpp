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

#include "Procedure.h"

using namespace llvm;

namespace zpl::arraygen {

void addParts(const sema::Expr *place,
              SmallVectorImpl<const sema::Expr *> &parts) {
  if (auto *field = dyn_cast<sema::FieldExpr>(place)) {
    addParts(field->base, parts);
  } else if (auto *subscript = dyn_cast<sema::SubscriptExpr>(place)) {
    addParts(subscript->base, parts);
    parts.append(subscript->subscripts.begin(), subscript->subscripts.end());
  } else if (!isa<sema::VariableExpr, sema::ArrayExpr>(place)) {
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

/// \p place with the values of its parts, which it takes from \p next.
const air::Expr *ProcedureBuilder::place(const sema::Expr *place,
                                         const air::Expr *const *&next,
                                         Cover over) {
  if (auto *field = dyn_cast<sema::FieldExpr>(place)) {
    const air::Expr *base = this->place(field->base, next, over);
    return module.make<air::FieldExpr>(base, field->field, type(field->type),
                                       field->range);
  }
  if (auto *subscript = dyn_cast<sema::SubscriptExpr>(place)) {
    const air::Expr *base = this->place(subscript->base, next, over);
    ArrayRef<const air::Expr *> subscripts(next, subscript->subscripts.size());
    next += subscripts.size();
    auto *made = module.make<air::SubscriptExpr>(
        base, subscripts, module.copy(subscript->text), type(subscript->type),
        subscript->range);
    made->isChecked = isOfValues(subscript->base->type);
    return made;
  }
  if (auto *name = dyn_cast<sema::VariableExpr>(place)) {
    if (air::Array *states = foldStates.lookup(name->variable))
      return elementOf(states, name->range);
    return variable(find(name->variable), name->range);
  }
  if (auto *array = dyn_cast<sema::ArrayExpr>(place))
    return element(array, over);
  return *next++;
}

/// The parts are not changed by what \p later does.
const air::Expr *ProcedureBuilder::place(const sema::Expr *place, Cover over,
                                         ArrayRef<const sema::Expr *> later,
                                         ArrayRef<air::Array *> written) {
  SmallVector<const sema::Expr *, 4> parts;
  addParts(place, parts);
  ExprList values = operands(parts, over, written, later);
  const air::Expr *const *next = values.begin();
  return this->place(place, next, over);
}

const sema::ArrayExpr *rootArray(const sema::Expr *place) {
  return dyn_cast<sema::ArrayExpr>(sema::rootOf(place));
}

} // namespace zpl::arraygen
