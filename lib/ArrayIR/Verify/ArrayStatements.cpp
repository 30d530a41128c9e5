//===- ArrayStatements.cpp - The rules of array statements ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `[%R] %A = e` means "all of e before any store", yet runs element by
// element; so e must not read A at another index. ArrayGen splits such
// statements, and here is where a slip would show.
//
// In Loop form the same is up to the order of the loops; an accumulator has no
// value inside its loop.
//
//===----------------------------------------------------------------------===//

#include "Verify/ArrayStatements.h"
#include "Verify/Communication.h"
#include "Verify/Declarations.h"
#include "Verify/Expressions.h"
#include "Verify/LoopForms.h"
#include "Verify/LoopShapes.h"
#include "Verify/Statements.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/Lets.h"
#include "zpl/ArrayIR/LoopOrder.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

//===----------------------------------------------------------------------===//
// Block form
//===----------------------------------------------------------------------===//

static bool verifyElementCall(Verifying &state, const CallExpr *e,
                              bool accumulates, const Expr *guard,
                              SourceRange range);
static bool verifyAccumulate(Verifying &state, const ElementOp &op,
                             SourceRange range);

static bool verifyElementTarget(Verifying &state, const Expr &place,
                                const Expr &value, const Expr *guard,
                                SourceRange range) {
  const Array *target = rootElement(&place)->array;
  bool good = true;
  auto visit = [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    auto *remap = dyn_cast<RemapExpr>(&e);
    good &= !(element && element->array == target && element->isShifted()) &&
            !(remap && remap->array == target);
  };
  if (!isOverPattern(state.inWave)) // others push
    forEachExpr(place, visit);
  forEachExpr(value, visit);
  if (guard)
    forEachExpr(*guard, visit);
  return good || fail(state, range,
                      "the target " + printedName(*target) +
                          " is read at another index");
}

static bool verifyGuard(Verifying &state, const Region *r, const Expr *g,
                        SourceRange range) {
  state.covering = r;
  bool good = !g || typed(state, g, Type::Bool, range);
  state.covering = nullptr;
  return good;
}

bool verifyAssign(Verifying &state, const ArrayAssignStmt &s) {
  if (!visible(state, s.region, s.range) ||
      !verifyGuard(state, s.region, s.guard, s.range))
    return false;
  state.covering = s.region;
  bool good =
      writable(state, s.target, s.range) && verifyExpr(state, s.value, s.range);
  state.covering = nullptr;
  if (!good)
    return false;
  if (!rootElement(s.target))
    return fail(state, s.range, "an array statement assigns to a variable");
  if (s.value->type != s.target->type)
    return fail(state, s.range,
                "a value of type " + text(s.value->type) +
                    " is assigned to elements of type " + text(s.target->type));
  return verifyElementTarget(state, *s.target, *s.value, s.guard, s.range);
}

static bool reducible(Verifying &state, Reduction op, Type type,
                      SourceRange range) {
  bool isLogical = op == Reduction::And || op == Reduction::Or;
  bool isExtreme = op == Reduction::Max || op == Reduction::Min;
  bool keepsNaN = op == Reduction::MaxNaN || op == Reduction::MinNaN;
  bool isSum = op == Reduction::Sum || op == Reduction::Product;
  bool good = isLogical   ? type.isInteger()
              : isExtreme ? isOrdered(type) || type == Type::Str
              : keepsNaN  ? type.isFloat()
              : isSum     ? isNumber(type) || type.isComplex()
                          : isInteger(type);
  return good ||
         fail(state, range,
              "the reduction " + text(op) + " is not for " + text(type));
}

bool takesReferences(Verifying &state, const Procedure *p, ArrayRef<Type> types,
                     SourceRange range) {
  if (!state.procedures.contains(p))
    return fail(state, range, "the combining procedure is not in the module");
  bool fits = p->isScalar && p->result == Type::Void &&
              equal(p->params, types, [](const Parameter &param, Type type) {
                const Variable *v = param.variable;
                return v && v->byReference && v->type == type;
              });
  return fits || fail(state, range,
                      printedName(*p) + " is not scalar with " +
                          (types.size() == 1   ? "one element"
                           : types.size() == 2 ? "two elements"
                                               : "two elements and a Bool") +
                          " by reference");
}

bool reducible(Verifying &state, Reduction op, const Procedure *with, Type type,
               SourceRange range) {
  return with ? takesReferences(state, with, {type, type}, range)
              : reducible(state, op, type, range);
}

bool verifyReduce(Verifying &state, const ReduceStmt &s) {
  return visible(state, s.region, s.range) &&
         verifyGuard(state, s.region, s.guard, s.range) &&
         inElements(state, s.region, s.value, s.range) &&
         reducible(state, s.op, s.value->type, s.range) &&
         scalarTarget(state, s.target, s.value->type, s.range);
}

bool verifyReduceArray(Verifying &state, const ReduceArrayStmt &s) {
  if (!visible(state, s.region, s.range) ||
      !verifyGuard(state, s.region, s.guard, s.range) ||
      !inElements(state, s.region, s.value, s.range) ||
      !reducible(state, s.op, s.value->type, s.range) ||
      !verifyPartial(state, s.target, s.region, s.value->type, s.range))
    return false;
  if (!s.target->declared)
    return fail(state, s.range,
                printedName(*s.target) + " has no declared region");
  bool good = true;
  forEachExpr(s, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (element && element->array == s.target)
      good = fail(state, e.range,
                  "the target " + printedName(*s.target) +
                      " is read in its own reduction");
  });
  return good;
}

bool verifyElementCall(Verifying &state, const ElementCallStmt &s) {
  if (!visible(state, s.region, s.range) ||
      !verifyGuard(state, s.region, s.guard, s.range))
    return false;
  state.covering = s.region;
  bool good = verifyElementCall(state, s.call, s.accumulates, s.guard, s.range);
  state.covering = nullptr;
  if (!good)
    return false;
  for (const Argument &arg : s.call->args)
    if (arg.place && rootElement(arg.place) &&
        !verifyElementTarget(state, *arg.place, *s.call, s.guard, s.range))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Loop form
//===----------------------------------------------------------------------===//

static bool verifyLevels(Verifying &state, const MLoopStmt &s) {
  unsigned rank = s.region->rank();
  if (s.times && !typed(state, s.times, Type::I64, s.range))
    return false;
  if (count_if(s.levels, [](const LoopLevel &l) { return l.isTimes; }) !=
      (s.times ? 1 : 0))
    return fail(state, s.range, "a loop has not one level for its repetitions");
  if (!sameRank(state, s.levels.size() - (s.times ? 1 : 0), rank,
                "the loop nest", s.range))
    return false;
  unsigned used = 0;
  for (const LoopLevel &level : s.levels) {
    if (level.isTimes)
      continue;
    if (level.dim >= rank || (used >> level.dim & 1))
      return fail(state, s.range, "the levels are not one per dimension");
    used |= 1u << level.dim;
    DimKind kind = s.region->shape[level.dim];
    if (level.flat && kind != DimKind::Singleton && !isPerProcessor(kind))
      return fail(state, s.range,
                  "a flat level is not of a singleton, flooded or grid "
                  "dimension");
    if (!level.flat && isPerProcessor(kind))
      return fail(state, s.range,
                  "the level of a flooded or grid dimension is not "
                  "flat");
    if (level.flat && level.down)
      return fail(state, s.range, "a flat level has a direction");
    if (!level.likely.empty() && kind != DimKind::Range)
      return fail(state, s.range, "only a range has likely bounds");
    if (any_of(level.likely, [](const LikelyBounds &b) { return b.lo > b.hi; }))
      return fail(state, s.range, "likely bounds are of no index");
    if (!level.likely.empty() && &level != &s.levels.back() &&
        !std::next(&level)->flat)
      return fail(state, s.range,
                  "a level that is not the innermost loop has likely "
                  "bounds");
  }
  return true;
}

static bool verifyWalkers(Verifying &state, const MLoopStmt &s) {
  for (const Walker &walker : s.walkers) {
    if (!visible(state, walker.array, s.range) ||
        !sameRank(state, walker.array->rank(), s.region->rank(), "a walker",
                  s.range))
      return false;
    if (walker.bumps.size() != s.levels.size())
      return fail(state, s.range, "a walker has not one bump per level");
    for (auto [bump, level] : zip(walker.bumps, s.levels))
      if (bump != bumpOf(*walker.array, level))
        return fail(state, s.range, "a walker's bump is not its level's");
  }
  return true;
}

static bool verifyElementOp(Verifying &state, const ElementOp &op,
                            const MLoopStmt &s) {
  SourceRange range = op.range.isValid() ? op.range : s.range;
  if (op.guard && !typed(state, op.guard, Type::Bool, range))
    return false;
  switch (op.kind) {
  case ElementOp::Store:
    if (!writable(state, op.target, range) ||
        !verifyExpr(state, op.value, range))
      return false;
    return op.target->type == op.value->type ||
           fail(state, range,
                "a value of type " + text(op.value->type) +
                    " is stored to elements of type " + text(op.target->type));
  case ElementOp::Accumulate:
    return verifyAccumulate(state, op, range);
  case ElementOp::Call:
    if (!isa_and_nonnull<CallExpr>(op.value))
      return fail(state, range, "a call of an M-loop is no call");
    return verifyElementCall(state, cast<CallExpr>(op.value), op.accumulates,
                             op.guard, range);
  case ElementOp::Let:
    return verifyExpr(state, op.value, range) &&
           scalarTarget(state, op.variable, op.value->type, range);
  }
  llvm_unreachable("an operation outside its enumeration");
}

/// The last argument of an accumulating call is the accumulator: it may be what
/// element code does not write otherwise, and stands nowhere else in the
/// operation.
static bool verifyElementCall(Verifying &state, const CallExpr *e,
                              bool accumulates, const Expr *guard,
                              SourceRange range) {
  if (!e)
    return fail(state, range, "an operand is missing");
  if (!accumulates)
    return verifyCall(state, *e);
  const Expr *last = e->args.empty() ? nullptr : e->args.back().place;
  if (!isa_and_nonnull<VarExpr, ElementExpr>(last))
    return fail(state, range, "an accumulating call has no accumulator");
  if (!verifyCall(state, *e, last))
    return false;
  auto *variable = dyn_cast<VarExpr>(last);
  auto *element = dyn_cast<ElementExpr>(last);
  bool good = true;
  auto visit = [&](const Expr &other) {
    auto *otherVariable = dyn_cast<VarExpr>(&other);
    auto *otherElement = dyn_cast<ElementExpr>(&other);
    if (&other != last &&
        ((variable && otherVariable &&
          otherVariable->variable == variable->variable) ||
         (element && otherElement && otherElement->array == element->array)))
      good = fail(state, other.range,
                  "an accumulator is read in the loop that "
                  "accumulates it");
  };
  forEachExpr(*e, visit);
  if (guard)
    forEachExpr(*guard, visit);
  return good;
}

/// Into a variable, or into an element, which may be one for many indices.
static bool verifyAccumulate(Verifying &state, const ElementOp &op,
                             SourceRange range) {
  if (!verifyExpr(state, op.value, range) ||
      !reducible(state, op.op, op.value->type, range))
    return false;
  if ((op.accumulator != nullptr) == (op.target != nullptr))
    return fail(state, range, "an accumulation has not one target");
  if (op.accumulator)
    return scalarTarget(state, op.accumulator, op.value->type, range);
  if (!typed(state, op.target, op.value->type, range))
    return false;
  const ElementExpr *element = rootElement(op.target);
  if (!element)
    return fail(state, range, "an accumulation's target is no element");
  return !element->isShifted() ||
         fail(state, range, "an element that is written is shifted");
}

/// What a loop stores it does not read by maps.
static bool verifyRemapped(Verifying &state, const MLoopStmt &s) {
  DenseMap<const Array *, SmallVector<const RemapExpr *, 2>> readBy;
  forEachExpr(s, [&](const Expr &e) {
    if (auto *remap = dyn_cast<RemapExpr>(&e))
      readBy[remap->array].push_back(remap);
  });
  if (readBy.empty())
    return true;
  const Array *found = nullptr;
  auto look = [&](const Expr *place) {
    const ElementExpr *element = place ? rootElement(place) : nullptr;
    if (element && readBy.contains(element->array))
      found = element->array;
    auto *target = place ? dyn_cast<RemapExpr>(rootOf(place)) : nullptr;
    if (target && any_of(readBy.lookup(target->array),
                         [&](const RemapExpr *e) { return e != target; }))
      found = target->array;
  };
  for (const ElementOp &op : s.body) {
    look(op.target);
    forEachExpr(op, [&](const Expr &e) {
      if (auto *call = dyn_cast<CallExpr>(&e))
        for (const Argument &arg : call->args)
          look(arg.place);
    });
  }
  return !found || fail(state, s.range,
                        printedName(*found) +
                            " is stored by the loop that reads it by maps");
}

/// An accumulator has no value inside its loop but in its own accumulation,
/// and no more has a flooded element that one accumulates into index by index.
static bool verifyAccumulators(Verifying &state, const MLoopStmt &s) {
  SmallPtrSet<const void *, 4> accumulated;
  SmallPtrSet<const Expr *, 4> targets;
  for (const ElementOp &op : s.body) {
    const Expr *target = accumulatedPlace(op);
    const Variable *variable = target ? rootVariable(target) : op.accumulator;
    if (!target && !variable)
      continue;
    const ElementExpr *element = target ? rootElement(target) : nullptr;
    if (element && !isOneForMany(*element->array, *s.region))
      continue;
    targets.insert(element ? static_cast<const Expr *>(element) : target);
    const void *accumulator = variable;
    if (element)
      accumulator = element->array;
    if (!accumulated.insert(accumulator).second)
      return fail(
          state, s.range,
          (element ? printedName(*element->array) : printedName(*variable)) +
              " is accumulated twice");
  }
  bool good = true;
  auto isRead = [&](const auto &thing, const Expr &e) {
    if (accumulated.contains(&thing) && !targets.contains(&e))
      good =
          fail(state, e.range,
               printedName(thing) + " is read in the loop that accumulates it");
  };
  forEachExpr(s, [&](const Expr &e) {
    if (auto *read = dyn_cast<VarExpr>(&e))
      isRead(*read->variable, e);
    else if (auto *element = dyn_cast<ElementExpr>(&e))
      isRead(*element->array, e);
  });
  return good;
}

/// Parts follow each other by their delays, and there are rows to delay them
/// by: an outer loop, over every index of its dimension, around another one.
static bool verifyDelays(Verifying &state, const MLoopStmt &s) {
  unsigned last = 0;
  for (const ElementOp &op : s.body) {
    SourceRange range = op.range.isValid() ? op.range : s.range;
    if (op.delay < last)
      return fail(state, range,
                  "an operation stands behind a part with more delay");
    if (&op == &s.body.front() && op.delay != 0)
      return fail(state, range, "the first operation of a loop is delayed");
    last = op.delay;
  }
  auto isLoop = [](const LoopLevel &level) { return !level.flat; };
  if (last == 0)
    return true;
  if (count_if(s.levels, isLoop) < 2)
    return fail(state, s.range,
                "a loop with less than two levels has a delayed part");
  unsigned row = find_if(s.levels, isLoop)->dim;
  return s.region->shape[row] != DimKind::Strided ||
         fail(state, s.range,
              "a part is delayed by rows of a strided dimension");
}

/// The least and the greatest offset of the accesses to each contracted array,
/// by dimension; in that of the outermost loop the delays count, too.
struct LineRange {
  int64_t least = INT64_MAX, greatest = INT64_MIN;
};
using LinesNeeded = DenseMap<const Array *, SmallVector<LineRange, 3>>;

static LinesNeeded linesNeeded(const MLoopStmt &s) {
  LinesNeeded result;
  const LoopLevel *rows =
      find_if(s.levels, [](const LoopLevel &level) { return !level.flat; });
  for (const ElementOp &op : s.body)
    forEachExpr(op, [&](const Expr &e) {
      auto *access = dyn_cast<ElementExpr>(&e);
      if (!access || !access->array->isContracted())
        return;
      SmallVector<LineRange, 3> &ranges = result[access->array];
      ranges.resize(access->offset.size());
      for (const LoopLevel &level : s.levels) {
        int64_t at = access->offset[level.dim];
        if (&level == rows)
          at += level.down ? op.delay : -int64_t(op.delay);
        LineRange &range = ranges[level.dim];
        range.least = std::min(range.least, at);
        range.greatest = std::max(range.greatest, at);
      }
    });
  return result;
}

/// Whether the accesses of a contracted array, in rows of the outermost loop
/// and at indices of the others, find room in its lines.
static bool verifyLines(Verifying &state, const Array &a, const MLoopStmt &s,
                        const LinesNeeded &needed) {
  const LoopLevel *inner = nullptr;
  for (const LoopLevel &level : s.levels)
    inner = level.flat ? inner : &level;
  for (const LoopLevel &level : s.levels) {
    unsigned count = a.lines[level.dim];
    if (level.flat && count != 1)
      return fail(state, s.range,
                  printedName(a) + " has several lines in a dimension "
                                   "without a loop");
    if (count == AllLines)
      continue;
    if (&level == inner && count != 1)
      return fail(state, s.range,
                  printedName(a) + " has some lines only in the "
                                   "dimension of the innermost loop");
    auto found = needed.find(&a);
    if (found == needed.end())
      continue;
    auto [least, greatest] = found->second[level.dim];
    if (greatest - least >= int64_t(count))
      return fail(state, s.range,
                  printedName(a) + " needs " + Twine(greatest - least + 1) +
                      " lines in dimension " + Twine(level.dim));
  }
  return true;
}

/// The elements that an operation stores, or gives to a procedure that may.
static SmallPtrSet<const ElementExpr *, 4> storedBy(const ElementOp &op) {
  SmallPtrSet<const ElementExpr *, 4> result;
  auto add = [&](const Expr *place) {
    if (auto *element = dyn_cast_or_null<ElementExpr>(place))
      result.insert(element);
  };
  if (op.kind == ElementOp::Store)
    add(op.target);
  if (auto *call = dyn_cast_or_null<CallExpr>(
          op.kind == ElementOp::Call ? op.value : nullptr))
    for (const Argument &arg : call->args)
      add(arg.place);
  return result;
}

/// A loop that gets rows of a sparse array goes along rows, one by one, and
/// reads them at its own index; one that gets elements goes over a pattern.
static bool verifyFetched(Verifying &state, const ElementExpr &e,
                          const MLoopStmt &s, const LinesNeeded &needed) {
  if (e.array->isPerIndex()) {
    bool isMerged = s.region->isSparse && e.array->shape == s.region->shape &&
                    e.array->domain == s.region->domain;
    return (isMerged && !e.isShifted()) ||
           fail(state, s.range,
                printedName(*e.array) +
                    " has elements of another pattern, and is not read at the "
                    "index of a loop over a sparse region");
  }
  const LoopLevel *inner = innermostLevel(s);
  bool isAlong = inner && !inner->down && inner->dim + 1 == s.region->rank() &&
                 e.array->shape == s.region->shape && s.rows == 1 && !s.times;
  if (!isAlong || e.isShifted())
    return fail(state, s.range,
                printedName(*e.array) + " is fetched, and not read row by row");
  return verifyLines(state, *e.array, s, needed);
}

/// They are stored to before anything else is done with them, or fetched.
static bool verifyContractedArrays(Verifying &state, const MLoopStmt &s) {
  LinesNeeded needed = linesNeeded(s);
  SmallPtrSet<const Array *, 4> stored;
  for (const ElementOp &op : s.body) {
    auto targets = storedBy(op);
    const Array *early = nullptr;
    bool good = true;
    forEachExpr(op, [&](const Expr &e) {
      auto *access = dyn_cast<ElementExpr>(&e);
      if (!access || !access->array->isContracted())
        return;
      if (access->array->fetched)
        good = good && verifyFetched(state, *access, s, needed);
      else if (!targets.contains(access) && !stored.contains(access->array))
        early = access->array;
    });
    if (!good)
      return false;
    if (early)
      return fail(state, op.range.isValid() ? op.range : s.range,
                  printedName(*early) + " is contracted, and read before it is "
                                        "stored");
    for (const ElementExpr *target : targets) {
      if (target->array->fetched)
        return fail(state, s.range,
                    printedName(*target->array) + " is fetched, and stored");
      if (!target->array->isContracted() ||
          !stored.insert(target->array).second)
        continue;
      if (target->array->shape != s.region->shape)
        return fail(state, s.range,
                    printedName(*target->array) +
                        " is contracted, and not of the M-loop's shape");
      if (!verifyLines(state, *target->array, s, needed))
        return false;
    }
  }
  return true;
}

/// What is executed box by box: its indices may come in any order.
static bool verifyAwaits(Verifying &state, const MLoopStmt &s) {
  for (const Transfer *transfer : s.awaits) {
    if (!visible(state, transfer, s.range))
      return false;
    if (transfer->region->shape != s.region->shape)
      return fail(state, s.range,
                  "a loop waits for a transfer over a region of "
                  "another shape");
  }
  return s.awaits.empty() || mayRunInBoxes(s) ||
         fail(state, s.range, "a loop that waits for a transfer has an order");
}

/// Rows that are asked for before the loop comes there: it reads them.
static bool verifyAhead(Verifying &state, const MLoopStmt &s) {
  for (const auto &[array, row] : s.ahead) {
    if (!visible(state, array, s.range) ||
        !sameRank(state, row.size(), array->rank(), "a row's offset", s.range))
      return false;
    bool isRead = false;
    for (const ElementOp &op : s.body)
      for (const Expr *read : {op.value, op.guard})
        if (read)
          forEachExpr(*read, [&, wanted = array, &place = row](const Expr &e) {
            auto *element = dyn_cast<ElementExpr>(&e);
            isRead |= element && element->array == wanted &&
                      rowOf(*element, s) == place;
          });
    if (!isRead)
      return fail(state, s.range,
                  printedName(*array) + "@" + printed(row) +
                      " is asked for ahead, but is no row that the "
                      "loop reads");
  }
  return true;
}

/// Other ways of executing the loop: each of what it has.
static bool verifyWays(Verifying &state, const MLoopStmt &s) {
  if (s.ways.size() > MLoopStmt::MaxWays)
    return fail(state, s.range, "a loop has more ways than 3");
  for (auto [i, way] : enumerate(s.ways)) {
    bool isAboutRows = way == LoopWay::Ahead || way == LoopWay::Unasked;
    bool isAboutSteps = way == LoopWay::HalfSteps || way == LoopWay::OneStep;
    bool isAboutTiles =
        way == LoopWay::HalfTiles || way == LoopWay::DoubleTiles;
    if (is_contained(ArrayRef(s.ways).take_front(i), way) || s.rows > 1 ||
        s.region->isSparse || (isAboutRows && s.ahead.empty()) ||
        isAboutSteps != !!s.time.most || isAboutTiles != isInBlocks(s))
      return fail(state, s.range,
                  "the loop has no way '" + nameOf(way).str() + "'");
  }
  return true;
}

bool verifyMloop(Verifying &state, const MLoopStmt &s) {
  if (!visible(state, s.region, s.range))
    return false;
  state.covering = s.region;
  state.inMLoop = &s;
  bool good = verifyLevels(state, s) && verifyWalkers(state, s) &&
              all_of(s.body, [&](const ElementOp &op) {
                return verifyElementOp(state, op, s);
              });
  state.covering = nullptr;
  state.inMLoop = nullptr;
  return good && verifyDelays(state, s) && verifyRemapped(state, s) &&
         verifyAccumulators(state, s) && verifyContractedArrays(state, s) &&
         verifyLets(state, s) && verifySkewedRows(state, s) &&
         verifyLaneRows(state, s) && verifyCarriesOf(state, s) &&
         verifyStreams(state, s) && verifyBlocks(state, s) &&
         verifyPatternLoop(state, s) && verifyTimeSteps(state, s) &&
         verifyAwaits(state, s) && verifyAhead(state, s) &&
         verifyWays(state, s);
}

} // namespace zpl::air
