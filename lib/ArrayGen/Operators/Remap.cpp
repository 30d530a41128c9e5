//===- Remap.cpp - Gathers, scatters, boundaries --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] B := A#[I + 1, Index2];         alloc %T over @R
//                                         [@R] %T = add(@I, i32 1)
//                                         check maps @A at (%T, index(1)) ...
//                                         gather @B = @A at (%T, index(1)) ...
//
//     [R] H#[K] += 1;                     alloc %T over @R
//                                         [@R] %T = i32 1
//                                         check maps @H at (@K) over @R
//                                         scatter @H at (@K) = %T over @R
//                                           with @combine
//
// Maps are arrays, scalars and indices, and all values are arrays, computed and
// checked before anything is changed. What a scatter combines elements with is
// a small scalar procedure of its own, `set %old = add(%old, %new)`.
//
// A part of the elements, `P.x#[I]`, is copied into an array of its own first,
// and back after a scatter.
//
//===----------------------------------------------------------------------===//

#include "Operators/Remap.h"
#include "Expressions.h"
#include "Families.h"
#include "Operators/Regions.h"
#include "Places.h"
#include "Procedure.h"
#include "References.h"
#include "Statements/ArrayStatements.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// `Index2`, perhaps as a longint.
static const sema::IndexExpr *plainIndex(sema::Map map) {
  if (auto *conversion = dyn_cast<sema::CastExpr>(map))
    map = conversion->operand;
  return dyn_cast<sema::IndexExpr>(map);
}

static SmallVector<const sema::Expr *, 8>
withoutBlanks(ArrayRef<sema::Map> maps) {
  SmallVector<const sema::Expr *, 8> result;
  copy_if(maps, std::back_inserter(result), [](sema::Map map) { return map; });
  return result;
}

/// A map that is element code of I32 or I64 and may be evaluated later: null if
/// it is an array itself, or has to be stored now.
static const air::Expr *mapExpr(ProcedureState &p, const sema::Expr *expr,
                                Cover over, ArrayRef<air::Array *> written,
                                ArrayRef<const sema::Expr *> later) {
  auto hasEffects = [&](const sema::Expr *e) {
    return p.builder.facts.of(e).effects;
  };
  Facts facts = p.builder.facts.of(expr);
  if (p.statement.openWave || facts.hoists || facts.effects ||
      any_of(later, hasEffects))
    return nullptr;
  const air::Expr *made = value(p, expr, over);
  bool isGood = !isa<air::ElementExpr>(made);
  air::forEachExpr(*made, [&](const air::Expr &e) {
    auto *element = dyn_cast<air::ElementExpr>(&e);
    isGood = isGood && !isa<air::CallExpr>(e) &&
             !(element && (element->isShifted() ||
                           isAnyWritten(p, written, element->array)));
  });
  return isGood ? made : nullptr;
}

/// None is in an array of \p written, nor changed by what \p later does.
static MapList mapList(ProcedureState &p, ArrayRef<sema::Map> exprs, Cover over,
                       ArrayRef<air::Array *> written,
                       ArrayRef<const sema::Expr *> later, SourceRange range) {
  MapList result;
  for (auto [d, expr] : enumerate(exprs)) {
    SmallVector<const sema::Expr *, 8> rest =
        withoutBlanks(exprs.drop_front(d + 1));
    rest.append(later.begin(), later.end());
    air::Map &map = result.emplace_back();
    map.dim = d;
    if (expr && plainIndex(expr))
      map.dim = plainIndex(expr)->dim;
    else if (expr && expr->isArray() &&
             (map.value = mapExpr(p, expr, over, written, rest)))
      continue;
    else if (expr && expr->isArray())
      map.array = readable(p, expr, over, written, rest);
    else if (expr)
      map.scalar = operands(p, expr, {}, {}, rest)[0];
    else if (over.region->shape[d] == air::DimKind::Flood)
      // No index there, but the array is flooded as well: any will do.
      map.scalar = constant(p, air::Type::I64, 0, range);
  }
  return result;
}

static void checkMaps(ProcedureState &p, const sema::Expr *place,
                      const MapList &maps, Cover over, StringRef text,
                      SourceRange range) {
  auto *check = emit<air::CheckStmt>(
      p, air::CheckStmt::Maps, find(p, rootArray(place)), over.region,
      ArrayRef<const air::Expr *>(), text.str(), range);
  check->maps = maps;
  check->mask = over.mask;
}

/// Whether a map reads elements that may be those of \p array.
static bool readsArray(const ProcedureState &p, const air::Map &map,
                       const air::Array *array) {
  bool found = map.array && mayShareStorage(p, map.array, array);
  if (map.value)
    air::forEachExpr(*map.value, [&](const air::Expr &e) {
      auto *element = dyn_cast<air::ElementExpr>(&e);
      found |= element && mayShareStorage(p, element->array, array);
    });
  return found;
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

air::Array *gathered(ProcedureState &p, const sema::GatherExpr *expr,
                     Cover over, air::Array *target) {
  SourceRange range = expr->range;
  TemporaryScope scope(p);
  bind(p, rootArray(expr->source));
  air::Array *source = find(p, rootArray(expr->source));
  SmallVector<const sema::Expr *, 4> parts;
  addParts(expr->source, parts);
  ExprList values = operands(p, parts, {}, {}, withoutBlanks(expr->maps));
  MapList maps = mapList(p, expr->maps, over, {}, {}, range);
  checkMaps(p, expr->source, maps, over, expr->text, range);
  if (!isa<sema::ArrayExpr>(expr->source)) {
    Cover all = declaredRegion(p, source, range);
    const air::Expr *const *next = values.begin();
    TemporaryScope copy(p);
    source = store(p, placeExpr(p, expr->source, next, all), all, copy);
  }
  bool isRead = target && (mayShareStorage(p, source, target) ||
                           any_of(maps, [&](const air::Map &map) {
                             return readsArray(p, map, target);
                           }));
  if (!target || isRead)
    target = temporaryArray(p, source->element, over.region, range);
  emit<air::GatherStmt>(p, target, source, maps, over.region, over.mask, range);
  scope.freeAllBut(target, range);
  return target;
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

/// The body of what a scatter combines elements with.
static void buildCombiner(ProcedureState &p, const sema::ScatterStmt &stmt) {
  for (const sema::Variable *variable : {stmt.oldValue, stmt.newValue}) {
    addParameter(p, variable, /*isShared=*/true);
    air::Variable *made = find(p, variable);
    made->type = typeFor(p, variable->type);
  }
  const air::Expr *combined = value(p, stmt.combine);
  emit<air::SetStmt>(p, variableExpr(p, find(p, stmt.oldValue), stmt.range),
                     combined, stmt.range);
}

static air::Procedure *combiner(ProcedureState &p,
                                const sema::ScatterStmt *stmt) {
  if (!stmt->combine)
    return nullptr;
  air::Procedure *&made = p.builder.combiners[stmt];
  if (made)
    return made;
  made = p.module.make<air::Procedure>();
  made->name = p.builder.names.unique("combine");
  made->sourceName = "combine";
  made->isScalar = true;
  made->range = stmt->range;
  p.module.procedures.push_back(made);
  ProcedureState combiner(p.builder, p.instance, *made);
  buildCombiner(combiner, *stmt);
  return made;
}

void scatterStatement(ProcedureState &p, const sema::ScatterStmt *stmt) {
  SourceRange range = stmt->range;
  bind(p, rootArray(stmt->target));
  air::Array *array = find(p, rootArray(stmt->target));
  Cover over = p.covers[stmt->rank];
  TemporaryScope scope(p);
  SaveAndRestore outer(p.statement.targets, {{array, /*region=*/nullptr}});
  SmallVector<const sema::Expr *, 8> later = withoutBlanks(stmt->maps);
  later.push_back(stmt->value);
  for (const sema::Expr *expr : later)
    prepare(p, expr, over);
  SmallVector<const sema::Expr *, 4> parts;
  addParts(stmt->target, parts);
  ExprList values = operands(p, parts, {}, {}, later);
  MapList maps = mapList(p, stmt->maps, over, array, stmt->value, stmt->range);
  air::Array *source = readable(p, stmt->value, over, array);
  checkMaps(p, stmt->target, maps, over, stmt->text, range);
  auto scatter = [&](air::Array *target) {
    auto *made = emit<air::ScatterStmt>(p, target, source, maps, over.region,
                                        combiner(p, stmt), over.mask, range);
    made->ordered = made->combine && p.builder.options.reproducible &&
                    (target->element.isFloat() || target->element.isComplex());
  };
  if (isa<sema::ArrayExpr>(stmt->target)) {
    scatter(array);
  } else {
    Cover all = declaredRegion(p, array, range);
    const air::Expr *const *next = values.begin();
    const air::Expr *part = placeExpr(p, stmt->target, next, all);
    TemporaryScope copy(p);
    air::Array *elements = store(p, part, all, copy);
    if (elements->isSparse) // which may lack an index
      elements->text = StringRef(stmt->text).split('#').first.str();
    scatter(elements);
    storeElements(p, part, elementOf(p, elements, range), all, range);
  }
  scope.free(range);
}

//===----------------------------------------------------------------------===//
// Boundaries
//===----------------------------------------------------------------------===//

void boundaryStatement(ProcedureState &p, const sema::BoundaryStmt *stmt) {
  air::Region *base = evaluate(p, *stmt->base, "base");
  ExprList direction = operands(p, stmt->direction);
  if (stmt->arrays.size() > 1)
    for (const sema::ArrayExpr *array : stmt->arrays) {
      bind(p, array);
      emit<air::CheckStmt>(p,
                           stmt->reflects ? air::CheckStmt::ReflectBorder
                                          : air::CheckStmt::WrapBorder,
                           find(p, array), base, direction, "", stmt->range);
    }
  for (const sema::ArrayExpr *array : stmt->arrays) {
    bind(p, array);
    emit<air::BoundaryStmt>(p, find(p, array), base, direction, stmt->reflects,
                            stmt->range);
  }
}

} // namespace zpl::arraygen
