//===- RegionExpressions.cpp - Regions, masks and legality ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A region expression is evaluated to its dimensions, from the inside out:
//
//     [north of R at [0, k]]      R       (1, n, 1, 0) (1, n, 1, 0)
//                                 of      (0, 0, 1, 0) (1, n, 1, 0)
//                                 at      (0, 0, 1, 0) (1+k, n+k, 1, 0)
//
// A mask is evaluated over the region of its scope when that is opened, and
// kept as an array of booleans. One that is an array of the program is kept
// over all its declared region, so that a quote in a larger scope still finds
// it.
//
// Legality is not taken from Sema: every reference is looked at each time it is
// used, whatever could be proven of it.
//
//===----------------------------------------------------------------------===//

#include "Regions/RegionExpressions.h"
#include "Arrays/ArrayExpressions.h"
#include "Arrays/Families.h"
#include "Calls.h"
#include "Declarations.h"
#include "Errors.h"
#include "Expressions.h"
#include "Memory.h"
#include "Regions/RegionValues.h"
#include "Regions/Selection.h"
#include "Run.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>

using namespace llvm;

namespace zpl::interpreter {

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

Components evaluate(Run &run, ArrayRef<const sema::Expr *> direction) {
  Components result;
  for (const sema::Expr *component : direction)
    result.push_back(eval(run, component).integer);
  return result;
}

const Cover &cover(Run &run, unsigned rank, SourceRange where) {
  assert(rank <= sema::MaxRank && "a statement has one rank");
  if (!run.scopes.covers[rank].region)
    fail(run, where,
         "no region of rank " + std::to_string(rank) + " covers this");
  return run.scopes.covers[rank];
}

/// Every bound is an index: it fits 32 bits.
void checkBounds(Run &run, const Region &region, SourceRange where) {
  for (auto [d, dim] : enumerate(region.dims))
    for (int64_t bound : {dim.lo, dim.hi})
      if (bound != int32_t(bound))
        fail(run, where,
             region.describe() + ": " + std::to_string(bound) +
                 " in dimension " + std::to_string(d + 1) +
                 " does not fit an integer");
}

static Dim applied(sema::RegionExpr::Kind kind, const Dim &base,
                   int64_t component) {
  if (kind == sema::RegionExpr::Of)
    return dimOf(component, base);
  if (kind == sema::RegionExpr::In)
    return dimIn(component, base);
  if (kind == sema::RegionExpr::At)
    return dimAt(base, component);
  assert(kind == sema::RegionExpr::By && "not an operator on regions");
  return dimBy(base, component);
}

/// What the run says of a region without a pattern.
static std::string unsetText(const sema::RegionExpr &expr,
                             const Region &region) {
  if (expr.kind == sema::RegionExpr::Ref && !expr.region->unset.empty())
    return expr.region->unset;
  return "region " + region.text +
         " has no pattern yet: it was declared with '?'";
}

Region evaluate(Run &run, const sema::RegionExpr &expr, bool mayBeUnset) {
  if (expr.place)
    checkSet(run, expr);
  Region result = unleveled(run, expr);
  if (result.isUnset && !mayBeUnset)
    fail(run, expr.range, unsetText(expr, result));
  if (expr.level)
    result.level = eval(run, expr.level).integer;
  return result;
}

/// A dimension as a user-defined operator changes it.
static Dim changed(Run &run, const sema::RegionExpr &expr, const Dim &base,
                   unsigned dim, int64_t component) {
  std::string where =
      " in dimension " + std::to_string(dim + 1) + " of " + expr.text;
  std::string shown = "component " + std::to_string(component) + where;
  if (base.isFlood()) {
    if (component != 0)
      fail(run, expr.range,
           shown + ", which is " +
               (base.kind == DimKind::Grid ? "a grid dimension" : "flooded") +
               "; only 0 keeps it");
    return base;
  }
  if (component != int32_t(component))
    fail(run, expr.range, shown + " does not fit an integer");
  int64_t values[] = {component, base.lo, base.hi, base.stride, base.align};
  for (auto [arg, number] : zip_equal(expr.call->args, values)) {
    Value value;
    value.integer = number;
    store(arg->type, place(run, arg).address, value);
  }
  call(run, expr.call);
  auto left = [&](unsigned i) { return eval(run, expr.call->args[i]).integer; };
  if (left(3) <= 0)
    fail(run, expr.range,
         "stride " + std::to_string(left(3)) + where + ", as '" +
             expr.call->callee->name + "' leaves it; it must be positive");
  Dim result;
  result.kind = DimKind::Strided;
  result.lo = left(1);
  result.hi = left(2);
  result.stride = left(3);
  result.align = (left(4) % result.stride + result.stride) % result.stride;
  return result;
}

std::shared_ptr<const Region> &find(Run &run, const sema::RegionExpr &named) {
  auto local = run.memory.frame->regions.find(named.region);
  if (local != run.memory.frame->regions.end())
    return local->second;
  auto global = run.memory.globals.regions.find(named.region);
  if (global == run.memory.globals.regions.end())
    fail(run, named.range,
         named.region->name + " is used before its declaration");
  return global->second;
}

/// The indices of \p base, a sparse region, moved by \p direction and within the
/// bounds of \p result.
static void inheritPattern(Region &result, const Region &base,
                           const Components &direction = {}) {
  if (!base.isSparse())
    return;
  auto made = std::make_shared<Pattern>();
  forEachIndex(base, [&](const Index &index) {
    Index there = moved(index, direction);
    if (result.bound(there))
      made->insert(there);
  });
  result.pattern = std::move(made);
}

/// `base where pattern`.
static Region whereRegion(Run &run, const sema::RegionExpr &expr) {
  Region result = evaluate(run, *expr.base);
  result.text = expr.text;
  if (!expr.pattern) {
    result.pattern = nullptr;
    result.isUnset = true;
    return result;
  }
  Cover over;
  over.region = std::make_shared<const Region>(result);
  if (!result.isSparse() && isOfIndices(*expr.pattern)) {
    result.pattern = under(
        run, over, [&] { return selectIndices(run, *expr.pattern, over); });
    return result;
  }
  std::unique_ptr<ArrayStorage> isStored =
      under(run, over, [&] { return materialize(run, expr.pattern, over); });
  auto made = std::make_shared<Pattern>();
  forEachIndex(*over.region, [&](const Index &index) {
    if (*isStored->at(index))
      made->insert(index);
  });
  result.pattern = std::move(made);
  return result;
}

/// A literal, or the value of a variable.
static Region literal(Run &run, const sema::RegionExpr &expr) {
  Region result;
  const Region *base = nullptr;
  for (auto [d, dim] : enumerate(expr.dims)) {
    Dim made;
    if (dim.kind == sema::RegionDim::Blank) {
      base = cover(run, expr.rank, expr.range).region.get();
      made = base->dims[d];
      result.level = base->level;
    } else if (dim.kind == sema::RegionDim::Seq) {
      made.kind = DimKind::Strided;
      made.lo = eval(run, dim.lo).integer;
      made.hi = eval(run, dim.hi).integer;
      made.stride = eval(run, dim.stride).integer;
      made.align = eval(run, dim.align).integer;
    } else if (dim.kind == sema::RegionDim::Grid) {
      made.kind = DimKind::Grid;
    } else if (dim.kind != sema::RegionDim::Flood) {
      bool isRange = dim.kind == sema::RegionDim::Range;
      made.kind = isRange ? DimKind::Range : DimKind::Singleton;
      made.lo = eval(run, dim.lo).integer;
      made.hi = isRange ? eval(run, dim.hi).integer : made.lo;
    }
    result.dims.push_back(made);
  }
  if (expr.place && expr.patternNumber)
    takePattern(run, result, eval(run, expr.patternNumber).integer);
  else if (base && !expr.takesBounds)
    inheritPattern(result, *base);
  return result;
}

/// `d of R`, `d in R`, `R at d`, `R by d`.
static Region moved(Run &run, const sema::RegionExpr &expr) {
  Region result;
  Region base = evaluate(run, *expr.base);
  result.level = base.level;
  Components direction = evaluate(run, expr.direction);
  for (auto [dim, component] : zip_equal(base.dims, direction))
    result.dims.push_back(applied(expr.kind, dim, component));
  bool moves = expr.kind == sema::RegionExpr::At;
  inheritPattern(result, base, moves ? direction : Components());
  return result;
}

/// A region operator of the program.
static Region changedByUser(Run &run, const sema::RegionExpr &expr) {
  Region result;
  Region base = evaluate(run, *expr.base);
  result.level = base.level;
  Components direction = evaluate(run, expr.direction);
  for (unsigned d = 0; d != base.rank(); ++d)
    result.dims.push_back(changed(run, expr, base.dims[d], d, direction[d]));
  return result;
}

Region unleveled(Run &run, const sema::RegionExpr &expr) {
  Region result;
  switch (expr.kind) {
  case sema::RegionExpr::Ref:
    return *find(run, expr);
  case sema::RegionExpr::Quote: {
    const Region &covering = *cover(run, expr.rank, expr.range).region;
    return expr.takesBounds ? covering.withoutPattern() : covering;
  }
  case sema::RegionExpr::Where:
    return whereRegion(run, expr);
  case sema::RegionExpr::Bounds:
    return evaluate(run, *expr.base, /*mayBeUnset=*/true).withoutPattern();
  case sema::RegionExpr::Declared:
    return (expr.subscripts.empty()
                ? find(run, expr.array)
                : member(run, expr.array, expr.subscripts, expr.range))
        .declared;
  case sema::RegionExpr::Dims:
    result = literal(run, expr);
    break;
  case sema::RegionExpr::Of:
  case sema::RegionExpr::In:
  case sema::RegionExpr::At:
  case sema::RegionExpr::By:
    result = moved(run, expr);
    break;
  case sema::RegionExpr::User:
    result = changedByUser(run, expr);
    break;
  }
  result.text = expr.text;
  checkBounds(run, result, expr.range);
  return result;
}

std::shared_ptr<const Region> share(Run &run, const sema::RegionExpr &expr) {
  return std::make_shared<const Region>(evaluate(run, expr));
}

/// Calls \p visit with each quote in the mask \p e.
static void forEachQuote(const sema::Expr &e,
                         function_ref<void(const sema::Expr &)> visit) {
  if (isa<sema::EnclosingMaskExpr>(e))
    visit(e);
  sema::forEachOperand(
      e, [&](const sema::Expr &operand) { forEachQuote(operand, visit); });
}

/// The mask of the scope that is open, which must have all indices of a region.
static auto enclosingMask(Run &run, const Region &region, SourceRange range) {
  const Cover &outer = run.scopes.covers[region.rank()];
  forEachIndex(region, [&](const Index &index) {
    if (!outer.mask->bounds(index))
      fail(run, range,
           "the enclosing mask does not cover " + region.describe());
  });
  return outer.mask;
}

/// The region with the mask that is written with it. A quote in the mask is the
/// mask of the scope that is open now.
Cover masked(Run &run, std::shared_ptr<const Region> region,
             const sema::Mask &mask) {
  Cover over, all;
  over.region = all.region = region;
  if (!mask.mask)
    return over;
  over.isWith = mask.isWith;
  auto *plain = dyn_cast<sema::ArrayExpr>(mask.mask);
  if (plain && plain->direction.empty()) {
    const ArrayStorage &array = find(run, plain);
    checkInside(run, plain, array, *region, {}, "reads");
    // Scopes inside may have other parts of the mask; a border has just this.
    const Region &declared = array.declared;
    bool isOfBorder = false;
    forEachIndex(*region, [&](const Index &index) {
      isOfBorder |= !declared.bound(index);
    });
    if (!isOfBorder)
      all.region = std::make_shared<const Region>(declared.withoutPattern());
  }
  if (isa<sema::EnclosingMaskExpr>(mask.mask) &&
      run.scopes.covers[region->rank()].mask) {
    over.mask = enclosingMask(run, *region, mask.mask->range);
    return over;
  }
  // The mask of the scope around is looked up before this one covers.
  Prepared prepared;
  prepared.over = all;
  forEachQuote(*mask.mask, [&](const sema::Expr &quote) {
    prepared.arrays[&quote] = materialize(run, &quote, all);
  });
  under(run, all, [&] {
    prepare(run, mask.mask, prepared);
    over.mask = materialize(run, mask.mask, prepared);
  });
  return over;
}

//===----------------------------------------------------------------------===//
// Legality
//===----------------------------------------------------------------------===//

static std::string movement(const Components &direction) {
  if (all_of(direction, [](int64_t c) { return c == 0; }))
    return "";
  std::string text;
  for (int64_t component : direction)
    text += (text.empty() ? " moved by (" : ", ") + std::to_string(component);
  return text + ")";
}

/// Grid dimensions take no other component but 0.
static void checkUnshifted(Run &run, const sema::ArrayExpr *expr,
                           const ArrayStorage &array,
                           const Components &direction) {
  for (auto [d, component] : enumerate(direction))
    if (component != 0 && array.declared.dims[d].kind == DimKind::Grid)
      fail(run, expr->range,
           expr->text + " is shifted by " + std::to_string(component) +
               " in dimension " + std::to_string(d + 1) +
               ", which is a grid dimension of " + array.declared.bounds());
}

void checkInside(Run &run, const sema::ArrayExpr *expr,
                 const ArrayStorage &array, const Region &region,
                 const Components &direction, const char *verb) {
  checkUnshifted(run, expr, array, direction);
  std::optional<Index> outside;
  if (isWithin(region, array.declared, direction))
    return;
  forEachIndex(region, [&](const Index &index) {
    Index reached = moved(index, direction);
    if (!outside && !array.bounds(reached))
      outside = reached;
  });
  if (!outside)
    return;
  unsigned d = 0;
  while (d + 1 < region.rank() &&
         array.declared.dims[d].contains((*outside)[d]))
    ++d;
  std::string what = expr->text.empty() ? array.name : expr->text;
  fail(run, expr->range,
       what + " " + verb + " outside " +
           (what == array.name ? "its region" : array.name) + ": " +
           region.describe() + movement(direction) + " leaves " +
           array.declared.bounds() + " in dimension " + std::to_string(d + 1));
}

std::string indexText(const Index &index, unsigned rank) {
  std::string text;
  for (unsigned d = 0; d != rank; ++d)
    text += (d == 0 ? "(" : ", ") + std::to_string(index[d]);
  return text + ")";
}

std::string unstoredText(const std::string &what, const Index &index,
                         const ArrayStorage &array) {
  return what + " is written at index " +
         indexText(index, array.declared.rank()) + ", which " + array.name +
         " does not store: its region " + array.declared.text + " is sparse";
}

void checkStored(Run &run, const sema::ArrayExpr *expr,
                 const ArrayStorage &array, const Prepared &prepared) {
  if (!array.declared.isSparse())
    return;
  forEachAdmitted(prepared, [&](const At &at) {
    Index reached = shifted(expr, array, at);
    if (array.stores(reached))
      return;
    std::string what = expr->text.empty() ? array.name : expr->text;
    fail(run, expr->range, unstoredText(what, reached, array));
  });
}

void checkWraps(Run &run, const sema::ArrayExpr *expr,
                const ArrayStorage &array, const Region &region,
                const Components &direction) {
  checkUnshifted(run, expr, array, direction);
  if (region.isEmpty())
    return;
  if (array.declared.isEmpty())
    fail(run, expr->range,
         expr->text + " has no index to wrap to: " + array.name +
             " is declared over " + array.declared.bounds());
  for (auto [d, dim] : enumerate(array.declared.dims)) {
    if (dim.isFlood())
      continue;
    const Dim &over = region.dims[d];
    for (int64_t x : {over.first(), over.first() + over.stride}) {
      bool isIndex = over.count() > 1 || x == over.first();
      if (isIndex && (x + direction[d] - dim.align) % dim.stride != 0)
        fail(run, expr->range,
             expr->text + " wraps to indices between those of " + array.name +
                 ": " + region.describe() + movement(direction) +
                 " does not have the stride of " + array.declared.bounds() +
                 " in dimension " + std::to_string(d + 1));
    }
  }
}

void checkConforms(Run &run, const Region &source, const Region &over,
                   const std::string &what, SourceRange where) {
  if (over.isEmpty())
    return;
  for (auto [d, dims] : enumerate(zip_equal(source.dims, over.dims))) {
    auto [from, to] = dims;
    if (!sema::isRange(from.kind) || !sema::isRange(to.kind) ||
        haveSameIndices(from, to))
      continue;
    fail(run, where,
         what + ": its " + source.describe() + " and the covering " +
             over.describe() + " have different indices in dimension " +
             std::to_string(d + 1));
  }
}

} // namespace zpl::interpreter
