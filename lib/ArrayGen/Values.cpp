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

#include "Procedure.h"

using namespace llvm;

namespace zpl::arraygen {

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// An element of a storage.
const air::Expr *ProcedureBuilder::stored(const air::Expr *place,
                                          ArrayRef<int64_t> at) {
  SmallVector<const air::Expr *, 2> subscripts;
  for (int64_t index : at)
    subscripts.push_back(constant(air::Type::I64, index, place->range));
  auto *whole = dyn_cast<air::VarExpr>(place);
  return module.make<air::SubscriptExpr>(
      place, subscripts, whole ? StringRef(whole->variable->name) : "",
      air::Type(air::Type::I64), place->range);
}

/// `place := region`, which is region number \p level of several; null: what
/// it is by itself.
void ProcedureBuilder::storeRegion(const air::Expr *place, air::Region *region,
                                   const air::Expr *level, SourceRange range) {
  constexpr air::BoundExpr::Which Members[] = {
      air::BoundExpr::Lo, air::BoundExpr::Hi, air::BoundExpr::Stride,
      air::BoundExpr::Align};
  int64_t rank = region->rank();
  for (int64_t d = 0; d != rank; ++d)
    for (auto [k, member] : enumerate(Members))
      emit<air::SetStmt>(stored(place, {d, int64_t(k)}),
                         module.make<air::BoundExpr>(region, d, member, range),
                         range);
  if (!level)
    level =
        module.make<air::BoundExpr>(region, 0, air::BoundExpr::Level, range);
  emit<air::SetStmt>(stored(place, {rank, 0}), level, range);
  emit<air::SetStmt>(stored(place, {rank, 1}),
                     constant(air::Type::I64, 1, range), range);
}

/// Ends the run if the variable that \p expr is the value of has none.
void ProcedureBuilder::checkSet(const sema::RegionExpr &expr) {
  const air::Expr *place = this->place(expr.place, Cover());
  const air::Expr *isSet = stored(place, {int64_t(expr.rank), 1});
  const air::Expr *condition = module.make<air::CompareExpr>(
      air::CompareOp::Ne, isSet, constant(air::Type::I64, 0, expr.range),
      expr.range);
  emit<air::CheckThatStmt>(condition, expr.unset, ArrayRef<const air::Expr *>(),
                           expr.range);
}

/// The level of \p expr, if it says one.
const air::Expr *ProcedureBuilder::levelOf(const sema::RegionExpr &expr) {
  return expr.level ? castTo(air::Type::I64, value(expr.level)) : nullptr;
}

const air::Expr *
ProcedureBuilder::regionValue(const sema::RegionValueExpr *expr) {
  air::Region *region = evaluate(*expr->region, "value");
  air::Variable *made = temporary("region", type(expr->type), expr->range);
  const air::Expr *place = variable(made, expr->range);
  storeRegion(place, region, levelOf(*expr->region), expr->range);
  return place;
}

void ProcedureBuilder::regionAssignment(const sema::RegionAssignStmt *stmt) {
  const air::Expr *target = place(stmt->target, Cover());
  air::Region *region = evaluate(*stmt->value, "value");
  storeRegion(target, region, levelOf(*stmt->value), stmt->range);
  reallocate(target, stmt->target->type, stmt->preserves, stmt->range);
  if (instance.procedure == nullptr)
    emit<air::DeclareRegionStmt>(region, stmt->range);
}

/// The region that is stored at \p place.
air::RegionExpr ProcedureBuilder::storedRegion(const air::Expr *place,
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
      dim.lo = stored(place, {d, 0});
      break;
    case sema::DimKind::Range:
    case sema::DimKind::Strided:
      dim.kind = air::DimExpr::Seq;
      dim.lo = stored(place, {d, 0});
      dim.hi = stored(place, {d, 1});
      dim.stride = stored(place, {d, 2});
      dim.align = stored(place, {d, 3});
      break;
    }
  }
  return value;
}

/// Tells the runtime the region that a global variable has.
void ProcedureBuilder::declareValue(const sema::Variable *variable) {
  SourceRange range = variable->range;
  const sema::Shape &shape = variable->type.info()->shape;
  const air::Expr *place = this->variable(find(variable), range);
  air::RegionExpr value = storedRegion(place, shape);
  air::Region *region = makeRegion(variable->name, convert(shape), range);
  emit<air::SetRegionStmt>(region, value, range);
  emit<air::DeclareRegionStmt>(region, range);
}

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

/// Ends the run if \p component, number \p number of a direction, is not what
/// its type says.
void ProcedureBuilder::checkComponent(const air::Expr *component,
                                      sema::Type type, unsigned number,
                                      SourceRange range) {
  const sema::TypeComponent &wanted = type.info()->components[number];
  if (wanted.kind == sema::TypeComponent::Unknown ||
      isa<air::ConstExpr>(component))
    return;
  bool isPlus = wanted.kind == sema::TypeComponent::Plus;
  bool isMinus = wanted.kind == sema::TypeComponent::Minus;
  auto op = isPlus    ? air::CompareOp::Gt
            : isMinus ? air::CompareOp::Lt
                      : air::CompareOp::Eq;
  const air::Expr *condition = module.make<air::CompareExpr>(
      op, component, constant(air::Type::I64, wanted.value, range), range);
  std::string says = isPlus    ? "a positive number"
                     : isMinus ? "a negative number"
                               : std::to_string(wanted.value);
  emit<air::CheckThatStmt>(condition,
                           "component " + std::to_string(number + 1) +
                               " of this direction is {}, but '" +
                               sema::text(type) + "' says " + says,
                           component, range);
}

const air::Expr *
ProcedureBuilder::directionValue(const sema::DirectionValueExpr *expr) {
  SourceRange range = expr->range;
  air::Variable *made = temporary("direction", type(expr->type), range);
  const air::Expr *place = variable(made, range);
  ExprList components = operands(expr->components);
  for (auto [c, component] : enumerate(components)) {
    const air::Expr *element = stored(place, int64_t(c));
    emit<air::SetStmt>(element, castTo(air::Type::I64, component), range);
    bool isConstant = isa<air::ConstExpr>(component);
    checkComponent(isConstant ? component : element, expr->type, c, range);
  }
  return place;
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

/// `level(R)`, which must be there.
const air::Expr *
ProcedureBuilder::inheritedLevel(const sema::RegionBoundExpr *expr) {
  SourceRange range = expr->range;
  air::Region *region = evaluate(*expr->region, "asked");
  const air::Expr *level =
      module.make<air::BoundExpr>(region, 0, air::BoundExpr::Level, range);
  const air::Expr *condition = module.make<air::CompareExpr>(
      air::CompareOp::Ne, level, constant(air::Type::I64, INT64_MIN, range),
      range);
  emit<air::CheckThatStmt>(
      condition,
      "this inherits the index of a region of a multi-region, but what it "
      "belongs to is no such region",
      ArrayRef<const air::Expr *>(), range);
  return level;
}

} // namespace zpl::arraygen
