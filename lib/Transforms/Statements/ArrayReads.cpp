//===- ArrayReads.cpp - What statements do with an array ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operand says whether a statement reads or writes what stands there; places
// inside expressions, at other indices, by maps and arguments by reference are
// in the expressions.
//
//===----------------------------------------------------------------------===//

#include "Statements/ArrayReads.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::air {

const ElementExpr *plainElement(const Expr *expr) {
  auto *element = dyn_cast_or_null<ElementExpr>(expr);
  return element && !element->isShifted() ? element : nullptr;
}

bool onlyReads(const Stmt &stmt, const Array &array) {
  bool isGood = true;
  auto isOther = [&](const Expr *place) {
    const ElementExpr *element = place ? rootElement(place) : nullptr;
    return !element || element->array != &array;
  };
  forEachOperand(stmt, [&](const Operand &operand) {
    const Expr *expr = operand.as<const Expr *>();
    isGood &= operand.as<Array *>() != &array &&
              (operand.use == Use::Read || !expr || isOther(expr));
  });
  forEachExpr(stmt, [&](const Expr &e) {
    if (auto *element = dyn_cast<ElementExpr>(&e))
      isGood &= element->array != &array || !element->isShifted();
    else if (auto *remap = dyn_cast<RemapExpr>(&e))
      isGood &= remap->array != &array;
    else if (auto *call = dyn_cast<CallExpr>(&e))
      isGood &= all_of(call->args, [&](const Argument &arg) {
        return arg.array != &array && isOther(arg.place);
      });
  });
  return isGood;
}

bool names(const Stmt &stmt, const Array &array) {
  bool isNamed = false;
  forEachArray(stmt, [&](const Array &named) { isNamed |= &named == &array; });
  return isNamed;
}

void forEachInside(Stmt &stmt, function_ref<void(Stmt &)> visit) {
  visit(stmt);
  forEachList(stmt, [&](StmtList &list) { forEachStmt(list, visit); });
}

void replaceReads(Module &module, Stmt &stmt, const Array &array,
                  const Expr *value) {
  ExprRewriter rewriter(module, [&](const Expr *leaf) {
    auto *element = dyn_cast<ElementExpr>(leaf);
    return element && element->array == &array ? value : leaf;
  });
  forEachInside(stmt, [&](Stmt &inner) {
    forEachOperand(inner, [&](const Operand &operand) {
      if (auto *slot = dyn_cast<const Expr **>(operand.slot); slot && *slot)
        *slot = rewriter.rewrite(*slot);
    });
  });
}

} // namespace zpl::air
