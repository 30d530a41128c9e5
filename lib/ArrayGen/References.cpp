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
//    Any other direction, and `A@^d`, makes a shifted temporary, which may
//    share A's storage. Those of one array in a statement are made together.
//    In dimensions that A floods no direction does anything.
//
//===----------------------------------------------------------------------===//

#include "Procedure.h"
#include "zpl/ArrayIR/Walk.h"

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

/// The same of a direction as it is after it was evaluated.
static std::optional<air::Offset>
constantOffset(ArrayRef<const air::Expr *> direction) {
  air::Offset offset;
  for (const air::Expr *component : direction) {
    auto *constant = dyn_cast<air::ConstExpr>(component);
    if (!constant)
      return std::nullopt;
    offset.push_back(constant->integer);
  }
  return offset;
}

/// \p offset in which the reference reads the array of this shape, as fluff
/// lets it do so directly.
static std::optional<air::Offset>
directOffset(const sema::ArrayExpr *expr, const air::Shape &shape,
             const std::optional<air::Offset> &offset) {
  if (!offset || expr->wraps)
    return std::nullopt;
  air::Offset moved = withoutFloods(*offset, shape);
  bool isZero = all_of(moved, [](int64_t c) { return c == 0; });
  if (!isZero && !is_contained(expr->array->directions, *offset))
    return std::nullopt;
  return moved;
}

/// Evaluates which array of a family is meant, and in which direction.
void ProcedureBuilder::prepareDirection(const sema::ArrayExpr *expr,
                                        bool keep) {
  bind(expr);
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
  checkedReferences[expr] = {kind, over, parallelCalls};
  bool isPlain = kind == air::CheckStmt::Read && expr->direction.empty();
  if (isPlain && isJustChecked(find(expr), over))
    return;
  emit<air::CheckStmt>(kind, find(expr), over, directions.lookup(expr),
                       expr->text, expr->range);
}

void ProcedureBuilder::checkAgain(const sema::ArrayExpr *expr) {
  auto known = checkedReferences.find(expr);
  bool mayMove =
      expr->array->over || expr->array->storage == sema::Storage::Param;
  if (!mayMove || known == checkedReferences.end() ||
      known->second.parallelCalls == parallelCalls)
    return;
  Checked &last = known->second;
  last.parallelCalls = parallelCalls;
  emit<air::CheckStmt>(last.kind, find(expr), last.over,
                       directions.lookup(expr), expr->text, expr->range);
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
    if (!check && !isa<air::SetRegionStmt, air::BindArrayStmt>(stmt))
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
  checkAgain(expr);
  air::Array *array = find(expr);
  std::optional<air::Offset> offset =
      movedTo ? constantOffset(distance(expr)) : constantOffset(expr);
  if ((offset = directOffset(expr, array->shape, offset))) {
    if (expr->isPrimed)
      addPrimed(array, *offset);
    return module.make<air::ElementExpr>(array, *offset, expr->range);
  }
  assert(!expr->isPrimed && "not served by fluff");
  return elementOf(shifted(expr, over), expr->range);
}

bool ProcedureBuilder::isReadDirectly(const sema::ArrayExpr *expr) const {
  std::optional<air::Offset> offset =
      directOffset(expr, find(expr)->shape, constantOffset(expr));
  return offset && offset == constantOffset(expr) &&
         any_of(*offset, [](int64_t c) { return c != 0; });
}

bool ProcedureBuilder::isSameElement(const sema::ArrayExpr *a,
                                     const sema::ArrayExpr *b) {
  std::optional<air::Offset> offset = constantOffset(a);
  return a->array == b->array && a->wraps == b->wraps && offset &&
         offset == constantOffset(b) && a->subscripts.empty() &&
         b->subscripts.empty();
}

/// Whether executing \p stmt leaves the elements of \p source alone, and the
/// values of variables.
bool ProcedureBuilder::mayBePassed(const air::Stmt *stmt,
                                   const air::Array *source) const {
  if (auto *assign = dyn_cast<air::ArrayAssignStmt>(stmt))
    return !mayShareStorage(air::rootElement(assign->target)->array, source);
  if (auto *bind = dyn_cast<air::BindArrayStmt>(stmt))
    return bind->array != source;
  return isa<air::ShiftStmt, air::FloodStmt, air::CheckStmt, air::SetRegionStmt,
             air::AllocArrayStmt, air::FreeArrayStmt>(stmt);
}

/// Whether \p stmt does nothing but to give a variable a value that a direction
/// does not depend on.
static bool setsOther(const air::Stmt *stmt,
                      ArrayRef<const air::Expr *> direction) {
  auto *set = dyn_cast<air::SetStmt>(stmt);
  auto *target = set ? dyn_cast<air::VarExpr>(set->target) : nullptr;
  bool isOther = target && target->variable->storage == air::Storage::Local;
  auto look = [&](const air::Expr &e) {
    auto *read = dyn_cast<air::VarExpr>(&e);
    isOther &=
        !isa<air::CallExpr>(e) && !(read && read->variable == target->variable);
  };
  if (!isOther)
    return false;
  for (const air::Expr *component : direction)
    air::forEachExpr(*component, look);
  air::forEachExpr(*set->value, [&](const air::Expr &e) {
    isOther &= !isa<air::CallExpr>(e);
  });
  return isOther;
}

/// A shift of \p source in the same statement that may make one more array, by
/// \p direction.
air::ShiftStmt *
ProcedureBuilder::openShift(const air::Array *source, const air::Region *region,
                            ArrayRef<const air::Expr *> direction) const {
  for (size_t i = current->size(); i > statementStart; --i) {
    air::Stmt *stmt = (*current)[i - 1];
    auto *shift = dyn_cast<air::ShiftStmt>(stmt);
    if (shift && shift->source == source && shift->region == region)
      return shift;
    if (!mayBePassed(stmt, source) && !setsOther(stmt, direction))
      return nullptr;
  }
  return nullptr;
}

/// The array shifted as prepare() found, alive until the scope ends.
air::Array *ProcedureBuilder::shifted(const sema::ArrayExpr *expr, Cover over) {
  air::Array *source = find(expr);
  air::Shape shape = over.region->shape;
  for (auto [kind, sourceKind] : zip(shape, source->shape))
    if (air::isPerProcessor(sourceKind))
      kind = sourceKind;
  air::Array *result = makeArray("T", source->element, shape, expr->range);
  air::ShiftView view = {result, distance(expr), expr->wraps};
  if (air::ShiftStmt *shift = openShift(source, over.region, view.direction))
    shift->views.push_back(view);
  else
    emit<air::ShiftStmt>(source, over.region, view, expr->range);
  borrowedFrom[result] = source;
  temporaries.push_back(result);
  return result;
}

} // namespace zpl::arraygen
