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
//   mloop.L33.body:                   the innermost loop
//     %i1 = phi; loads, arithmetic, stores
//   mloop.L33.dim0.next:              bumps the walkers of dim0
//   mloop.L33.done:                   accumulators get their last touch
//   mloop.L33.end:
//
//  1. A processor owns a part of R if every clipped dimension is nonempty
//     (LowerBounds.cpp). Then each loop runs at least once and can test at its
//     end, so no level needs a test of its own before it.
//  2. Flat dimensions have one index and no loop.
//  3. Accumulators are phis through all levels (LowerElementOps.cpp).
//  4. Delayed parts (`after 1 { ... }`) have inner loops of their own, each of
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
//  5. If the innermost level has likely bounds, there is a nest for each in
//     which each of their indices has a copy of the body, so that conditions on
//     the index are decided here, and the nest for all other bounds:
//
//     br %likely, mloop.L33.few, mloop.L33.any
//
//  6. A loop that awaits transfers is executed for boxes that the runtime hands
//     out, which make up the block: the interior before DN, slabs after it.
//
//   mloop.L33.box:
//     %own = call @zrtA_at_piece(%awaited, 1, 2, %box)    DN among the calls
//     br %own == null, mloop.L33.boxes.end, mloop.L33
//   mloop.L33:                        as above
//   mloop.L33.end:
//     br mloop.L33.box
//
//  7. In a Strided dimension the index steps by the stride of R. LLVM cannot
//     count such a loop, so where a Strided dimension of R or of an array has
//     to do with the innermost loop, that counts its steps itself, and elements
//     are found from the count. There are two of it if rows of arrays are
//     walked along: one for bumps that are the size of an element, which
//     vectorizes, and one for others:
//
//   mloop.L33.dim0:
//     br %units, mloop.L33.body, mloop.L33.body.any
//
//     There are more if values are carried along only where the run finds that
//     they may be (LowerLets.cpp), and for every second element of what is
//     stored or read (LowerSteps.cpp).
//
//     With time steps the rows of several iterations are in a step
//     (LowerTimeSteps.cpp).
//
//  8. A loop that has other ways asks in front of the nest which one it takes
//     (Rows/LowerWays.cpp).
//
//  9. Over a sparse region the nest is one loop over the positions of its
//     pattern, or one over rows with one over positions in it
//     (Sparse/PatternLoops.cpp).
//
//===----------------------------------------------------------------------===//

#include "MLoop/LowerMLoop.h"
#include "Function/CountWork.h"
#include "Function/FunctionLowering.h"
#include "Function/LeaveOut.h"
#include "Function/LowerRegion.h"
#include "Function/LowerScalar.h"
#include "MLoop/LowerBlocks.h"
#include "MLoop/LowerBounds.h"
#include "MLoop/LowerElementOps.h"
#include "MLoop/LowerLets.h"
#include "MLoop/LowerSteps.h"
#include "MLoop/LowerTimeSteps.h"
#include "MLoop/LowerWalkers.h"
#include "Rows/LowerRowCopies.h"
#include "Rows/LowerStreams.h"
#include "Rows/LowerTails.h"
#include "Rows/LowerWays.h"
#include "Rows/RowTests.h"
#include "Sparse/BandLoops.h"
#include "Sparse/LowerPatterns.h"
#include "Sparse/PatternLoops.h"
#include "Waves/SkewedRows.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::codegen {

static std::string loopName(const ModuleLowering &module, SourceRange range) {
  unsigned line = module.place(range).line;
  return line ? "mloop.L" + std::to_string(line) : "mloop";
}

MLoopState::MLoopState(FunctionState &function, const air::MLoopStmt &loop,
                       bool isTiled, const AliasInfo *aliases)
    : fn(function), builder(function.builder), loop(loop),
      name(loopName(function.module, loop.range)),
      aliases(aliases
                  ? *aliases
                  : AliasInfo(function.function->getContext(), loop,
                              function.storages, function.procedure.mayAlias,
                              name, &function.module.strides)),
      plan(planLoop(loop, name, isTiled,
                    {this->aliases, function.shifts, function.types,
                     function.module.options, function.procedure.mayAlias})),
      parts(plan.parts.begin(), plan.parts.end()) {
  if (raw_ostream *os = function.module.options.loopPlans)
    print(plan, name, *os);
}

static void emitBoxes(MLoopState &m);
static void emitBox(MLoopState &m, llvm::Value *isDone = nullptr);
static void emitNest(MLoopState &m);
static void emitNestFor(MLoopState &m,
                        llvm::ArrayRef<air::LikelyBounds> likely);
static void emitCompleteOrNot(MLoopState &m);
static void emitOneOrMore(MLoopState &m);
static void emitLevel(MLoopState &m, unsigned depth);
static void emitTestedRow(MLoopState &m, unsigned depth,
                          llvm::BasicBlock *exit);
static void emitInnermost(MLoopState &m, unsigned depth,
                          llvm::BasicBlock *exit);
static void emitVersions(MLoopState &m, unsigned depth, llvm::BasicBlock *exit);
static void emitLoop(MLoopState &m, unsigned depth, llvm::BasicBlock *before,
                     llvm::BasicBlock *head, llvm::BasicBlock *exit);
static void emitPart(MLoopState &m, llvm::Value *step);
static llvm::Value *partHasRow(MLoopState &m);

void prepare(MLoopState &m) {
  readRegion(m);
  startWalkers(m);
}

void clip(MLoopState &m, Value *tile) {
  m.range.own = tile;
  m.range.owns = clipBounds(m);
}

void lowerMLoop(MLoopState &m, Value *isDone) {
  if (!m.loop.awaits.empty())
    return emitBoxes(m);
  startBlock(m.fn, addBlock(m.fn, m.name));
  chooseTimeSteps(m);
  if (m.loop.time.wraps != 0)
    isDone = m.builder.CreateICmpEQ(m.iterations, m.builder.getInt64(0));
  emitBox(m, isDone);
}

/// The loop, box by box (zrtA_at_piece). Accumulators are in their variables
/// from box to box.
static void emitBoxes(MLoopState &m) {
  for (const air::ElementOp &op : m.loop.body)
    if (op.accumulator)
      writeVariable(m.fn, op.accumulator,
                    m.fn.ops.identity(op.op, op.value->type));
  std::vector<Constant *> rows;
  for (const air::Transfer *transfer : m.loop.awaits)
    rows.push_back(m.fn.module.global(transfer));
  Constant *awaited = m.fn.module.table(
      ConstantArray::get(ArrayType::get(m.fn.types.ptr, rows.size()), rows),
      ".awaited");
  BasicBlock *before = m.builder.GetInsertBlock();
  BasicBlock *next = addBlock(m.fn, m.name + ".box");
  BasicBlock *inside = addBlock(m.fn, m.name);
  BasicBlock *end = addBlock(m.fn, m.name + ".boxes.end");
  startBlock(m.fn, next);
  setPlace(m.fn, m.loop.range);
  PHINode *number = m.builder.CreatePHI(m.fn.types.i32, 2, "box");
  number->addIncoming(m.builder.getInt32(0), before);
  m.range.own =
      m.builder.CreateCall(ZRT_CALLEE(m.fn.calls, zrtA_at_piece),
                           {awaited, m.builder.getInt64(rows.size()),
                            domainReference(m.fn, m.loop.region), number},
                           "own");
  m.builder.CreateCondBr(m.builder.CreateIsNull(m.range.own), end, inside);
  startBlock(m.fn, inside);
  emitBox(m);
  number->addIncoming(m.builder.CreateAdd(number, m.builder.getInt32(1)),
                      m.builder.GetInsertBlock());
  m.builder.CreateBr(next);
  startBlock(m.fn, end);
}

/// The loop over the region's part of `own`.
static void emitBox(MLoopState &m, Value *isDone) {
  BasicBlock *inside = addBlock(m.fn, m.name + ".nest");
  BasicBlock *end = addBlock(m.fn, m.name + ".end");
  BasicBlock *guard = nullptr;
  if (!m.plan.isTiled)
    m.range.owns = clipBounds(m);
  if (isDone)
    m.range.owns =
        m.builder.CreateAnd(m.range.owns, m.builder.CreateNot(isDone));
  m.range.owns = leaveOut(m, m.range.owns);
  if (m.range.owns) {
    guard = m.builder.GetInsertBlock();
    m.builder.CreateCondBr(
        m.range.owns, inside, end,
        MDBuilder(m.builder.getContext()).createLikelyBranchWeights());
  }
  startBlock(m.fn, inside);
  widenBounds(m);
  countSteps(m);
  chooseWay(m);
  takeStepsOfWay(m);
  if (!isCounted(m))
    countWork(m);
  hoistScalars(m);
  startAccumulators(m);
  if (m.plan.isTiled)
    moveToTile(m);
  else
    startWalkers(m);
  startStreams(m);
  m.fn.mloop = &m;
  if (air::isInBlocks(m.loop))
    emitBlocks(m);
  else if (m.iterations && m.loop.time.wraps == 0)
    emitOneOrMore(m);
  else
    emitNest(m);
  m.fn.mloop = nullptr;
  endStreams(m);
  noteWay(m);
  finishAccumulators(m, guard, end);
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

static void emitNest(MLoopState &m) {
  if (!m.plan.nest.empty()) {
    const air::LoopLevel &level = *m.plan.nest[0].level;
    m.lastStep = level.down ? m.range.lo[level.dim] : m.range.hi[level.dim];
    if (int64_t more = m.parts.back().delay)
      m.lastStep =
          m.builder.CreateAdd(m.lastStep,
                              m.builder.CreateMul(m.range.steps[level.dim],
                                                  m.builder.getInt64(more)),
                              "last",
                              /*HasNUW=*/false, /*HasNSW=*/true);
    m.lastStep = lastOfAll(m, m.lastStep);
  }
  const air::LoopLevel *inner =
      m.plan.nest.empty() ? nullptr : m.plan.nest.back().level;
  if (m.plan.startsAnew)
    emitCompleteOrNot(m);
  else if (inner && !m.plan.isCounted && m.plan.nest.size() > 1)
    emitNestFor(m, inner->likely);
  else
    emitFrom(m, 0);
}

/// Two nests of which the run takes one: \p first if \p condition, else \p
/// then. Their blocks end in \p names.
static void emitEither(MLoopState &m, Value *condition,
                       std::pair<StringRef, StringRef> names,
                       function_ref<void()> first, function_ref<void()> then) {
  BasicBlock *one = addBlock(m.fn, m.name + names.first);
  BasicBlock *other = addBlock(m.fn, m.name + names.second);
  BasicBlock *join = addBlock(m.fn, m.name + ".done");
  m.builder.CreateCondBr(condition, one, other);
  SmallVector<Pieces, 4> start, afterFirst;
  for (const auto &entry : m.accumulators)
    start.push_back(entry.second.value);
  SmallVector<Value *, 8> positions;
  for (const WalkerState &walker : m.walkers)
    positions.push_back(walker.position);

  startBlock(m.fn, one);
  first();
  BasicBlock *fromFirst = m.builder.GetInsertBlock();
  m.builder.CreateBr(join);

  startBlock(m.fn, other);
  for (auto [entry, value] : zip(m.accumulators, start)) {
    afterFirst.push_back(entry.second.value);
    entry.second.value = value;
  }
  for (auto [walker, position] : zip(m.walkers, positions))
    walker.position = position;
  m.part = &m.parts.front();
  then();
  BasicBlock *fromOther = m.builder.GetInsertBlock();
  m.builder.CreateBr(join);

  startBlock(m.fn, join);
  for (auto [entry, value] : zip(m.accumulators, afterFirst))
    if (!entry.second.isElement())
      entry.second.value = merge(m, value, fromFirst, entry.second.value,
                                 fromOther, entry.second.name());
}

/// A nest for one iteration, as if there were no others, and one for several.
static void emitOneOrMore(MLoopState &m) {
  Value *isOne =
      m.builder.CreateICmpEQ(m.iterations, m.builder.getInt64(1), "is.one");
  emitEither(
      m, isOne, {".once", ".steps"},
      [&] {
        SaveAndRestore<Value *> none(m.iterations, nullptr);
        emitNest(m);
      },
      [&] { emitNest(m); });
}

/// The nests for these bounds of the innermost level, with a copy of the body
/// for each of its indices, and the one for any.
static void emitNestFor(MLoopState &m, ArrayRef<air::LikelyBounds> likely) {
  if (likely.empty())
    return emitFrom(m, 0);
  const air::LikelyBounds &bounds = likely.front();
  unsigned dim = m.plan.nest.back().level->dim;
  Value *low = m.builder.getInt64(bounds.lo),
        *high = m.builder.getInt64(bounds.hi);
  Value *isLow = m.builder.CreateICmpEQ(m.range.lo[dim], low);
  Value *isHigh = m.builder.CreateICmpEQ(m.range.hi[dim], high);
  emitEither(
      m, m.builder.CreateAnd(isLow, isHigh), {".few", ".any"},
      [&] {
        m.few = &bounds;
        emitFrom(m, 0);
        m.few = nullptr;
      },
      [&] { emitNestFor(m, likely.drop_front()); });
}

/// The nests for a pattern that is complete: in bands, or row by row.
static void emitComplete(MLoopState &m) {
  if (!m.plan.hasBands)
    return emitFrom(m, 0);
  emitEither(
      m, haveBands(m), {".bands", ".any"}, [&] { emitBands(m); },
      [&] { emitFrom(m, 0); });
}

/// The nests for a pattern that is complete, and for others.
static void emitCompleteOrNot(MLoopState &m) {
  emitEither(
      m, isComplete(m.fn, m.loop.region), {".complete", ".gaps"},
      [&] {
        enterComplete(m);
        emitComplete(m);
        leaveComplete(m);
      },
      [&] { emitFrom(m, 0); });
}

/// A copy of the body for each likely index of the innermost level.
static void emitUnrolled(MLoopState &m, BasicBlock *exit) {
  const air::LoopLevel &level = *m.plan.nest.back().level;
  for (int64_t n = 0; n <= m.few->hi - m.few->lo; ++n) {
    m.current[level.dim] =
        m.builder.getInt64(level.down ? m.few->hi - n : m.few->lo + n);
    emitBody(m);
  }
  m.builder.CreateBr(exit);
  startBlock(m.fn, exit);
}

void emitFrom(MLoopState &m, unsigned depth) {
  if (m.plan.nest.empty() || isInnermost(m, depth))
    isSparse(m.plan) ? enterRow(m) : placeRows(m);
  if (depth == m.plan.nest.size())
    emitBody(m);
  else
    emitLevel(m, depth);
}

/// One level and what is in it; goes on in the block after it.
static void emitLevel(MLoopState &m, unsigned depth) {
  if (isSkewed(m, depth))
    return SkewedRows(m, depth).emit();
  BasicBlock *exit = addBlock(m.fn, exitName(m, depth));
  if (isInnermost(m, depth))
    return emitTestedRow(m, depth, exit);
  BasicBlock *head =
      addBlock(m.fn, m.part->name + "." + levelName(m.plan, depth));
  emitLoop(m, depth, m.builder.GetInsertBlock(), head, exit);
  startBlock(m.fn, exit);
}

/// The innermost loop, left out where nothing happens in it.
static void emitTestedRow(MLoopState &m, unsigned depth, BasicBlock *exit) {
  Value *does = rowDoesSomething(m);
  if (!does)
    return emitInnermost(m, depth, exit);
  BasicBlock *some = addBlock(m.fn, m.part->name + ".row.some");
  BasicBlock *none = addBlock(m.fn, m.part->name + ".row.none");
  m.builder.CreateCondBr(does, some, none);
  startBlock(m.fn, some);
  emitInnermost(m, depth, exit);
  m.builder.CreateBr(none);
  startBlock(m.fn, none);
}

static void emitInnermost(MLoopState &m, unsigned depth, BasicBlock *exit) {
  if (m.part->copiesRows && !m.few)
    return copyRow(m, depth, exit);
  loadElements(m);
  const Version &only = m.part->versions.front();
  if (m.few) {
    emitUnrolled(m, exit);
  } else if (m.part->versions.size() > 1) {
    emitVersions(m, depth, exit);
  } else if (!only.isInStrips && m.part->hasTail) {
    emitWithTail(m, depth, exit);
  } else {
    emitVersion(m, only, depth, nullptr,
                addBlock(m.fn, m.part->name + ".body" + only.suffix), exit);
    startBlock(m.fn, exit);
  }
  storeElements(m);
}

void emitVersion(MLoopState &m, const Version &version, unsigned depth,
                 BasicBlock *before, BasicBlock *head, BasicBlock *exit) {
  if (version.inner == InnerStrides::Blend)
    emitEvery(m, version, depth, before, head, exit);
  else if (version.isInStrips)
    emitStrips(m, version, depth, head, exit);
  else
    emitRow(m, version, depth, before, head, exit);
}

void emitRow(MLoopState &m, const Version &version, unsigned depth,
             BasicBlock *before, BasicBlock *head, BasicBlock *exit) {
  m.inner = version.inner;
  m.carriedStride = version.stride;
  m.madeWay = version.way;
  m.ofShortRows = m.part->versions.front().ofLongRows && !version.ofLongRows;
  startCarries(m, depth);
  emitLoop(m, depth, before ? before : m.builder.GetInsertBlock(), head, exit);
  m.inner = InnerStrides::Any;
  m.ofShortRows = false;
  m.madeWay.reset();
}

namespace {
/// Of each version the first block of its loop, the one that is branched to,
/// and the one in which that is decided.
struct VersionBlocks {
  SmallVector<BasicBlock *, 3> heads, entries, tests;
};
} // namespace

/// Tests the conditions of the versions in turn.
static VersionBlocks testVersions(MLoopState &m) {
  ArrayRef<Version> versions = m.part->versions;
  VersionBlocks blocks;
  auto &[heads, entries, tests] = blocks;
  for (const Version &version : versions) {
    heads.push_back(addBlock(m.fn, m.part->name + ".body" + version.suffix));
    bool isEntered = version.stride == 0 && !version.isInStrips &&
                     version.inner != InnerStrides::Blend &&
                     (!m.part->pairs || &version != &versions.back());
    entries.push_back(
        isEntered ? heads.back()
                  : addBlock(m.fn, m.part->name + ".start" + version.suffix));
  }
  for (auto [i, version] : enumerate(versions.drop_back())) {
    bool isLastTest = i + 2 == versions.size();
    BasicBlock *next =
        isLastTest ? entries.back() : addBlock(m.fn, m.part->name + ".else");
    m.builder.CreateCondBr(version.when, entries[i], next);
    tests.push_back(m.builder.GetInsertBlock());
    if (!isLastTest)
      startBlock(m.fn, next);
  }
  tests.push_back(tests.back());
  return blocks;
}

/// The accumulators after the versions, each of which ends in a latch.
static void mergeAccumulators(MLoopState &m, unsigned depth,
                              ArrayRef<SmallVector<Pieces, 4>> ends,
                              ArrayRef<BasicBlock *> latches) {
  for (auto [i, entry] : enumerate(m.accumulators)) {
    if (!isCarried(m, entry.second, depth))
      continue;
    Phis merged = makePhis(m, ends.front()[i], entry.second.name());
    for (auto [end, latch] : zip(ends, latches))
      addIncoming(merged, end[i], latch);
    entry.second.value.assign(merged.begin(), merged.end());
  }
}

/// The innermost loop for each case: the first one whose condition holds.
static void emitVersions(MLoopState &m, unsigned depth, BasicBlock *exit) {
  ArrayRef<Version> versions = m.part->versions;
  auto [heads, entries, tests] = testVersions(m);
  SmallVector<Pieces, 4> start;
  for (const auto &entry : m.accumulators)
    start.push_back(entry.second.value);
  SmallVector<SmallVector<Pieces, 4>, 3> ends;
  SmallVector<BasicBlock *, 3> latches;
  for (auto [i, version] : enumerate(versions)) {
    for (auto [entry, value] : zip(m.accumulators, start))
      entry.second.value = value;
    if (entries[i] != heads[i])
      startBlock(m.fn, entries[i]);
    if (m.part->pairs && i + 1 == versions.size())
      emitPairs(m, version, depth, entries[i], heads[i], exit);
    else
      emitVersion(m, version, depth,
                  entries[i] != heads[i] ? nullptr : tests[i], heads[i], exit);
    latches.push_back(m.builder.GetInsertBlock());
    SmallVector<Pieces, 4> &end = ends.emplace_back();
    for (const auto &entry : m.accumulators)
      end.push_back(entry.second.value);
  }

  startBlock(m.fn, exit);
  mergeAccumulators(m, depth, ends, latches);
}

/// One loop, from \p before; its last block ends in a jump to \p exit.
static void emitLoop(MLoopState &m, unsigned depth, BasicBlock *before,
                     BasicBlock *head, BasicBlock *exit) {
  LevelPhis phis = openLevel(m, depth, before, head);
  if (m.iterations && depth == 0)
    emitTimeSteps(m);
  else if (isShared(m, depth))
    emitParts(m);
  else
    emitFrom(m, depth + 1);
  closeLevel(m, depth, head, exit, phis);
}

/// The accumulators that a level carries from step to step.
static void openAccumulators(MLoopState &m, unsigned depth, BasicBlock *before,
                             LevelPhis &phis) {
  for (auto &[key, accumulator] : m.accumulators) {
    Phis &carried = phis.accumulators.emplace_back();
    if (!isCarried(m, accumulator, depth))
      continue;
    carried = makePhis(m, accumulator.value, accumulator.name());
    addIncoming(carried, accumulator.value, before);
    accumulator.value.assign(carried.begin(), carried.end());
  }
}

LevelPhis openLevel(MLoopState &m, unsigned depth, BasicBlock *before,
                    BasicBlock *head) {
  const air::LoopLevel &level = *m.plan.nest[depth].level;
  startBlock(m.fn, head);
  auto addPhi = [&](Value *start, const Twine &phiName) {
    PHINode *phi = m.builder.CreatePHI(start->getType(), 2, phiName);
    phi->addIncoming(start, before);
    return phi;
  };
  LevelPhis phis;
  if (isInnermost(m, depth)) {
    openCarries(m, phis, before);
    openBehind(m, before);
  }
  phis.index =
      addPhi(level.down ? m.range.hi[level.dim] : m.range.lo[level.dim],
             indexName(m.plan, depth));
  m.current[level.dim] = phis.index;
  phis.counter = nullptr;
  if (m.plan.isCounted && isInnermost(m, depth))
    m.count.now = phis.counter =
        addPhi(m.count.first ? m.count.first : m.builder.getInt64(0), "count");
  phis.walkers.assign(m.walkers.size(), nullptr);
  for (unsigned w = 0; w < m.walkers.size(); ++w)
    if (m.plan.leaders[w] == w && !isInnermost(m, depth) &&
        m.walkers[w].bumps[depth] &&
        (isShared(m, depth) || m.part->walkers.contains(w)))
      m.walkers[w].position = phis.walkers[w] =
          addPhi(m.walkers[w].position, arrayName(m, w) + ".walker");
  openAccumulators(m, depth, before, phis);
  if (isSparse(m.plan) && isInnermost(m, depth))
    enterPosition(m);
  return phis;
}

/// Tells LLVM what it may do with the loop that a branch closes.
static void annotateLevel(MLoopState &m, unsigned depth, BranchInst *branch) {
  std::optional<unsigned> delay;
  if (stepsAreIndependent(m, depth))
    delay = m.part->delay;
  bool isAroundBody = isInnermost(m, depth + (m.few ? 1 : 0));
  bool mayVectorize =
      !m.ofShortRows && (!m.part->isUnit || !isInnermost(m, depth) ||
                         m.inner != InnerStrides::Any);
  // What no other version takes is rare: it is not worth much code.
  bool mayUnroll =
      isAroundBody && !m.isTail && (mayVectorize || m.carriedStride != 0);
  VectorChoice vectors;
  vectors.width = !mayVectorize              ? 1
                  : m.isTail && isAroundBody ? MLoopState::TailVector
                                             : 0;
  vectors.alone = m.inner == InnerStrides::StoreTwo;
  vectors.isInLine = m.ofShortRows;
  if (m.part->hasLoopsInside && isAroundBody && !m.ofShortRows && !m.isTail)
    vectors.lanes = m.fn.module.options.lanes;
  SourceRange place;
  if (m.fn.module.options.placesOfLoops && isAroundBody && mayVectorize &&
      m.inner != InnerStrides::StoreTwo && !m.isTail && !m.part->ops.empty())
    place = m.part->ops.front().range;
  m.aliases.annotateLoop(branch, mayUnroll, delay, vectors, place);
}

void closeLevel(MLoopState &m, unsigned depth, BasicBlock *head,
                BasicBlock *exit, const LevelPhis &phis) {
  const air::LoopLevel &level = *m.plan.nest[depth].level;
  BasicBlock *latch = m.builder.GetInsertBlock();
  setPlace(m.fn, m.loop.range);
  phis.index->addIncoming(
      m.builder.CreateAdd(phis.index, m.range.steps[level.dim], "",
                          /*HasNUW=*/false, /*HasNSW=*/true),
      latch);
  if (phis.counter)
    phis.counter->addIncoming(
        m.builder.CreateAdd(phis.counter, m.builder.getInt64(1), "",
                            /*HasNUW=*/true, /*HasNSW=*/true),
        latch);
  for (unsigned w = 0; w < m.walkers.size(); ++w)
    if (PHINode *phi = phis.walkers[w])
      phi->addIncoming(
          move(m, phi, m.walkers[w].bumps[depth], arrayName(m, w) + ".bumped"),
          latch);
  closeCarries(m, phis, latch);
  if (isInnermost(m, depth))
    closeBehind(m, latch);
  for (auto [carried, entry] : zip(phis.accumulators, m.accumulators))
    if (!carried.empty())
      addIncoming(carried, entry.second.value, latch);
  Value *last = level.down ? m.range.lo[level.dim] : m.range.hi[level.dim];
  Value *isLast =
      phis.counter
          ? m.builder.CreateICmpEQ(phis.counter, m.count.last)
          : m.builder.CreateICmpEQ(phis.index, depth == 0 ? m.lastStep : last);
  annotateLevel(m, depth, m.builder.CreateCondBr(isLast, exit, head));
}

/// The name of the block after a loop.
std::string exitName(const MLoopState &m, unsigned depth) {
  if (depth == 0)
    return m.name + ".done";
  if (isShared(m, depth - 1))
    return m.part->name + ".row.end";
  return m.part->name + "." + levelName(m.plan, depth - 1) + ".next";
}

bool stepsAreIndependent(const MLoopState &m, unsigned depth) {
  if (isShared(m, depth))
    return false;
  return all_of(m.part->ops, [&](const air::ElementOp &op) {
    if (!op.target || air::rootElement(op.target)->array->isPerIndex())
      return true;
    int walker = air::rootElement(op.target)->walker;
    if (air::rootElement(op.target)->array->isContracted())
      return isInnermost(m, depth) && innerDim(m.plan, walker) >= 0;
    return isMoved(m.plan, walker, depth) ||
           (isInnermost(m, depth) &&
            (m.accumulators.contains(&op) ||
             m.accumulators.contains(air::rootElement(op.target)->array)));
  });
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

void emitParts(MLoopState &m) {
  Value *&index = m.current[m.plan.nest[0].level->dim];
  Value *step = index;
  for (Part &each : m.parts) {
    m.part = &each;
    SmallVector<Value *, 8> positions;
    for (const WalkerState &walker : m.walkers)
      positions.push_back(walker.position);
    emitPart(m, step);
    for (auto [walker, position] : zip(m.walkers, positions))
      walker.position = position;
  }
  m.part = &m.parts.front();
  index = step;
}

/// The row of the current part in \p step, if it has one.
static void emitPart(MLoopState &m, Value *step) {
  unsigned dim = m.plan.nest[0].level->dim;
  if (int64_t delay = m.part->delay)
    m.current[dim] = m.builder.CreateAdd(
        step,
        m.builder.CreateMul(m.range.steps[dim], m.builder.getInt64(-delay)),
        "i" + Twine(dim) + ".after" + Twine(delay), /*HasNUW=*/false,
        /*HasNSW=*/true);
  Value *hasRow = partHasRow(m);
  BasicBlock *guard = m.builder.GetInsertBlock();
  BasicBlock *row = addBlock(m.fn, m.part->name + ".row");
  BasicBlock *next =
      addBlock(m.fn, m.part != &m.parts.back() ? std::next(m.part)->name
                     : m.iterations            ? m.name + ".iteration.next"
                                    : m.name + ".dim" + Twine(dim) + ".next");
  m.builder.CreateCondBr(
      hasRow, row, next,
      MDBuilder(m.builder.getContext()).createLikelyBranchWeights());
  SmallVector<Pieces, 4> before;
  for (const auto &entry : m.accumulators)
    before.push_back(entry.second.value);

  startBlock(m.fn, row);
  stepBack(m);
  emitFrom(m, 1);
  BasicBlock *done = m.builder.GetInsertBlock();
  startBlock(m.fn, next);
  for (auto [entry, old] : zip(m.accumulators, before)) {
    Accumulator &accumulator = entry.second;
    if (!accumulator.isElement() && accumulator.op->delay == m.part->delay)
      accumulator.value =
          merge(m, old, guard, accumulator.value, done, accumulator.name());
  }
}

/// Whether the current index of the outermost loop is one of this processor's:
/// a delayed part begins later than the loop, all but the last end earlier.
static Value *partHasRow(MLoopState &m) {
  const air::LoopLevel &level = *m.plan.nest[0].level;
  Value *index = m.current[level.dim];
  auto isInside = [&](bool isAboveLow) {
    Value *low = m.iterations ? m.steps.firstRow : m.range.lo[level.dim];
    Value *high = m.iterations ? m.steps.lastRow : m.range.hi[level.dim];
    return isAboveLow ? m.builder.CreateICmpSGE(index, low)
                      : m.builder.CreateICmpSLE(index, high);
  };
  if (m.part->delay == 0 && !m.iterations)
    return isInside(level.down);
  Value *hasBegun = isInside(!level.down);
  if (m.iterations && m.part->delay != 0 && !m.loop.time.swaps.empty())
    hasBegun = m.builder.CreateAnd(hasBegun, m.copies);
  return m.part == &m.parts.back() && !m.iterations
             ? hasBegun
             : m.builder.CreateAnd(hasBegun, isInside(level.down));
}

} // namespace zpl::codegen
