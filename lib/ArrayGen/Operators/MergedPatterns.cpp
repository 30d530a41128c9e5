//===- MergedPatterns.cpp - Conditions that name sparse regions -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     S := R where (A | B & !C & X > 0);
//
// As a boolean array the condition would be looked at for all indices of R.
// But where A, B and C are sparse regions it says how their patterns are merged,
// and only what is left of B and C has to be looked at:
//
//     region %P = [bounds of R] from @A
//     region %P.1 = [bounds of R] from @B
//     region %P.2 = [bounds of R] from @C
//     pattern %P.1 and not= %P.2
//     alloc %T                                  over %P.1
//     [%P.1] %T = gt(@X, i32 0)
//     pattern %P.1 = %P.1 where %T
//     free %T
//     pattern %P or= %P.1
//
// That is done where an `|` has such a condition on both sides, and an `&` on one
// side and on the other one another of these, the `not` of one, or an expression
// that can be left out where its value is no matter: of indices, scalars, and
// elements at the same index, by operations that never end the run. Whether R
// has these elements is checked all the same.
//
// Cost: linear in the expression; of the code, in the indices of the regions.
//
//===----------------------------------------------------------------------===//

#include "Operators/MergedPatterns.h"
#include "Expressions.h"
#include "Operators/Regions.h"
#include "Operators/Sparse.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"
#include "Values.h"

using namespace llvm;

namespace zpl::arraygen {
namespace {

/// Whether the operation never ends the run, whatever the operands are.
bool neverFails(const ProcedureState &p, sema::BinaryOp op, sema::Type type) {
  using sema::BinaryOp;
  if (op == BinaryOp::And || op == BinaryOp::Or || op == BinaryOp::Min ||
      op == BinaryOp::Max)
    return true;
  bool wraps = type.isInteger() && !p.builder.options.checksOverflow;
  return (op == BinaryOp::Add || op == BinaryOp::Sub || op == BinaryOp::Mul) &&
         (wraps || type.isFloating());
}

/// Whether \p e, prepared over a region, can be evaluated at some of its indices
/// only.
bool canBeLeftOut(const ProcedureState &p, const sema::Expr *e) {
  if (isa<sema::LiteralExpr, sema::VariableExpr, sema::IndexExpr>(e))
    return true;
  if (auto *array = dyn_cast<sema::ArrayExpr>(e))
    return array->direction.empty() && array->subscripts.empty();
  if (auto *unary = dyn_cast<sema::UnaryExpr>(e)) {
    bool mayWrap = unary->op != sema::UnaryOp::Not && unary->type.isInteger() &&
                   p.builder.options.checksOverflow;
    return !mayWrap && canBeLeftOut(p, unary->operand);
  }
  if (auto *cast = dyn_cast<sema::CastExpr>(e))
    return cast->operand->type.isInteger() && cast->type.isFloating() &&
           canBeLeftOut(p, cast->operand);
  if (auto *binary = dyn_cast<sema::BinaryExpr>(e))
    return neverFails(p, binary->op, binary->type) &&
           canBeLeftOut(p, binary->left) && canBeLeftOut(p, binary->right);
  auto *compare = dyn_cast<sema::CompareExpr>(e);
  return compare && canBeLeftOut(p, compare->left) &&
         canBeLeftOut(p, compare->right);
}

/// The operand of a `not`, or null.
const sema::Expr *negated(const sema::Expr *e) {
  auto *unary = dyn_cast<sema::UnaryExpr>(e);
  return unary && unary->op == sema::UnaryOp::Not ? unary->operand : nullptr;
}

/// Whether merged() knows how to find where \p e is true.
bool isMergeable(const ProcedureState &p, const sema::Expr *e) {
  if (auto *pattern = dyn_cast<sema::PatternExpr>(e))
    return isSparse(p, *pattern->region);
  auto *binary = dyn_cast<sema::BinaryExpr>(e);
  if (!binary || binary->type != sema::Type::Boolean)
    return false;
  bool left = isMergeable(p, binary->left);
  bool right = isMergeable(p, binary->right);
  if (binary->op == sema::BinaryOp::Or)
    return left && right;
  if (binary->op != sema::BinaryOp::And || !(left || right))
    return false;
  const sema::Expr *other = left ? binary->right : binary->left;
  const sema::Expr *excluded = negated(other);
  return (left && right) || (excluded && isMergeable(p, excluded)) ||
         canBeLeftOut(p, other);
}

/// The dimension of \p region, which is no flood and no grid dimension.
air::DimExpr dimensionOf(ProcedureState &p, air::Region *region, unsigned d,
                         SourceRange range) {
  auto bound = [&](air::BoundExpr::Which which) {
    return p.module.make<air::BoundExpr>(region, d, which, range);
  };
  air::DimExpr dim;
  dim.lo = bound(air::BoundExpr::Lo);
  if (region->shape[d] == air::DimKind::Singleton) {
    dim.kind = air::DimExpr::Single;
    return dim;
  }
  dim.kind = air::DimExpr::Range;
  dim.hi = bound(air::BoundExpr::Hi);
  if (region->shape[d] == air::DimKind::Strided) {
    dim.kind = air::DimExpr::Seq;
    dim.stride = bound(air::BoundExpr::Stride);
    dim.align = bound(air::BoundExpr::Align);
  }
  return dim;
}

air::Region *newPattern(ProcedureState &p, air::Region *base,
                        SourceRange range) {
  air::Region *result = makeRegion(p, "merged", base->shape, range);
  result->domain = base->domain;
  result->isSparse = true;
  result->text = base->text;
  return result;
}

/// The indices of \p from, sparse, that \p base has.
air::Region *within(ProcedureState &p, air::Region *from, air::Region *base,
                    SourceRange range) {
  air::Region *result = newPattern(p, base, range);
  air::RegionExpr value;
  value.kind = air::RegionExpr::Dims;
  value.base = from;
  for (unsigned d = 0; d != base->rank(); ++d)
    value.dims.push_back(dimensionOf(p, base, d, range));
  emit<air::SetRegionStmt>(p, result, value, range);
  if (base->isSparse)
    emit<air::PatternStmt>(p, result, air::PatternStmt::And, base, range);
  return result;
}

/// Leaves what of \p region is true of \p e.
void select(ProcedureState &p, air::Region *region, const sema::Expr *e) {
  TemporaryScope scope(p);
  Cover over = region;
  air::Array *array = nullptr;
  open(p, over, [&] {
    prepare(p, e, over);
    array = readable(p, e, over);
  });
  auto *stmt = emit<air::PatternStmt>(p, region, air::PatternStmt::Assign,
                                      region, e->range);
  stmt->array = array;
  scope.free(e->range);
}

air::Region *merged(ProcedureState &p, const sema::Expr *e, air::Region *base) {
  SourceRange range = e->range;
  if (auto *pattern = dyn_cast<sema::PatternExpr>(e))
    return within(p, evaluate(p, *pattern->region, "asked"), base, range);
  auto *binary = cast<sema::BinaryExpr>(e);
  bool left = isMergeable(p, binary->left);
  bool right = isMergeable(p, binary->right);
  air::Region *result = merged(p, left ? binary->left : binary->right, base);
  const sema::Expr *other = left ? binary->right : binary->left;
  const sema::Expr *excluded = negated(other);
  auto op = binary->op == sema::BinaryOp::Or ? air::PatternStmt::Or
                                             : air::PatternStmt::And;
  if (left && right)
    emit<air::PatternStmt>(p, result, op, merged(p, other, base), range);
  else if (excluded && isMergeable(p, excluded))
    emit<air::PatternStmt>(p, result, air::PatternStmt::AndNot,
                           merged(p, excluded, base), range);
  else
    select(p, result, other);
  return result;
}

} // namespace

air::Region *mergedPattern(ProcedureState &p, const sema::Expr *pattern,
                           air::Region *base) {
  if (any_of(base->shape, air::isPerProcessor) || !isMergeable(p, pattern))
    return nullptr;
  open(p, base, [&] { prepare(p, pattern, base); });
  air::Region *indices = merged(p, pattern, base);
  // Of these the base is the first region that a pattern names.
  air::Region *result = newPattern(p, base, pattern->range);
  air::RegionExpr value;
  value.kind = air::RegionExpr::Where;
  value.base = base;
  emit<air::SetRegionStmt>(p, result, value, pattern->range);
  emit<air::PatternStmt>(p, result, air::PatternStmt::Assign, indices,
                         pattern->range);
  return result;
}

} // namespace zpl::arraygen
