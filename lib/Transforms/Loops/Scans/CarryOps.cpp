//===- CarryOps.cpp - What a scan does at an index ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     store %C = add(%C, @A)                      +
//     store %C = @A where gt(@A, %C)              floating max: skips NaN
//
// Floating extremes compare, which an instruction does; what of -0 and +0 they
// keep depends on the order, so 0.0 is added to what others see of them.
//
// Cost: constant.
//
//===----------------------------------------------------------------------===//

#include "Loops/Scans/CarryOps.h"
#include "Statements/Identity.h"
#include <optional>

using namespace llvm;

namespace zpl::air {

/// The operator of elements that combines as the reduction does; none for
/// floating `max` and `min`, which skip NaNs.
static std::optional<BinaryOp> operatorOf(Reduction op, Type type) {
  switch (op) {
  case Reduction::Sum:
    return BinaryOp::Add;
  case Reduction::Product:
    return BinaryOp::Mul;
  case Reduction::Max:
    return type.isFloat() ? std::nullopt : std::optional(BinaryOp::Max);
  case Reduction::Min:
    return type.isFloat() ? std::nullopt : std::optional(BinaryOp::Min);
  case Reduction::And:
    return BinaryOp::And;
  case Reduction::Or:
    return BinaryOp::Or;
  case Reduction::BitAnd:
    return BinaryOp::BitAnd;
  case Reduction::BitOr:
    return BinaryOp::BitOr;
  case Reduction::BitXor:
    return BinaryOp::BitXor;
  case Reduction::MaxNaN:
  case Reduction::MinNaN:
    return std::nullopt;
  }
  llvm_unreachable("a reduction outside its enumeration");
}

const Expr *elementAt(Array *array, Module &module, SourceRange range) {
  return module.make<ElementExpr>(array, Offset(array->rank(), 0), range);
}

ElementOp storeOf(const Expr *target, const Expr *value, const Expr *guard,
                  SourceRange range) {
  ElementOp op;
  op.target = target;
  op.value = value;
  op.guard = guard;
  op.range = range;
  return op;
}

ElementOp takeIn(Array *carries, const Expr *element, const Expr *guard,
                 Module &module, SourceRange range) {
  const Expr *carried = elementAt(carries, module, range);
  if (auto op = operatorOf(carries->carryOp, carries->element))
    return storeOf(carried,
                   module.make<BinaryExpr>(*op, carried, element, range), guard,
                   range);
  const Expr *isBetter = module.make<CompareExpr>(
      carries->carryOp == Reduction::Max ? CompareOp::Gt : CompareOp::Lt,
      element, carried, range);
  if (guard)
    isBetter = module.make<BinaryExpr>(BinaryOp::And, guard, isBetter, range);
  return storeOf(carried, element, isBetter, range);
}

const Expr *prefixOf(Array *carries, Module &module, SourceRange range) {
  const Expr *carried = elementAt(carries, module, range);
  if (operatorOf(carries->carryOp, carries->element))
    return carried;
  return module.make<BinaryExpr>(
      BinaryOp::Add, carried,
      identityOf(Reduction::Sum, carries->element, module, range), range);
}

} // namespace zpl::air
