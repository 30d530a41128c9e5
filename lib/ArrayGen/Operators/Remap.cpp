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

#include "Procedure.h"
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

/// None is in an array of \p written, nor changed by what \p later does.
ProcedureBuilder::MapList
ProcedureBuilder::maps(ArrayRef<sema::Map> exprs, Cover over,
                       ArrayRef<air::Array *> written,
                       ArrayRef<const sema::Expr *> later, SourceRange range) {
  MapList result;
  for (auto [d, expr] : enumerate(exprs)) {
    SmallVector<const sema::Expr *, 8> rest =
        withoutBlanks(exprs.drop_front(d + 1));
    rest.append(later.begin(), later.end());
    air::Map map;
    map.dim = d;
    if (expr && plainIndex(expr))
      map.dim = plainIndex(expr)->dim;
    else if (expr && expr->isArray())
      map.array = readable(expr, over, written, rest);
    else if (expr)
      map.scalar = operands(expr, {}, {}, rest)[0];
    else if (over.region->shape[d] == air::DimKind::Flood)
      // No index there, but the array is flooded as well: any will do.
      map.scalar = constant(air::Type::I64, 0, range);
    result.push_back(map);
  }
  return result;
}

void ProcedureBuilder::checkMaps(const sema::Expr *place, const MapList &maps,
                                 Cover over, StringRef text,
                                 SourceRange range) {
  auto *check = emit<air::CheckStmt>(
      air::CheckStmt::Maps, find(rootArray(place)), over.region,
      ArrayRef<const air::Expr *>(), text.str(), range);
  check->maps = maps;
  check->mask = over.mask;
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

air::Array *ProcedureBuilder::gathered(const sema::GatherExpr *expr, Cover over,
                                       air::Array *target) {
  SourceRange range = expr->range;
  TemporaryScope scope(*this);
  bind(rootArray(expr->source));
  air::Array *source = find(rootArray(expr->source));
  SmallVector<const sema::Expr *, 4> parts;
  addParts(expr->source, parts);
  ExprList values = operands(parts, {}, {}, withoutBlanks(expr->maps));
  MapList maps = this->maps(expr->maps, over, {}, {}, range);
  checkMaps(expr->source, maps, over, expr->text, range);
  if (!isa<sema::ArrayExpr>(expr->source)) {
    Cover all = declaredRegion(source, range);
    const air::Expr *const *next = values.begin();
    TemporaryScope copy(*this);
    source = store(place(expr->source, next, all), all, copy);
  }
  bool isRead =
      target && (mayShareStorage(source, target) ||
                 any_of(maps, [&](const air::Map &map) {
                   return map.array && mayShareStorage(map.array, target);
                 }));
  if (!target || isRead)
    target = temporaryArray(source->element, over.region, range);
  emit<air::GatherStmt>(target, source, maps, over.region, over.mask, range);
  scope.freeAllBut(target, range);
  return target;
}

//===----------------------------------------------------------------------===//
// Scatters
//===----------------------------------------------------------------------===//

void ProcedureBuilder::buildCombiner(const sema::ScatterStmt &stmt) {
  for (const sema::Variable *variable : {stmt.oldValue, stmt.newValue}) {
    addParameter(variable, /*isShared=*/true);
    air::Variable *made = find(variable);
    made->type = type(variable->type);
  }
  const air::Expr *combined = value(stmt.combine);
  emit<air::SetStmt>(variable(find(stmt.oldValue), stmt.range), combined,
                     stmt.range);
}

air::Procedure *ProcedureBuilder::combiner(const sema::ScatterStmt *stmt) {
  if (!stmt->combine)
    return nullptr;
  air::Procedure *&made = builder.combiners[stmt];
  if (made)
    return made;
  made = module.make<air::Procedure>();
  made->name = builder.names.unique("combine");
  made->sourceName = "combine";
  made->isScalar = true;
  made->range = stmt->range;
  module.procedures.push_back(made);
  ProcedureBuilder(builder, instance, *made).buildCombiner(*stmt);
  return made;
}

void ProcedureBuilder::scatterStatement(const sema::ScatterStmt *stmt) {
  SourceRange range = stmt->range;
  bind(rootArray(stmt->target));
  air::Array *array = find(rootArray(stmt->target));
  Cover over = covers[stmt->rank];
  TemporaryScope scope(*this);
  SaveAndRestore outer(targets, {{array, /*region=*/nullptr}});
  SmallVector<const sema::Expr *, 8> later = withoutBlanks(stmt->maps);
  later.push_back(stmt->value);
  for (const sema::Expr *expr : later)
    prepare(expr, over);
  SmallVector<const sema::Expr *, 4> parts;
  addParts(stmt->target, parts);
  ExprList values = operands(parts, {}, {}, later);
  MapList maps = this->maps(stmt->maps, over, array, stmt->value, stmt->range);
  air::Array *source = readable(stmt->value, over, array);
  checkMaps(stmt->target, maps, over, stmt->text, range);
  auto scatter = [&](air::Array *target) {
    emit<air::ScatterStmt>(target, source, maps, over.region, combiner(stmt),
                           over.mask, range);
  };
  if (isa<sema::ArrayExpr>(stmt->target)) {
    scatter(array);
  } else {
    Cover all = declaredRegion(array, range);
    const air::Expr *const *next = values.begin();
    const air::Expr *part = place(stmt->target, next, all);
    TemporaryScope copy(*this);
    air::Array *elements = store(part, all, copy);
    scatter(elements);
    storeElements(part, elementOf(elements, range), all, range);
  }
  scope.free(range);
}

//===----------------------------------------------------------------------===//
// Boundaries
//===----------------------------------------------------------------------===//

/// The runtime checks an array before it changes it. Several are all checked
/// before the first is changed.
void ProcedureBuilder::boundaryStatement(const sema::BoundaryStmt *stmt) {
  air::Region *base = evaluate(*stmt->base, "base");
  ExprList direction = operands(stmt->direction);
  if (stmt->arrays.size() > 1)
    for (const sema::ArrayExpr *array : stmt->arrays) {
      bind(array);
      emit<air::CheckStmt>(stmt->reflects ? air::CheckStmt::ReflectBorder
                                          : air::CheckStmt::WrapBorder,
                           find(array), base, direction, "", stmt->range);
    }
  for (const sema::ArrayExpr *array : stmt->arrays) {
    bind(array);
    emit<air::BoundaryStmt>(find(array), base, direction, stmt->reflects,
                            stmt->range);
  }
}

} // namespace zpl::arraygen
