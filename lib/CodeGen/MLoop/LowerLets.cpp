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

#include "MLoop/LowerMLoop.h"
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

/// The carry of the version that is being made, or null.
const air::Carry *MLoopLowering::carryOf(const air::ElementOp &op) const {
  auto *it = find_if(op.carries, [&](const air::Carry &carry) {
    return carry.stride == carriedStride && isTaken(op, carry);
  });
  return it == op.carries.end() ? nullptr : it;
}

/// From the walker of the element's leader, in bytes.
Value *MLoopLowering::distanceOf(const air::ElementExpr &element) {
  Value *bytes = offsets.at({element.walker, rowOffset(&element)});
  if (!hasDisplacements(element.walker))
    return bytes;
  return builder.CreateAdd(
      bytes, builder.CreateMul(builder.getInt64(element.offset.back()),
                               fn.sizeOf(element.array->element)));
}

/// Whether \p element is where \p source was \p back steps, or halves of
/// steps, ago.
Value *MLoopLowering::isCarried(const air::ElementExpr &element,
                                const air::ElementExpr &source, unsigned back,
                                bool isHalf) {
  WalkerState &from = walkers[leaders[source.walker]];
  WalkerState &to = walkers[leaders[element.walker]];
  Value *there = distanceOf(source), *here = distanceOf(element);
  Value *bump = to.bumps.back() ? to.bumps.back() : builder.getInt64(0);
  if (isHalf)
    bump = builder.CreateAShr(bump, 1);
  here =
      builder.CreateAdd(here, builder.CreateMul(bump, builder.getInt64(back)));
  if (&from == &to)
    return builder.CreateICmpEQ(here, there);
  auto number = [&](Value *pointer) {
    return builder.CreatePtrToInt(pointer, fn.types.i64);
  };
  here = builder.CreateAdd(here, number(to.position));
  there = builder.CreateAdd(there, number(from.position));
  Value *same = builder.CreateICmpEQ(here, there);
  for (auto [a, b] : zip(from.bumps, to.bumps)) {
    Value *zero = builder.getInt64(0);
    same = builder.CreateAnd(same,
                             builder.CreateICmpEQ(a ? a : zero, b ? b : zero));
  }
  return same;
}

/// Calls \p visit for each element of the part's lets of a stride and what it
/// is carried from.
void MLoopLowering::forEachCarried(
    unsigned stride,
    function_ref<void(const air::ElementExpr &, const air::ElementExpr &,
                      const air::Carry &)>
        visit) {
  SmallDenseMap<const air::Variable *, const air::ElementOp *> made;
  for (const air::ElementOp &op : part->ops) {
    if (op.kind != air::ElementOp::Let)
      continue;
    made[op.variable] = &op;
    for (const air::Carry &carry : op.carries)
      if (carry.stride == stride)
        air::areAlike(*op.value, *made.lookup(carry.source)->value,
                      [&](const auto &element, const auto &source) {
                        visit(element, source, carry);
                        return true;
                      });
  }
}

/// Whether the part's lets of a stride are what they were; null if there are
/// none, or, with \p isKnown, if nothing has to be asked.
Value *MLoopLowering::carriesHold(unsigned stride, bool &isKnown) {
  Value *all = nullptr;
  bool isAny = false;
  forEachCarried(
      stride, [&](const auto &element, const auto &source, const auto &carry) {
        isAny = true;
        if (air::hasKnownSteps(element, source, loop))
          return;
        if (stride == 1)
          neighbours[&element] = {&source, carry.back};
        Value *one = isCarried(element, source, carry.back);
        all = all ? builder.CreateAnd(all, one) : one;
      });
  isKnown = isAny && !all;
  return all;
}

/// Whether neighbours lie side by side if the loop moves by two elements; null
/// if there are none.
Value *MLoopLowering::halvesHold() {
  Value *all = nullptr;
  forEachCarried(
      1, [&](const auto &element, const auto &source, const auto &carry) {
        Value *one = isCarried(element, source, carry.back, /*isHalf=*/true);
        all = all ? builder.CreateAnd(all, one) : one;
      });
  return all;
}

/// Which innermost loops the part has.
void MLoopLowering::findVersions() {
  SmallVector<Version, 3> &versions = part->versions;
  unsigned last = 0;
  for (const air::ElementOp &op : part->ops)
    for (const air::Carry &carry : op.carries)
      last = std::max(last, carry.stride);
  bool isKnown = false;
  Value *carries = carriesHold(1, isKnown);
  unsigned known = isKnown ? 1 : 0;
  if (carries) {
    carries->setName("carries");
    Value *when =
        part->isUnit ? builder.CreateAnd(part->isUnit, carries) : carries;
    versions.push_back(
        {when, part->isUnit ? InnerStrides::Unit : InnerStrides::Any, 1, ""});
  }
  for (unsigned stride = 2; stride <= last; ++stride)
    if (Value *when = carriesHold(stride, isKnown)) {
      when->setName("carries" + Twine(stride));
      InnerStrides how =
          mayLoadTwo() ? InnerStrides::LoadTwo : InnerStrides::Any;
      if (how == InnerStrides::LoadTwo) {
        when = builder.CreateAnd(when, walkersHave(how));
        if (Value *halves = halvesHold())
          when = builder.CreateAnd(when, halves);
      }
      versions.push_back({when, how, stride, ".stride2"});
    }
  if (part->isUnit)
    versions.push_back(
        {part->isUnit, InnerStrides::Unit, known, carries ? ".unit" : ""});
  if (last < 2 && mayLoadTwo())
    versions.push_back({walkersHave(InnerStrides::LoadTwo),
                        InnerStrides::LoadTwo, 0, ".halves"});
  if (mayStoreEvery())
    versions.push_back(
        {walkersHave(InnerStrides::Blend), InnerStrides::Blend, 0, ".every"});
  versions.push_back({nullptr, InnerStrides::Any, known,
                      part->isUnit ? ".any"
                      : carries    ? ".plain"
                                   : ""});
}

//===----------------------------------------------------------------------===//
// The loop
//===----------------------------------------------------------------------===//

/// The value of a let's tree so many steps behind the first index, or at that
/// if there are no such steps. In front of the loop.
Value *MLoopLowering::valueAtStep(const air::ElementOp &op, unsigned step,
                                  unsigned depth) {
  const air::LoopLevel &level = *nest[depth].level;
  Value *begin = level.down ? hi[level.dim] : lo[level.dim];
  Value *end = level.down ? lo[level.dim] : hi[level.dim];
  Value *count = builder.getInt64(step);
  current[level.dim] = begin;
  counter = nullptr;
  if (isCounted) {
    counter = firstCount ? firstCount : builder.getInt64(0);
    count = builder.CreateAdd(counter, count);
  }
  if (step != 0) {
    Value *there = builder.CreateAdd(
        begin, builder.CreateMul(builder.getInt64(step), steps[level.dim]));
    Value *isThere = isCounted    ? builder.CreateICmpUGE(lastCount, count)
                     : level.down ? builder.CreateICmpSGE(there, end)
                                  : builder.CreateICmpSLE(there, end);
    current[level.dim] = builder.CreateSelect(isThere, there, begin);
    if (isCounted)
      counter = builder.CreateSelect(isThere, count, counter);
  }
  return fn.lower(op.value);
}

/// In front of the innermost loop: what the carried values start with.
void MLoopLowering::startCarries(unsigned depth) {
  starting.clear();
  if (carriedStride == 0)
    return;
  for (const air::ElementOp &op : part->ops) {
    const air::Carry *carry = carryOf(op);
    if (!carry)
      continue;
    fn.setPlace(op.range.isValid() ? op.range : loop.range);
    Carried &carried = starting.emplace_back(Carried{&op, carry, {}, {}});
    for (unsigned ago = 1; ago <= carry->back; ++ago)
      carried.start.push_back(valueAtStep(op, carry->back - ago, depth));
  }
}

void MLoopLowering::openCarries(LevelPhis &phis, BasicBlock *before) {
  carriedValues.clear();
  phis.carried = std::move(starting);
  starting.clear();
  for (Carried &carried : phis.carried) {
    for (Value *start : carried.start) {
      PHINode *phi = builder.CreatePHI(start->getType(), 2,
                                       carried.op->variable->name + ".was");
      phi->addIncoming(start, before);
      carried.phis.push_back(phi);
    }
    carriedValues[carried.op] = carried.phis.back();
  }
}

void MLoopLowering::closeCarries(const LevelPhis &phis, BasicBlock *latch) {
  for (const Carried &carried : phis.carried) {
    Value *next = variables.lookup(carried.carry->source);
    for (PHINode *phi : carried.phis) {
      phi->addIncoming(next, latch);
      next = phi;
    }
  }
}

void MLoopLowering::emitLet(const air::ElementOp &op) {
  Value *value = carriedValues.lookup(&op);
  variables[op.variable] = value ? value : fn.lower(op.value);
}

} // namespace zpl::codegen
