//===- LowerJoined.cpp - Two M-loops in one sweep -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     U += S;                              the even columns
//     U@west += 0.5 * (S + S@west);        the odd ones, each in front of one
//
// Alone, each of the two reads and writes whole vectors of a row and changes
// every second element; what vectors leave over it stores one by one, for the
// element behind the last one may be another processor's. Together they store
// all elements of the vectors, up to the last one:
//
//   mloop.L9.joined:                  each pair of elements
//     %a = ... U[2 count] ...         of the loop whose elements come before
//     %b = ... U[2 count + 1] ...     of the other
//     store %a, U[2 count]
//     store %b, U[2 count + 1]
//
// The program asks, in front of all tiles: do both move by two elements where
// they store and by one elsewhere (StoreTwo in LowerSteps.cpp), is the second's
// first element next to the first's, and do further elements stay next to each
// other? In each tile: do both have the same rows and as many columns? If so
// this nest does the work of both, else each has its own. It is the `before`
// loop's; in it the walkers of the other one are bumped, too.
//
// What does either loop read that the other one stores? Nothing: each reads the
// array at its own indices only, and those are different ones.
//
// Cost: two divisions per tile and pair.
//
//===----------------------------------------------------------------------===//

#include "Function/CountWork.h"
#include "Function/FunctionLowering.h"
#include "Function/LeaveOut.h"
#include "Function/LowerAggregates.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerBounds.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerWalkers.h"
#include "Waves/JoinedLoops.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::codegen {

AliasInfo JoinedLoops::aliasesOf(FunctionState &fn,
                                 const air::MLoopStmt &before,
                                 const air::MLoopStmt &after) {
  air::MLoopStmt both = before;
  append_range(both.walkers, after.walkers);
  append_range(both.body, after.body);
  return {fn.function->getContext(), both,     fn.storages,
          fn.procedure.mayAlias,     "joined", /*strides=*/nullptr};
}

static const air::ElementExpr *targetOf(const air::MLoopStmt &loop) {
  return cast<air::ElementExpr>(loop.body.front().target);
}

JoinedLoops::JoinedLoops(FunctionState &function, const air::MLoopStmt &before,
                         const air::MLoopStmt &after)
    : fn(function), builder(function.builder),
      aliases(aliasesOf(function, before, after)),
      before(function, before, /*isTiled=*/true, &aliases),
      after(function, after, /*isTiled=*/true, &aliases) {}

bool JoinedLoops::prepare(Value *mayMove) {
  codegen::prepare(before);
  codegen::prepare(after);
  Value *pairs = makePairs();
  fits = pairs ? builder.CreateAnd(mayMove, pairs, "fits") : nullptr;
  return fits != nullptr;
}

Value *JoinedLoops::makePairs() {
  Value *moves = before.parts.front().pairs,
        *follow = after.parts.front().pairs;
  if (!moves || !follow)
    return nullptr;
  const air::ElementExpr *target = targetOf(before.loop);
  const auto &from = before.walkers[target->walker];
  const auto &to = after.walkers[targetOf(after.loop)->walker];
  Value *all = builder.CreateAnd(moves, follow);
  Value *next =
      move(before, from.start, sizeOf(fn, target->array->element), "");
  all = builder.CreateAnd(all, builder.CreateICmpEQ(next, to.start));
  for (auto [a, b] : zip(from.bumps, to.bumps)) {
    if (!a || !b)
      return nullptr;
    all = builder.CreateAnd(all, builder.CreateICmpEQ(a, b));
  }
  return all;
}

Value *JoinedLoops::clip(const MLoopState &first, const MLoopState &second) {
  if (!fits)
    return nullptr;
  for (auto [to, from] :
       {std::pair(&before, &first), std::pair(&after, &second)}) {
    to->range.own = from->range.own;
    to->range.lo = from->range.lo;
    to->range.hi = from->range.hi;
    to->range.stepsBefore = from->range.stepsBefore;
    to->current = from->current;
  }
  isHere = builder.CreateAnd(
      fits, builder.CreateAnd(first.range.owns, second.range.owns));
  auto same = [&](Value *a, Value *b) {
    isHere = builder.CreateAnd(isHere, builder.CreateICmpEQ(a, b));
  };
  unsigned inner = before.plan.nest.back().level->dim;
  for (unsigned d = 0; d < before.loop.region->rank(); ++d) {
    same(before.range.stepsBefore[d], after.range.stepsBefore[d]);
    if (d == inner)
      continue;
    same(before.range.lo[d], after.range.lo[d]);
    same(before.range.hi[d], after.range.hi[d]);
  }
  auto count = [&](MLoopState &loop) {
    Value *distance =
        builder.CreateSub(loop.range.hi[inner], loop.range.lo[inner]);
    Value *stride = loop.range.strides[inner];
    return stride ? builder.CreateUDiv(distance, stride) : distance;
  };
  same(count(before), count(after));
  isHere = unlessLeftOut(before, after, isHere);
  isHere->setName("joined");
  return isHere;
}

void JoinedLoops::run() {
  if (!isHere)
    return;
  BasicBlock *nest = addBlock(fn, before.name + ".joined.nest");
  BasicBlock *end = addBlock(fn, before.name + ".joined.end");
  builder.CreateCondBr(isHere, nest, end);
  startBlock(fn, nest);
  for (MLoopState *loop : both()) {
    setPlace(fn, loop->loop.range);
    countSteps(*loop);
    countWork(*loop);
    hoistScalars(*loop);
    moveToTile(*loop);
  }
  emitLevel(0, end);
  startBlock(fn, end);
}

void JoinedLoops::emitLevel(unsigned depth, BasicBlock *exit) {
  if (isInnermost(before, depth))
    return emitRow(depth, exit);
  const air::LoopLevel &level = *before.plan.nest[depth].level;
  BasicBlock *start = builder.GetInsertBlock();
  BasicBlock *head =
      addBlock(fn, before.name + ".joined.dim" + Twine(level.dim));
  BasicBlock *next = addBlock(fn, before.name + ".joined.next");
  startBlock(fn, head);
  auto addPhi = [&](Value *value, const Twine &name) {
    PHINode *phi = builder.CreatePHI(value->getType(), 2, name);
    phi->addIncoming(value, start);
    return phi;
  };
  Value *low = before.range.lo[level.dim], *high = before.range.hi[level.dim];
  PHINode *index = addPhi(level.down ? high : low, "i" + Twine(level.dim));
  struct Moved {
    PHINode *position;
    Value *bump;
  };
  SmallVector<Moved, 8> moved;
  for (MLoopState *loop : both()) {
    loop->current[level.dim] = index;
    for (auto [w, walker] : enumerate(loop->walkers))
      if (loop->plan.leaders[w] == w && walker.bumps[depth]) {
        PHINode *phi = addPhi(walker.position, arrayName(*loop, w) + ".walker");
        moved.push_back({phi, walker.bumps[depth]});
        walker.position = phi;
      }
  }
  emitLevel(depth + 1, next);

  startBlock(fn, next);
  setPlace(fn, before.loop.range);
  for (const Moved &walker : moved)
    walker.position->addIncoming(move(before, walker.position, walker.bump, ""),
                                 next);
  index->addIncoming(builder.CreateAdd(index, before.range.steps[level.dim]),
                     next);
  Value *isLast = builder.CreateICmpEQ(index, level.down ? low : high);
  aliases.annotateLoop(builder.CreateCondBr(isLast, exit, head),
                       /*isInnermost=*/false, 0, {}, {});
}

void JoinedLoops::emitRow(unsigned depth, BasicBlock *exit) {
  for (MLoopState *loop : both())
    placeRows(*loop);
  // Where LLVM sees it.
  const air::ElementExpr *target = targetOf(before.loop);
  const air::ElementExpr *next = targetOf(after.loop);
  after.rows[{next->walker, rowOffset(after.plan, next)}] = move(
      before, before.rows.at({target->walker, rowOffset(before.plan, target)}),
      sizeOf(fn, target->array->element), "");
  BasicBlock *start = builder.GetInsertBlock();
  BasicBlock *body = addBlock(fn, before.name + ".joined");
  startBlock(fn, body);
  PHINode *count = builder.CreatePHI(fn.types.i64, 2, "count");
  count->addIncoming(builder.getInt64(0), start);
  before.count.now = after.count.now = count;
  emitStep(depth);
  setPlace(fn, before.loop.range);
  count->addIncoming(builder.CreateAdd(count, builder.getInt64(1), "",
                                       /*HasNUW=*/true, /*HasNSW=*/true),
                     builder.GetInsertBlock());
  Value *isLast = builder.CreateICmpEQ(count, before.count.last);
  VectorChoice vectors;
  vectors.alone = true;
  aliases.annotateLoop(builder.CreateCondBr(isLast, exit, body),
                       /*isInnermost=*/true, 0, vectors, {});
}

void JoinedLoops::emitStep(unsigned depth) {
  unsigned dim = before.plan.nest[depth].level->dim;
  struct Stored {
    Value *value, *place;
    const air::ElementOp *op;
  };
  SmallVector<Stored, 2> stores;
  for (MLoopState *loop : both()) {
    const air::ElementOp &op = loop->loop.body.front();
    loop->current[dim] = builder.CreateAdd(
        loop->range.lo[dim],
        builder.CreateMul(loop->count.now, loop->range.steps[dim]));
    loop->inner = InnerStrides::StoreTwo;
    fn.mloop = loop;
    setPlace(fn, op.range.isValid() ? op.range : loop->loop.range);
    Value *value = lower(fn, op.value);
    stores.push_back({value, addressOf(fn, op.target), &op});
  }
  fn.mloop = nullptr;
  for (const Stored &at : stores)
    annotate(before, store(fn, at.op->value->type, at.value, at.place),
             at.op->target);
}

} // namespace zpl::codegen
