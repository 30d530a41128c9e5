//===- Values.cpp - Variables of regions and directions -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var R: region<..>;               var @R : array [0..1, 0..3] of i64
//     R := S at [k];                   region %value = @S at (@k)
//                                      set @R[0, 0] = lo(%value, 0) ...
//                                      set @R[1, 0] = level(%value)
//                                      set @R[1, 1] = i64 1
//     [R] ...                          check-that ne @R[1, 1], 0, "..."
//                                      region %scope = [seq(@R[0, 0], ...)]
//                                                      level @R[1, 0]
//
// Regions and directions as values are indexed arrays of longints here. What is
// stored is the value of the region; a region that is made of a variable reads
// it where it is evaluated. The last row says whether there is a value, for
// memory starts at zero, and which region of a multi-region it is.
//
// Regions that global variables start with are told to the runtime, as named
// ones are: the arrays that are declared over them are distributed by the box
// around all of them.
//
// Cost: four stores and four loads per dimension.
//
//===----------------------------------------------------------------------===//

#include "Values.h"
#include "Expressions.h"
#include "Followers.h"
#include "Operators/Domains.h"
#include "Operators/Regions.h"
#include "Operators/Sparse.h"
#include "Places.h"
#include "Procedure.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// An element of a storage.
static const air::Expr *stored(ProcedureState &p, const air::Expr *place,
                               ArrayRef<int64_t> at) {
  SmallVector<const air::Expr *, 2> subscripts;
  for (int64_t index : at)
    subscripts.push_back(constant(p, air::Type::I64, index, place->range));
  auto *whole = dyn_cast<air::VarExpr>(place);
  return p.module.make<air::SubscriptExpr>(
      place, subscripts, whole ? StringRef(whole->variable->name) : "",
      air::Type(air::Type::I64), place->range);
}

/// `R where ?`
static bool isUndefined(const sema::RegionExpr &expr) {
  return expr.kind == sema::RegionExpr::Where && !expr.pattern;
}

/// `place := region`, which is region number \p level of several; null: what
/// it is by itself.
static void storeRegion(ProcedureState &p, const air::Expr *place,
                        air::Region *region, const air::Expr *level,
                        sema::Type type, bool isUndefined, SourceRange range) {
  constexpr air::BoundExpr::Which Members[] = {
      air::BoundExpr::Lo, air::BoundExpr::Hi, air::BoundExpr::Stride,
      air::BoundExpr::Align};
  int64_t rank = region->rank();
  for (int64_t d = 0; d != rank; ++d)
    for (auto [k, member] : enumerate(Members))
      emit<air::SetStmt>(
          p, stored(p, place, {d, int64_t(k)}),
          p.module.make<air::BoundExpr>(region, d, member, range), range);
  if (!level)
    level =
        p.module.make<air::BoundExpr>(region, 0, air::BoundExpr::Level, range);
  emit<air::SetStmt>(p, stored(p, place, {rank, 0}), level, range);
  emit<air::SetStmt>(p, stored(p, place, {rank, 1}),
                     constant(p, air::Type::I64, 1, range), range);
  if (!type.info()->isSparse)
    return;
  const air::Expr *kept = patternPlace(p, place, rank, range);
  if (isUndefined)
    emit<air::SetStmt>(p, kept, constant(p, air::Type::I64, 0, range), range);
  else
    emit<air::KeepPatternStmt>(
        p, kept, inDomain(p, withPattern(p, region, range), nullptr, range),
        range);
}

const air::Expr *hasRegion(ProcedureState &p, const air::Expr *place,
                           unsigned rank, SourceRange range) {
  return p.module.make<air::CompareExpr>(
      air::CompareOp::Ne, stored(p, place, {int64_t(rank), 1}),
      constant(p, air::Type::I64, 0, range), range);
}

void checkSet(ProcedureState &p, const sema::RegionExpr &expr) {
  const air::Expr *place = placeExpr(p, expr.place, Cover());
  emit<air::CheckThatStmt>(p, hasRegion(p, place, expr.rank, expr.range),
                           expr.unset, ArrayRef<const air::Expr *>(),
                           expr.range);
}

void checkKept(ProcedureState &p, const sema::RegionExpr &expr) {
  const air::Expr *kept = placeExpr(p, expr.patternNumber, Cover());
  const air::Expr *condition = p.module.make<air::CompareExpr>(
      air::CompareOp::Ne, kept, constant(p, air::Type::I64, 0, expr.range),
      expr.range);
  emit<air::CheckThatStmt>(p, condition, expr.unset,
                           ArrayRef<const air::Expr *>(), expr.range);
}

const air::Expr *levelOf(ProcedureState &p, const sema::RegionExpr &expr) {
  return expr.level ? castTo(p, air::Type::I64, value(p, expr.level)) : nullptr;
}

const air::Expr *regionValue(ProcedureState &p,
                             const sema::RegionValueExpr *expr) {
  air::Region *region = evaluate(p, *expr->region, "value");
  air::Variable *made =
      temporary(p, "region", typeFor(p, expr->type), expr->range);
  const air::Expr *place = variableExpr(p, made, expr->range);
  storeRegion(p, place, region, levelOf(p, *expr->region), expr->type,
              isUndefined(*expr->region), expr->range);
  return place;
}

void regionAssignment(ProcedureState &p, const sema::RegionAssignStmt *stmt) {
  const air::Expr *target = placeExpr(p, stmt->target, Cover());
  unsigned rank = stmt->value->rank;
  SaveAndRestore domain(p.domains[rank],
                        domainOf(p, *stmt, rank, *stmt->target));
  air::Region *region = evaluate(p, *stmt->value, "value");
  storeRegion(p, target, region, levelOf(p, *stmt->value), stmt->target->type,
              isUndefined(*stmt->value), stmt->range);
  if (!stmt->target->type.info()->isSparse) // else arrays follow its pattern
    reallocate(p, target, stmt->target->type, stmt->preserves, stmt->range);
  if (p.instance.procedure == nullptr)
    emit<air::DeclareRegionStmt>(p, region, stmt->range);
}

air::RegionExpr storedRegion(ProcedureState &p, const air::Expr *place,
                             const sema::Shape &shape) {
  air::RegionExpr value;
  value.kind = air::RegionExpr::Dims;
  for (int64_t d = 0; d != int64_t(shape.size()); ++d) {
    air::DimExpr &dim = value.dims.emplace_back();
    switch (shape[d]) {
    case sema::DimKind::Flood:
      dim.kind = air::DimExpr::Flood;
      break;
    case sema::DimKind::Grid:
      dim.kind = air::DimExpr::Grid;
      break;
    case sema::DimKind::Singleton:
      dim.kind = air::DimExpr::Single;
      dim.lo = stored(p, place, {d, 0});
      break;
    case sema::DimKind::Range:
    case sema::DimKind::Strided:
      dim.kind = air::DimExpr::Seq;
      dim.lo = stored(p, place, {d, 0});
      dim.hi = stored(p, place, {d, 1});
      dim.stride = stored(p, place, {d, 2});
      dim.align = stored(p, place, {d, 3});
      break;
    }
  }
  return value;
}

void declareValue(ProcedureState &p, const sema::Variable *variable) {
  SourceRange range = variable->range;
  const sema::Shape &shape = variable->type.info()->shape;
  const air::Expr *place = variableExpr(p, find(p, variable), range);
  air::RegionExpr value = storedRegion(p, place, shape);
  air::Region *region = makeRegion(p, variable->name, convert(shape), range);
  region->domain = p.builder.domains.lookup(variable->domain);
  emit<air::SetRegionStmt>(p, region, value, range);
  emit<air::DeclareRegionStmt>(p, region, range);
}

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

void checkComponent(ProcedureState &p, const air::Expr *component,
                    sema::Type type, unsigned number, SourceRange range) {
  const sema::TypeComponent &wanted = type.info()->components[number];
  if (wanted.kind == sema::TypeComponent::Unknown ||
      isa<air::ConstExpr>(component))
    return;
  bool isPlus = wanted.kind == sema::TypeComponent::Plus;
  bool isMinus = wanted.kind == sema::TypeComponent::Minus;
  auto op = isPlus    ? air::CompareOp::Gt
            : isMinus ? air::CompareOp::Lt
                      : air::CompareOp::Eq;
  const air::Expr *condition = p.module.make<air::CompareExpr>(
      op, component, constant(p, air::Type::I64, wanted.value, range), range);
  std::string says = isPlus    ? "a positive number"
                     : isMinus ? "a negative number"
                               : std::to_string(wanted.value);
  emit<air::CheckThatStmt>(p, condition,
                           "component " + std::to_string(number + 1) +
                               " of this direction is {}, but '" +
                               sema::text(type) + "' says " + says,
                           component, range);
}

const air::Expr *directionValue(ProcedureState &p,
                                const sema::DirectionValueExpr *expr) {
  SourceRange range = expr->range;
  air::Variable *made =
      temporary(p, "direction", typeFor(p, expr->type), range);
  const air::Expr *place = variableExpr(p, made, range);
  ExprList components = operands(p, expr->components);
  for (auto [c, component] : enumerate(components)) {
    const air::Expr *element = stored(p, place, int64_t(c));
    emit<air::SetStmt>(p, element, castTo(p, air::Type::I64, component), range);
    bool isConstant = isa<air::ConstExpr>(component);
    checkComponent(p, isConstant ? component : element, expr->type, c, range);
  }
  return place;
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

const air::Expr *inheritedLevel(ProcedureState &p,
                                const sema::RegionBoundExpr *expr) {
  SourceRange range = expr->range;
  air::Region *region = evaluate(p, *expr->region, "asked");
  const air::Expr *level =
      p.module.make<air::BoundExpr>(region, 0, air::BoundExpr::Level, range);
  const air::Expr *condition = p.module.make<air::CompareExpr>(
      air::CompareOp::Ne, level, constant(p, air::Type::I64, INT64_MIN, range),
      range);
  emit<air::CheckThatStmt>(
      p, condition,
      "this inherits the index of a region of a multi-region, but what it "
      "belongs to is no such region",
      ArrayRef<const air::Expr *>(), range);
  return level;
}

} // namespace zpl::arraygen
