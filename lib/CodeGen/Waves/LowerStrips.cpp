//===- LowerStrips.cpp - M-loops in strips of rows ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The run says how many rows a strip has (zrtA_strip_rows); where it says 0, the
// loops run one after the other, with the points between them:
//
//     %first, %last                    the rows of all loops, delays added
//     %rows = call @zrtA_strip_rows(bytes of a row, rows, largest delay)
//     br %rows == 0, strips.apart, strips.start
//   strips.apart:                      the statements
//   strips.start:                      what is the same for all strips
//   strips.next:
//     %strip = phi %first, %strip + %rows
//     of the own block, the rows %strip - d .. %strip + %rows - 1 - d
//     each M-loop, with its delay d, over its part of that, as if it were the
//     block
//     br %strip + %rows > %last, strips.end, strips.next
//
// With time steps zrtA_strip_steps says how many iterations there are, and each
// strip has a loop around the M-loops, in which iteration c begins c times the
// lag before %strip, with the clock's value of that iteration. Between processors
// it has brought what several iterations need of other blocks, and the block is
// the own one and what later loops and iterations read beside it (stripReach in
// TimeSteps.cpp): the farther, the earlier the iteration. So several iterations
// have one exchange, and each loop computes there what its owner does.
//
// The block lies in the frame, where LLVM makes registers of it. Accumulators are in their variables from strip to strip.
//
// Cost: the code of each loop twice. In the program some dozens of nanoseconds
// per loop and strip.
//
//===----------------------------------------------------------------------===//

#include "Waves/LowerStrips.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerRegion.h"
#include "Function/LowerRuntime.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerLines.h"
#include "MLoop/LowerMLoop.h"
#include "zpl/ArrayIR/LoopOrder.h"
#include "zpl/ArrayIR/TimeSteps.h"
#include "llvm/IR/Intrinsics.h"
#include <deque>

using namespace llvm;

namespace zpl::codegen {

namespace {
/// What is lowered twice: the M-loops of the strips, part by part.
struct StripLoops {
  FunctionState &fn;
  const air::StripsStmt &stmt;
  std::vector<air::MLoopStmt> parts{};
  std::deque<MLoopState> loops{};
  /// By dimension, i64: what all regions lie in; of that what this processor
  /// owns.
  SmallVector<Value *, 6> low{}, high{}, ownLow{}, ownHigh{};
  /// With time steps, how many there are, i64, and the rows between the first
  /// and the last one; the clock's value in the first. Else null.
  Value *iterations = nullptr, *between = nullptr, *clock = nullptr;
  air::StripReach reach{};
};
} // namespace

/// Of a loop's region, with the delay added: the first row, or the last one. An
/// empty region has none.
static Value *rowOf(StripLoops &s, unsigned number, bool isHigh) {
  IRBuilder<> &b = s.fn.builder;
  const air::Region *region = s.loops[number].loop.region;
  auto bound = [&](unsigned dim, bool high) {
    return readBound(s.fn, region, dim,
                     high ? air::BoundExpr::Hi : air::BoundExpr::Lo);
  };
  Value *row =
      b.CreateAdd(bound(s.stmt.dim, isHigh), b.getInt64(s.stmt.delays[number]));
  Value *isEmpty =
      b.CreateICmpSGT(bound(s.stmt.dim, false), bound(s.stmt.dim, true));
  return b.CreateSelect(isEmpty, b.getInt64(isHigh ? INT32_MIN : INT32_MAX),
                        row);
}

/// The first or the last row of all loops.
static Value *rowOfAll(StripLoops &s, bool isHigh) {
  Value *result = rowOf(s, 0, isHigh);
  for (unsigned k = 1; k < s.loops.size(); ++k)
    result = s.fn.builder.CreateBinaryIntrinsic(
        isHigh ? Intrinsic::smax : Intrinsic::smin, result, rowOf(s, k, isHigh),
        nullptr, isHigh ? "strips.last" : "strips.first");
  return result;
}

/// Finds what all regions lie in.
static void findHull(StripLoops &s) {
  IRBuilder<> &b = s.fn.builder;
  for (unsigned d = 0; d < s.parts.front().region->rank(); ++d) {
    auto ofAll = [&](air::BoundExpr::Which which, Intrinsic::ID pick) {
      Value *result = readBound(s.fn, s.parts.front().region, d, which);
      for (const air::MLoopStmt &part : drop_begin(s.parts))
        result = b.CreateBinaryIntrinsic(
            pick, result, readBound(s.fn, part.region, d, which));
      return result;
    };
    s.low.push_back(ofAll(air::BoundExpr::Lo, Intrinsic::smin));
    s.high.push_back(ofAll(air::BoundExpr::Hi, Intrinsic::smax));
  }
}

/// The bytes that a row has in all arrays together: as long as the row of the
/// first loop that touches the array.
static Value *bytesOfRow(StripLoops &s) {
  IRBuilder<> &b = s.fn.builder;
  Value *all = b.getInt64(0);
  DenseSet<const air::Array *> seen;
  for (const MLoopState &m : s.loops)
    for (const air::Walker &walker : m.loop.walkers) {
      const air::Array &array = *walker.array;
      if (array.isContracted() || s.fn.shifts.contains(&array) ||
          array.standsIn(s.stmt.dim) || !seen.insert(&array).second)
        continue;
      Value *bytes = b.getInt64(s.fn.types.size(array.element));
      for (unsigned d = 0; d < m.loop.region->rank(); ++d) {
        if (d == s.stmt.dim || array.standsIn(d))
          continue;
        Value *low = readBound(s.fn, m.loop.region, d, air::BoundExpr::Lo);
        Value *high = readBound(s.fn, m.loop.region, d, air::BoundExpr::Hi);
        bytes = b.CreateMul(bytes,
                            b.CreateAdd(b.CreateSub(high, low), b.getInt64(1)));
      }
      all = b.CreateAdd(all, bytes);
    }
  return all;
}

/// Accumulators begin before the first strip.
static void startVariables(StripLoops &s) {
  for (const MLoopState &m : s.loops)
    for (const air::ElementOp &op : m.loop.body)
      if (op.accumulator)
        writeVariable(s.fn, op.accumulator,
                      s.fn.ops.identity(op.op, op.value->type));
}

/// How far beside the own block a loop computes in iteration \p number.
static Value *beside(StripLoops &s, const air::Offset &last,
                     const air::Offset &each, unsigned dim, Value *number) {
  IRBuilder<> &b = s.fn.builder;
  Value *left = b.CreateSub(b.CreateSub(s.iterations, b.getInt64(1)), number);
  return b.CreateAdd(b.CreateMul(left, b.getInt64(each[dim])),
                     b.getInt64(last[dim]));
}

/// The loops of a strip, whose rows of loops without delay begin at \p strip, in
/// iteration \p number; null: there is one.
static void emitStrip(StripLoops &s, Value *block, Value *strip, Value *rows,
                      Value *number) {
  IRBuilder<> &b = s.fn.builder;
  auto store = [&](unsigned dim, bool isHigh, Value *bound) {
    Value *place = b.CreateInBoundsGEP(
        s.fn.types.domain, block,
        {b.getInt32(0), b.getInt32(0), b.getInt32(dim), b.getInt32(isHigh)});
    b.CreateAlignedStore(bound, place, Align(8));
  };
  for (auto [k, m] : enumerate(s.loops)) {
    setPlace(s.fn, m.loop.range);
    Value *from = b.CreateSub(strip, b.getInt64(s.stmt.delays[k]));
    Value *to = b.CreateSub(b.CreateAdd(from, rows), b.getInt64(1));
    for (unsigned d = 0; d < s.low.size(); ++d) {
      Value *low = s.ownLow[d], *high = s.ownHigh[d];
      if (number) {
        const auto &[below, above] = s.reach.beside[k];
        low = b.CreateSub(low, beside(s, below, s.reach.below, d, number));
        high = b.CreateAdd(high, beside(s, above, s.reach.above, d, number));
      }
      if (d == s.stmt.dim) {
        low = b.CreateBinaryIntrinsic(Intrinsic::smax, low, from);
        high = b.CreateBinaryIntrinsic(Intrinsic::smin, high, to);
      }
      store(d, false, low);
      store(d, true, high);
    }
    clip(m, block);
    lowerMLoop(m);
  }
}

/// The bytes between rows that an array is contracted to, whole ones
/// (mayRunInStrips): what LowerLines.cpp has between them.
static Value *bytesOfLine(StripLoops &s, const MLoopState &m,
                          const air::Array &array) {
  IRBuilder<> &b = s.fn.builder;
  Value *bytes = b.getInt64(s.fn.types.size(array.element));
  for (const NestLevel &entry : reverse(drop_begin(m.plan.nest))) {
    unsigned d = entry.level->dim;
    Value *low = readBound(s.fn, m.loop.region, d, air::BoundExpr::Lo);
    Value *high = readBound(s.fn, m.loop.region, d, air::BoundExpr::Hi);
    bytes =
        b.CreateMul(bytes, b.CreateAdd(b.CreateSub(high, low), b.getInt64(1)));
    if (&entry == &m.plan.nest.back())
      bytes = roundUpLine(b, bytes);
  }
  return bytes;
}

/// Gives all arrays that are contracted to rows their storage, for all loops.
static void shareLines(StripLoops &s, Value *inFlight) {
  IRBuilder<> &b = s.fn.builder;
  StripLines lines;
  // The next power of two, of a number that is at least 1.
  Value *zeros = b.CreateBinaryIntrinsic(
      Intrinsic::ctlz, b.CreateSub(inFlight, b.getInt64(1)), b.getFalse());
  lines.rows =
      b.CreateShl(b.getInt64(1), b.CreateAnd(b.CreateSub(b.getInt64(64), zeros),
                                             b.getInt64(63)));
  SmallVector<std::pair<const air::Array *, Value *>, 4> starts;
  Value *total = b.getInt64(0);
  for (MLoopState &m : s.loops)
    for (const air::Walker &walker : m.loop.walkers) {
      const air::Array *array = walker.array;
      if (!array->isContracted() || array->isPerIndex() ||
          is_contained(make_first_range(starts), array))
        continue;
      starts.push_back({array, total});
      total = b.CreateAdd(total,
                          b.CreateMul(bytesOfLine(s, m, *array), lines.rows));
    }
  if (!starts.empty()) {
    Value *memory =
        b.CreateCall(ZRT_CALLEE(s.fn.calls, zrtA_scratch),
                     {total, s.fn.module.location(s.stmt.range)}, "lines");
    for (auto [array, start] : starts)
      lines.origins[array] =
          b.CreateGEP(s.fn.types.i8, memory, start, array->name + ".lines");
  }
  for (MLoopState &m : s.loops)
    m.stripLines = lines;
}

/// Finds what this processor owns of the hull; whether that is anything.
static Value *findOwn(StripLoops &s) {
  IRBuilder<> &b = s.fn.builder;
  const air::Region *region = s.parts.front().region;
  Value *own = ownBlock(s.fn, region), *all = nullptr;
  for (unsigned d = 0; d < s.low.size(); ++d) {
    auto bound = [&](bool isHigh) {
      return ownBound(s.fn, own, d, isHigh, ownBlockChanges(region));
    };
    s.ownLow.push_back(
        b.CreateBinaryIntrinsic(Intrinsic::smax, s.low[d], bound(false)));
    s.ownHigh.push_back(
        b.CreateBinaryIntrinsic(Intrinsic::smin, s.high[d], bound(true)));
    Value *some = b.CreateICmpSLE(s.ownLow[d], s.ownHigh[d]);
    all = all ? b.CreateAnd(all, some) : some;
  }
  return all;
}

/// Says how many iterations have been executed.
static void takeSteps(StripLoops &s, Value *iterations) {
  if (s.iterations)
    writeVariable(s.fn, s.stmt.time.taken, iterations);
}

/// The iterations of a strip.
static void emitIterations(StripLoops &s, Value *block, Value *strip,
                           Value *rows) {
  if (!s.iterations)
    return emitStrip(s, block, strip, rows, nullptr);
  IRBuilder<> &b = s.fn.builder;
  const air::TimeSteps &time = s.stmt.time;
  BasicBlock *before = b.GetInsertBlock();
  BasicBlock *next = addBlock(s.fn, "strips.iteration");
  BasicBlock *end = addBlock(s.fn, "strips.iterations.end");
  startBlock(s.fn, next);
  PHINode *number = b.CreatePHI(s.fn.types.i64, 2, "iteration");
  number->addIncoming(b.getInt64(0), before);
  if (time.clock)
    writeVariable(
        s.fn, time.clock,
        b.CreateAdd(s.clock,
                    b.CreateTrunc(b.CreateMul(number, b.getInt64(time.by)),
                                  s.clock->getType())));
  emitStrip(s, block,
            b.CreateSub(strip, b.CreateMul(number, b.getInt64(time.lag))), rows,
            number);
  Value *more = b.CreateAdd(number, b.getInt64(1));
  number->addIncoming(more, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpSGE(more, s.iterations), end, next);
  startBlock(s.fn, end);
}

/// How many loops go through more than a row or a column.
static unsigned sweepsOf(const air::StripsStmt &stmt) {
  return count_if(stmt.loops(), [](const air::MLoopStmt *loop) {
    return air::rowLevel(*loop) != nullptr;
  });
}

/// A zrt_region that all regions lie in.
static Value *hullTable(StripLoops &s) {
  IRBuilder<> &b = s.fn.builder;
  Value *hull = addAlloca(s.fn, s.fn.types.region, "strips.hull");
  b.CreateMemCpy(hull, Align(8), address(s.fn, s.parts.front().region),
                 Align(8), sizeof(zrt_region));
  for (unsigned d = 0; d < s.low.size(); ++d)
    storeBounds(s.fn, hull, d, s.low[d], s.high[d]);
  return hull;
}

/// Asks how many iterations there are.
static void countIterations(StripLoops &s, Value *bytes) {
  IRBuilder<> &b = s.fn.builder;
  const air::TimeSteps &time = s.stmt.time;
  ModuleLowering &module = s.fn.module;
  s.reach = air::stripReach(s.parts);
  Constant *place =
      module.addGlobal(".strips", Constant::getNullValue(s.fn.types.transfer),
                       /*isConstant=*/false);
  Value *loop = table(
      s.fn, s.fn.types.timeLoop,
      {{module.sixNumbers(s.reach.below), module.sixNumbers(s.reach.above),
        b.getInt64(s.stmt.delays.back() + 1), b.getInt64(time.lag),
        b.getInt64(module.options.timeSteps), b.getInt64(s.reach.reads),
        b.getInt32(s.stmt.dim), b.getInt32(0), b.getInt32(s.reach.isAlone)}},
      "time");
  std::vector<SmallVector<Value *, 5>> touched;
  for (const auto &[array, offset] : s.reach.touched)
    touched.push_back({address(s.fn, array), module.sixNumbers(offset)});
  s.iterations = b.CreateCall(
      ZRT_CALLEE(s.fn.calls, zrtA_strip_steps),
      {place, hullTable(s), loop,
       table(s.fn, s.fn.types.shift, touched, "touched"),
       b.getInt64(touched.size()), bytes, lower(s.fn, time.most),
       b.getInt32(sweepsOf(s.stmt)), module.location(s.stmt.range)},
      "iterations");
  s.between = b.CreateMul(b.CreateSub(s.iterations, b.getInt64(1)),
                          b.getInt64(time.lag));
}

/// How many rows a strip has; 0: there are none.
static Value *countRows(StripLoops &s, Value *bytes, Value *behind,
                        Value *count) {
  IRBuilder<> &b = s.fn.builder;
  Value *one = b.getInt64(1);
  Value *rows =
      b.CreateCall(ZRT_CALLEE(s.fn.calls, zrtA_strip_rows),
                   {bytes, count, behind, s.iterations ? s.iterations : one,
                    b.getInt64(s.fn.module.options.stripRows)},
                   "strip.rows");
  if (sweepsOf(s.stmt) < 2 && s.iterations)
    rows =
        b.CreateSelect(b.CreateICmpEQ(s.iterations, one), b.getInt64(0), rows);
  return rows;
}

/// The strips, from \p first to \p last row. Goes on at \p end.
static void emitStrips(StripLoops &s, Value *first, Value *last, Value *rows,
                       BasicBlock *end) {
  IRBuilder<> &b = s.fn.builder;
  unsigned dim = s.stmt.dim;
  BasicBlock *here = addBlock(s.fn, "strips.here");
  BasicBlock *next = addBlock(s.fn, "strips.next");
  BasicBlock *done = addBlock(s.fn, "strips.done");
  b.CreateCondBr(findOwn(s), here, end);
  startBlock(s.fn, here);
  Value *ownFirst = s.ownLow[dim], *ownLast = s.ownHigh[dim];
  if (s.iterations) {
    Value *zero = b.getInt64(0);
    air::Offset below(s.low.size(), 0), above = below;
    for (const auto &[lower, upper] : s.reach.beside) {
      below[dim] = std::max(below[dim], lower[dim]);
      above[dim] = std::max(above[dim], upper[dim]);
    }
    ownFirst =
        b.CreateSub(ownFirst, beside(s, below, s.reach.below, dim, zero));
    ownLast = b.CreateAdd(ownLast, beside(s, above, s.reach.above, dim, zero));
  }
  ownLast = b.CreateAdd(ownLast, b.getInt64(s.stmt.delays.back()));
  first = b.CreateBinaryIntrinsic(Intrinsic::smax, first, ownFirst);
  last = b.CreateBinaryIntrinsic(Intrinsic::smin, last, ownLast);
  if (s.between)
    last = b.CreateAdd(last, s.between);
  Value *block = addAlloca(s.fn, s.fn.types.domain, "strips.block");
  BasicBlock *before = b.GetInsertBlock();
  startBlock(s.fn, next);
  PHINode *strip = b.CreatePHI(s.fn.types.i64, 2, "strip");
  strip->addIncoming(first, before);
  emitIterations(s, block, strip, rows);
  setPlace(s.fn, s.stmt.range);
  Value *after = b.CreateAdd(strip, rows);
  strip->addIncoming(after, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpSGT(after, last), done, next);
  startBlock(s.fn, done);
  if (s.clock)
    writeVariable(s.fn, s.stmt.time.clock, s.clock);
  startBlock(s.fn, end);
}

void lowerStrips(FunctionState &fn, const air::StripsStmt *stmt) {
  StripLoops s{fn, *stmt};
  IRBuilder<> &b = fn.builder;
  setPlace(fn, stmt->range);
  s.parts = air::separated(stmt->loops());
  for (const air::MLoopStmt &part : s.parts)
    s.loops.emplace_back(fn, part, /*isTiled=*/true).inStrips = true;
  findHull(s);
  Value *first = rowOfAll(s, false), *last = rowOfAll(s, true);
  Value *count = b.CreateAdd(b.CreateSub(last, first), b.getInt64(1));
  Value *bytes = bytesOfRow(s), *behind = b.getInt64(stmt->delays.back());
  if (stmt->time.most) {
    countIterations(s, bytes);
    behind = b.CreateAdd(behind, s.between);
  }
  Value *rows = countRows(s, bytes, behind, count);
  BasicBlock *apart = addBlock(fn, "strips.apart");
  BasicBlock *start = addBlock(fn, "strips.start");
  BasicBlock *end = addBlock(fn, "strips.end");
  b.CreateCondBr(b.CreateICmpEQ(rows, b.getInt64(0)), apart, start);

  startBlock(fn, apart);
  lower(fn, stmt->body);
  takeSteps(s, b.getInt64(1));
  b.CreateBr(end);

  startBlock(fn, start);
  setPlace(fn, stmt->range);
  startVariables(s);
  takeSteps(s, s.iterations);
  if (stmt->time.clock)
    s.clock = readVariable(fn, stmt->time.clock);
  shareLines(s, b.CreateAdd(b.CreateAdd(rows, behind), b.getInt64(1)));
  for (MLoopState &m : s.loops)
    prepare(m);
  emitStrips(s, first, last, rows, end);
}

} // namespace zpl::codegen
