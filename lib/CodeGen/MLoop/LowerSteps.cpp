//===- LowerSteps.cpp - M-loops: walkers that move by one element or two --===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where strided dimensions have to do with the innermost loop, only the run
// knows by what that moves walkers along rows. LLVM makes vectors of what moves
// by constants. So there are innermost loops for the cases that programs have:
//
//   Unit      [Level] A := B + C      all by one element
//   StoreTwo  [Coarse] F += C         what is stored by two, all else by one
//   LoadTwo   [Coarse] C := F@e + F   what is read by two, all else by one
//   Blend     [Red] A += A@e + A@w    all by two, and A is stored in place
//
// An array that is not strided moves by two wherever one does.
//
// StoreTwo. LLVM has no store of vectors with gaps. So each step stores what is
// there in the next element, too, and whole vectors are read and written:
//
//   mloop.L9.body.pairs:                all steps but the last one
//     store F[2 count] = ...
//     store F[2 count + 1] = freeze (load F[2 count + 1])
//   mloop.L9.body.any:                  the last one, or all
//
// (LLVM would take such a store away again, but for the `freeze`.) When is that
// the same? The elements between two that this processor stores lie in its
// block, and no other processor writes them; none reads them either, for no
// array is written while a transfer sends it. The element behind the last one
// may be another processor's, or none: hence the last step. In the loop,
// nothing else is stored in the elements between if its steps do not depend on
// each other (AliasInfo.cpp), for then it stores an array at the current index
// only. That version is made where pairs are likely: of loops that run in turn,
// unless JoinedLoops stores both elements (LowerJoined.cpp), and where no array
// is strided itself. It has one vector in flight: with four, half of a row of
// 64 steps would be left over.
//
// LoadTwo. The other way round, `[Coarse] C := F` and all that makes a coarse
// grid of a fine one: what is stored moves by one, what is read by two. LLVM
// reads vectors of all elements and leaves half of them out, behind sums of
// several; for that it must know that addresses do not wrap. They go from the
// first element that the row uses to another one of the same array, so they are
// `inbounds`. (Without that it gathers, which takes twice the time of single
// loads.) Which arrays those are is guessed: dense ones, and strided ones that
// are read at several indices.
//
// Blend. One colour of a relaxation: what is stored lies in the same rows as
// what is read around it. In pairs each element of a row would be loaded
// several times and sorted into those of this colour and of the other. So the
// loop goes through all elements, from the first to the last one that is
// stored, and puts those of the other colour back:
//
//   mloop.L9.body.every:                count = 0 ... 2 * steps
//     %behind = phi [A[-1], ...], [%own, ...]
//     %own = load A[count]
//     store A[count] = select (count & 1) == 0, ..., %own
//
// For computing twice as much there are whole vectors, no shuffles but one:
// of the element behind, for a load of it would wait for the store just before
// (CarryNeighbours.cpp, with the figures). What is computed between the
// elements reads nothing but what these read, and must not fail or call.
//
// Cost: a comparison per walker and version, in front of the nest.
//
//===----------------------------------------------------------------------===//

#include "MLoop/LowerSteps.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerElementOps.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerWalkers.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::codegen {

/// Steps that are worth a loop of their own.
static constexpr int64_t LeastSteps = 8;

static void startBehind(MLoopState &m);

Value *walkersHave(MLoopState &m, InnerStrides how) {
  Value *all = nullptr;
  for (unsigned w = 0; w < m.walkers.size(); ++w) {
    unsigned step = stepOf(m.plan, *m.part, w, how);
    if (step == 0 || !m.part->walkers.contains(w))
      continue;
    int64_t bytes = step * m.fn.types.size(m.loop.walkers[w].array->element);
    Value *bump =
        m.builder.getInt64(m.plan.nest.back().level->down ? -bytes : bytes);
    Value *one = m.builder.CreateICmpEQ(m.walkers[w].bumps.back(), bump);
    all = all ? m.builder.CreateAnd(all, one) : one;
  }
  if (all && !isa<Constant>(all))
    all->setName(how == InnerStrides::Unit       ? "units"
                 : how == InnerStrides::StoreTwo ? "pairs"
                 : how == InnerStrides::Blend    ? "every"
                                                 : "halves");
  return all;
}

//===----------------------------------------------------------------------===//
// StoreTwo
//===----------------------------------------------------------------------===//

void storeSibling(MLoopState &m, const air::ElementOp &op, Value *place) {
  air::Type type = op.value->type;
  Value *sibling = m.builder.CreateGEP(m.fn.types.memory(type), place,
                                       m.builder.getInt64(1));
  LoadInst *old = loadMemory(m.fn, type, sibling, "between");
  annotate(m, old, op.target);
  StoreInst *store =
      m.builder.CreateStore(m.builder.CreateFreeze(old), sibling);
  annotate(m, store, op.target);
}

void emitPairs(MLoopState &m, const Version &others, unsigned depth,
               BasicBlock *start, BasicBlock *body, BasicBlock *exit) {
  const air::LoopLevel &level = *m.plan.nest[depth].level;
  BasicBlock *head = addBlock(m.fn, m.part->name + ".body.pairs");
  BasicBlock *rest = addBlock(m.fn, m.part->name + ".rest");
  Value *last = m.count.last, *begin = m.range.lo[level.dim];
  m.count.last = m.builder.CreateSub(last, m.builder.getInt64(1));
  Value *isLong = m.builder.CreateICmpUGE(last, m.builder.getInt64(LeastSteps));
  m.builder.CreateCondBr(m.builder.CreateAnd(m.part->pairs, isLong), head,
                         rest);

  emitVersion(m, {{.inner = InnerStrides::StoreTwo}}, depth, start, head, rest);
  BasicBlock *latch = m.builder.GetInsertBlock();
  m.count.last = last;

  startBlock(m.fn, rest);
  PHINode *done = m.builder.CreatePHI(m.fn.types.i64, 2, "done");
  done->addIncoming(m.builder.getInt64(0), start);
  done->addIncoming(last, latch);
  m.count.first = done;
  m.range.lo[level.dim] = m.builder.CreateAdd(
      begin, m.builder.CreateMul(done, m.range.steps[level.dim]));
  emitVersion(m, others, depth, nullptr, body, exit);
  m.count.first = nullptr;
  m.range.lo[level.dim] = begin;
}

//===----------------------------------------------------------------------===//
// Blend
//===----------------------------------------------------------------------===//

bool isEvery(const MLoopState &m, const air::ElementOp &op) {
  return m.inner == InnerStrides::Blend &&
         !air::rootElement(op.target)->array->isPerIndex();
}

bool isBehind(const MLoopState &m, const air::ElementExpr &element,
              const air::Array *stored) {
  const air::LoopLevel &level = *m.plan.nest.back().level;
  air::Offset offset(m.loop.region->rank(), 0);
  offset[level.dim] = level.down ? 1 : -1;
  return element.array == stored && element.offset == offset;
}

void emitEvery(MLoopState &m, const Version &version, unsigned depth,
               BasicBlock *before, BasicBlock *head, BasicBlock *exit) {
  Value *&step = m.range.steps[m.plan.nest[depth].level->dim];
  Value *last = m.count.last, *stride = step;
  m.count.last = m.builder.CreateShl(last, 1, "elements");
  step = m.builder.getInt64(m.plan.nest[depth].level->down ? -1 : 1);
  startBehind(m);
  emitRow(m, version, depth, before, head, exit);
  m.behind.clear();
  step = stride;
  m.count.last = last;
}

/// In front of the loop: what lies behind the first elements, if it is read.
static void startBehind(MLoopState &m) {
  m.behind.clear();
  for (const air::ElementOp &op : m.part->ops) {
    auto *own = cast<air::ElementExpr>(op.target);
    if (own->array->isPerIndex())
      continue;
    const air::ElementExpr *read = nullptr;
    for (const air::ElementOp &other : m.part->ops)
      air::forEachExpr(other, [&](const air::Expr &e) {
        auto *element = dyn_cast<air::ElementExpr>(&e);
        if (element && isBehind(m, *element, own->array))
          read = element;
      });
    if (!read)
      continue;
    Value *place = m.builder.CreateGEP(
        m.fn.types.memory(own->array->element),
        m.rows.at({read->walker, rowOffset(m.plan, read)}),
        m.builder.getInt64(m.plan.nest.back().level->down ? 1 : -1));
    LoadInst *start =
        loadMemory(m.fn, own->array->element, place, own->array->name);
    annotate(m, start, read);
    m.behind.push_back({own, fromMemory(m.fn, own->array->element, start)});
  }
}

void openBehind(MLoopState &m, BasicBlock *before) {
  for (PreviousElement &element : m.behind) {
    element.phi = m.builder.CreatePHI(element.start->getType(), 2,
                                      element.own->array->name + ".behind");
    element.phi->addIncoming(element.start, before);
  }
}

void closeBehind(MLoopState &m, BasicBlock *latch) {
  for (PreviousElement &element : m.behind)
    element.phi->addIncoming(element.next, latch);
}

} // namespace zpl::codegen
