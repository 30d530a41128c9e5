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

#include "MLoop/LowerBlocks.h"
#include "Function/FunctionLowering.h"
#include "MLoop/LowerElementOps.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerWalkers.h"
#include "Rows/LowerWays.h"
#include "Rows/RowTests.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::codegen {

static void emitTiles(MLoopState &m, llvm::ArrayRef<unsigned> tiled,
                      const Copy &here);
static WalkerPhis openBlockLoop(MLoopState &m, unsigned depth,
                                llvm::Value *begin, llvm::BasicBlock *before);
static void closeBlockLoop(MLoopState &m, unsigned depth, llvm::Value *steps,
                           const WalkerPhis &phis, llvm::Value *isLast,
                           llvm::BasicBlock *head, llvm::BasicBlock *exit);
static void emitBlockLevel(MLoopState &m, unsigned depth,
                           llvm::ArrayRef<Copy> copies);
static llvm::SmallVector<Copy, 1> unrolled(MLoopState &m, unsigned depth,
                                           llvm::ArrayRef<Copy> copies);
static void emitBlockLoop(MLoopState &m, unsigned depth, llvm::Value *begin,
                          llvm::Value *last, unsigned step,
                          llvm::ArrayRef<Copy> copies,
                          const std::string &suffix);
static void emitBlockBody(MLoopState &m, llvm::ArrayRef<Copy> copies);

void emitBlocks(MLoopState &m) {
  SmallVector<unsigned, 6> tiled;
  for (unsigned depth = 0; depth < m.plan.nest.size(); ++depth)
    if (m.plan.nest[depth].level->tile != 0)
      tiled.push_back(depth);
  Copy here;
  here.bytes.assign(m.walkers.size(), nullptr);
  here.steps.assign(m.current.size(), 0);
  emitTiles(m, tiled, here);
}

/// A loop over the tiles of the first level of \p tiled, and so on.
static void emitTiles(MLoopState &m, ArrayRef<unsigned> tiled,
                      const Copy &here) {
  if (tiled.empty())
    return emitBlockLevel(m, 0, here);
  unsigned depth = tiled.front();
  const air::LoopLevel &level = *m.plan.nest[depth].level;
  Value *begin = m.range.lo[level.dim], *end = m.range.hi[level.dim];
  std::string suffix = ".tile" + std::to_string(level.dim);
  BasicBlock *before = m.builder.GetInsertBlock();
  BasicBlock *head = addBlock(m.fn, m.name + suffix);
  BasicBlock *done = addBlock(m.fn, m.name + suffix + ".done");
  startBlock(m.fn, head);
  WalkerPhis phis = openBlockLoop(m, depth, begin, before);
  Value *size = tileOfWay(m, m.builder.getInt64(level.tile));
  m.range.lo[level.dim] = m.current[level.dim];
  m.range.hi[level.dim] = m.builder.CreateBinaryIntrinsic(
      Intrinsic::smin,
      m.builder.CreateAdd(m.range.lo[level.dim],
                          m.builder.CreateSub(size, m.builder.getInt64(1))),
      end);
  Value *isLast = m.builder.CreateICmpEQ(m.range.hi[level.dim], end);
  emitTiles(m, tiled.drop_front(), here);
  closeBlockLoop(m, depth, size, phis, isLast, head, done);
  m.range.lo[level.dim] = begin;
  m.range.hi[level.dim] = end;
  startBlock(m.fn, done);
}

/// The phis of one loop: those of its walkers, then the index.
static WalkerPhis openBlockLoop(MLoopState &m, unsigned depth, Value *begin,
                                BasicBlock *before) {
  unsigned dim = m.plan.nest[depth].level->dim;
  WalkerPhis phis(m.walkers.size() + 1, nullptr);
  auto addPhi = [&](Value *start, const Twine &phiName) {
    PHINode *phi = m.builder.CreatePHI(start->getType(), 2, phiName);
    phi->addIncoming(start, before);
    return phi;
  };
  phis.back() = addPhi(
      begin, m.plan.nest[depth].level->isTimes ? "time" : "i" + Twine(dim));
  m.current[dim] = phis.back();
  for (unsigned w = 0; w < m.walkers.size(); ++w)
    if (m.plan.leaders[w] == w && !isInnermost(m, depth) &&
        m.walkers[w].bumps[depth])
      m.walkers[w].position = phis[w] =
          addPhi(m.walkers[w].position, arrayName(m, w) + ".walker");
  return phis;
}

/// Goes on \p steps indices or leaves the loop.
static void closeBlockLoop(MLoopState &m, unsigned depth, Value *steps,
                           const WalkerPhis &phis, Value *isLast,
                           BasicBlock *head, BasicBlock *exit) {
  BasicBlock *latch = m.builder.GetInsertBlock();
  setPlace(m.fn, m.loop.range);
  phis.back()->addIncoming(m.builder.CreateAdd(phis.back(), steps, "",
                                               /*HasNUW=*/false,
                                               /*HasNSW=*/true),
                           latch);
  for (unsigned w = 0; w < m.walkers.size(); ++w)
    if (phis[w])
      phis[w]->addIncoming(
          move(m, phis[w],
               m.builder.CreateMul(m.walkers[w].bumps[depth], steps),
               arrayName(m, w) + ".bumped"),
          latch);
  std::optional<unsigned> delay;
  if (stepsAreIndependent(m, depth))
    delay = 0;
  m.aliases.annotateLoop(m.builder.CreateCondBr(isLast, exit, head),
                         isInnermost(m, depth), delay, {}, {});
}

/// One level with its copies, those of outer levels being \p copies.
static void emitBlockLevel(MLoopState &m, unsigned depth,
                           ArrayRef<Copy> copies) {
  if (isInnermost(m, depth))
    return emitBlockBody(m, copies);
  const air::LoopLevel &level = *m.plan.nest[depth].level;
  Value *begin = m.range.lo[level.dim], *end = m.range.hi[level.dim];
  std::string suffix =
      level.isTimes ? ".times" : ".dim" + std::to_string(level.dim);
  if (level.unroll == 1)
    return emitBlockLoop(m, depth, begin, end, 1, copies, suffix);

  Value *factor = m.builder.getInt64(level.unroll);
  Value *count = m.builder.CreateAdd(m.builder.CreateSub(end, begin),
                                     m.builder.getInt64(1));
  Value *whole =
      m.builder.CreateMul(m.builder.CreateUDiv(count, factor), factor, "whole");
  Value *restBegin = m.builder.CreateAdd(begin, whole);
  BasicBlock *some = addBlock(m.fn, m.part->name + suffix + ".some");
  BasicBlock *left = addBlock(m.fn, m.part->name + suffix + ".left");
  BasicBlock *rest = addBlock(m.fn, m.part->name + suffix + ".ones");
  BasicBlock *done = addBlock(m.fn, m.part->name + suffix + ".done");
  m.builder.CreateCondBr(m.builder.CreateICmpNE(whole, m.builder.getInt64(0)),
                         some, left);
  startBlock(m.fn, some);
  emitBlockLoop(m, depth, begin, m.builder.CreateSub(restBegin, factor),
                level.unroll, unrolled(m, depth, copies), suffix);
  startBlock(m.fn, left);
  m.builder.CreateCondBr(m.builder.CreateICmpSLE(restBegin, end), rest, done);
  startBlock(m.fn, rest);
  SmallVector<Value *, 8> positions;
  for (unsigned w = 0; w < m.walkers.size(); ++w) {
    positions.push_back(m.walkers[w].position);
    if (m.plan.leaders[w] == w && m.walkers[w].bumps[depth])
      m.walkers[w].position =
          move(m, m.walkers[w].position,
               m.builder.CreateMul(m.walkers[w].bumps[depth], whole), "");
  }
  emitBlockLoop(m, depth, restBegin, end, 1, copies, suffix + ".rest");
  for (auto [walker, position] : zip(m.walkers, positions))
    walker.position = position;
  startBlock(m.fn, done);
}

/// Each of \p copies at as many indices of the level as it is unrolled.
static SmallVector<Copy, 1> unrolled(MLoopState &m, unsigned depth,
                                     ArrayRef<Copy> copies) {
  const air::LoopLevel &level = *m.plan.nest[depth].level;
  SmallVector<Copy, 1> result;
  for (const Copy &copy : copies)
    for (unsigned step = 0; step < level.unroll; ++step) {
      Copy &further = result.emplace_back(copy);
      further.steps[level.dim] += step;
      if (step == 0)
        continue;
      for (unsigned w = 0; w < m.walkers.size(); ++w) {
        if (m.plan.leaders[w] != w || !m.walkers[w].bumps[depth])
          continue;
        Value *bytes = m.builder.CreateMul(m.walkers[w].bumps[depth],
                                           m.builder.getInt64(step));
        Value *&known = further.bytes[w];
        known = known ? m.builder.CreateAdd(known, bytes) : bytes;
      }
    }
  return result;
}

/// The indices from \p begin to \p last, \p step at a time. Goes on after.
static void emitBlockLoop(MLoopState &m, unsigned depth, Value *begin,
                          Value *last, unsigned step, ArrayRef<Copy> copies,
                          const std::string &suffix) {
  SmallVector<Value *, 8> positions;
  for (const WalkerState &walker : m.walkers)
    positions.push_back(walker.position);
  BasicBlock *before = m.builder.GetInsertBlock();
  BasicBlock *head = addBlock(m.fn, m.part->name + suffix);
  BasicBlock *exit = addBlock(m.fn, m.part->name + suffix + ".next");
  startBlock(m.fn, head);
  WalkerPhis phis = openBlockLoop(m, depth, begin, before);
  emitBlockLevel(m, depth + 1, copies);
  Value *isLast = m.builder.CreateICmpEQ(phis.back(), last);
  closeBlockLoop(m, depth, m.builder.getInt64(step), phis, isLast, head, exit);
  for (auto [walker, position] : zip(m.walkers, positions))
    walker.position = position;
  startBlock(m.fn, exit);
}

/// Whether two copies are of one index, of other repetitions.
static bool isAtIndexOf(const MLoopState &m, const Copy &a, const Copy &b) {
  unsigned rank = m.loop.region->rank();
  return ArrayRef(a.steps).take_front(rank) ==
         ArrayRef(b.steps).take_front(rank);
}

/// Makes a copy current, its rows being \p rows, from the indices \p base on.
static void enterCopy(MLoopState &m, const Copy &copy,
                      const std::map<RowKey, Value *> &rows,
                      ArrayRef<Value *> base) {
  m.rows = rows;
  for (unsigned d = 0; d < m.current.size(); ++d)
    if (copy.steps[d] != 0)
      m.current[d] =
          m.builder.CreateAdd(base[d], m.builder.getInt64(copy.steps[d]));
}

/// Whether any of the copies does something in its row; null: not known.
static Value *anyDoesSomething(MLoopState &m, ArrayRef<Copy> copies,
                               ArrayRef<std::map<RowKey, Value *>> rowsOf) {
  SmallVector<Value *, 6> base = m.current;
  Value *any = nullptr;
  for (auto [copy, rows] : zip(copies, rowsOf)) {
    enterCopy(m, copy, rows, base);
    Value *one = rowDoesSomething(m);
    m.current = base;
    if (!one)
      return nullptr;
    any = any ? m.builder.CreateOr(any, one) : one;
  }
  return any;
}

/// The innermost loop with the operations of all copies. What they store under
/// one guard for many repetitions is put back where that is false, once.
static void emitBlockBody(MLoopState &m, ArrayRef<Copy> copies) {
  SmallVector<std::map<RowKey, Value *>, 16> rowsOf;
  for (const Copy &copy : copies) {
    auto &own = rowsOf.emplace_back();
    for (const RowKey &key : m.part->rows) {
      unsigned leader = m.plan.leaders[key.first];
      Value *row = m.walkers[leader].position;
      if (Value *bytes = copy.bytes[leader])
        row = move(m, row, bytes, "");
      Value *offset = m.offsets.at(key);
      auto *constant = dyn_cast<ConstantInt>(offset);
      if (!constant || !constant->isZero())
        row = move(m, row, offset, "");
      own[key] = row;
    }
  }
  unsigned depth = m.plan.nest.size() - 1, dim = m.plan.nest.back().level->dim;
  Value *does = anyDoesSomething(m, copies, rowsOf);
  BasicBlock *before = m.builder.GetInsertBlock();
  BasicBlock *head = addBlock(m.fn, m.part->name + ".body");
  BasicBlock *exit = addBlock(m.fn, m.part->name + ".body.next");
  if (does)
    m.builder.CreateCondBr(does, head, exit);
  startBlock(m.fn, head);
  WalkerPhis phis = openBlockLoop(m, depth, m.range.lo[dim], before);
  SmallVector<Value *, 6> base = m.current;
  bool isGuardedOnce = hasOneGuard(m);
  Value *old = nullptr;
  for (auto [number, copy] : enumerate(copies)) {
    enterCopy(m, copy, rowsOf[number], base);
    if (isGuardedOnce) {
      if (number == 0 || !isAtIndexOf(m, copy, copies[number - 1]))
        old = readTarget(m);
      emitWithoutGuard(m);
      if (number + 1 == copies.size() ||
          !isAtIndexOf(m, copy, copies[number + 1]))
        storeUnderGuard(m, old);
    } else {
      emitBody(m);
    }
    m.current = base;
  }
  Value *isLast = m.builder.CreateICmpEQ(phis.back(), m.range.hi[dim]);
  closeBlockLoop(m, depth, m.builder.getInt64(1), phis, isLast, head, exit);
  startBlock(m.fn, exit);
}

} // namespace zpl::codegen
