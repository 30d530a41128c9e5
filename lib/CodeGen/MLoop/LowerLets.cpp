//===- LowerLets.cpp - M-loops: values that are carried along -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     let %p = add(%A@(-1,1), %A@(1,1))
//     let %q = add(%A@(-1,0), %A@(1,0)) was %p
//     let %r = add(%A@(-1,-1), %A@(1,-1)) was %q
//
// becomes a chain of phis of the innermost loop, which start with what the
// trees are at the first index:
//
//   mloop.dim0:   %r0 = A(-1,-1) + A(1,-1);  %q0 = A(-1,0) + A(1,0)
//   mloop.body:   %q = phi [%q0], [%p, next]
//                 %r = phi [%r0], [%q, next]
//                 %p = A(-1,1) + A(1,1)
//
// LLVM vectorizes it: such a phi is a shuffle of this vector and the last one.
// A row of partial sums in memory would take a loop of its own, a store, and a
// load where this has a shuffle.
//
// `was %p back 2` is a chain of two phis for one let; the one between starts
// with the tree at the second index, or at the first if there is no other.
//
// Where steps are not known, in views and strided dimensions, the value is
// carried if each element of the tree, `back` steps further on, is at the
// address where the source's is. All lets of one stride together are a case,
// tested in front of the nest; each case has an innermost loop of its own, and
// so has none of them:
//
//   mloop.dim0:         br %carries, mloop.start, mloop.else
//   mloop.else:         br %carries2, mloop.start.stride2, mloop.body.any
//
// In the first of these cases, and in LoadTwo (LowerSteps.cpp), elements that
// are one position apart lie side by side. Then the one's address is computed
// from the other's: of the 27 views of a stencil nine have row pointers. In
// LoadTwo LLVM then reads both with vectors of which nothing is left out.
//
// A let of a single element is loaded, not carried over one position: that
// costs no more, but where the loop stores beside it (CarryNeighbours.cpp). A
// let with a guard is made everywhere; where the guard is false nobody reads
// it.
//
//===----------------------------------------------------------------------===//

#include "MLoop/LowerLets.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerElementOps.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerSteps.h"
#include "MLoop/LowerWalkers.h"
#include "Rows/LowerWays.h"
#include "Sparse/PatternLoops.h"
#include "zpl/ArrayIR/Lets.h"

using namespace llvm;

namespace zpl::codegen {

/// Whether a let takes over what another one was; else the two only lie side by
/// side. One with a guard is of an array that the loop stores.
static bool isTaken(const air::ElementOp &op, const air::Carry &carry) {
  return carry.stride != 1 || op.guard || !isa<air::ElementExpr>(op.value);
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static llvm::Value *isCarried(MLoopState &m, const air::ElementExpr &element,
                              const air::ElementExpr &source, unsigned back,
                              bool isHalf = false);

/// The carry of the version that is being made, or null.
static const air::Carry *carryOf(const MLoopState &m,
                                 const air::ElementOp &op) {
  auto *it = find_if(op.carries, [&](const air::Carry &carry) {
    return carry.stride == m.carriedStride && isTaken(op, carry);
  });
  return it == op.carries.end() ? nullptr : it;
}

/// From the walker of the element's leader, in bytes.
static Value *distanceOf(MLoopState &m, const air::ElementExpr &element) {
  Value *bytes = m.offsets.at({element.walker, rowOffset(m.plan, &element)});
  if (!hasDisplacements(m.plan, element.walker))
    return bytes;
  return m.builder.CreateAdd(
      bytes, m.builder.CreateMul(m.builder.getInt64(element.offset.back()),
                                 sizeOf(m.fn, element.array->element)));
}

/// Whether \p element is where \p source was \p back steps, or halves of
/// steps, ago.
static Value *isCarried(MLoopState &m, const air::ElementExpr &element,
                        const air::ElementExpr &source, unsigned back,
                        bool isHalf) {
  WalkerState &from = m.walkers[m.plan.leaders[source.walker]];
  WalkerState &to = m.walkers[m.plan.leaders[element.walker]];
  Value *there = distanceOf(m, source), *here = distanceOf(m, element);
  Value *bump = to.bumps.back() ? to.bumps.back() : m.builder.getInt64(0);
  if (isHalf)
    bump = m.builder.CreateAShr(bump, 1);
  here = m.builder.CreateAdd(
      here, m.builder.CreateMul(bump, m.builder.getInt64(back)));
  if (&from == &to)
    return m.builder.CreateICmpEQ(here, there);
  auto number = [&](Value *pointer) {
    return m.builder.CreatePtrToInt(pointer, m.fn.types.i64);
  };
  here = m.builder.CreateAdd(here, number(to.position));
  there = m.builder.CreateAdd(there, number(from.position));
  Value *same = m.builder.CreateICmpEQ(here, there);
  for (auto [a, b] : zip(from.bumps, to.bumps)) {
    Value *zero = m.builder.getInt64(0);
    same = m.builder.CreateAnd(
        same, m.builder.CreateICmpEQ(a ? a : zero, b ? b : zero));
  }
  return same;
}

/// Whether the part's lets of a stride are what they were, as far as the run
/// has to be asked; null if there is nothing to ask.
static Value *carriesHold(MLoopState &m, unsigned stride) {
  Value *all = nullptr;
  forEachCarried(
      m.part->ops, stride,
      [&](const auto &element, const auto &source, const auto &carry) {
        if (air::hasKnownSteps(element, source, m.loop))
          return;
        if (stride == 1)
          m.carries.neighbours[&element] = {&source, carry.back};
        Value *one = isCarried(m, element, source, carry.back);
        all = all ? m.builder.CreateAnd(all, one) : one;
      });
  return all;
}

/// Whether neighbours lie side by side if the loop moves by two elements. There
/// are some.
static Value *halvesHold(MLoopState &m) {
  Value *all = nullptr;
  forEachCarried(
      m.part->ops, 1,
      [&](const auto &element, const auto &source, const auto &carry) {
        Value *one = isCarried(m, element, source, carry.back, /*isHalf=*/true);
        all = all ? m.builder.CreateAnd(all, one) : one;
      });
  return all;
}

static Value *conditionOfCase(MLoopState &m, const PlannedVersion &version);

/// When a planned version may be taken; null: always.
static Value *conditionOf(MLoopState &m, const PlannedVersion &version) {
  Value *when = conditionOfCase(m, version);
  Value *way = nullptr;
  if (version.way)
    way = takesWay(m, *version.way);
  else if (version.asksCarries)
    if (Value *isAfresh = takesWay(m, air::LoopWay::Afresh))
      way = m.builder.CreateNot(isAfresh);
  return !way ? when : when ? m.builder.CreateAnd(when, way) : way;
}

/// The same for any way.
static Value *conditionOfCase(MLoopState &m, const PlannedVersion &version) {
  if (version.ofLongRows)
    return haveLongRows(m);
  if (!version.asksCarries) {
    if (version.inner == InnerStrides::Any)
      return nullptr;
    return version.inner == InnerStrides::Unit ? m.part->isUnit
                                               : walkersHave(m, version.inner);
  }
  Value *when = carriesHold(m, version.stride);
  when->setName(version.stride == 1 ? "carries"
                                    : "carries" + Twine(version.stride));
  if (version.inner == InnerStrides::Unit)
    return m.builder.CreateAnd(m.part->isUnit, when);
  if (version.inner == InnerStrides::LoadTwo)
    when = m.builder.CreateAnd(when, walkersHave(m, version.inner));
  return version.asksHalves ? m.builder.CreateAnd(when, halvesHold(m)) : when;
}

void makeVersions(MLoopState &m) {
  if (m.part->asksUnit)
    m.part->isUnit = walkersHave(m, InnerStrides::Unit);
  for (const PlannedVersion &planned : m.part->planned)
    m.part->versions.push_back({planned, conditionOf(m, planned)});
  if (m.part->storesPairs)
    m.part->pairs = walkersHave(m, InnerStrides::StoreTwo);
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// The value of a let's tree so many steps behind the first index, or at that
/// if there are no such steps. In front of the loop.
static Value *valueAtStep(MLoopState &m, const air::ElementOp &op,
                          unsigned step, unsigned depth) {
  const air::LoopLevel &level = *m.plan.nest[depth].level;
  Value *begin = level.down ? m.range.hi[level.dim] : m.range.lo[level.dim];
  Value *end = level.down ? m.range.lo[level.dim] : m.range.hi[level.dim];
  Value *count = m.builder.getInt64(step);
  m.current[level.dim] = begin;
  m.count.now = nullptr;
  if (m.plan.isCounted) {
    m.count.now = m.count.first ? m.count.first : m.builder.getInt64(0);
    count = m.builder.CreateAdd(m.count.now, count);
  }
  if (step != 0) {
    Value *there = m.builder.CreateAdd(
        begin, m.builder.CreateMul(m.builder.getInt64(step),
                                   m.range.steps[level.dim]));
    Value *isThere = m.plan.isCounted
                         ? m.builder.CreateICmpUGE(m.count.last, count)
                     : level.down ? m.builder.CreateICmpSGE(there, end)
                                  : m.builder.CreateICmpSLE(there, end);
    m.current[level.dim] = m.builder.CreateSelect(isThere, there, begin);
    if (m.plan.isCounted)
      m.count.now = m.builder.CreateSelect(isThere, count, m.count.now);
  }
  return lower(m.fn, op.value);
}

void startCarries(MLoopState &m, unsigned depth) {
  m.carries.starting.clear();
  if (m.carriedStride == 0)
    return;
  for (const air::ElementOp &op : m.part->ops) {
    const air::Carry *carry = carryOf(m, op);
    if (!carry)
      continue;
    setPlace(m.fn, op.range.isValid() ? op.range : m.loop.range);
    Carried &carried =
        m.carries.starting.emplace_back(Carried{&op, carry, {}, {}});
    for (unsigned ago = 1; ago <= carry->back; ++ago)
      carried.start.push_back(valueAtStep(m, op, carry->back - ago, depth));
  }
}

void openCarries(MLoopState &m, LevelPhis &phis, BasicBlock *before) {
  m.carries.values.clear();
  phis.carried = std::move(m.carries.starting);
  m.carries.starting.clear();
  for (Carried &carried : phis.carried) {
    for (Value *start : carried.start) {
      PHINode *phi = m.builder.CreatePHI(start->getType(), 2,
                                         carried.op->variable->name + ".was");
      phi->addIncoming(start, before);
      carried.phis.push_back(phi);
    }
    m.carries.values[carried.op] = carried.phis.back();
  }
}

void closeCarries(MLoopState &m, const LevelPhis &phis, BasicBlock *latch) {
  for (const Carried &carried : phis.carried) {
    Value *next = m.hoisted.variables.lookup(carried.carry->source);
    for (PHINode *phi : carried.phis) {
      phi->addIncoming(next, latch);
      next = phi;
    }
  }
}

void emitLet(MLoopState &m, const air::ElementOp &op) {
  Value *value = m.carries.values.lookup(&op);
  m.hoisted.variables[op.variable] = value ? value : lower(m.fn, op.value);
}

} // namespace zpl::codegen
