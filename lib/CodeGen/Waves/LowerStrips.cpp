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
//     a block whose rows are %strip - d .. %strip + %rows - 1 - d
//     each M-loop, with its delay d, over its part of that, as if the block were
//     this processor's
//     br %strip + %rows > %last, strips.end, strips.next
//
// With time steps zrtA_strip_steps says how many iterations there are, and each
// strip has a loop around the M-loops, in which iteration c begins c times the
// lag before %strip, with the clock's value of that iteration.
//
// The block is a copy of the own one in the frame, which LLVM keeps in
// registers. Accumulators are in their variables from strip to strip.
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
  /// With time steps, how many there are, i64, and the rows between the first
  /// and the last one; the clock's value in the first. Else null.
  Value *iterations = nullptr, *between = nullptr, *clock = nullptr;
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

/// The loops of a strip, whose rows of loops without delay begin at \p strip.
static void emitStrip(StripLoops &s, Value *block, Value *strip, Value *rows) {
  IRBuilder<> &b = s.fn.builder;
  auto place = [&](bool isHigh) {
    return b.CreateInBoundsGEP(s.fn.types.domain, block,
                               {b.getInt32(0), b.getInt32(0),
                                b.getInt32(s.stmt.dim), b.getInt32(isHigh)});
  };
  for (auto [m, delay] : zip(s.loops, s.stmt.delays)) {
    setPlace(s.fn, m.loop.range);
    Value *low = b.CreateSub(strip, b.getInt64(delay));
    Value *high = b.CreateSub(b.CreateAdd(low, rows), b.getInt64(1));
    b.CreateAlignedStore(low, place(false), Align(8));
    b.CreateAlignedStore(high, place(true), Align(8));
    clip(m, block);
    lowerMLoop(m);
  }
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
      Value *bytes = b.getInt64(s.fn.types.size(array->element));
      for (unsigned d = 0; d < array->rank(); ++d)
        if (d != s.stmt.dim && array->lines[d] == air::AllLines) {
          Value *low = readBound(s.fn, m.loop.region, d, air::BoundExpr::Lo);
          Value *high = readBound(s.fn, m.loop.region, d, air::BoundExpr::Hi);
          bytes = b.CreateMul(
              bytes, b.CreateAdd(b.CreateSub(high, low), b.getInt64(1)));
        }
      constexpr int64_t CacheLine = 64;
      bytes = b.CreateAnd(b.CreateAdd(bytes, b.getInt64(2 * CacheLine - 1)),
                          b.getInt64(-CacheLine));
      starts.push_back({array, total});
      total = b.CreateAdd(total, b.CreateMul(bytes, lines.rows));
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

/// A copy of the own block, as no one else's rows are looked for.
static Value *copyOfBlock(StripLoops &s) {
  IRBuilder<> &b = s.fn.builder;
  Value *block = addAlloca(s.fn, s.fn.types.domain, "strips.block");
  Value *own = ownBlock(s.fn, s.loops.front().loop.region);
  b.CreateMemCpy(block, Align(8), own, Align(8), sizeof(zrt_domain));
  return block;
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
    return emitStrip(s, block, strip, rows);
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
            b.CreateSub(strip, b.CreateMul(number, b.getInt64(time.lag))),
            rows);
  Value *more = b.CreateAdd(number, b.getInt64(1));
  number->addIncoming(more, b.GetInsertBlock());
  b.CreateCondBr(b.CreateICmpSGE(more, s.iterations), end, next);
  startBlock(s.fn, end);
}

/// Whether an iteration goes through the arrays once, but for borders.
static bool isAlone(const air::StripsStmt &stmt) {
  return count_if(stmt.loops(), [](const air::MLoopStmt *loop) {
           return air::rowLevel(*loop) != nullptr;
         }) < 2;
}

/// How many rows lie between the first loop of the first iteration and the last
/// one of the last iteration; decides how many iterations there are.
static Value *rowsBehind(StripLoops &s, Value *bytes, Value *count) {
  IRBuilder<> &b = s.fn.builder;
  const air::TimeSteps &time = s.stmt.time;
  Value *behind = b.getInt64(s.stmt.delays.back());
  if (!time.most)
    return behind;
  s.iterations = b.CreateCall(
      ZRT_CALLEE(s.fn.calls, zrtA_strip_steps),
      {bytes, count, behind, b.getInt64(time.lag), lower(s.fn, time.most),
       b.getInt32(isAlone(s.stmt)), b.getInt64(s.fn.module.options.timeSteps)},
      "iterations");
  s.between = b.CreateMul(b.CreateSub(s.iterations, b.getInt64(1)),
                          b.getInt64(time.lag));
  return b.CreateAdd(behind, s.between);
}

void lowerStrips(FunctionState &fn, const air::StripsStmt *stmt) {
  StripLoops s{fn, *stmt};
  IRBuilder<> &b = fn.builder;
  setPlace(fn, stmt->range);
  s.parts = air::separated(stmt->loops());
  for (const air::MLoopStmt &part : s.parts)
    s.loops.emplace_back(fn, part, /*isTiled=*/true).inStrips = true;
  Value *first = rowOfAll(s, false), *last = rowOfAll(s, true);
  Value *count = b.CreateAdd(b.CreateSub(last, first), b.getInt64(1));
  Value *bytes = bytesOfRow(s), *behind = rowsBehind(s, bytes, count);
  Value *rows = b.CreateCall(
      ZRT_CALLEE(fn.calls, zrtA_strip_rows),
      {bytes, count, behind, b.getInt64(fn.module.options.stripRows)},
      "strip.rows");
  if (isAlone(*stmt) && s.iterations)
    rows = b.CreateSelect(b.CreateICmpEQ(s.iterations, b.getInt64(1)),
                          b.getInt64(0), rows);
  BasicBlock *apart = addBlock(fn, "strips.apart");
  BasicBlock *start = addBlock(fn, "strips.start");
  BasicBlock *next = addBlock(fn, "strips.next");
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
  if (s.between)
    last = b.CreateAdd(last, s.between);
  Value *block = copyOfBlock(s);
  shareLines(s, b.CreateAdd(b.CreateAdd(rows, behind), b.getInt64(1)));
  for (MLoopState &m : s.loops)
    prepare(m);
  BasicBlock *before = b.GetInsertBlock();
  startBlock(fn, next);
  PHINode *strip = b.CreatePHI(fn.types.i64, 2, "strip");
  strip->addIncoming(first, before);
  emitIterations(s, block, strip, rows);
  setPlace(fn, stmt->range);
  Value *after = b.CreateAdd(strip, rows);
  strip->addIncoming(after, b.GetInsertBlock());
  BasicBlock *done = addBlock(fn, "strips.done");
  b.CreateCondBr(b.CreateICmpSGT(after, last), done, next);
  startBlock(fn, done);
  if (s.clock)
    writeVariable(fn, stmt->time.clock, s.clock);
  startBlock(fn, end);
}

} // namespace zpl::codegen
