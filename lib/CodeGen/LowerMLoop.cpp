//===- LowerMLoop.cpp - M-loops: the nest ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An M-loop over `[R] New := (A@north + A@south) / 2.0` at line 33 becomes
//
//   mloop.L33:                        bounds of R, clipped to the own block
//     %own = call @zrtA_domain(2)
//     %lo0 = smax %R.lo0, %own.lo0  ...
//     br %owns, mloop.L33.nest, mloop.L33.end
//   mloop.L33.nest:                   what does not change: scalars, bumpers
//   mloop.L33.dim0:                   one loop per non-flat level, outer first
//     %i0 = phi; %A.walker = phi; %New.walker = phi
//     %"A.row(-1,0)" = A.walker + offset ...
//   mloop.L33.body:                   the innermost loop, one block
//     %i1 = phi; loads, arithmetic, stores
//   mloop.L33.dim0.next:              bumps the walkers of dim0
//   mloop.L33.done:                   accumulators get their last touch
//   mloop.L33.end:
//
//  1. A processor owns a part of R if every clipped dimension is nonempty. Then
//     each loop runs at least once and can test at its end, so no level needs a
//     test of its own before it.
//  2. Flat dimensions have one index and no loop.
//  3. Scalars and bounds in the body are read before the nest: LLVM would have
//     to prove that no store to an element changes them.
//  4. Accumulators are phis through all levels, from the identity on.
//  5. Delayed parts (`after 1 { ... }`) have inner loops of their own, each of
//     which is as simple as that of a loop alone. The outermost loop runs on
//     until the last part has done its last row; one or two comparisons per
//     step say which parts have a row in it:
//
//   mloop.L33.dim0:                   a step: does part 0 still have a row?
//   mloop.L33.row:  mloop.L33.body:   its inner loops
//   mloop.L33.after1:                 i0.after1 = i0 - 1: has it begun?
//   mloop.L33.after1.row:             its walkers, a row back
//   mloop.L33.after1.body:
//   mloop.L33.dim0.next:
//
// zrtA_domain is called at each M-loop, not once per function: in the procedure
// of the global declarations it must come after the regions have been declared.
// It costs a few nanoseconds (RuntimeCalls.cpp says what LLVM may do with it).
//
//===----------------------------------------------------------------------===//

#include "LowerMLoop.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/MDBuilder.h"
#include <cmath>

using namespace llvm;

namespace zpl::codegen {

static std::string loopName(const ModuleLowering &module, SourceRange range) {
  unsigned line = module.place(range).line;
  return line ? "mloop.L" + std::to_string(line) : "mloop";
}

/// False if \p e, of a float type, is no NaN whatever the variables hold.
static bool mayBeNaN(const air::Expr *e) {
  if (auto *constant = dyn_cast<air::ConstExpr>(e))
    return std::isnan(constant->number);
  if (auto *unary = dyn_cast<air::UnaryExpr>(e))
    return mayBeNaN(unary->operand);
  if (auto *conversion = dyn_cast<air::CastExpr>(e))
    return conversion->operand->type.isFloat() && mayBeNaN(conversion->operand);
  return true;
}

MLoopLowering::MLoopLowering(FunctionLowering &function,
                             const air::MLoopStmt &loop)
    : fn(function), builder(function.builder), loop(loop),
      name(loopName(function.module, loop.range)),
      aliases(function.function->getContext(), loop,
              function.procedure.mayAlias, name) {
  for (unsigned i = 0; i < loop.levels.size(); ++i)
    if (!loop.levels[i].flat)
      nest.push_back({&loop.levels[i], i});
  for (ArrayRef<air::ElementOp> ops : air::partsOf(loop)) {
    unsigned delay = ops.front().delay;
    std::string suffix = delay ? ".after" + std::to_string(delay) : "";
    parts.push_back({ops, delay, name + suffix, {}, {}});
  }
  if (parts.empty())
    parts.push_back({{}, 0, name, {}, {}});
}

void MLoopLowering::run() {
  fn.startBlock(fn.addBlock(name));
  Value *owns = clipBounds();
  BasicBlock *guard = builder.GetInsertBlock();
  BasicBlock *inside = fn.addBlock(name + ".nest");
  BasicBlock *end = fn.addBlock(name + ".end");
  builder.CreateCondBr(
      owns, inside, end,
      MDBuilder(builder.getContext()).createLikelyBranchWeights());

  fn.startBlock(inside);
  hoistScalars();
  startAccumulators();
  startWalkers();
  fn.mloop = this;
  emitNest();
  fn.mloop = nullptr;
  finishAccumulators(guard, end);
}

//===----------------------------------------------------------------------===//
// Before the loops
//===----------------------------------------------------------------------===//

/// Computes the own part of the region; returns whether there is one.
Value *MLoopLowering::clipBounds() {
  unsigned rank = loop.region->rank();
  Value *own = builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_domain),
                                  {builder.getInt32(rank)}, "own");
  // A domain does not change once it was asked for.
  MDNode *invariant = MDNode::get(builder.getContext(), {});
  auto ownBound = [&](unsigned dim, bool isHigh) {
    Value *place = builder.CreateInBoundsGEP(
        fn.types.domain, own,
        {builder.getInt32(0), builder.getInt32(0), builder.getInt32(dim),
         builder.getInt32(isHigh)});
    LoadInst *bound =
        builder.CreateAlignedLoad(fn.types.i64, place, Align(8),
                                  (isHigh ? "own.hi" : "own.lo") + Twine(dim));
    bound->setMetadata(LLVMContext::MD_invariant_load, invariant);
    return bound;
  };
  Value *owns = nullptr;
  for (unsigned d = 0; d < rank; ++d) {
    FunctionLowering::Range range = fn.readRange(loop.region, d);
    lo.push_back(builder.CreateBinaryIntrinsic(Intrinsic::smax, range.lo,
                                               ownBound(d, false), nullptr,
                                               "lo" + Twine(d)));
    hi.push_back(builder.CreateBinaryIntrinsic(Intrinsic::smin, range.hi,
                                               ownBound(d, true), nullptr,
                                               "hi" + Twine(d)));
    Value *isHere = builder.CreateICmpSLE(lo[d], hi[d], "owns" + Twine(d));
    owns = owns ? builder.CreateAnd(owns, isHere, "owns") : isHere;
  }
  current = lo; // right for flat dimensions; loops put theirs in
  return owns;
}

/// True if no loop changes what stands there: a part of a variable with
/// subscripts that do not depend on elements.
static bool isInvariantPlace(const air::Expr *place) {
  if (auto *field = dyn_cast<air::FieldExpr>(place))
    return isInvariantPlace(field->base);
  auto *subscript = dyn_cast<air::SubscriptExpr>(place);
  if (!subscript)
    return isa<air::VarExpr>(place);
  return isInvariantPlace(subscript->base) &&
         llvm::all_of(subscript->subscripts, [](const air::Expr *e) {
           while (auto *conversion = dyn_cast<air::CastExpr>(e))
             e = conversion->operand;
           return isa<air::ConstExpr>(e) || isa<air::VarExpr>(e);
         });
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
  air::forEachExpr(loop, [&](const air::Expr &e) {
    leaves.push_back(&e);
    if (auto *call = dyn_cast<air::CallExpr>(&e)) {
      calls = true;
      for (const air::Argument &arg : call->args)
        writesVariables |= arg.place && air::rootVariable(arg.place);
    }
  });
  auto isStable = [&](const air::Variable *variable) {
    return !writesVariables && (!calls || variable->thunk.empty());
  };
  for (const air::Expr *leaf : leaves) {
    hoistBounds(leaf->type);
    if (auto *bound = dyn_cast<air::BoundExpr>(leaf)) {
      Value *&value = bounds[{bound->region, bound->dim, bound->isHigh}];
      if (!value)
        value = fn.readBound(bound->region, bound->dim, bound->isHigh);
    } else if (auto *variable = dyn_cast<air::VarExpr>(leaf)) {
      if (isStable(variable->variable) || variable->type.isAggregate())
        hoistVariable(variable->variable);
    }
  }
  for (const air::Expr *leaf : leaves)
    if (!leaf->type.isAggregate() && !isa<air::VarExpr>(leaf) &&
        isInvariantPlace(leaf) && isStable(air::rootVariable(leaf)))
      places[leaf] = fn.lower(leaf);
}

void MLoopLowering::annotate(Instruction *access,
                             const air::Expr *place) const {
  if (const air::ElementExpr *element = air::rootElement(place))
    aliases.annotate(access, element->array, part->delay);
  else
    aliases.annotateOther(access, part->delay);
}

Value *MLoopLowering::hoisted(const air::Region *region, unsigned dim,
                              bool isHigh) const {
  auto it = bounds.find({region, dim, isHigh});
  return it == bounds.end() ? nullptr : it->second;
}

void MLoopLowering::startAccumulators() {
  for (const air::ElementOp &op : loop.body)
    if (op.kind == air::ElementOp::Accumulate)
      accumulators[op.accumulator] = {
          op.op, fn.ops.identity(op.op, op.accumulator->type), op.delay};
}

//===----------------------------------------------------------------------===//
// The loops
//===----------------------------------------------------------------------===//

void MLoopLowering::emitNest() {
  if (!nest.empty()) {
    const air::LoopLevel &level = *nest[0].level;
    int64_t more = parts.back().delay;
    lastStep = level.down ? lo[level.dim] : hi[level.dim];
    if (more != 0)
      lastStep = builder.CreateAdd(
          lastStep, builder.getInt64(level.down ? -more : more), "last",
          /*HasNUW=*/false, /*HasNSW=*/true);
  }
  emitFrom(0);
}

/// What is in the loop at \p depth - 1; goes on in the block behind it.
void MLoopLowering::emitFrom(unsigned depth) {
  if (nest.empty() || isInnermost(depth))
    placeRows();
  if (depth == nest.size())
    emitBody();
  else
    emitLevel(depth);
}

/// One loop and what is in it; goes on in the block behind it.
void MLoopLowering::emitLevel(unsigned depth) {
  BasicBlock *head = fn.addBlock(
      isInnermost(depth) ? part->name + ".body"
                         : part->name + ".dim" + Twine(nest[depth].level->dim));
  LevelPhis phis = openLevel(depth, head);
  if (isShared(depth))
    emitParts();
  else
    emitFrom(depth + 1);
  closeLevel(depth, head, phis);
}

/// A step of the outermost loop: the rows that the parts have in it.
void MLoopLowering::emitParts() {
  Value *&index = current[nest[0].level->dim];
  Value *step = index;
  for (Part &each : parts) {
    part = &each;
    SmallVector<Value *, 8> positions;
    for (const WalkerState &walker : walkers)
      positions.push_back(walker.position);
    emitPart(step);
    for (auto [walker, position] : zip(walkers, positions))
      walker.position = position;
  }
  part = &parts.front();
  index = step;
}

/// The row of the current part in \p step, if it has one.
void MLoopLowering::emitPart(Value *step) {
  const air::LoopLevel &level = *nest[0].level;
  int64_t delay = part->delay;
  if (delay != 0)
    current[level.dim] = builder.CreateAdd(
        step, builder.getInt64(level.down ? delay : -delay),
        "i" + Twine(level.dim) + ".after" + Twine(delay), /*HasNUW=*/false,
        /*HasNSW=*/true);
  Value *hasRow = partHasRow();
  BasicBlock *guard = builder.GetInsertBlock();
  BasicBlock *row = fn.addBlock(part->name + ".row");
  BasicBlock *next = fn.addBlock(
      part == &parts.back() ? name + ".dim" + Twine(level.dim) + ".next"
                            : std::next(part)->name);
  builder.CreateCondBr(
      hasRow, row, next,
      MDBuilder(builder.getContext()).createLikelyBranchWeights());
  SmallVector<Value *, 4> before;
  for (const auto &[variable, accumulator] : accumulators)
    before.push_back(accumulator.value);

  fn.startBlock(row);
  stepBack();
  emitFrom(1);
  BasicBlock *done = builder.GetInsertBlock();
  fn.startBlock(next);
  for (auto [entry, old] : zip(accumulators, before)) {
    Value *&value = entry.second.value;
    if (entry.second.delay != part->delay)
      continue;
    PHINode *phi =
        builder.CreatePHI(old->getType(), 2, entry.first->name + ".acc");
    phi->addIncoming(old, guard);
    phi->addIncoming(value, done);
    value = phi;
  }
}

/// Whether the current index of the outermost loop is one of this processor's:
/// a delayed part begins later than the loop, all but the last end earlier.
Value *MLoopLowering::partHasRow() {
  const air::LoopLevel &level = *nest[0].level;
  Value *index = current[level.dim];
  auto isInside = [&](bool isAboveLow) {
    return isAboveLow ? builder.CreateICmpSGE(index, lo[level.dim])
                      : builder.CreateICmpSLE(index, hi[level.dim]);
  };
  if (part->delay == 0)
    return isInside(level.down);
  Value *hasBegun = isInside(!level.down);
  return part == &parts.back()
             ? hasBegun
             : builder.CreateAnd(hasBegun, isInside(level.down));
}

/// Starts \p head with the loop's phis, which become the current values.
MLoopLowering::LevelPhis MLoopLowering::openLevel(unsigned depth,
                                                  BasicBlock *head) {
  const air::LoopLevel &level = *nest[depth].level;
  BasicBlock *before = builder.GetInsertBlock();
  fn.startBlock(head);
  auto addPhi = [&](Value *start, const Twine &phiName) {
    PHINode *phi = builder.CreatePHI(start->getType(), 2, phiName);
    phi->addIncoming(start, before);
    return phi;
  };
  LevelPhis phis;
  phis.index = addPhi(level.down ? hi[level.dim] : lo[level.dim],
                      "i" + Twine(level.dim));
  current[level.dim] = phis.index;
  phis.walkers.assign(walkers.size(), nullptr);
  for (unsigned w = 0; w < walkers.size(); ++w)
    if (!isInnermost(depth) && walkers[w].bumps[depth] &&
        (isShared(depth) || part->walkers.contains(w)))
      walkers[w].position = phis.walkers[w] =
          addPhi(walkers[w].position, arrayName(w) + ".walker");
  for (auto &[variable, accumulator] : accumulators) {
    PHINode *phi = nullptr;
    if (isShared(depth) || accumulator.delay == part->delay)
      accumulator.value = phi =
          addPhi(accumulator.value, variable->name + ".acc");
    phis.accumulators.push_back(phi);
  }
  return phis;
}

/// The end of a step: moves what the level moves and jumps back or out.
void MLoopLowering::closeLevel(unsigned depth, BasicBlock *head,
                               const LevelPhis &phis) {
  const air::LoopLevel &level = *nest[depth].level;
  BasicBlock *latch = builder.GetInsertBlock();
  fn.setPlace(loop.range);
  phis.index->addIncoming(
      builder.CreateAdd(phis.index, builder.getInt64(level.down ? -1 : 1), "",
                        /*HasNUW=*/false, /*HasNSW=*/true),
      latch);
  for (unsigned w = 0; w < walkers.size(); ++w)
    if (PHINode *phi = phis.walkers[w])
      phi->addIncoming(
          move(phi, walkers[w].bumps[depth], arrayName(w) + ".bumped"), latch);
  for (auto [phi, entry] : zip(phis.accumulators, accumulators))
    if (phi)
      phi->addIncoming(entry.second.value, latch);
  Value *last = level.down ? lo[level.dim] : hi[level.dim];
  Value *isLast =
      builder.CreateICmpEQ(phis.index, depth == 0 ? lastStep : last);
  BasicBlock *exit = fn.addBlock(
      depth == 0 ? name + ".done"
      : isShared(depth - 1)
          ? part->name + ".row.end"
          : part->name + ".dim" + Twine(nest[depth - 1].level->dim) + ".next");
  std::optional<unsigned> delay;
  if (!isShared(depth))
    delay = part->delay;
  aliases.annotateLoop(builder.CreateCondBr(isLast, exit, head),
                       isInnermost(depth), delay);
  fn.startBlock(exit);
}

void MLoopLowering::emitBody() {
  for (const air::ElementOp &op : part->ops) {
    fn.setPlace(op.range.isValid() ? op.range : loop.range);
    emitOp(op);
  }
}

void MLoopLowering::emitOp(const air::ElementOp &op) {
  Value *value = fn.lower(op.value);
  switch (op.kind) {
  case air::ElementOp::Store: {
    annotate(fn.store(op.value->type, value, fn.addressOf(op.target)),
             op.target);
    return;
  }
  case air::ElementOp::Accumulate: {
    Value *&accumulator = accumulators[op.accumulator].value;
    accumulator =
        fn.ops.accumulate(op.op, op.value->type, accumulator, value,
                          op.value->type.isFloat() && mayBeNaN(op.value));
    return;
  }
  case air::ElementOp::Call:
    return;
  }
  llvm_unreachable("unknown element operation");
}

/// Ends the nest and stores the accumulators, or their identities if this
/// processor owns nothing.
void MLoopLowering::finishAccumulators(BasicBlock *guard, BasicBlock *end) {
  for (auto &[variable, accumulator] : accumulators)
    accumulator.value =
        fn.ops.finish(accumulator.op, variable->type, accumulator.value);
  BasicBlock *done = builder.GetInsertBlock();
  fn.startBlock(end);
  SmallVector<PHINode *, 4> results;
  for (auto &[variable, accumulator] : accumulators) {
    PHINode *result =
        builder.CreatePHI(accumulator.value->getType(), 2, variable->name);
    result->addIncoming(fn.ops.identity(accumulator.op, variable->type), guard);
    result->addIncoming(accumulator.value, done);
    results.push_back(result);
  }
  for (auto [result, entry] : zip(results, accumulators))
    fn.writeVariable(entry.first, result);
}

} // namespace zpl::codegen
