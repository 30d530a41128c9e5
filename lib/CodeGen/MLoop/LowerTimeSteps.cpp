//===- LowerTimeSteps.cpp - M-loops: several iterations -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R steps %n of %left lag 2 ...
//
//   mloop.L33.nest:
//     %fit = call @zrtA_time_steps(rows, bytes of a row, rows in flight, lag)
//     %iterations = min(%fit, %left)               to %n
//   mloop.L33.dim0:                   runs on until the last iteration is done
//     %i0 = phi; %A.walker = phi
//   mloop.L33.iteration:              iteration c: a loop around the parts
//     %c = phi
//     %back = 2 c                     i0 - back, A.walker - back * A.bump0
//   mloop.L33.row: ... mloop.L33.after1.row: ...   as for delayed parts
//   mloop.L33.iteration.next:
//
// A part asks at both ends whether the iteration at hand has a row there. The
// code is that of one iteration, once, whatever their number.
//
// Rows of contracted arrays: row i lies at i mod K as always, with K large
// enough for all iterations, and a power of two, as it is no constant.
//
// Arrays and rows that take turns (`swaps`): every row has its pointer, so an
// odd iteration has those of the other one, and the code is the same.
//
//   %A.turn(-1,0) = odd and row i0 - 1 is in R ? B's row i0 - 1 : A's
//   %B.turn = odd ? A's row : B's row
//
// Beside its ends a row of B has copies of what is beside A's. The two have one
// alias scope; elements of a row do not depend on each other for all that.
//
// The variable of the loop around, if the body reads it, has its value of the
// iteration at hand.
//
// Cost: a dozen instructions per row.
//
//===----------------------------------------------------------------------===//

#include "MLoop/LowerTimeSteps.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerLines.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerWalkers.h"
#include "Rows/LowerWays.h"
#include "zpl/ArrayIR/TimeSteps.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace zpl::codegen {

/// Arrays of so many bytes together are in caches; then so many steps are taken
/// that the copies which they save make up for what an iteration costs: five
/// points on squares of 30 to 800 doubles took 0.82 to 0.87 of the time of
/// single steps in loops without iterations.

void takeOneStep(MLoopState &m) {
  if (m.loop.time.most)
    writeVariable(m.fn, m.loop.time.taken, m.builder.getInt64(1));
}

static Value *indicesOf(MLoopState &m, unsigned dim) {
  return m.builder.CreateAdd(
      m.builder.CreateSub(m.range.hi[dim], m.range.lo[dim]),
      m.builder.getInt64(1));
}

/// The bytes that a row of the loop has in all of its arrays together.
static Value *bytesOfRow(MLoopState &m) {
  Value *all = m.builder.getInt64(0);
  for (const air::Walker &walker : m.loop.walkers) {
    const air::Array &array = *walker.array;
    unsigned rows = m.plan.nest.front().level->dim;
    if (array.standsIn(rows) ||
        (array.isContracted() && array.lines[rows] == 1))
      continue;
    Value *bytes = m.builder.getInt64(m.fn.types.size(array.element));
    for (const NestLevel &entry : drop_begin(m.plan.nest))
      if (!array.standsIn(entry.level->dim))
        bytes = m.builder.CreateMul(bytes, indicesOf(m, entry.level->dim));
    all = m.builder.CreateAdd(all, bytes);
  }
  return all;
}

/// How many steps the runtime is told to take; 0: as many as pay beyond the
/// caches. In them, steps of which arrays and rows take turns pay as well.
static Value *stepsWanted(MLoopState &m, Value *rows, Value *rowBytes) {
  unsigned forced = m.fn.module.options.timeSteps;
  if (forced != 0 || m.loop.time.swaps.empty())
    return m.builder.getInt64(forced);
  const Figures &figures = m.fn.module.options.figures;
  Value *isSmall =
      m.builder.CreateICmpSLT(m.builder.CreateMul(rows, rowBytes),
                              m.builder.getInt64(figures.stepBytes));
  return m.builder.CreateSelect(isSmall, m.builder.getInt64(figures.stepCount),
                                m.builder.getInt64(0), "wanted");
}

/// How many the way takes that the run has chosen, of \p fit.
static Value *stepsOfWay(MLoopState &m, Value *fit) {
  Value *one = m.builder.getInt64(1);
  if (Value *isHalf = takesWay(m, air::LoopWay::HalfSteps)) {
    Value *half = m.builder.CreateBinaryIntrinsic(
        Intrinsic::smax, m.builder.CreateLShr(fit, 1), one);
    fit = m.builder.CreateSelect(isHalf, half, fit);
  }
  if (Value *isOne = takesWay(m, air::LoopWay::OneStep))
    fit = m.builder.CreateSelect(isOne, one, fit);
  return fit;
}

void chooseTimeSteps(MLoopState &m) {
  const air::TimeSteps &time = m.loop.time;
  if (!time.most)
    return;
  Value *rows = indicesOf(m, m.plan.nest.front().level->dim);
  Value *rowBytes = bytesOfRow(m);
  Value *fit = m.builder.CreateCall(
      ZRT_CALLEE(m.fn.calls, zrtA_time_steps),
      {rows, rowBytes, m.builder.getInt64(air::rowsInFlight(m.loop)),
       m.builder.getInt64(time.lag), stepsWanted(m, rows, rowBytes)},
      "fit");
  m.iterations = m.builder.CreateBinaryIntrinsic(
      Intrinsic::smin, stepsOfWay(m, fit), lower(m.fn, time.most), nullptr,
      "iterations");
  writeVariable(m.fn, time.taken, m.iterations);
}

Value *lastOfAll(MLoopState &m, Value *last) {
  if (!m.iterations)
    return last;
  Value *more = m.builder.CreateMul(
      m.builder.CreateSub(m.iterations, m.builder.getInt64(1)),
      m.builder.getInt64(m.loop.time.lag));
  return m.builder.CreateAdd(
      last,
      m.builder.CreateMul(more, m.range.steps[m.plan.nest.front().level->dim]),
      "last.of.all");
}

/// Puts index, walkers and the clock where iteration \p number has them.
static void enterIteration(MLoopState &m, Value *number, Value *clock) {
  unsigned dim = m.plan.nest.front().level->dim;
  Value *back = m.builder.CreateMul(
      number, m.builder.getInt64(-int64_t(m.loop.time.lag)), "back");
  m.current[dim] = m.builder.CreateAdd(
      m.current[dim], m.builder.CreateMul(back, m.range.steps[dim]),
      "i" + Twine(dim) + ".iteration", /*HasNUW=*/false, /*HasNSW=*/true);
  for (unsigned w = 0; w < m.walkers.size(); ++w) {
    if (m.plan.leaders[w] != w || m.walkers[w].bumps.empty())
      continue;
    if (Value *bump = m.walkers[w].bumps.front())
      m.walkers[w].position =
          move(m, m.walkers[w].position, m.builder.CreateMul(bump, back),
               arrayName(m, w) + ".iteration");
  }
  if (clock)
    m.hoisted.variables[m.loop.time.clock] = m.builder.CreateAdd(
        clock,
        m.builder.CreateTrunc(
            m.builder.CreateMul(number, m.builder.getInt64(m.loop.time.by)),
            clock->getType()),
        m.loop.time.clock->name + ".now");
}

/// Whether the iteration is odd, and has rows to copy: those of the last one,
/// if it is not.
static void chooseTurn(MLoopState &m, Value *number) {
  if (m.loop.time.swaps.empty())
    return;
  m.isOdd = m.builder.CreateTrunc(number, m.builder.getInt1Ty(), "odd");
  Value *last = m.builder.CreateSub(m.iterations, m.builder.getInt64(1));
  m.copies = m.builder.CreateAnd(m.builder.CreateICmpEQ(number, last),
                                 m.builder.CreateNot(m.isOdd), "copies");
}

void emitTimeSteps(MLoopState &m) {
  Value *&index = m.current[m.plan.nest.front().level->dim];
  Value *step = index;
  Value *clock = m.loop.time.clock
                     ? m.hoisted.variables.lookup(m.loop.time.clock)
                     : nullptr;
  SmallVector<Value *, 8> positions;
  for (const WalkerState &walker : m.walkers)
    positions.push_back(walker.position);
  BasicBlock *before = m.builder.GetInsertBlock();
  BasicBlock *head = addBlock(m.fn, m.name + ".iteration");
  BasicBlock *exit = addBlock(m.fn, m.name + ".step.next");
  startBlock(m.fn, head);
  PHINode *number = m.builder.CreatePHI(m.fn.types.i64, 2, "c");
  number->addIncoming(m.builder.getInt64(0), before);
  enterIteration(m, number, clock);
  chooseTurn(m, number);
  emitParts(m);
  Value *next = m.builder.CreateAdd(number, m.builder.getInt64(1), "",
                                    /*HasNUW=*/true, /*HasNSW=*/true);
  number->addIncoming(next, m.builder.GetInsertBlock());
  m.builder.CreateCondBr(m.builder.CreateICmpEQ(next, m.iterations), exit,
                         head);
  startBlock(m.fn, exit);
  index = step;
  for (auto [walker, position] : zip(m.walkers, positions))
    walker.position = position;
  if (clock)
    m.hoisted.variables[m.loop.time.clock] = clock;
}

static unsigned walkerOf(const MLoopState &m, const air::Array *array) {
  return find_if(m.loop.walkers,
                 [&](const air::Walker &w) { return w.array == array; }) -
         m.loop.walkers.begin();
}

/// Whether the row at \p offset is one of the loop's.
static Value *isRowOfLoop(MLoopState &m, const air::Offset &offset) {
  Value *isInside = m.builder.getTrue();
  for (const NestLevel &entry : drop_end(m.plan.nest)) {
    unsigned dim = entry.level->dim;
    if (offset[dim] == 0)
      continue;
    Value *index =
        m.builder.CreateAdd(m.current[dim], m.builder.getInt64(offset[dim]));
    isInside = m.builder.CreateAnd(
        isInside,
        m.builder.CreateAnd(m.builder.CreateICmpSGE(index, m.range.lo[dim]),
                            m.builder.CreateICmpSLE(index, m.range.hi[dim])));
  }
  return isInside;
}

/// Copies the elements beside the row of \p array to those beside \p row.
static void copyMargins(MLoopState &m, const air::Array *array,
                        const air::Array *lines, Value *from, Value *row) {
  unsigned dim = m.plan.nest.back().level->dim;
  auto [below, above] = margins(m.loop, lines, dim);
  llvm::Type *type = m.fn.types.memory(array->element);
  int64_t size = m.fn.types.size(array->element);
  Align align = m.fn.types.align(array->element);
  auto copy = [&](Value *first, int64_t count) {
    if (count != 0)
      m.builder.CreateMemCpy(m.builder.CreateGEP(type, row, first), align,
                             m.builder.CreateGEP(type, from, first), align,
                             count * size);
  };
  copy(m.builder.CreateSub(m.range.lo[dim], m.builder.getInt64(below)), below);
  copy(m.builder.CreateAdd(m.range.hi[dim], m.builder.getInt64(1)), above);
}

void takeTurns(MLoopState &m) {
  if (m.loop.time.swaps.empty() || m.part->delay != 0)
    return;
  for (auto [array, lines] : m.loop.time.swaps) {
    unsigned a = walkerOf(m, array), b = walkerOf(m, lines);
    air::Offset here(m.loop.region->rank(), 0);
    Value *&row = m.rows.at({b, here});
    Value *own = m.walkers[a].position;
    copyMargins(m, array, lines, own, row);
    for (const RowKey &key : m.part->rows) {
      if (key.first != int(a))
        continue;
      Value *other = placeLine(m, b, key.second);
      Value *&place = m.rows.at(key);
      place = m.builder.CreateSelect(
          m.builder.CreateAnd(m.isOdd, isRowOfLoop(m, key.second)), other,
          place, arrayName(m, a) + ".turn");
    }
    row = m.builder.CreateSelect(m.isOdd, own, row, arrayName(m, b) + ".turn");
  }
}

Value *linesOfAll(MLoopState &m, unsigned lines) {
  Value *least = m.builder.CreateAdd(
      m.builder.CreateMul(
          m.builder.CreateSub(m.iterations, m.builder.getInt64(1)),
          m.builder.getInt64(m.loop.time.lag)),
      m.builder.getInt64(lines));
  Value *zeros = m.builder.CreateBinaryIntrinsic(
      Intrinsic::ctlz, m.builder.CreateSub(least, m.builder.getInt64(1)),
      m.builder.getFalse());
  return m.builder.CreateShl(m.builder.getInt64(1),
                             m.builder.CreateSub(m.builder.getInt64(64), zeros),
                             "rows");
}

} // namespace zpl::codegen
