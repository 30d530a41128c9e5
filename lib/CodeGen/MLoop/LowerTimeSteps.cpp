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
//     %iterations = call @zrtA_time_steps(...)     to %n; in front of the test
//                                       whether this processor has an index
//     br %iterations == 1, mloop.L33.bring, ...
//   mloop.L33.bring:                  the points of the transfers it `brings`
//   mloop.L33.once:                   a nest for one iteration; else
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
// With `wraps (0)` iterations also compute beyond the region in dimension 0, as
// they do beside the own block, of what zrtA_time_steps has brought there from
// the other end. Where that is no good it says 0, and nothing is executed.
//
// The variable of the loop around, if the body reads it, has its value of the
// iteration at hand.
//
// Cost: a dozen instructions per row.
//
//===----------------------------------------------------------------------===//

#include "MLoop/LowerTimeSteps.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerRegion.h"
#include "Function/LowerRuntime.h"
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

//===----------------------------------------------------------------------===//
// How many
//===----------------------------------------------------------------------===//

/// How many indices the region has in a dimension.
static Value *extentOf(MLoopState &m, unsigned dim) {
  Value *low = readBound(m.fn, m.loop.region, dim, air::BoundExpr::Lo);
  Value *high = readBound(m.fn, m.loop.region, dim, air::BoundExpr::Hi);
  return m.builder.CreateAdd(m.builder.CreateSub(high, low),
                             m.builder.getInt64(1));
}

/// The bytes that a row of the region has in all of its arrays together.
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
        bytes = m.builder.CreateMul(bytes, extentOf(m, entry.level->dim));
    all = m.builder.CreateAdd(all, bytes);
  }
  return all;
}

/// The zrt_time_loop.
static Value *loopTable(MLoopState &m) {
  const air::StepReach &reach = m.steps.reach;
  const air::TimeSteps &time = m.loop.time;
  IRBuilder<> &b = m.builder;
  return table(
      m.fn, m.fn.types.timeLoop,
      {{m.fn.module.sixNumbers(reach.below),
        m.fn.module.sixNumbers(reach.above),
        b.getInt64(air::rowsInFlight(m.loop)), b.getInt64(time.lag),
        b.getInt64(m.fn.module.options.timeSteps), b.getInt64(reach.reads),
        b.getInt32(m.plan.nest.front().level->dim),
        b.getInt32(!time.swaps.empty()), b.getInt32(reach.isAlone),
        b.getInt32(time.wraps)}},
      "time");
}

/// The zrt_shift table of the elements that the loop touches.
static Value *touchedTable(MLoopState &m) {
  std::vector<SmallVector<Value *, 5>> rows;
  for (const auto &[array, offset] : m.steps.reach.touched)
    rows.push_back({address(m.fn, array), m.fn.module.sixNumbers(offset)});
  return table(m.fn, m.fn.types.shift, rows, "touched");
}

/// The points of the transfers that the loop is, where one iteration comes.
static void bringForOne(MLoopState &m) {
  if (m.loop.time.brings.empty())
    return;
  BasicBlock *bring = addBlock(m.fn, m.name + ".bring");
  BasicBlock *end = addBlock(m.fn, m.name + ".brought");
  m.builder.CreateCondBr(
      m.builder.CreateICmpEQ(m.iterations, m.builder.getInt64(1)), bring, end);
  startBlock(m.fn, bring);
  using Point = air::TransferPointStmt;
  for (Point::Point point : {Point::DR, Point::SR, Point::DN, Point::SV})
    for (air::Transfer *transfer : m.loop.time.brings) {
      Point each(point, transfer, transfer->range);
      lowerTransferPoint(m.fn, &each);
    }
  m.builder.CreateBr(end);
  startBlock(m.fn, end);
}

void chooseTimeSteps(MLoopState &m) {
  const air::TimeSteps &time = m.loop.time;
  if (!time.most)
    return;
  setPlace(m.fn, m.loop.range);
  m.steps.reach = air::stepReach(m.loop);
  Constant *place = m.fn.module.addGlobal(
      ".steps", Constant::getNullValue(m.fn.types.transfer),
      /*isConstant=*/false);
  m.iterations = m.builder.CreateCall(
      ZRT_CALLEE(m.fn.calls, zrtA_time_steps),
      {place, address(m.fn, m.loop.region), loopTable(m), touchedTable(m),
       m.builder.getInt64(m.steps.reach.touched.size()), bytesOfRow(m),
       lower(m.fn, time.most), m.fn.module.location(m.loop.range)},
      "iterations");
  writeVariable(m.fn, time.taken, m.iterations);
  bringForOne(m);
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

void takeStepsOfWay(MLoopState &m) {
  if (!m.iterations || !m.way)
    return;
  Value *processors =
      m.builder.CreateCall(ZRT_CALLEE(m.fn.calls, zrtA_processors), {});
  m.iterations = m.builder.CreateSelect(
      m.builder.CreateICmpEQ(processors, m.builder.getInt32(1), "is.single"),
      stepsOfWay(m, m.iterations), m.iterations, "iterations.of.way");
  writeVariable(m.fn, m.loop.time.taken, m.iterations);
}

//===----------------------------------------------------------------------===//
// The iterations' indices
//===----------------------------------------------------------------------===//

/// Whether iterations may compute indices beside the own block.
static bool reachesBeside(const MLoopState &m, unsigned dim) {
  return m.steps.reach.below[dim] != 0 || m.steps.reach.above[dim] != 0;
}

/// Reads what the bounds follow from.
static void readBeside(MLoopState &m) {
  bool changes = ownBlockChanges(m.loop.region);
  unsigned rank = m.loop.region->rank();
  StepRanges &steps = m.steps;
  for (auto *list :
       {&steps.regionLow, &steps.regionHigh, &steps.ownLow, &steps.ownHigh})
    list->assign(rank, nullptr);
  for (const NestLevel &entry : m.plan.nest) {
    unsigned dim = entry.level->dim;
    if (!reachesBeside(m, dim))
      continue;
    const air::Region *region = m.loop.region;
    steps.regionLow[dim] = readBound(m.fn, region, dim, air::BoundExpr::Lo);
    steps.regionHigh[dim] = readBound(m.fn, region, dim, air::BoundExpr::Hi);
    steps.ownLow[dim] = ownBound(m.fn, m.range.own, dim, false, changes);
    steps.ownHigh[dim] = ownBound(m.fn, m.range.own, dim, true, changes);
    if (!(m.loop.time.wraps >> dim & 1))
      continue;
    // Beyond the region the outermost blocks have no end.
    steps.ownLow[dim] = m.builder.CreateBinaryIntrinsic(
        Intrinsic::smax, steps.ownLow[dim], steps.regionLow[dim]);
    steps.ownHigh[dim] = m.builder.CreateBinaryIntrinsic(
        Intrinsic::smin, steps.ownHigh[dim], steps.regionHigh[dim]);
  }
}

/// The bounds of the iteration behind which there are \p left more.
static std::pair<Value *, Value *> boundsWith(MLoopState &m, unsigned dim,
                                              Value *left) {
  auto moved = [&](Value *own, int64_t reach) {
    return m.builder.CreateAdd(
        own, m.builder.CreateMul(left, m.builder.getInt64(reach)));
  };
  Value *low = moved(m.steps.ownLow[dim], -m.steps.reach.below[dim]);
  Value *high = moved(m.steps.ownHigh[dim], m.steps.reach.above[dim]);
  if (m.loop.time.wraps >> dim & 1)
    return {low, high};
  return {m.builder.CreateBinaryIntrinsic(Intrinsic::smax,
                                          m.steps.regionLow[dim], low),
          m.builder.CreateBinaryIntrinsic(Intrinsic::smin,
                                          m.steps.regionHigh[dim], high)};
}

void widenBounds(MLoopState &m) {
  if (!m.iterations)
    return;
  readBeside(m);
  Value *left = m.builder.CreateSub(m.iterations, m.builder.getInt64(1));
  for (const NestLevel &entry : m.plan.nest)
    if (unsigned dim = entry.level->dim; reachesBeside(m, dim))
      std::tie(m.range.lo[dim], m.range.hi[dim]) = boundsWith(m, dim, left);
  m.steps.low = m.range.lo;
  m.steps.high = m.range.hi;
}

/// Sets the bounds of iteration \p number, and puts walkers where its loops
/// inside of rows begin.
static void enterBounds(MLoopState &m, Value *number) {
  Value *left = m.builder.CreateSub(
      m.builder.CreateSub(m.iterations, m.builder.getInt64(1)), number);
  unsigned rows = m.plan.nest.front().level->dim;
  m.steps.firstRow = m.range.lo[rows];
  m.steps.lastRow = m.range.hi[rows];
  for (auto [depth, entry] : enumerate(m.plan.nest)) {
    unsigned dim = entry.level->dim;
    if (!reachesBeside(m, dim))
      continue;
    auto [low, high] = boundsWith(m, dim, left);
    if (depth == 0) {
      m.steps.firstRow = low;
      m.steps.lastRow = high;
      continue;
    }
    m.range.lo[dim] = low;
    m.range.hi[dim] = high;
    if (depth + 1 == m.plan.nest.size())
      continue; // Walkers stand at index 0 of it.
    Value *distance = entry.level->down
                          ? m.builder.CreateSub(m.steps.high[dim], high)
                          : m.builder.CreateSub(low, m.steps.low[dim]);
    for (unsigned w = 0; w < m.walkers.size(); ++w)
      if (m.plan.leaders[w] == w && !m.walkers[w].bumps.empty() &&
          m.walkers[w].bumps[depth])
        m.walkers[w].position =
            move(m, m.walkers[w].position,
                 m.builder.CreateMul(distance, m.walkers[w].bumps[depth]),
                 arrayName(m, w) + ".narrowed");
  }
}

static void leaveBounds(MLoopState &m) {
  m.range.lo = m.steps.low;
  m.range.hi = m.steps.high;
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
  enterBounds(m, number);
  chooseTurn(m, number);
  emitParts(m);
  leaveBounds(m);
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

/// Whether the row at \p offset is one of the loop's: what an iteration reads of
/// it, the one before has computed.
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
        m.builder.CreateAnd(m.builder.CreateICmpSGE(index, m.steps.low[dim]),
                            m.builder.CreateICmpSLE(index, m.steps.high[dim])));
  }
  return isInside;
}

/// Copies the elements beside the row of \p array to those beside \p row: beside
/// what all iterations compute of it.
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
  copy(m.builder.CreateSub(m.steps.low[dim], m.builder.getInt64(below)), below);
  copy(m.builder.CreateAdd(m.steps.high[dim], m.builder.getInt64(1)), above);
}

void takeTurns(MLoopState &m) {
  if (!m.iterations || m.loop.time.swaps.empty() || m.part->delay != 0)
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
