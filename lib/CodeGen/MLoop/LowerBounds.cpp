//===- LowerBounds.cpp - M-loops: before the nest -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which indices an M-loop runs over, and what it reads before it starts.
//
// The bounds of each dimension of the region are clipped to this processor's
// block: lo = max(R.lo, own.lo), hi = min(R.hi, own.hi). Blocks partition all
// indices, so every index of R is executed by one processor. By kind:
//
//   Range, Singleton   as they are
//   Strided            lo is moved up to the next index, by
//                      (align - lo) mod stride; inside the nest, hi is moved
//                      down to the last one, lo + (hi - lo) / stride * stride
//   Flood              0..0 on every processor, whatever it owns
//
// No sum here overflows: bounds are 32-bit indices, and a stride of 2^62 or
// more is not made.
//
// Scalars and bounds in the body are read before the nest: LLVM would have to
// prove that no store to an element changes them. Parts of variables are, too,
// unless a guard decides at run time whether their subscripts are looked at.
//
// zrtA_domain is called at each M-loop, not once per function: in the procedure
// of the global declarations it must come after the regions have been declared.
// It costs a few nanoseconds (RuntimeCalls.cpp says what LLVM may do with it).
//
//===----------------------------------------------------------------------===//

#include "MLoop/LowerMLoop.h"
#include "zpl/Analysis/Speculation.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;
using zpl::air::BoundExpr;
using zpl::air::DimKind;

namespace zpl::codegen {

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

/// The first index of the region in a Strided dimension that is not below
/// \p low.
Value *MLoopLowering::alignUp(unsigned dim, Value *low, const Twine &name) {
  strides[dim] = fn.readBound(loop.region, dim, BoundExpr::Stride);
  Value *align = fn.readBound(loop.region, dim, BoundExpr::Align);
  Value *gap = fn.modulo(builder.CreateSub(align, low), strides[dim]);
  return builder.CreateAdd(low, gap, name);
}

/// Reads the region's bounds, in front of all tiles.
void MLoopLowering::readRegion() {
  const air::Shape &shape = loop.region->shape;
  strides.assign(shape.size() + 1, nullptr);
  regionLow.assign(shape.size() + 1, builder.getInt64(0));
  regionHigh = regionLow;
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (isPerProcessor(shape[d]))
      continue;
    regionLow[d] = fn.readBound(loop.region, d, BoundExpr::Lo);
    regionHigh[d] = fn.readBound(loop.region, d, BoundExpr::Hi);
    if (isStrided(d))
      regionLow[d] = alignUp(d, regionLow[d], "low" + Twine(d));
  }
}

/// Clips one dimension to the tile; returns whether an index is left.
Value *MLoopLowering::clipToTile(unsigned dim) {
  auto bound = [&](bool isHigh) {
    return fn.ownBound(own, dim, isHigh, /*changes=*/true);
  };
  hi[dim] = builder.CreateBinaryIntrinsic(
      Intrinsic::smin, regionHigh[dim], bound(/*isHigh=*/true), nullptr,
      (isStrided(dim) ? "to" : "hi") + Twine(dim));
  Value *distance = builder.CreateBinaryIntrinsic(
      Intrinsic::smax,
      builder.CreateSub(bound(/*isHigh=*/false), regionLow[dim]),
      builder.getInt64(0));
  stepsBefore[dim] = distance;
  if (Value *stride = strides[dim]) {
    Value *most = builder.CreateSub(stride, builder.getInt64(1));
    stepsBefore[dim] = builder.CreateUDiv(builder.CreateAdd(distance, most),
                                          stride, "before" + Twine(dim));
    distance = builder.CreateMul(stepsBefore[dim], stride);
  }
  lo[dim] = builder.CreateAdd(regionLow[dim], distance, "lo" + Twine(dim));
  return builder.CreateICmpSLE(lo[dim], hi[dim], "owns" + Twine(dim));
}

/// Clips one dimension to the own block; returns whether an index is left.
Value *MLoopLowering::clipDim(unsigned dim, Value *own) {
  Value *low = fn.readBound(loop.region, dim, BoundExpr::Lo);
  Value *high = fn.readBound(loop.region, dim, BoundExpr::Hi);
  bool changes = !loop.awaits.empty();
  low = builder.CreateBinaryIntrinsic(
      Intrinsic::smax, low, fn.ownBound(own, dim, /*isHigh=*/false, changes),
      nullptr, (isStrided(dim) ? "from" : "lo") + Twine(dim));
  high = builder.CreateBinaryIntrinsic(
      Intrinsic::smin, high, fn.ownBound(own, dim, /*isHigh=*/true, changes),
      nullptr, (isStrided(dim) ? "to" : "hi") + Twine(dim));
  if (isStrided(dim))
    low = alignUp(dim, low, "lo" + Twine(dim));
  lo[dim] = low;
  hi[dim] = high;
  return builder.CreateICmpSLE(low, high, "owns" + Twine(dim));
}

/// Computes the own part of the region. Returns whether there is one, null if
/// there is whatever this processor owns.
Value *MLoopLowering::clipBounds() {
  const air::Shape &shape = loop.region->shape;
  lo.assign(shape.size() + 1, builder.getInt64(0));
  hi = lo;
  if (isTiled)
    stepsBefore = lo;
  else
    strides.assign(shape.size() + 1, nullptr);
  Value *owns = nullptr;
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (isPerProcessor(shape[d]))
      continue;
    if (!own)
      own = fn.ownBlock(shape.size());
    Value *isHere = isTiled ? clipToTile(d) : clipDim(d, own);
    owns = owns ? builder.CreateAnd(owns, isHere, "owns") : isHere;
  }
  current = lo; // right for flat dimensions; loops put theirs in
  return owns;
}

/// Finds the last indices of Strided dimensions, the signs of steps, and how
/// often the innermost loop runs if it counts.
void MLoopLowering::countSteps() {
  steps.assign(strides.size(), builder.getInt64(1));
  first = lo;
  if (loop.times)
    hi.back() = builder.CreateSub(fn.lower(loop.times), builder.getInt64(1));
  for (const NestLevel &entry : nest) {
    unsigned dim = entry.level->dim;
    bool isInner = &entry == &nest.back();
    Value *&step = steps[dim];
    Value *count = nullptr;
    if (isStrided(dim)) {
      step = strides[dim];
      Value *distance = builder.CreateSub(hi[dim], lo[dim]);
      count = builder.CreateUDiv(distance, step, "steps" + Twine(dim));
      hi[dim] = builder.CreateAdd(lo[dim], builder.CreateMul(count, step),
                                  "hi" + Twine(dim));
      if (isInner)
        lastCount = count;
    } else if (isInner && isCounted) {
      lastCount = builder.CreateSub(hi[dim], lo[dim], "steps" + Twine(dim));
    }
    if (!entry.level->down)
      continue;
    if (isTiled)
      stepsBefore[dim] = builder.CreateAdd(
          stepsBefore[dim],
          isStrided(dim) ? count : builder.CreateSub(hi[dim], lo[dim]));
    step = builder.CreateNeg(step, "step" + Twine(dim));
    first[dim] = hi[dim];
  }
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

static bool isConstOrVariable(const air::Expr *expr) {
  while (auto *conversion = dyn_cast<air::CastExpr>(expr))
    expr = conversion->operand;
  return isa<air::ConstExpr>(expr) || isa<air::VarExpr>(expr);
}

/// True if no loop changes what stands there: a part of a variable with
/// subscripts that do not depend on elements; if \p isGuarded, with constant
/// ones that lie within constant bounds.
static bool isInvariantPlace(const air::Expr *place, bool isGuarded) {
  if (auto *field = dyn_cast<air::FieldExpr>(place))
    return isInvariantPlace(field->base, isGuarded);
  auto *subscript = dyn_cast<air::SubscriptExpr>(place);
  if (!subscript)
    return isa<air::VarExpr>(place);
  return isInvariantPlace(subscript->base, isGuarded) &&
         (isGuarded ? air::isInside(*subscript)
                    : llvm::all_of(subscript->subscripts, isConstOrVariable));
}

/// Reads a scalar variable; of an aggregate finds the memory.
void MLoopLowering::hoistVariable(const air::Variable *variable) {
  if (variable->type.isAggregate()) {
    if (!memories.contains(variable))
      memories[variable] = fn.variableAddress(variable);
  } else if (!variables.contains(variable)) {
    variables[variable] = fn.readVariable(variable);
  }
}

/// Reads what the size of a type depends on.
void MLoopLowering::hoistBounds(air::Type type) {
  if (!type.isAggregate() || !type.isRunTimeSized())
    return;
  const air::TypeInfo &info = *type.info();
  for (const auto *list : {&info.lo, &info.hi})
    for (const air::Bound &bound : *list)
      if (bound.variable)
        hoistVariable(bound.variable);
  hoistBounds(info.element);
  for (const air::Field &field : info.fields)
    hoistBounds(field.type);
}

/// Reads the variables and bounds of the body. Scalars are not hoisted if the
/// body passes a variable by reference, which may be any of them; nor are C's
/// if it calls anything, for that may call C.
void MLoopLowering::hoistScalars() {
  bool writesVariables = false, calls = false;
  SmallVector<const air::Expr *, 16> leaves;
  SmallVector<const air::Expr *, 4> invariants;
  SmallPtrSet<const air::Variable *, 8> lets;
  for (const air::ElementOp &op : loop.body)
    if (op.kind == air::ElementOp::Let)
      lets.insert(op.variable);
  for (const air::ElementOp &op : loop.body)
    for (const air::Expr *root : {op.target, op.value, op.guard}) {
      bool isGuarded = op.guard && root != op.guard;
      const air::Expr *accumulated = air::accumulatedPlace(op);
      if (root)
        air::forEachExpr(*root, [&](const air::Expr &e) {
          if (&e == accumulated && isa<air::VarExpr>(e))
            return; // nothing else in the loop names it
          if (auto *read = dyn_cast<air::VarExpr>(&e);
              read && lets.contains(read->variable))
            return;
          leaves.push_back(&e);
          if (!e.type.isAggregate() && !isa<air::VarExpr>(e) &&
              isInvariantPlace(&e, isGuarded))
            invariants.push_back(&e);
          if (auto *call = dyn_cast<air::CallExpr>(&e)) {
            calls = true;
            for (const air::Argument &arg : call->args)
              writesVariables |= arg.place && arg.place != accumulated &&
                                 air::rootVariable(arg.place);
          }
        });
    }
  auto isStable = [&](const air::Variable *variable) {
    return !writesVariables && (!calls || variable->thunk.empty());
  };
  for (const air::Expr *leaf : leaves) {
    hoistBounds(leaf->type);
    if (auto *bound = dyn_cast<BoundExpr>(leaf)) {
      Value *&value = bounds[{bound->region, bound->dim, bound->which}];
      if (!value)
        value = fn.readBound(bound->region, bound->dim, bound->which);
    } else if (auto *variable = dyn_cast<air::VarExpr>(leaf)) {
      if (isStable(variable->variable) || variable->type.isAggregate())
        hoistVariable(variable->variable);
    }
  }
  if (fn.module.options.checks.subscripts)
    subscriptRanges.test(
        fn, loop,
        {first, lo, hi, ArrayRef(steps).take_front(loop.region->rank())},
        [&](const air::Variable *v) { return variables.contains(v); });
  for (const air::Expr *place : invariants)
    if (isStable(air::rootVariable(place)))
      places[place] = fn.lower(place);
}

Value *MLoopLowering::hoisted(const air::Region *region, unsigned dim,
                              BoundExpr::Which which) const {
  auto it = bounds.find({region, dim, which});
  return it == bounds.end() ? nullptr : it->second;
}

} // namespace zpl::codegen
