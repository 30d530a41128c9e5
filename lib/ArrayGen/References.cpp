//===- References.cpp - Array references and their checks -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] B := A@far + >>[k, ] A@^east;
//
//     check read @A over @R at (@far.1) "A@far"
//     region %source = [@k, _] from @R
//     check wrap @A over %source at (...) "A@^east"
//     shift %T = @A by (@far.1) over @R
//     ...
//
// 1. Checks of all references come first, so that a statement that is illegal
//    changes nothing. The directions are evaluated with them, and the regions
//    over which operands are evaluated.
// 2. `A@d` with a constant d for which A has fluff is an element at an offset.
//    Any other direction makes a shifted temporary, which may share A's
//    storage; `A@^d` one that does not. In dimensions that A floods no
//    direction does anything.
//
//===----------------------------------------------------------------------===//

#include "Procedure.h"

using namespace llvm;

namespace zpl::arraygen {

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

/// The compile-time components of a direction, if all are; zeros for none.
static std::optional<air::Offset> constantOffset(const sema::ArrayExpr *expr) {
  air::Offset offset(expr->rank, 0);
  for (auto [d, component] : enumerate(expr->direction)) {
    auto *literal = dyn_cast<sema::LiteralExpr>(component);
    if (!literal)
      return std::nullopt;
    offset[d] = literal->integer;
  }
  return offset;
}

/// The offset at which fluff lets the reference read the array directly.
static std::optional<air::Offset> directOffset(const sema::ArrayExpr *expr,
                                               const air::Shape &shape) {
  std::optional<air::Offset> offset = constantOffset(expr);
  if (!offset || expr->wraps)
    return std::nullopt;
  air::Offset moved = withoutFloods(*offset, shape);
  bool isZero = all_of(moved, [](int64_t c) { return c == 0; });
  if (!isZero && !is_contained(expr->array->directions, *offset))
    return std::nullopt;
  return moved;
}

void ProcedureBuilder::prepareDirection(const sema::ArrayExpr *expr,
                                        bool keep) {
  TemporaryScope scope(*this);
  ExprList direction = operands(expr->direction);
  if (keep)
    for (const air::Expr *&component : direction)
      component = save(component, {}, scope);
  directions[expr] = direction;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void ProcedureBuilder::check(const sema::ArrayExpr *expr,
                             air::CheckStmt::Kind kind, air::Region *over) {
  if (!instance.checked.contains(expr))
    return;
  if (expr->wraps)
    kind = air::CheckStmt::Wrap;
  bool isPlain = kind == air::CheckStmt::Read && expr->direction.empty();
  if (isPlain && isJustChecked(find(expr->array), over))
    return;
  emit<air::CheckStmt>(kind, find(expr->array), over, directions.lookup(expr),
                       expr->text, expr->range);
}

/// Whether among the checks just made was that \p array is declared at the
/// indices of \p over.
bool ProcedureBuilder::isJustChecked(const air::Array *array,
                                     const air::Region *over) const {
  for (const air::Stmt *stmt : reverse(*current)) {
    auto *check = dyn_cast<air::CheckStmt>(stmt);
    if (check && check->array == array && check->region == over &&
        check->direction.empty() &&
        (check->check == air::CheckStmt::Read ||
         check->check == air::CheckStmt::Write))
      return true;
    if (!check && !isa<air::SetRegionStmt>(stmt))
      return false;
  }
  return false;
}

void ProcedureBuilder::prepare(const sema::Expr *expr, Cover over) {
  prepare(expr, over, builder.facts.of(expr).effects);
}

void ProcedureBuilder::prepare(const sema::Expr *expr, Cover over,
                               bool keepDirections) {
  if (!expr->isArray())
    return;
  auto prepareAll = [&](const sema::Expr &operand) {
    prepare(&operand, over, keepDirections);
  };
  if (auto *reference = dyn_cast<sema::ArrayExpr>(expr)) {
    prepareDirection(reference, keepDirections);
    check(reference, air::CheckStmt::Read, over.region);
  } else if (auto *call = dyn_cast<sema::CallExpr>(expr)) {
    if (!isPromoted(call))
      return;
    for (auto [i, arg] : enumerate(call->args)) {
      if (sema::isByReference(argumentMode(call, i)))
        prepareTarget(arg, over);
      else
        prepareAll(*arg);
    }
  } else if (auto *flood = dyn_cast<sema::FloodExpr>(expr)) {
    prepareSource(flood, *flood->source, flood->text, over);
    Cover from = sources.lookup(flood);
    open(from, [&] { prepare(flood->operand, from, keepDirections); });
  } else if (auto *reduce = dyn_cast<sema::ReduceExpr>(expr)) {
    prepareSource(reduce, *reduce->source, reduce->text, over);
    Cover from = sources.lookup(reduce);
    open(from, [&] {
      prepareMask(reduce->mask, from.region);
      prepare(reduce->operand, from, keepDirections);
    });
  } else if (auto *gather = dyn_cast<sema::GatherExpr>(expr)) {
    for (sema::Map map : gather->maps)
      if (map)
        prepareAll(*map);
  } else if (isa<sema::EnclosingMaskExpr>(expr)) {
    if (enclosing.mask.array && instance.checkedSources.contains(expr))
      emit<air::CheckStmt>(air::CheckStmt::Mask, enclosing.mask.array,
                           over.region, ArrayRef<const air::Expr *>(), "\"",
                           expr->range);
  } else {
    sema::forEachOperand(*expr, prepareAll);
  }
}

/// Evaluates the region of a flood or partial reduction.
void ProcedureBuilder::prepareSource(const sema::Expr *expr,
                                     const sema::RegionExpr &region,
                                     StringRef text, Cover over) {
  air::Region *from = evaluate(region, "source");
  sources[expr] = from;
  if (!instance.checkedSources.contains(expr))
    return;
  auto *check = emit<air::CheckStmt>(air::CheckStmt::Conform, nullptr, from,
                                     ArrayRef<const air::Expr *>(), text.str(),
                                     expr->range);
  check->over = over.region;
}

void ProcedureBuilder::prepareTarget(const sema::Expr *place, Cover over,
                                     bool keepDirection) {
  if (const sema::ArrayExpr *array = rootArray(place)) {
    prepareDirection(array, keepDirection);
    check(array, air::CheckStmt::Write, over.region);
  }
  SmallVector<const sema::Expr *, 4> parts;
  addParts(place, parts);
  for (const sema::Expr *part : parts)
    prepare(part, over);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The element of \p array at the current index.
const air::Expr *ProcedureBuilder::elementOf(air::Array *array,
                                             SourceRange range) {
  return module.make<air::ElementExpr>(array, air::Offset(array->rank(), 0),
                                       range);
}

const air::Expr *ProcedureBuilder::element(const sema::ArrayExpr *expr,
                                           Cover over) {
  if (air::Array *standIn = standIns.lookup(expr))
    return elementOf(standIn, expr->range);
  air::Array *array = find(expr->array);
  if (std::optional<air::Offset> offset = directOffset(expr, array->shape))
    return module.make<air::ElementExpr>(array, *offset, expr->range);
  return elementOf(shifted(expr, over), expr->range);
}

/// The array shifted as prepare() found, alive until the scope ends.
air::Array *ProcedureBuilder::shifted(const sema::ArrayExpr *expr, Cover over) {
  air::Array *source = find(expr->array);
  air::Shape shape = over.region->shape;
  for (auto [kind, sourceKind] : zip(shape, source->shape))
    if (sourceKind == air::DimKind::Flood)
      kind = sourceKind;
  air::Array *result = makeArray("T", source->element, shape, expr->range);
  emit<air::ShiftStmt>(result, source, over.region, directions.lookup(expr),
                       expr->wraps, expr->range);
  if (!expr->wraps)
    borrowedFrom[result] = source;
  temporaries.push_back(result);
  return result;
}

} // namespace zpl::arraygen
