//===- LowerBlocks.cpp - M-loops that are unrolled and tiled --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A level `unroll 4` takes four of its indices at a time into the innermost
// loop, a level `tile 64` gets a loop around the whole nest. A product of
// matrices, sums of i and j along k:
//
//     mloop @Box levels(0 up unroll 4, 1 up unroll 4 tile 64, 2 up tile 512) {
//       accumulate sum %T, mul(@A, @B)         -- T floods k, A j, B i
//     }
//
//   mloop.L9.tile1:                    k in steps of 64, lo1 and hi1 become
//   mloop.L9.tile2:                    the tile's; j in steps of 512
//   mloop.L9.dim0:                     i in steps of 4
//   mloop.L9.dim1:                     k in steps of 4
//     16 elements of A, 4 rows of B, 4 rows of T
//   mloop.L9.body:                     j: 16 operations, copies of one; LLVM
//                                      keeps what they share in registers
//   mloop.L9.dim1.rest:                the rest of k, one at a time
//   mloop.L9.dim0.rest:                the rest of i, with loops over k as
//   above
//
// A *copy* of the body is at the current indices of the loops plus some
// constants, and its walkers are some bytes further: numbers that do not change
// during the nest. The copies of one index follow each other in the order of
// the levels, so every element is taken through its operations in the order
// that it has in the nest without factors.
//
// A level `times` is that of the repetitions: its index goes from 0, and what
// bumps there are the panels (air::Array::panel).
//
// Cost: 2^n innermost loops for n unrolled levels; the product of the factors
// is the number of copies in the largest.
//
//===----------------------------------------------------------------------===//

#include "MLoop/LowerMLoop.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::codegen {

/// Instead of emitNest.
void MLoopLowering::emitBlocks() {
  SmallVector<unsigned, 6> tiled;
  for (unsigned depth = 0; depth < nest.size(); ++depth)
    if (nest[depth].level->tile != 0)
      tiled.push_back(depth);
  Copy here;
  here.bytes.assign(walkers.size(), nullptr);
  here.steps.assign(current.size(), 0);
  emitTiles(tiled, here);
}

/// A loop over the tiles of the first level of \p tiled, and so on.
void MLoopLowering::emitTiles(ArrayRef<unsigned> tiled, const Copy &here) {
  if (tiled.empty())
    return emitBlockLevel(0, here);
  unsigned depth = tiled.front();
  const air::LoopLevel &level = *nest[depth].level;
  Value *begin = lo[level.dim], *end = hi[level.dim];
  std::string suffix = ".tile" + std::to_string(level.dim);
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *head = fn.addBlock(name + suffix);
  BasicBlock *done = fn.addBlock(name + suffix + ".done");
  fn.startBlock(head);
  WalkerPhis phis = openBlockLoop(depth, begin, before);
  Value *size = builder.getInt64(level.tile);
  lo[level.dim] = current[level.dim];
  hi[level.dim] = builder.CreateBinaryIntrinsic(
      Intrinsic::smin,
      builder.CreateAdd(lo[level.dim], builder.getInt64(level.tile - 1)), end);
  Value *isLast = builder.CreateICmpEQ(hi[level.dim], end);
  emitTiles(tiled.drop_front(), here);
  closeBlockLoop(depth, size, phis, isLast, head, done);
  lo[level.dim] = begin;
  hi[level.dim] = end;
  fn.startBlock(done);
}

/// The phis of one loop: those of its walkers, then the index.
MLoopLowering::WalkerPhis
MLoopLowering::openBlockLoop(unsigned depth, Value *begin, BasicBlock *before) {
  unsigned dim = nest[depth].level->dim;
  WalkerPhis phis(walkers.size() + 1, nullptr);
  auto addPhi = [&](Value *start, const Twine &phiName) {
    PHINode *phi = builder.CreatePHI(start->getType(), 2, phiName);
    phi->addIncoming(start, before);
    return phi;
  };
  phis.back() =
      addPhi(begin, nest[depth].level->isTimes ? "time" : "i" + Twine(dim));
  current[dim] = phis.back();
  for (unsigned w = 0; w < walkers.size(); ++w)
    if (leaders[w] == w && !isInnermost(depth) && walkers[w].bumps[depth])
      walkers[w].position = phis[w] =
          addPhi(walkers[w].position, arrayName(w) + ".walker");
  return phis;
}

/// Goes on \p steps indices or leaves the loop.
void MLoopLowering::closeBlockLoop(unsigned depth, Value *steps,
                                   const WalkerPhis &phis, Value *isLast,
                                   BasicBlock *head, BasicBlock *exit) {
  BasicBlock *latch = builder.GetInsertBlock();
  fn.setPlace(loop.range);
  phis.back()->addIncoming(builder.CreateAdd(phis.back(), steps, "",
                                             /*HasNUW=*/false,
                                             /*HasNSW=*/true),
                           latch);
  for (unsigned w = 0; w < walkers.size(); ++w)
    if (phis[w])
      phis[w]->addIncoming(
          move(phis[w], builder.CreateMul(walkers[w].bumps[depth], steps),
               arrayName(w) + ".bumped"),
          latch);
  std::optional<unsigned> delay;
  if (stepsAreIndependent(depth))
    delay = 0;
  aliases.annotateLoop(builder.CreateCondBr(isLast, exit, head),
                       isInnermost(depth), delay, {}, {});
}

/// One level with its copies, those of outer levels being \p copies.
void MLoopLowering::emitBlockLevel(unsigned depth, ArrayRef<Copy> copies) {
  if (isInnermost(depth))
    return emitBlockBody(copies);
  const air::LoopLevel &level = *nest[depth].level;
  Value *begin = lo[level.dim], *end = hi[level.dim];
  std::string suffix =
      level.isTimes ? ".times" : ".dim" + std::to_string(level.dim);
  if (level.unroll == 1)
    return emitBlockLoop(depth, begin, end, 1, copies, suffix);

  Value *factor = builder.getInt64(level.unroll);
  Value *count =
      builder.CreateAdd(builder.CreateSub(end, begin), builder.getInt64(1));
  Value *whole =
      builder.CreateMul(builder.CreateUDiv(count, factor), factor, "whole");
  Value *restBegin = builder.CreateAdd(begin, whole);
  BasicBlock *some = fn.addBlock(part->name + suffix + ".some");
  BasicBlock *left = fn.addBlock(part->name + suffix + ".left");
  BasicBlock *rest = fn.addBlock(part->name + suffix + ".ones");
  BasicBlock *done = fn.addBlock(part->name + suffix + ".done");
  builder.CreateCondBr(builder.CreateICmpNE(whole, builder.getInt64(0)), some,
                       left);
  fn.startBlock(some);
  emitBlockLoop(depth, begin, builder.CreateSub(restBegin, factor),
                level.unroll, unrolled(depth, copies), suffix);
  fn.startBlock(left);
  builder.CreateCondBr(builder.CreateICmpSLE(restBegin, end), rest, done);
  fn.startBlock(rest);
  SmallVector<Value *, 8> positions;
  for (unsigned w = 0; w < walkers.size(); ++w) {
    positions.push_back(walkers[w].position);
    if (leaders[w] == w && walkers[w].bumps[depth])
      walkers[w].position =
          move(walkers[w].position,
               builder.CreateMul(walkers[w].bumps[depth], whole), "");
  }
  emitBlockLoop(depth, restBegin, end, 1, copies, suffix + ".rest");
  for (auto [walker, position] : zip(walkers, positions))
    walker.position = position;
  fn.startBlock(done);
}

/// Each of \p copies at as many indices of the level as it is unrolled.
SmallVector<MLoopLowering::Copy, 1>
MLoopLowering::unrolled(unsigned depth, ArrayRef<Copy> copies) {
  const air::LoopLevel &level = *nest[depth].level;
  SmallVector<Copy, 1> result;
  for (const Copy &copy : copies)
    for (unsigned step = 0; step < level.unroll; ++step) {
      Copy &further = result.emplace_back(copy);
      further.steps[level.dim] += step;
      if (step == 0)
        continue;
      for (unsigned w = 0; w < walkers.size(); ++w) {
        if (leaders[w] != w || !walkers[w].bumps[depth])
          continue;
        Value *bytes =
            builder.CreateMul(walkers[w].bumps[depth], builder.getInt64(step));
        Value *&known = further.bytes[w];
        known = known ? builder.CreateAdd(known, bytes) : bytes;
      }
    }
  return result;
}

/// The indices from \p begin to \p last, \p step at a time. Goes on after.
void MLoopLowering::emitBlockLoop(unsigned depth, Value *begin, Value *last,
                                  unsigned step, ArrayRef<Copy> copies,
                                  const std::string &suffix) {
  SmallVector<Value *, 8> positions;
  for (const WalkerState &walker : walkers)
    positions.push_back(walker.position);
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *head = fn.addBlock(part->name + suffix);
  BasicBlock *exit = fn.addBlock(part->name + suffix + ".next");
  fn.startBlock(head);
  WalkerPhis phis = openBlockLoop(depth, begin, before);
  emitBlockLevel(depth + 1, copies);
  Value *isLast = builder.CreateICmpEQ(phis.back(), last);
  closeBlockLoop(depth, builder.getInt64(step), phis, isLast, head, exit);
  for (auto [walker, position] : zip(walkers, positions))
    walker.position = position;
  fn.startBlock(exit);
}

/// The innermost loop with the operations of all copies.
void MLoopLowering::emitBlockBody(ArrayRef<Copy> copies) {
  SmallVector<std::map<RowKey, Value *>, 16> rowsOf;
  for (const Copy &copy : copies) {
    auto &own = rowsOf.emplace_back();
    for (const RowKey &key : part->rows) {
      unsigned leader = leaders[key.first];
      Value *row = walkers[leader].position;
      if (Value *bytes = copy.bytes[leader])
        row = move(row, bytes, "");
      Value *offset = offsets.at(key);
      auto *constant = dyn_cast<ConstantInt>(offset);
      if (!constant || !constant->isZero())
        row = move(row, offset, "");
      own[key] = row;
    }
  }
  unsigned depth = nest.size() - 1, dim = nest.back().level->dim;
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *head = fn.addBlock(part->name + ".body");
  BasicBlock *exit = fn.addBlock(part->name + ".body.next");
  fn.startBlock(head);
  WalkerPhis phis = openBlockLoop(depth, lo[dim], before);
  SmallVector<Value *, 6> base = current;
  for (auto [copy, own] : zip(copies, rowsOf)) {
    rows = own;
    for (unsigned d = 0; d < current.size(); ++d)
      if (copy.steps[d] != 0)
        current[d] =
            builder.CreateAdd(base[d], builder.getInt64(copy.steps[d]));
    emitBody();
    current = base;
  }
  Value *isLast = builder.CreateICmpEQ(phis.back(), hi[dim]);
  closeBlockLoop(depth, builder.getInt64(1), phis, isLast, head, exit);
  fn.startBlock(exit);
}

} // namespace zpl::codegen
