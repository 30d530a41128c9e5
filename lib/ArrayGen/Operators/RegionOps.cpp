//===- RegionOps.cpp - User-defined region operators ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     R grow [1]        set @delta = i32 1
//                       set @l = i32(lo(@R, 0))      @h, @s, @a likewise
//                       call @grow(@delta, ref @l, ref @h, ref @s, ref @a)
//                       set %lo = i64(@l)            %hi, %stride likewise
//                       check-that gt(%stride, i64 0), "stride {} ..."
//                       (%stride) set %align = a mod %stride region %S =
//                       [seq(%lo, %hi, %stride, %align)] from @R
//
// once per dimension. Those with one index per processor stay as they are;
// their components must be 0.
//
// Cost: one call per dimension.
//
//===----------------------------------------------------------------------===//

#include "Operators/RegionOps.h"
#include "Calls.h"
#include "Expressions.h"
#include "Operators/Regions.h"
#include "Procedure.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace zpl::arraygen {

static std::string inDimension(const sema::RegionExpr &expr, unsigned dim) {
  return (" in dimension " + Twine(dim + 1) + " of " + expr.text).str();
}

static air::DimExpr sequence(ProcedureState &p, const sema::RegionExpr &expr,
                             air::Region *base, unsigned dim,
                             const air::Expr *component);

air::RegionExpr userRegion(ProcedureState &p, const sema::RegionExpr &expr) {
  SourceRange range = expr.range;
  air::RegionExpr result;
  result.kind = air::RegionExpr::Dims;
  result.base = evaluate(p, *expr.base, "base");
  ExprList direction = operands(p, expr.direction);
  for (unsigned d = 0; d != expr.rank; ++d) {
    const air::Expr *component = castTo(p, air::Type::I64, direction[d]);
    air::DimKind kind = result.base->shape[d];
    if (!air::isPerProcessor(kind)) {
      result.dims.push_back(sequence(p, expr, result.base, d, component));
      continue;
    }
    bool isGrid = kind == air::DimKind::Grid;
    result.dims.emplace_back().kind =
        isGrid ? air::DimExpr::Grid : air::DimExpr::Flood;
    if (isa<air::ConstExpr>(component)) // Sema has looked at it
      continue;
    const air::Expr *isZero = p.module.make<air::CompareExpr>(
        air::CompareOp::Eq, component, constant(p, air::Type::I64, 0, range),
        range);
    emit<air::CheckThatStmt>(
        p, isZero,
        "component {}" + inDimension(expr, d) + ", which is " +
            (isGrid ? "a grid dimension" : "flooded") + "; only 0 keeps it",
        component, range);
  }
  return result;
}

/// Gives the operator's parameters the component and the bounds of dimension
/// \p dim of \p base, and calls it.
static void callOperator(ProcedureState &p, const sema::RegionExpr &expr,
                         air::Region *base, unsigned dim,
                         const air::Expr *component,
                         ArrayRef<air::Variable *> hidden) {
  SourceRange range = expr.range;
  auto *known = dyn_cast<air::ConstExpr>(component);
  if (!known || known->integer != int32_t(known->integer))
    emit<air::CheckThatStmt>(
        p,
        p.module.make<air::CompareExpr>(
            air::CompareOp::Eq, component,
            castTo(p, air::Type::I64, castTo(p, air::Type::I32, component)),
            range),
        "component {}" + inDimension(expr, dim) + " does not fit an integer",
        component, range);
  auto set = [&](air::Variable *target, const air::Expr *value) {
    emit<air::SetStmt>(p, variableExpr(p, target, range),
                       castTo(p, target->type, value), range);
  };
  set(hidden[0], component);
  using Bound = air::BoundExpr;
  const Bound::Which parts[] = {Bound::Lo, Bound::Hi, Bound::Stride,
                                Bound::Align};
  for (auto [i, part] : enumerate(parts))
    set(hidden[i + 1], p.module.make<Bound>(base, dim, part, range));
  emit<air::CallStmt>(p, nullptr, scalarCall(p, expr.call, Cover()), range);
}

/// Dimension \p dim of \p base as the operator changes it.
static air::DimExpr sequence(ProcedureState &p, const sema::RegionExpr &expr,
                             air::Region *base, unsigned dim,
                             const air::Expr *component) {
  SourceRange range = expr.range;
  SmallVector<air::Variable *, 5> hidden;
  for (const sema::Expr *arg : expr.call->args)
    hidden.push_back(find(p, cast<sema::VariableExpr>(arg)->variable));
  callOperator(p, expr, base, dim, component, hidden);

  auto kept = [&](StringRef name, const air::Expr *value) {
    air::Variable *made = temporary(p, name, air::Type::I64, range);
    emit<air::SetStmt>(p, variableExpr(p, made, range),
                       castTo(p, made->type, value), range);
    return variableExpr(p, made, range);
  };
  auto left = [&](unsigned i) { return variableExpr(p, hidden[i], range); };
  air::DimExpr result;
  result.kind = air::DimExpr::Seq;
  result.lo = kept("lo", left(1));
  result.hi = kept("hi", left(2));
  result.stride = kept("stride", left(3));
  emit<air::CheckThatStmt>(
      p,
      p.module.make<air::CompareExpr>(air::CompareOp::Gt, result.stride,
                                      constant(p, air::Type::I64, 0, range),
                                      range),
      "stride {}" + inDimension(expr, dim) + ", as '" +
          expr.call->callee->name + "' leaves it; it must be positive",
      result.stride, range);
  auto binary = [&](air::BinaryOp op, const air::Expr *a, const air::Expr *b) {
    return p.module.make<air::BinaryExpr>(op, a, b, range);
  };
  const air::Expr *rest = binary(
      air::BinaryOp::Rem, castTo(p, air::Type::I64, left(4)), result.stride);
  result.align =
      kept("align", binary(air::BinaryOp::Rem,
                           binary(air::BinaryOp::Add, rest, result.stride),
                           result.stride));
  return result;
}

} // namespace zpl::arraygen
