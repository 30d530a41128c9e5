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

#include "References.h"
#include "Expressions.h"
#include "Families.h"
#include "Operators/Domains.h"
#include "Operators/Masks.h"
#include "Operators/Regions.h"
#include "Operators/ShiftedTargets.h"
#include "Operators/Waves.h"
#include "Places.h"
#include "Procedure.h"
#include "Statements/ArrayStatements.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::arraygen {

//===----------------------------------------------------------------------===//
// Directions
//===----------------------------------------------------------------------===//

std::optional<air::Offset> constantOffset(const sema::ArrayExpr *expr) {
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

/// The offset of a reference, as the text has it or as its direction was
/// evaluated.
static std::optional<air::Offset> knownOffset(const ProcedureState &p,
                                              const sema::ArrayExpr *expr) {
  if (std::optional<air::Offset> offset = constantOffset(expr))
    return offset;
  auto evaluated = p.statement.directions.find(expr);
  return evaluated != p.statement.directions.end()
             ? constantOffset(evaluated->second)
             : std::nullopt;
}

/// \p offset in which the reference reads the array, as fluff lets it do so
/// directly; in a scattered domain there is none.
static std::optional<air::Offset>
directOffset(const sema::ArrayExpr *expr, const air::Array &array,
             const std::optional<air::Offset> &offset) {
  if (!offset || expr->wraps)
    return std::nullopt;
  air::Offset moved = withoutFloods(*offset, array.shape);
  bool isZero = all_of(moved, [](int64_t c) { return c == 0; });
  bool hasFluff = is_contained(expr->array->directions, *offset) &&
                  !isScattered(array.domain);
  // The elements of sparse arrays are fetched, from anywhere.
  hasFluff |= array.isSparse;
  if (!isZero && !hasFluff)
    return std::nullopt;
  return moved;
}

static bool isJustChecked(const ProcedureState &p, const air::Array *array,
                          const air::Region *over);
static void prepare(ProcedureState &p, const sema::Expr *expr, Cover over,
                    bool keepDirections);
static void prepareSource(ProcedureState &p, const sema::Expr *expr,
                          const sema::RegionExpr &region, llvm::StringRef text,
                          Cover over);
static air::Array *shifted(ProcedureState &p, const sema::ArrayExpr *expr,
                           Cover over);

/// Evaluates which array of a family is meant, and in which direction.
static void prepareDirection(ProcedureState &p, const sema::ArrayExpr *expr,
                             bool keep) {
  bind(p, expr);
  TemporaryScope scope(p);
  ExprList direction = operands(p, expr->direction);
  if (keep)
    for (const air::Expr *&component : direction)
      component = save(p, component, {}, scope);
  p.statement.directions[expr] = direction;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

void check(ProcedureState &p, const sema::ArrayExpr *expr,
           air::CheckStmt::Kind kind, air::Region *over) {
  if (!p.instance.checked.contains(expr))
    return;
  if (expr->wraps)
    kind = air::CheckStmt::Wrap;
  p.statement.checkedReferences[expr] = {kind, over, p.known.parallelCalls};
  bool isPlain = kind == air::CheckStmt::Read && expr->direction.empty();
  if (isPlain && isJustChecked(p, find(p, expr), over))
    return;
  emit<air::CheckStmt>(p, kind, find(p, expr), over,
                       p.statement.directions.lookup(expr), expr->text,
                       expr->range);
}

void checkAgain(ProcedureState &p, const sema::ArrayExpr *expr) {
  auto known = p.statement.checkedReferences.find(expr);
  bool mayMove =
      expr->array->over || expr->array->storage == sema::Storage::Param;
  if (!mayMove || known == p.statement.checkedReferences.end() ||
      known->second.parallelCalls == p.known.parallelCalls)
    return;
  Checked &last = known->second;
  last.parallelCalls = p.known.parallelCalls;
  emit<air::CheckStmt>(p, last.kind, find(p, expr), last.over,
                       p.statement.directions.lookup(expr), expr->text,
                       expr->range);
}

/// Whether among the checks just made was that \p array is declared at the
/// indices of \p over.
static bool isJustChecked(const ProcedureState &p, const air::Array *array,
                          const air::Region *over) {
  for (const air::Stmt *stmt : reverse(*p.current)) {
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

void prepare(ProcedureState &p, const sema::Expr *expr, Cover over) {
  prepare(p, expr, over, p.builder.facts.of(expr).effects);
}

/// The mask of the enclosing scope must have all indices of \p over.
static void checkEnclosingMask(ProcedureState &p, const sema::Expr *mask,
                               Cover over) {
  if (p.enclosing.mask.array && p.instance.checkedSources.contains(mask))
    emit<air::CheckStmt>(p, air::CheckStmt::Mask, p.enclosing.mask.array,
                         over.region, ArrayRef<const air::Expr *>(), "\"",
                         mask->range);
}

static void prepare(ProcedureState &p, const sema::Expr *expr, Cover over,
                    bool keepDirections) {
  if (!expr->isArray())
    return;
  auto prepareAll = [&](const sema::Expr &operand) {
    prepare(p, &operand, over, keepDirections);
  };
  if (auto *reference = dyn_cast<sema::ArrayExpr>(expr)) {
    prepareDirection(p, reference, keepDirections);
    check(p, reference, air::CheckStmt::Read, over.region);
  } else if (auto *call = dyn_cast<sema::CallExpr>(expr)) {
    if (!isPromoted(call))
      return;
    for (auto [i, arg] : enumerate(call->args)) {
      if (sema::isByReference(argumentMode(call, i)))
        prepareTarget(p, arg, over);
      else
        prepareAll(*arg);
    }
  } else if (auto *flood = dyn_cast<sema::FloodExpr>(expr)) {
    prepareSource(p, flood, *flood->source, flood->text, over);
    Cover from = p.statement.sources.lookup(flood);
    open(p, from, [&] { prepare(p, flood->operand, from, keepDirections); });
  } else if (auto *reduce = dyn_cast<sema::ReduceExpr>(expr)) {
    prepareSource(p, reduce, *reduce->source, reduce->text, over);
    Cover from = p.statement.sources.lookup(reduce);
    open(p, from, [&] {
      prepareMask(p, reduce->mask, from.region);
      prepare(p, reduce->operand, from, keepDirections);
    });
  } else if (auto *gather = dyn_cast<sema::GatherExpr>(expr)) {
    for (sema::Map map : gather->maps)
      if (map)
        prepareAll(*map);
  } else if (isa<sema::EnclosingMaskExpr>(expr)) {
    checkEnclosingMask(p, expr, over);
  } else {
    sema::forEachOperand(*expr, prepareAll);
  }
}

/// Evaluates the region of a flood or partial reduction.
static void prepareSource(ProcedureState &p, const sema::Expr *expr,
                          const sema::RegionExpr &region, StringRef text,
                          Cover over) {
  air::Region *from = evaluate(p, region, "source");
  p.statement.sources[expr] = from;
  if (!p.instance.checkedSources.contains(expr))
    return;
  auto *check = emit<air::CheckStmt>(p, air::CheckStmt::Conform, nullptr, from,
                                     ArrayRef<const air::Expr *>(), text.str(),
                                     expr->range);
  check->over = over.region;
}

void prepareTarget(ProcedureState &p, const sema::Expr *place, Cover over,
                   bool keepDirection) {
  if (const sema::ArrayExpr *array = rootArray(place)) {
    prepareDirection(p, array, keepDirection);
    check(p, array, air::CheckStmt::Write, over.region);
  }
  SmallVector<const sema::Expr *, 4> parts;
  addParts(place, parts);
  for (const sema::Expr *part : parts)
    prepare(p, part, over);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

const air::Expr *elementOf(ProcedureState &p, air::Array *array,
                           SourceRange range) {
  return p.module.make<air::ElementExpr>(array, air::Offset(array->rank(), 0),
                                         range);
}

const air::Expr *element(ProcedureState &p, const sema::ArrayExpr *expr,
                         Cover over) {
  if (air::Array *standIn = p.statement.standIns.lookup(expr))
    return elementOf(p, standIn, expr->range);
  checkAgain(p, expr);
  air::Array *array = find(p, expr);
  std::optional<air::Offset> offset = p.statement.movedTo
                                          ? constantOffset(distance(p, expr))
                                          : knownOffset(p, expr);
  if ((offset = directOffset(expr, *array, offset))) {
    if (expr->isPrimed)
      addPrimed(p.statement, array, *offset);
    return p.module.make<air::ElementExpr>(array, *offset, expr->range);
  }
  assert(!expr->isPrimed && "not served by fluff");
  return elementOf(p, shifted(p, expr, over), expr->range);
}

bool isReadDirectly(const ProcedureState &p, const sema::ArrayExpr *expr) {
  std::optional<air::Offset> known = knownOffset(p, expr);
  std::optional<air::Offset> offset = directOffset(expr, *find(p, expr), known);
  return offset && offset == known &&
         any_of(*offset, [](int64_t c) { return c != 0; });
}

bool isSameElement(const sema::ArrayExpr *a, const sema::ArrayExpr *b) {
  std::optional<air::Offset> offset = constantOffset(a);
  return a->array == b->array && a->wraps == b->wraps && offset &&
         offset == constantOffset(b) && a->subscripts.empty() &&
         b->subscripts.empty();
}

/// Whether executing \p stmt leaves the elements of \p source alone, and the
/// values of variables.
static bool mayBePassed(const ProcedureState &p, const air::Stmt *stmt,
                        const air::Array *source) {
  if (auto *assign = dyn_cast<air::ArrayAssignStmt>(stmt))
    return !mayShareStorage(p, air::rootElement(assign->target)->array, source);
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
static air::ShiftStmt *openShift(const ProcedureState &p,
                                 const air::Array *source,
                                 const air::Region *region,
                                 ArrayRef<const air::Expr *> direction) {
  for (size_t i = p.current->size(); i > p.statement.start; --i) {
    air::Stmt *stmt = (*p.current)[i - 1];
    auto *shift = dyn_cast<air::ShiftStmt>(stmt);
    if (shift && shift->source == source && shift->region == region)
      return shift;
    if (!mayBePassed(p, stmt, source) && !setsOther(stmt, direction))
      return nullptr;
  }
  return nullptr;
}

/// The array shifted as prepare() found, alive until the scope ends.
static air::Array *shifted(ProcedureState &p, const sema::ArrayExpr *expr,
                           Cover over) {
  air::Array *source = find(p, expr);
  air::Shape shape = over.region->shape;
  for (auto [kind, sourceKind] : zip(shape, source->shape))
    if (air::isPerProcessor(sourceKind))
      kind = sourceKind;
  air::Array *result = makeArray(p, "T", source->element, shape, expr->range);
  air::ShiftView view = {result, distance(p, expr), expr->wraps};
  if (air::ShiftStmt *shift = openShift(p, source, over.region, view.direction))
    shift->views.push_back(view);
  else
    emit<air::ShiftStmt>(p, source, over.region, view, expr->range);
  p.known.borrowedFrom[result] = source;
  p.frame.temporaries.push_back(result);
  return result;
}

} // namespace zpl::arraygen
