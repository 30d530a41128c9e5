//===- VerifyArrayStatements.cpp - The rules of array statements ----------===//
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

#include "VerifierImpl.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

//===----------------------------------------------------------------------===//
// Block form
//===----------------------------------------------------------------------===//

bool Verifier::elementTarget(const Expr &place, const Expr &value,
                             SourceRange range) {
  const Array *target = rootElement(&place)->array;
  bool good = true;
  auto visit = [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (element && element->array == target && element->isShifted())
      good = false;
  };
  forEachExpr(place, visit);
  forEachExpr(value, visit);
  return good || fail(range, "the target " + printedName(*target) +
                                 " is read at another index");
}

bool Verifier::assign(const ArrayAssignStmt &s) {
  if (!visible(s.region, s.range))
    return false;
  covering = s.region;
  bool good = writable(s.target, s.range) && expr(s.value, s.range);
  covering = nullptr;
  if (!good)
    return false;
  if (!rootElement(s.target))
    return fail(s.range, "an array statement assigns to a variable");
  if (s.value->type != s.target->type)
    return fail(s.range, "a value of type " + text(s.value->type) +
                             " is assigned to elements of type " +
                             text(s.target->type));
  return elementTarget(*s.target, *s.value, s.range);
}

bool Verifier::reducible(Reduction op, Type type, SourceRange range) {
  bool isLogical = op == Reduction::And || op == Reduction::Or;
  bool isExtreme = op == Reduction::Max || op == Reduction::Min;
  bool good = isLogical   ? type.isInteger()
              : isExtreme ? isOrdered(type)
                          : isNumber(type);
  return good ||
         fail(range, "the reduction " + text(op) + " is not for " + text(type));
}

bool Verifier::reduce(const ReduceStmt &s) {
  return visible(s.region, s.range) && inElements(s.region, s.value, s.range) &&
         reducible(s.op, s.value->type, s.range) &&
         scalarTarget(s.target, s.value->type, s.range);
}

bool Verifier::elementCall(const ElementCallStmt &s) {
  if (!visible(s.region, s.range))
    return false;
  if (!s.call)
    return fail(s.range, "an operand is missing");
  covering = s.region;
  bool good = call(*s.call);
  covering = nullptr;
  if (!good)
    return false;
  for (const Argument &arg : s.call->args)
    if (arg.place && rootElement(arg.place) &&
        !elementTarget(*arg.place, *s.call, s.range))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Loop form
//===----------------------------------------------------------------------===//

bool Verifier::levels(const MLoopStmt &s) {
  unsigned rank = s.region->rank();
  if (!sameRank(s.levels.size(), rank, "the loop nest", s.range))
    return false;
  unsigned used = 0;
  for (const LoopLevel &level : s.levels) {
    if (level.dim >= rank || (used >> level.dim & 1))
      return fail(s.range, "the levels are not one per dimension");
    used |= 1u << level.dim;
    if (level.flat && s.region->shape[level.dim] != DimKind::Singleton)
      return fail(s.range, "a flat level is not of a singleton dimension");
    if (level.flat && level.down)
      return fail(s.range, "a flat level has a direction");
  }
  return true;
}

bool Verifier::walkers(const MLoopStmt &s) {
  for (const Walker &walker : s.walkers) {
    if (!visible(walker.array, s.range) ||
        !sameRank(walker.array->rank(), s.region->rank(), "a walker", s.range))
      return false;
    if (walker.bumps.size() != s.levels.size())
      return fail(s.range, "a walker has not one bump per level");
    for (auto [bump, level] : zip(walker.bumps, s.levels))
      if (bump != -1 && (bump != int(level.dim) || level.flat))
        return fail(s.range, "a walker's bump is not its level's");
  }
  return true;
}

bool Verifier::elementOp(const ElementOp &op, const MLoopStmt &s) {
  SourceRange range = op.range.isValid() ? op.range : s.range;
  switch (op.kind) {
  case ElementOp::Store:
    if (!writable(op.target, range) || !expr(op.value, range))
      return false;
    return op.target->type == op.value->type ||
           fail(range, "a value of type " + text(op.value->type) +
                           " is stored to elements of type " +
                           text(op.target->type));
  case ElementOp::Accumulate:
    return expr(op.value, range) && reducible(op.op, op.value->type, range) &&
           scalarTarget(op.accumulator, op.value->type, range);
  case ElementOp::Call:
    if (!isa_and_nonnull<CallExpr>(op.value))
      return fail(range, "a call of an M-loop is no call");
    return call(*cast<CallExpr>(op.value));
  }
  llvm_unreachable("an operation outside its enumeration");
}

/// An accumulator has no value inside its loop but in its own accumulation.
bool Verifier::accumulators(const MLoopStmt &s) {
  SmallPtrSet<const Variable *, 4> accumulated;
  for (const ElementOp &op : s.body)
    if (op.kind == ElementOp::Accumulate &&
        !accumulated.insert(op.accumulator).second)
      return fail(s.range,
                  printedName(*op.accumulator) + " is accumulated twice");
  bool good = true;
  forEachExpr(s, [&](const Expr &e) {
    auto *read = dyn_cast<VarExpr>(&e);
    if (read && accumulated.contains(read->variable))
      good = fail(e.range, printedName(*read->variable) +
                               " is read in the loop that accumulates it");
  });
  return good;
}

/// Parts follow each other by their delays, and there are rows to delay them
/// by: an outer loop around another one.
bool Verifier::delays(const MLoopStmt &s) {
  unsigned last = 0;
  for (const ElementOp &op : s.body) {
    SourceRange range = op.range.isValid() ? op.range : s.range;
    if (op.delay < last)
      return fail(range, "an operation stands behind a part with more delay");
    if (&op == &s.body.front() && op.delay != 0)
      return fail(range, "the first operation of a loop is delayed");
    last = op.delay;
  }
  auto isLoop = [](const LoopLevel &level) { return !level.flat; };
  return last == 0 || count_if(s.levels, isLoop) >= 2 ||
         fail(s.range, "a loop with less than two levels has a delayed part");
}

bool Verifier::mloop(const MLoopStmt &s) {
  if (!visible(s.region, s.range) || !levels(s) || !walkers(s))
    return false;
  covering = s.region;
  inMLoop = &s;
  bool good =
      all_of(s.body, [&](const ElementOp &op) { return elementOp(op, s); });
  covering = nullptr;
  inMLoop = nullptr;
  return good && delays(s) && accumulators(s);
}

} // namespace zpl::air
