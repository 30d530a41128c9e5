//===- Followers.cpp - Arrays over region variables -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var R: region<..>;  A: [R] double;
//
//     region %A.region = [seq(@R[0,0], @R[0,1], @R[0,2], @R[0,3])]
//     alloc @A follows @R                 -- holds nothing as yet
//
//     R := [1..n];
//
//     set @R[0,0] = ...
//     region %R = [seq(@R[0,0], @R[0,1], @R[0,2], @R[0,3])]
//     realloc over @R = %R preserving
//
// The region that such an array was made over is good for that only; later it
// is asked of the array. A variable that consists of regions, or has some among
// its fields, and is assigned as a whole assigns each of them that has a value.
//
// Cost: one statement per assignment of a region variable.
//
//===----------------------------------------------------------------------===//

#include "Followers.h"
#include "Expressions.h"
#include "Operators/Regions.h"
#include "Operators/Sparse.h"
#include "Places.h"
#include "Procedure.h"
#include "Values.h"

using namespace llvm;

namespace zpl::arraygen {

void setDeclared(ProcedureState &p, air::Region *target,
                 const sema::Array *array) {
  if (!array->over)
    return setRegion(p, target, *array->declared);
  SourceRange range = array->range;
  air::RegionExpr value = unleveled(p, *array->declared);
  value.level = levelOf(p, *array->declared);
  if (!value.pattern || !target->domain) {
    emit<air::SetRegionStmt>(p, target, value, range);
    return;
  }
  // Perhaps nothing is kept as yet.
  const air::Expr *has = p.module.make<air::CompareExpr>(
      air::CompareOp::Ne, value.pattern, constant(p, air::Type::I64, 0, range),
      range);
  air::RegionExpr taken, unset;
  taken.base = unset.base = keptRegion(p, *target, value, range);
  unset.kind = air::RegionExpr::Where;
  emit<air::SetRegionStmt>(p, target, unset, range);
  appendTo(p, emit<air::IfStmt>(p, has, range)->thenBody,
           [&] { emit<air::SetRegionStmt>(p, target, taken, range); });
}

void setBorder(ProcedureState &p, air::Region *target,
               const sema::RegionExpr &border, air::Region *declared) {
  target->text = border.text;
  air::RegionExpr value;
  value.kind = air::RegionExpr::Of;
  value.base = declared;
  value.direction = operands(p, border.direction);
  emit<air::SetRegionStmt>(p, target, value, border.range);
}

void allocate(ProcedureState &p, const sema::Array *array, air::Array *made) {
  if (made->borders.empty() && !made->isSparse)
    for (const sema::RegionExpr *border : array->borders) {
      made->borders.push_back(makeRegion(p, array->name + ".border",
                                         shapeOf(p, *border), border->range));
      made->borders.back()->domain = made->domain;
      setBorder(p, made->borders.back(), *border, made->declared);
    }
  auto *alloc = emit<air::AllocArrayStmt>(p, made, array->range);
  if (!array->over)
    return;
  alloc->follows = placeExpr(p, array->over, Cover());
  if (made->isSparse)
    alloc->follows =
        patternPlace(p, alloc->follows, made->rank(), array->range);
  p.builder.followers.insert(made);
}

void reallocate(ProcedureState &p, const air::Expr *variable, sema::Type type,
                bool preserves, SourceRange range) {
  if (type.info()->isSparse)
    return adoptPattern(p, variable, type, range);
  const sema::Shape &shape = type.info()->shape;
  air::Variable *root = air::rootVariable(variable);
  air::Region *region = makeRegion(p, root->name, convert(shape), range);
  region->text = isa<air::VarExpr>(variable) ? root->text : "";
  emit<air::SetRegionStmt>(p, region, storedRegion(p, variable, shape), range);
  emit<air::ReallocStmt>(p, variable, region, preserves, range);
}

static bool hasRegions(sema::Type type) {
  if (type == sema::Type::Region)
    return true;
  if (type == sema::Type::Array)
    return hasRegions(type.info()->element);
  return (type == sema::Type::Record || type == sema::Type::Union) &&
         any_of(type.info()->fields, [](const sema::TypeField &field) {
           return hasRegions(field.type);
         });
}

/// Opens a loop over one dimension of an indexed array, into which is generated
/// from now on; gives its index.
static const air::Expr *openLoop(ProcedureState &p, const air::Bound &lo,
                                 const air::Bound &hi, SourceRange range) {
  auto bound = [&](const air::Bound &b) -> const air::Expr * {
    return b.variable ? variableExpr(p, b.variable, range)
                      : constant(p, air::Type::I64, b.value, range);
  };
  air::Variable *index = makeVariable(p, "index", air::Type::I64, range);
  const air::Expr *read = variableExpr(p, index, range);
  auto *loop = emit<air::ForStmt>(p, read, bound(lo), bound(hi),
                                  constant(p, air::Type::I64, 1, range),
                                  /*down=*/false, range);
  p.current = &loop->body;
  return read;
}

void reallocateParts(ProcedureState &p, const air::Expr *place, sema::Type type,
                     SourceRange range) {
  if (!hasRegions(type))
    return;
  if (type == sema::Type::Region) {
    if (type.info()->isSparse)
      return adoptPattern(p, place, type, range);
    const air::Expr *has =
        hasRegion(p, place, type.info()->shape.size(), range);
    appendTo(p, emit<air::IfStmt>(p, has, range)->thenBody,
             [&] { reallocate(p, place, type, /*preserves=*/true, range); });
    return;
  }
  const sema::TypeInfo &info = *type.info();
  for (auto [i, field] : enumerate(info.fields))
    if (hasRegions(field.type))
      reallocateParts(p,
                      p.module.make<air::FieldExpr>(
                          place, i, typeFor(p, field.type), range),
                      field.type, range);
  if (type != sema::Type::Array)
    return;
  air::StmtList *outer = p.current;
  SmallVector<const air::Expr *, 2> indices;
  for (auto [lo, hi] : zip(place->type.info()->lo, place->type.info()->hi))
    indices.push_back(openLoop(p, lo, hi, range));
  reallocateParts(p,
                  p.module.make<air::SubscriptExpr>(
                      place, indices, "", typeFor(p, info.element), range),
                  info.element, range);
  p.current = outer;
}

static bool hasSparseRegions(sema::Type type) {
  if (type == sema::Type::Region)
    return type.info()->isSparse;
  if (type == sema::Type::Array)
    return hasSparseRegions(type.info()->element);
  return (type == sema::Type::Record || type == sema::Type::Union) &&
         any_of(type.info()->fields, [](const sema::TypeField &field) {
           return hasSparseRegions(field.type);
         });
}

void adoptPatterns(ProcedureState &p, const air::Expr *place, sema::Type type,
                   SourceRange range) {
  if (hasSparseRegions(type))
    reallocateParts(p, place, type, range);
}

} // namespace zpl::arraygen
