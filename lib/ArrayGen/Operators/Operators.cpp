//===- Operators.cpp - Floods, reductions, scans --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [k+1..n, k+1..n] B := B - (>>[ , k] A) * (>>[k, ] A);
//
//     region %source = [_, @k] from %scope
//     region %source.1 = [@k, _] from %scope
//     flood %T = @A from %source
//     flood %T.1 = @A from %source.1
//     [%scope] @B = sub(@B, mul(%T, %T.1))
//     free %T.1
//     free %T
//
// A flooded array may share the storage of what it is made of. So when the
// statement writes elements that could be flooded, the elements of the source,
// few of them, are copied first.
//
//     [1..n, 1] X := +<<[R] (A * B);
//
//     region %reduced = [_, *] from @R
//     alloc %T over %reduced
//     [@R] %T = reduce sum mul(@A, @B)
//     [%scope] @X = %T
//
// The result has a flooded dimension wherever the source is reduced, or moved
// from or to a singleton.
//
// Reproducible sums and products of floating elements are folds of arrays. A
// scan reads an array and stores into another: the target of its assignment, if
// nothing is read from there.
//
//===----------------------------------------------------------------------===//

#include "Operators/Operators.h"
#include "Calls.h"
#include "Expressions.h"
#include "Operators/Domains.h"
#include "Operators/Masks.h"
#include "Operators/Regions.h"
#include "Operators/UserFolds.h"
#include "Overlap.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"

using namespace llvm;

namespace zpl::arraygen {

/// The operator of the array IR, where the greatest of booleans is their `or`.
static air::Reduction operatorOf(sema::Reduction op, sema::Type type) {
  bool isBoolean = type == sema::Type::Boolean;
  if (isBoolean && op == sema::Reduction::Max)
    return air::Reduction::Or;
  if (isBoolean && op == sema::Reduction::Min)
    return air::Reduction::And;
  return static_cast<air::Reduction>(op);
}

static void reducePart(ProcedureState &p, air::Array *target,
                       const sema::ReduceExpr *expr, air::Region *from);

/// Over grid dimensions results depend on the processors anyway.
static bool isReproducible(const ProcedureState &p, sema::Reduction op,
                           sema::Type type, const air::Region *over) {
  return p.builder.options.reproducible &&
         !is_contained(over->shape, air::DimKind::Grid) &&
         (type.isFloating() || type.isComplex()) &&
         (op == sema::Reduction::Sum || op == sema::Reduction::Product);
}

//===----------------------------------------------------------------------===//
// Floods
//===----------------------------------------------------------------------===//

air::Array *flooded(ProcedureState &p, const sema::FloodExpr *expr) {
  air::Region *from = p.statement.sources.lookup(expr);
  SmallVector<air::Array *, 4> written;
  for (const Target &target : p.statement.targets)
    if (!target.region || !areDisjoint(p.known, from, target.region))
      written.push_back(target.array);
  air::Array *source = nullptr;
  open(p, from, [&] { source = readable(p, expr->operand, from, written); });
  air::Shape shape = from->shape;
  for (air::DimKind &kind : shape)
    if (kind == air::DimKind::Singleton)
      kind = air::DimKind::Flood;
  air::Array *result = makeArray(p, "T", source->element, shape, expr->range);
  emit<air::FloodStmt>(p, result, source, from, expr->range);
  p.known.borrowedFrom[result] = source;
  p.statement.floods.insert(result);
  p.frame.temporaries.push_back(result);
  return result;
}

//===----------------------------------------------------------------------===//
// Partial reductions
//===----------------------------------------------------------------------===//

/// The region over which the elements of \p from, reduced for \p over, are
/// kept.
static air::Region *reducedRegion(ProcedureState &p, air::Region *from,
                                  air::Region *over, SourceRange range) {
  air::RegionExpr expr;
  expr.kind = air::RegionExpr::Dims;
  expr.base = from;
  air::Shape shape;
  for (auto [kind, resultKind] : zip(from->shape, over->shape)) {
    auto isRange = [](air::DimKind kind) {
      return kind == air::DimKind::Range || kind == air::DimKind::Strided;
    };
    bool isKept = (isRange(kind) && isRange(resultKind)) ||
                  (kind == air::DimKind::Grid && resultKind == kind);
    shape.push_back(isKept ? kind : air::DimKind::Flood);
    expr.dims.emplace_back().kind =
        isKept ? air::DimExpr::Inherit : air::DimExpr::Flood;
  }
  if (shape == from->shape && !from->isSparse)
    return from;
  air::Region *region = makeRegion(p, "reduced", shape, range);
  emit<air::SetRegionStmt>(p, region, expr, range);
  return region;
}

air::Array *reduced(ProcedureState &p, const sema::ReduceExpr *expr,
                    Cover over) {
  SourceRange range = expr->range;
  air::Region *from = p.statement.sources.lookup(expr);
  air::Region *kept = reducedRegion(p, from, over.region, range);
  air::Array *result = temporaryArray(p, typeFor(p, expr->type), kept, range);
  TemporaryScope scope(p);
  open(p, from, [&] { reducePart(p, result, expr, from); });
  scope.free(range);
  return result;
}

/// The mask is element code of the statement unless something else must know it
/// as well.
static void reducePart(ProcedureState &p, air::Array *target,
                       const sema::ReduceExpr *expr, air::Region *from) {
  SourceRange range = expr->range;
  air::Reduction op = operatorOf(expr->op, expr->type);
  Facts facts = p.builder.facts.ofFolded(expr->operand, expr->user);
  Cover over(from);
  const air::Expr *guard = nullptr;
  bool isFold = !expr->user && isReproducible(p, expr->op, expr->type, from);
  if (!isFold && !facts.hoists && expr->mask.mask) {
    guard = value(p, expr->mask.mask, from);
    if (!expr->mask.isWith)
      guard = p.module.make<air::UnaryExpr>(air::UnaryOp::Not, guard, range);
  } else {
    over.mask = evaluate(p, expr->mask, from, !facts.effects);
    guard = guardExpr(p, over, range);
  }
  if (isFold) {
    air::Array *source = readable(p, expr->operand, over);
    emit<air::FoldStmt>(p, target, nullptr, op, source, from, over.mask, range);
    return;
  }
  if (expr->user)
    return foldPart(p, target, expr, over, guard);
  const air::Expr *operand = value(p, expr->operand, over);
  emit<air::ReduceArrayStmt>(p, from, target, op, operand, range)->guard =
      guard;
}

//===----------------------------------------------------------------------===//
// Full reductions
//===----------------------------------------------------------------------===//

void reduceInto(ProcedureState &p, air::Variable *target,
                const sema::ReduceExpr *expr) {
  if (expr->user)
    return foldInto(p, target, expr);
  SourceRange range = expr->range;
  air::Reduction op = operatorOf(expr->op, expr->type);
  if (expr->operandRank == 0) {
    const air::Expr *operand = value(p, expr->operand);
    emit<air::SetStmt>(p, variableExpr(p, target, range), operand, range);
    emit<air::CombineStmt>(p, op, target, /*region=*/nullptr, range);
    return;
  }
  PartScope domain(p, expr->operand, expr->operandRank);
  Cover over = p.covers[expr->operandRank];
  TemporaryScope scope(p);
  prepare(p, expr->operand, over);
  if (isReproducible(p, expr->op, expr->type, over.region)) {
    air::Array *source = readable(p, expr->operand, over);
    emit<air::FoldStmt>(p, nullptr, target, op, source, over.region, over.mask,
                        range);
  } else {
    const air::Expr *operand = value(p, expr->operand, over);
    auto *stmt =
        emit<air::ReduceStmt>(p, over.region, target, op, operand, range);
    stmt->guard = guardExpr(p, over, range);
  }
  scope.free(range);
}

//===----------------------------------------------------------------------===//
// Scans
//===----------------------------------------------------------------------===//

air::Array *scanned(ProcedureState &p, const sema::ScanExpr *expr, Cover over,
                    air::Array *target) {
  SourceRange range = expr->range;
  TemporaryScope scope(p);
  air::Array *segment = nullptr;
  ArrayRef<const sema::Expr *> operands = expr->operand;
  if (expr->user)
    operands = ArrayRef(expr->user->accumulate->args).drop_back();
  if (expr->segment)
    segment = readable(p, expr->segment, over, {}, operands);
  air::Array *source = expr->user ? foldElements(p, expr, over)
                                  : readable(p, expr->operand, over);
  if (!target || mayShareStorage(p, source, target) ||
      (segment && mayShareStorage(p, segment, target)))
    target = temporaryArray(p, source->element, over.region, range);
  auto *stmt =
      emit<air::ScanStmt>(p, target, source, operatorOf(expr->op, expr->type),
                          over.region, expr->dims, range);
  stmt->inclusive = expr->inclusive;
  if (expr->user) {
    stmt->with = procedureOf(p, expr->user->combine);
    stmt->identity = procedureOf(p, expr->user->identity);
  } else {
    stmt->reproducible = isReproducible(p, expr->op, expr->type, over.region);
  }
  stmt->segment = segment;
  stmt->mask = over.mask;
  scope.freeAllBut(target, range);
  return target;
}

} // namespace zpl::arraygen
