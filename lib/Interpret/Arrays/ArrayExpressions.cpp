//===- ArrayExpressions.cpp - Array expressions as a whole ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What of an array expression happens once for the whole region, before its
// elements are evaluated. In
//
//     [R with M] A := B@d[k] * f(x) + >>[S] C
//
// that is: the direction d[k], with which every index of R must lie in B,
// whatever the mask says; the call f(x); the flood, an array of its own over S.
// The elements are then evaluated where M is true.
//
//===----------------------------------------------------------------------===//

#include "Arrays/ArrayExpressions.h"
#include "Arrays/Families.h"
#include "Arrays/Folds.h"
#include "Arrays/Operators.h"
#include "Calls.h"
#include "Declarations.h"
#include "Errors.h"
#include "Expressions.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Run.h"
#include "zpl/Sema/Visit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::interpreter {

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// Whether evaluating the expression may change an array.
static bool hasEffects(const sema::Expr &expr) {
  bool result = false;
  if (auto *call = dyn_cast<sema::CallExpr>(&expr)) {
    result = call->callee->isParallel;
    for (const sema::Symbol *formal : call->callee->params) {
      auto *variable = dyn_cast<sema::Variable>(formal);
      result |= variable && sema::isByReference(variable->mode);
    }
  }
  sema::forEachOperand(expr, [&](const sema::Expr &operand) {
    result = result || hasEffects(operand);
  });
  return result;
}

static bool hasEffects(ArrayRef<const sema::Expr *> exprs) {
  return any_of(exprs,
                [](const sema::Expr *expr) { return hasEffects(*expr); });
}

static void checkReference(Run &run, const sema::ArrayExpr *expr,
                           const Prepared &prepared, bool isWrite);

void prepareInOrder(Run &run, ArrayRef<const sema::Expr *> exprs,
                    Prepared &prepared) {
  for (auto [i, expr] : enumerate(exprs)) {
    prepare(run, expr, prepared);
    bool isMade = !expr->isArray() || prepared.arrays.count(expr);
    if (!isMade && !run.scopes.inWave && hasEffects(exprs.drop_front(i + 1)))
      prepared.arrays[expr] = materialize(run, expr, prepared);
  }
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

void prepareReferences(Run &run, const sema::Expr &expr, Prepared &prepared) {
  if (isa<sema::FloodExpr, sema::ReduceExpr, sema::ScanExpr, sema::GatherExpr>(
          expr))
    return;
  if (auto *array = dyn_cast<sema::ArrayExpr>(&expr)) {
    prepared.members[array] = &find(run, array);
    prepared.directions[array] = evaluate(run, array->direction);
    return;
  }
  sema::forEachOperand(expr, [&](const sema::Expr &operand) {
    if (operand.isArray())
      prepareReferences(run, operand, prepared);
  });
}

static void prepareReference(Run &run, const sema::ArrayExpr *expr,
                             Prepared &prepared, bool isWrite) {
  if (!prepared.members.count(expr))
    prepareReferences(run, *expr, prepared);
  checkReference(run, expr, prepared, isWrite);
}

static void checkReference(Run &run, const sema::ArrayExpr *expr,
                           const Prepared &prepared, bool isWrite) {
  const char *verb = isWrite ? "writes" : "reads";
  const ArrayStorage &array = *prepared.members.lookup(expr);
  const Components &direction = prepared.directions.find(expr)->second;
  if (expr->wraps)
    checkWraps(run, expr, array, *prepared.over.region, direction);
  else
    checkInside(run, expr, array, *prepared.over.region, direction, verb);
  if (isWrite)
    checkStored(run, expr, array, prepared);
}

void checkTargets(Run &run, const Prepared &prepared) {
  for (const sema::ArrayExpr *target : prepared.targets)
    checkReference(run, target, prepared, /*isWrite=*/true);
}

void prepareParts(Run &run, const sema::Expr *place, Prepared &prepared) {
  if (auto *field = dyn_cast<sema::FieldExpr>(place)) {
    prepareParts(run, field->base, prepared);
  } else if (auto *subscript = dyn_cast<sema::SubscriptExpr>(place)) {
    prepareParts(run, subscript->base, prepared);
    prepareInOrder(run, subscript->subscripts, prepared);
  } else if (!isa<sema::VariableExpr, sema::ArrayExpr, sema::IrvExpr>(place)) {
    prepare(run, place, prepared);
  }
}

void prepareTarget(Run &run, const sema::Expr *place, Prepared &prepared) {
  if (auto *array = dyn_cast<sema::ArrayExpr>(sema::rootOf(place))) {
    prepareReference(run, array, prepared, /*isWrite=*/true);
    prepared.targets.push_back(array);
  }
  prepareParts(run, place, prepared);
}

/// A call for each element that writes none is made when its element is
/// wanted; one with reference arguments has all its other arguments evaluated
/// before it writes anything.
static void prepareCall(Run &run, const sema::CallExpr *call,
                        Prepared &prepared) {
  if (call->callee->resultRank) {
    prepared.arrays[call] = callForArray(run, call);
    return;
  }
  bool writes = false;
  SmallVector<const sema::Expr *, 4> values;
  for (auto [arg, formal] : zip(call->args, call->callee->params)) {
    bool isReference = sema::isByReference(cast<sema::Variable>(formal)->mode);
    writes |= isReference;
    if (isReference)
      prepareTarget(run, arg, prepared);
    else
      values.push_back(arg);
  }
  prepareInOrder(run, values, prepared);
  if (!writes || run.scopes.inWave)
    return;
  Frame temporaries;
  std::vector<std::vector<Argument>> calls;
  forEachAdmitted(prepared, [&](const At &at) {
    calls.push_back(arguments(run, call, &at, temporaries));
  });
  auto next = calls.begin();
  bool hasResult = call->type != Type::Void;
  std::unique_ptr<ArrayStorage> results;
  if (hasResult)
    results = temporary(run, call->type, *prepared.over.region, call->range);
  forEachAdmitted(prepared, [&](const At &at) {
    Value value = invoke(run, call->callee, *next++, call->range);
    if (hasResult)
      store(call->type, results->at(at.index), value);
  });
  prepared.arrays[call] = std::move(results);
}

/// A region as an array of booleans, over the region of the expression; false
/// outside of its bounds, too.
static std::unique_ptr<ArrayStorage> patternArray(Run &run,
                                                  const sema::PatternExpr *expr,
                                                  const Prepared &prepared) {
  Region region = evaluate(run, *expr->region);
  const Region &over = *prepared.over.region;
  std::unique_ptr<ArrayStorage> result =
      temporary(run, expr->type, over, expr->range);
  forEachIndex(over, [&](const Index &index) {
    *result->at(index) = region.contains(index);
  });
  return result;
}

/// The region is evaluated once, and asked for each index.
static void prepareInside(Run &run, const sema::InsideExpr *expr,
                          Prepared &prepared) {
  prepareInOrder(run, expr->indices, prepared);
  Region region = evaluate(run, *expr->region);
  std::unique_ptr<ArrayStorage> result =
      temporary(run, expr->type, *prepared.over.region, expr->range);
  forEachAdmitted(prepared, [&](const At &at) {
    Index asked{};
    for (auto [d, index] : enumerate(expr->indices))
      asked[d] = eval(run, index, &at).integer;
    *result->at(at.index) = region.contains(asked);
  });
  prepared.arrays[expr] = std::move(result);
}

namespace {

/// Prepares each kind of array expression.
struct Preparation {
  Run &run;
  Prepared &prepared;

  void of(const sema::ArrayExpr &e) {
    prepareReference(run, &e, prepared, /*isWrite=*/false);
  }
  void of(const OneOf<sema::FieldExpr, sema::SubscriptExpr> auto &e) {
    if (auto *array = dyn_cast<sema::ArrayExpr>(sema::rootOf(&e)))
      prepareReference(run, array, prepared, /*isWrite=*/false);
    prepareParts(run, &e, prepared);
  }
  void of(const sema::CallExpr &e) { prepareCall(run, &e, prepared); }
  void of(const sema::FloodExpr &e) {
    prepared.arrays[&e] = flood(run, &e, prepared.over);
  }
  void of(const sema::ReduceExpr &e) {
    prepared.arrays[&e] = reducePartially(run, &e, prepared.over);
  }
  void of(const sema::ScanExpr &e) {
    prepared.arrays[&e] = scan(run, &e, prepared);
  }
  void of(const sema::GatherExpr &e) {
    prepared.arrays[&e] = gather(run, &e, prepared);
  }
  void of(const sema::PatternExpr &e) {
    prepared.arrays[&e] = patternArray(run, &e, prepared);
  }
  void of(const sema::InsideExpr &e) { prepareInside(run, &e, prepared); }
  void of(const OneOf<sema::IndexExpr, sema::EnclosingMaskExpr> auto &) {}
  void of(const OneOf<sema::UnaryExpr, sema::BinaryExpr, sema::CompareExpr,
                      sema::FmaExpr, sema::CastExpr, sema::MathExpr,
                      sema::ComplexExpr> auto &e) {
    SmallVector<const sema::Expr *, 4> operands;
    sema::forEachOperand(
        e, [&](const sema::Expr &operand) { operands.push_back(&operand); });
    prepareInOrder(run, operands, prepared);
  }
  void
  of(const OneOf<sema::LiteralExpr, sema::VariableExpr, sema::ComponentExpr,
                 sema::RegionBoundExpr, sema::RegionValueExpr,
                 sema::DirectionValueExpr, sema::TimerExpr,
                 sema::ProcessorsExpr, sema::GridPlaceExpr, sema::BuiltinExpr,
                 sema::IrvExpr> auto &) {
    llvm_unreachable("never an array expression");
  }
};

} // namespace

void prepare(Run &run, const sema::Expr *expr, Prepared &prepared) {
  if (!expr->isArray()) {
    if (!isa<sema::LiteralExpr>(expr))
      prepared.scalars[expr] = eval(run, expr);
    return;
  }
  sema::visitKind(
      *expr, [&](const auto &known) { Preparation{run, prepared}.of(known); });
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

void forEachAdmitted(const Prepared &prepared,
                     function_ref<void(const At &)> visit) {
  forEachIndex(*prepared.over.region, [&](const Index &index) {
    if (prepared.over.admits(index))
      visit({index, prepared});
  });
}

std::unique_ptr<ArrayStorage>
temporary(Run &run, Type element, const Region &region, SourceRange where) {
  return makeArray(run, "", element, region, where);
}

std::unique_ptr<ArrayStorage> materialize(Run &run, const sema::Expr *expr,
                                          const Prepared &prepared) {
  std::unique_ptr<ArrayStorage> result =
      temporary(run, expr->type, *prepared.over.region, expr->range);
  forEachAdmitted(prepared, [&](const At &at) {
    Value value = eval(run, expr, &at);
    store(expr->type, result->at(at.index), value);
  });
  return result;
}

std::unique_ptr<ArrayStorage> materialize(Run &run, const sema::Expr *expr,
                                          const Cover &over) {
  Prepared prepared;
  prepared.over = over;
  prepare(run, expr, prepared);
  return materialize(run, expr, prepared);
}

} // namespace zpl::interpreter
