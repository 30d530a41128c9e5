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
// In a scattered domain the loop goes over places instead: the runtime says
// which ones the region has here, densely, and the index of each is in a table.
// What strides leave out is left out by guards (Scalarize.cpp). Over a sparse
// region it goes over a pattern (Sparse/PatternLoops.cpp).
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

#include "MLoop/LowerBounds.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerDistributions.h"
#include "Function/LowerRegion.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerMLoop.h"
#include "Sparse/PatternLoops.h"
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
static Value *alignUp(MLoopState &m, unsigned dim, Value *low,
                      const Twine &name) {
  m.range.strides[dim] = readBound(m.fn, m.loop.region, dim, BoundExpr::Stride);
  Value *align = readBound(m.fn, m.loop.region, dim, BoundExpr::Align);
  Value *gap =
      modulo(m.fn, m.builder.CreateSub(align, low), m.range.strides[dim]);
  return m.builder.CreateAdd(low, gap, name);
}

void readRegion(MLoopState &m) {
  const air::Shape &shape = m.loop.region->shape;
  m.range.strides.assign(shape.size() + 1, nullptr);
  m.range.regionLow.assign(shape.size() + 1, m.builder.getInt64(0));
  m.range.regionHigh = m.range.regionLow;
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (isPerProcessor(shape[d]))
      continue;
    m.range.regionLow[d] = readBound(m.fn, m.loop.region, d, BoundExpr::Lo);
    m.range.regionHigh[d] = readBound(m.fn, m.loop.region, d, BoundExpr::Hi);
    if (isStrided(m.plan, d))
      m.range.regionLow[d] =
          alignUp(m, d, m.range.regionLow[d], "low" + Twine(d));
  }
}

/// Clips one dimension to the tile; returns whether an index is left.
static Value *clipToTile(MLoopState &m, unsigned dim) {
  auto bound = [&](bool isHigh) {
    return ownBound(m.fn, m.range.own, dim, isHigh, /*changes=*/true);
  };
  m.range.hi[dim] = m.builder.CreateBinaryIntrinsic(
      Intrinsic::smin, m.range.regionHigh[dim], bound(/*isHigh=*/true), nullptr,
      (isStrided(m.plan, dim) ? "to" : "hi") + Twine(dim));
  Value *distance = m.builder.CreateBinaryIntrinsic(
      Intrinsic::smax,
      m.builder.CreateSub(bound(/*isHigh=*/false), m.range.regionLow[dim]),
      m.builder.getInt64(0));
  m.range.stepsBefore[dim] = distance;
  if (Value *stride = m.range.strides[dim]) {
    Value *most = m.builder.CreateSub(stride, m.builder.getInt64(1));
    m.range.stepsBefore[dim] = m.builder.CreateUDiv(
        m.builder.CreateAdd(distance, most), stride, "before" + Twine(dim));
    distance = m.builder.CreateMul(m.range.stepsBefore[dim], stride);
  }
  m.range.lo[dim] =
      m.builder.CreateAdd(m.range.regionLow[dim], distance, "lo" + Twine(dim));
  return m.builder.CreateICmpSLE(m.range.lo[dim], m.range.hi[dim],
                                 "owns" + Twine(dim));
}

/// Clips one dimension to the own block; returns whether an index is left.
static Value *clipDim(MLoopState &m, unsigned dim, Value *own) {
  Value *low = readBound(m.fn, m.loop.region, dim, BoundExpr::Lo);
  Value *high = readBound(m.fn, m.loop.region, dim, BoundExpr::Hi);
  bool changes = !m.loop.awaits.empty() || ownBlockChanges(m.loop.region);
  low = m.builder.CreateBinaryIntrinsic(
      Intrinsic::smax, low, ownBound(m.fn, own, dim, /*isHigh=*/false, changes),
      nullptr, (isStrided(m.plan, dim) ? "from" : "lo") + Twine(dim));
  high = m.builder.CreateBinaryIntrinsic(
      Intrinsic::smin, high, ownBound(m.fn, own, dim, /*isHigh=*/true, changes),
      nullptr, (isStrided(m.plan, dim) ? "to" : "hi") + Twine(dim));
  if (isStrided(m.plan, dim))
    low = alignUp(m, dim, low, "lo" + Twine(dim));
  m.range.lo[dim] = low;
  m.range.hi[dim] = high;
  return m.builder.CreateICmpSLE(low, high, "owns" + Twine(dim));
}

/// Finds what the loop's region is in places, and the indices of these where
/// the body asks for them.
static void findPlaces(MLoopState &m) {
  const air::Region *region = m.loop.region;
  m.range.own = addAlloca(m.fn, m.fn.types.domain, "places");
  m.builder.CreateCall(ZRT_CALLEE(m.fn.calls, zrtA_places),
                       {address(m.fn, region), m.range.own});
  m.range.indices.assign(region->rank(), nullptr);
  Value *number =
      m.builder.getInt32(numberOf(m.fn.module.source, region->domain));
  for (const air::ElementOp &op : m.loop.body)
    air::forEachExpr(op, [&](const air::Expr &e) {
      auto *index = dyn_cast<air::IndexExpr>(&e);
      if (index && !m.range.indices[index->dim])
        m.range.indices[index->dim] = m.builder.CreateCall(
            ZRT_CALLEE(m.fn.calls, zrtA_place_indices),
            {number, m.builder.getInt32(index->dim), m.range.own},
            "indices" + Twine(index->dim));
    });
}

/// The places of one dimension; returns whether there are any.
static Value *readPlaces(MLoopState &m, unsigned dim) {
  auto bound = [&](bool isHigh) {
    return ownBound(m.fn, m.range.own, dim, isHigh, /*changes=*/true);
  };
  m.range.lo[dim] = bound(/*isHigh=*/false);
  m.range.hi[dim] = bound(/*isHigh=*/true);
  return m.builder.CreateICmpSLE(m.range.lo[dim], m.range.hi[dim],
                                 "owns" + Twine(dim));
}

Value *clipBounds(MLoopState &m) {
  if (isSparse(m.plan))
    return startPattern(m);
  const air::Shape &shape = m.loop.region->shape;
  m.range.lo.assign(shape.size() + 1, m.builder.getInt64(0));
  m.range.hi = m.range.lo;
  if (m.plan.isTiled)
    m.range.stepsBefore = m.range.lo;
  else
    m.range.strides.assign(shape.size() + 1, nullptr);
  Value *owns = nullptr;
  bool inPlaces = air::isScattered(*m.loop.region);
  if (inPlaces)
    findPlaces(m);
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (isPerProcessor(shape[d]))
      continue;
    if (!m.range.own)
      m.range.own = ownBlock(m.fn, m.loop.region);
    Value *isHere = inPlaces         ? readPlaces(m, d)
                    : m.plan.isTiled ? clipToTile(m, d)
                                     : clipDim(m, d, m.range.own);
    owns = owns ? m.builder.CreateAnd(owns, isHere, "owns") : isHere;
  }
  m.current = m.range.lo; // right for flat dimensions; loops put theirs in
  return owns;
}

void countSteps(MLoopState &m) {
  if (isSparse(m.plan))
    return;
  m.range.steps.assign(m.range.strides.size(), m.builder.getInt64(1));
  m.range.first = m.range.lo;
  if (m.loop.times)
    m.range.hi.back() =
        m.builder.CreateSub(lower(m.fn, m.loop.times), m.builder.getInt64(1));
  for (const NestLevel &entry : m.plan.nest) {
    unsigned dim = entry.level->dim;
    bool isInner = &entry == &m.plan.nest.back();
    Value *&step = m.range.steps[dim];
    Value *count = nullptr;
    if (isStrided(m.plan, dim)) {
      step = m.range.strides[dim];
      Value *distance = m.builder.CreateSub(m.range.hi[dim], m.range.lo[dim]);
      count = m.builder.CreateUDiv(distance, step, "steps" + Twine(dim));
      m.range.hi[dim] = m.builder.CreateAdd(
          m.range.lo[dim], m.builder.CreateMul(count, step), "hi" + Twine(dim));
      if (isInner)
        m.count.last = count;
    } else if (isInner && m.plan.isCounted) {
      m.count.last = m.builder.CreateSub(m.range.hi[dim], m.range.lo[dim],
                                         "steps" + Twine(dim));
    }
    if (!entry.level->down)
      continue;
    if (m.plan.isTiled)
      m.range.stepsBefore[dim] = m.builder.CreateAdd(
          m.range.stepsBefore[dim],
          isStrided(m.plan, dim)
              ? count
              : m.builder.CreateSub(m.range.hi[dim], m.range.lo[dim]));
    step = m.builder.CreateNeg(step, "step" + Twine(dim));
    m.range.first[dim] = m.range.hi[dim];
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
static void hoistVariable(MLoopState &m, const air::Variable *variable) {
  if (variable->type.isAggregate()) {
    if (!m.hoisted.memories.contains(variable))
      m.hoisted.memories[variable] = variableAddress(m.fn, variable);
  } else if (!m.hoisted.variables.contains(variable)) {
    m.hoisted.variables[variable] = readVariable(m.fn, variable);
  }
}

/// Reads what the size of a type depends on.
static void hoistBounds(MLoopState &m, air::Type type) {
  if (!type.isAggregate() || !type.isRunTimeSized())
    return;
  const air::TypeInfo &info = *type.info();
  for (const auto *list : {&info.lo, &info.hi})
    for (const air::Bound &bound : *list)
      if (bound.variable)
        hoistVariable(m, bound.variable);
  hoistBounds(m, info.element);
  for (const air::Field &field : info.fields)
    hoistBounds(m, field.type);
}

namespace {
/// What an M-loop reads, and what may change variables in it.
struct LoopReads {
  SmallVector<const air::Expr *, 16> all;
  SmallVector<const air::Expr *, 4> invariants; ///< places, but variables
  bool writesVariables = false, calls = false;

  /// Whether a variable has one value throughout.
  bool isStable(const air::Variable *variable) const {
    return !writesVariables && (!calls || variable->thunk.empty());
  }
};
} // namespace

static LoopReads readsOf(const air::MLoopStmt &loop) {
  LoopReads reads;
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
          reads.all.push_back(&e);
          if (!e.type.isAggregate() && !isa<air::VarExpr>(e) &&
              isInvariantPlace(&e, isGuarded))
            reads.invariants.push_back(&e);
          if (auto *call = dyn_cast<air::CallExpr>(&e)) {
            reads.calls = true;
            for (const air::Argument &arg : call->args)
              reads.writesVariables |= arg.place && arg.place != accumulated &&
                                       air::rootVariable(arg.place);
          }
        });
    }
  return reads;
}

/// Reads a bound or a variable before the loop.
static void hoistLeaf(MLoopState &m, const air::Expr &leaf,
                      const LoopReads &reads) {
  hoistBounds(m, leaf.type);
  if (auto *bound = dyn_cast<BoundExpr>(&leaf)) {
    Value *&value = m.hoisted.bounds[{bound->region, bound->dim, bound->which}];
    if (!value)
      value = readBound(m.fn, bound->region, bound->dim, bound->which);
  } else if (auto *variable = dyn_cast<air::VarExpr>(&leaf)) {
    if (reads.isStable(variable->variable) || variable->type.isAggregate())
      hoistVariable(m, variable->variable);
  }
}

void hoistScalars(MLoopState &m) {
  LoopReads reads = readsOf(m.loop);
  for (const air::Expr *leaf : reads.all)
    hoistLeaf(m, *leaf, reads);
  if (m.fn.module.options.checks.subscripts && !isSparse(m.plan) &&
      !air::isScattered(*m.loop.region))
    m.hoisted.subscripts.test(
        m.fn, m.loop,
        {m.range.first, m.range.lo, m.range.hi,
         ArrayRef(m.range.steps).take_front(m.loop.region->rank())},
        [&](const air::Variable *v) {
          return m.hoisted.variables.contains(v);
        });
  for (const air::Expr *place : reads.invariants)
    if (reads.isStable(air::rootVariable(place)))
      m.hoisted.places[place] = lower(m.fn, place);
}

Value *hoisted(const MLoopState &m, const air::Region *region, unsigned dim,
               BoundExpr::Which which) {
  auto it = m.hoisted.bounds.find({region, dim, which});
  return it == m.hoisted.bounds.end() ? nullptr : it->second;
}

} // namespace zpl::codegen
