//===- Regions.cpp - Region expressions and covering regions --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region scope evaluates its region once, when it is opened. A name is used
// as it is; anything else is put into a local region first:
//
//     [R] begin                     (nothing to do: %R covers rank 2)
//       [north of "] A := 0.0;      region %scope = of (-1,0) @R
//       [1, ] A := 1.0;             region %scope.1 = [1, base] from @R
//     end;
//
// Bounds of type integer are 32-bit indices whatever their value. Bounds of
// type longint and what the operators make of a region can lie outside; they
// are checked before anything uses the region.
//
// Per rank the innermost open scope covers.
//
//===----------------------------------------------------------------------===//

#include "Operators/Regions.h"
#include "Expressions.h"
#include "Families.h"
#include "Operators/RegionOps.h"
#include "Operators/Sparse.h"
#include "Places.h"
#include "Procedure.h"
#include "Values.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

static air::Shape shapeOf(const ProcedureState &p, const sema::Array *array) {
  return array->family == sema::Type::Error ? find(p, array)->shape
                                            : family(p, array).shape;
}

air::Shape shapeOf(const ProcedureState &p, const sema::RegionExpr &expr) {
  sema::Covers shapes;
  for (unsigned rank = 1; rank <= sema::MaxRank; ++rank)
    if (p.covers[rank])
      shapes[rank] = convert(p.covers[rank].region->shape);
  auto ofSymbol = [&](const sema::Symbol &symbol) {
    auto *region = dyn_cast<sema::Region>(&symbol);
    return convert(region ? find(p, region)->shape
                          : shapeOf(p, cast<sema::Array>(&symbol)));
  };
  return convert(sema::shapeOf(expr, shapes, ofSymbol));
}

/// A bound that is an index whatever its value, or a constant that is one.
static bool isSurelyIndex(const sema::Expr *bound) {
  if (!bound || bound->type != sema::Type::Longint)
    return true;
  if (auto *literal = dyn_cast<sema::LiteralExpr>(bound))
    return literal->integer == int32_t(literal->integer);
  auto *conversion = dyn_cast<sema::CastExpr>(bound);
  return conversion && conversion->operand->type == sema::Type::Integer;
}

/// Could a bound of the result lie outside 32 bits, those of its base and its
/// covering region not doing so?
static bool mayLeaveIndices(const sema::RegionExpr &expr) {
  switch (expr.kind) {
  case sema::RegionExpr::Ref:
  case sema::RegionExpr::Quote:
  case sema::RegionExpr::Declared:
  case sema::RegionExpr::By:   // keeps the bounds
  case sema::RegionExpr::User: // whose bounds are integers
  case sema::RegionExpr::Where:
  case sema::RegionExpr::Bounds:
    return false;
  case sema::RegionExpr::Dims:
    if (expr.place) // it was looked at before it was stored
      return false;
    return any_of(expr.dims, [](const sema::RegionDim &dim) {
      return !isSurelyIndex(dim.lo) || !isSurelyIndex(dim.hi);
    });
  case sema::RegionExpr::In:
    // `in` by one step gives a bound of the base.
    return any_of(expr.direction, [](const sema::Expr *component) {
      auto *literal = dyn_cast<sema::LiteralExpr>(component);
      return !literal || literal->integer < -1 || literal->integer > 1;
    });
  case sema::RegionExpr::Of:
  case sema::RegionExpr::At:
    return true;
  }
  llvm_unreachable("a region expression outside its enumeration");
}

static bool isAllBlank(const sema::RegionExpr &expr) {
  return expr.kind == sema::RegionExpr::Dims &&
         all_of(expr.dims, [](const sema::RegionDim &dim) {
           return dim.kind == sema::RegionDim::Blank;
         });
}

static air::DimExpr::Kind kindOf(const sema::RegionDim &dim) {
  switch (dim.kind) {
  case sema::RegionDim::Range:
    return air::DimExpr::Range;
  case sema::RegionDim::Single:
    return air::DimExpr::Single;
  case sema::RegionDim::Flood:
    return air::DimExpr::Flood;
  case sema::RegionDim::Grid:
    return air::DimExpr::Grid;
  case sema::RegionDim::Blank:
    return air::DimExpr::Inherit;
  case sema::RegionDim::Seq:
    return air::DimExpr::Seq;
  }
  llvm_unreachable("a dimension outside its enumeration");
}

/// The region's value in array IR. Regions that it needs are evaluated first.
static air::RegionExpr regionExpr(ProcedureState &p,
                                  const sema::RegionExpr &expr) {
  if (expr.place)
    checkSet(p, expr);
  if (expr.patternNumber && isSparse(p, expr))
    checkKept(p, expr);
  air::RegionExpr result = unleveled(p, expr);
  result.level = levelOf(p, expr);
  return result;
}

/// `[lo..hi, k, *, ]`: the bounds are evaluated from left to right.
static air::RegionExpr literalRegion(ProcedureState &p,
                                     const sema::RegionExpr &expr) {
  air::RegionExpr result;
  if (expr.patternNumber && isSparse(p, expr))
    result.pattern = placeExpr(p, expr.patternNumber, Cover());
  if (isAllBlank(expr)) {
    result.base = p.covers[expr.rank].region;
    return result;
  }
  result.kind = air::RegionExpr::Dims;
  SmallVector<const sema::Expr *, 12> bounds;
  for (const sema::RegionDim &dim : expr.dims)
    for (const sema::Expr *part : {dim.lo, dim.hi, dim.stride, dim.align})
      if (part)
        bounds.push_back(part);
  ExprList values = operands(p, bounds);
  const air::Expr *const *next = values.begin();
  for (const sema::RegionDim &dim : expr.dims) {
    air::DimExpr made;
    made.kind = kindOf(dim);
    made.lo = dim.lo ? *next++ : nullptr;
    made.hi = dim.hi ? *next++ : nullptr;
    made.stride = dim.stride ? *next++ : nullptr;
    made.align = dim.align ? *next++ : nullptr;
    if (dim.kind == sema::RegionDim::Blank)
      result.base = p.covers[expr.rank].region;
    result.dims.push_back(made);
  }
  return result;
}

air::RegionExpr unleveled(ProcedureState &p, const sema::RegionExpr &expr) {
  air::RegionExpr result;
  switch (expr.kind) {
  case sema::RegionExpr::Ref:
    result.base = find(p, expr.region);
    return result;
  case sema::RegionExpr::Quote:
    result.base = p.covers[expr.rank].region;
    return result;
  case sema::RegionExpr::Declared:
    result.base = declaredRegion(p, find(p, expr), expr.range);
    return result;
  case sema::RegionExpr::Dims:
    return literalRegion(p, expr);
  case sema::RegionExpr::Of:
  case sema::RegionExpr::In:
  case sema::RegionExpr::At:
  case sema::RegionExpr::By:
    result.kind = expr.kind == sema::RegionExpr::Of   ? air::RegionExpr::Of
                  : expr.kind == sema::RegionExpr::In ? air::RegionExpr::In
                  : expr.kind == sema::RegionExpr::At ? air::RegionExpr::At
                                                      : air::RegionExpr::By;
    result.base = evaluate(p, *expr.base, "base");
    result.direction = operands(p, expr.direction);
    return result;
  case sema::RegionExpr::User:
    return userRegion(p, expr);
  case sema::RegionExpr::Where:
    return whereRegion(p, expr);
  case sema::RegionExpr::Bounds:
    if (expr.base->place) {
      result = literalRegion(p, *expr.base);
      result.pattern = nullptr;
      return result;
    }
    result.base = unchecked(p, *expr.base);
    return result;
  }
  llvm_unreachable("a region expression outside its enumeration");
}

void setRegion(ProcedureState &p, air::Region *target,
               const sema::RegionExpr &expr) {
  TemporaryScope scope(p);
  air::RegionExpr value = regionExpr(p, expr);
  if (value.pattern && target->domain) {
    air::RegionExpr taken;
    taken.base = keptRegion(p, *target, value, expr.range);
    emit<air::SetRegionStmt>(p, target, taken, expr.range);
  } else {
    emit<air::SetRegionStmt>(p, target, value, expr.range);
  }
  p.known.regionValues[target] = {std::move(value), p.known.time};
  if (mayLeaveIndices(expr))
    emit<air::CheckStmt>(p, air::CheckStmt::Bounds, nullptr, target,
                         ArrayRef<const air::Expr *>(), "", expr.range);
  scope.free(expr.range);
}

air::Region *evaluate(ProcedureState &p, const sema::RegionExpr &expr,
                      StringRef name) {
  if (expr.kind == sema::RegionExpr::Ref) {
    air::Region *region = find(p, expr.region);
    checkPattern(p, region, expr.region->unset, expr.range);
    return region;
  }
  if (expr.kind == sema::RegionExpr::Quote || isAllBlank(expr)) {
    air::Region *region = p.covers[expr.rank].region;
    return isSparse(p, expr) ? region : boundsOf(p, region, expr.range);
  }
  if (expr.kind == sema::RegionExpr::Declared)
    return declaredRegion(p, find(p, expr), expr.range);
  for (const SymbolMap *known : {&p.frame.locals, &p.builder.globals})
    if (air::Region *region = known->anonymous.lookup(&expr))
      return region;
  air::Region *region = makeRegion(p, name, shapeOf(p, expr), expr.range);
  region->text = expr.text;
  region->isSparse = isSparse(p, expr);
  setRegion(p, region, expr);
  // Operators and blank dimensions keep the domain.
  const air::Region *base = p.known.regionValues[region].expr.base;
  if (base)
    region->domain = base->domain;
  return region;
}

air::Region *declaredRegion(ProcedureState &p, air::Array *array,
                            SourceRange range) {
  if (array->declared && !p.builder.followers.contains(array))
    return array->declared;
  air::Region *region = makeRegion(p, "declared", array->shape, range);
  region->domain = array->domain;
  region->isSparse = array->isSparse;
  air::RegionExpr declared;
  declared.kind = air::RegionExpr::Declared;
  declared.array = array;
  emit<air::SetRegionStmt>(p, region, declared, range);
  return region;
}

void open(ProcedureState &p, Cover cover, function_ref<void()> generate) {
  SaveAndRestore outer(p.covers[cover.rank()], cover);
  generate();
}

} // namespace zpl::arraygen
