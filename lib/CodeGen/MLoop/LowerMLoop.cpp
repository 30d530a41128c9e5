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
//===----------------------------------------------------------------------===//

#include "MLoop/LowerMLoop.h"
#include "MLoop/SkewedRows.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/IR/MDBuilder.h"

using namespace llvm;

namespace zpl::codegen {

static std::string loopName(const ModuleLowering &module, SourceRange range) {
  unsigned line = module.place(range).line;
  return line ? "mloop.L" + std::to_string(line) : "mloop";
}

MLoopLowering::MLoopLowering(FunctionLowering &function,
                             const air::MLoopStmt &loop, bool isTiled,
                             const AliasInfo *aliases)
    : fn(function), builder(function.builder), loop(loop), isTiled(isTiled),
      name(loopName(function.module, loop.range)),
      aliases(aliases
                  ? *aliases
                  : AliasInfo(function.function->getContext(), loop,
                              function.storages, function.procedure.mayAlias,
                              name, &function.module.strides)) {
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
  findLeaders();
  isCounted = !nest.empty() && isStrided(nest.back().level->dim);
  for (unsigned w = 0; w < loop.walkers.size(); ++w)
    if (int dim = innerDim(w); dim >= 0)
      isCounted |= kind(w, dim) == air::DimKind::Strided;
}

/// What is the same for all tiles.
void MLoopLowering::prepare() {
  readRegion();
  startWalkers();
}

void MLoopLowering::clip(Value *tile) {
  own = tile;
  owns = clipBounds();
}

void MLoopLowering::run(Value *isDone) {
  if (!loop.awaits.empty())
    return emitBoxes();
  fn.startBlock(fn.addBlock(name));
  emitBox(isDone);
}

/// The loop, box by box (zrtA_at_piece). Accumulators are in their variables
/// from box to box.
void MLoopLowering::emitBoxes() {
  for (const air::ElementOp &op : loop.body)
    if (op.accumulator)
      fn.writeVariable(op.accumulator, fn.ops.identity(op.op, op.value->type));
  std::vector<Constant *> rows;
  for (const air::Transfer *transfer : loop.awaits)
    rows.push_back(fn.module.global(transfer));
  Constant *awaited = fn.module.table(
      ConstantArray::get(ArrayType::get(fn.types.ptr, rows.size()), rows),
      ".awaited");
  BasicBlock *before = builder.GetInsertBlock();
  BasicBlock *next = fn.addBlock(name + ".box");
  BasicBlock *inside = fn.addBlock(name);
  BasicBlock *end = fn.addBlock(name + ".boxes.end");
  fn.startBlock(next);
  fn.setPlace(loop.range);
  PHINode *number = builder.CreatePHI(fn.types.i32, 2, "box");
  number->addIncoming(builder.getInt32(0), before);
  own = builder.CreateCall(ZRT_CALLEE(fn.calls, zrtA_at_piece),
                           {awaited, builder.getInt64(rows.size()),
                            builder.getInt32(loop.region->rank()), number},
                           "own");
  builder.CreateCondBr(builder.CreateIsNull(own), end, inside);
  fn.startBlock(inside);
  emitBox();
  number->addIncoming(builder.CreateAdd(number, builder.getInt32(1)),
                      builder.GetInsertBlock());
  builder.CreateBr(next);
  fn.startBlock(end);
}

/// The loop over the region's part of `own`.
void MLoopLowering::emitBox(Value *isDone) {
  BasicBlock *inside = fn.addBlock(name + ".nest");
  BasicBlock *end = fn.addBlock(name + ".end");
  BasicBlock *guard = nullptr;
  if (!isTiled)
    owns = clipBounds();
  if (isDone)
    owns = builder.CreateAnd(owns, builder.CreateNot(isDone));
  if (owns) {
    guard = builder.GetInsertBlock();
    builder.CreateCondBr(
        owns, inside, end,
        MDBuilder(builder.getContext()).createLikelyBranchWeights());
  }
  fn.startBlock(inside);
  countSteps();
  hoistScalars();
  startAccumulators();
  if (isTiled)
    moveToTile();
  else
    startWalkers();
  startStreams();
  fn.mloop = this;
  if (air::isInBlocks(loop))
    emitBlocks();
  else
    emitNest();
  fn.mloop = nullptr;
  endStreams();
  finishAccumulators(guard, end);
}

//===----------------------------------------------------------------------===//
// Levels
//===----------------------------------------------------------------------===//

void MLoopLowering::emitNest() {
  if (!nest.empty()) {
    const air::LoopLevel &level = *nest[0].level;
    lastStep = level.down ? lo[level.dim] : hi[level.dim];
    if (int64_t more = parts.back().delay)
      lastStep = builder.CreateAdd(
          lastStep, builder.CreateMul(steps[level.dim], builder.getInt64(more)),
          "last",
          /*HasNUW=*/false, /*HasNSW=*/true);
  }
  const air::LoopLevel *inner = nest.empty() ? nullptr : nest.back().level;
  if (inner && !isCounted && nest.size() > 1)
    emitNestFor(inner->likely);
  else
    emitFrom(0);
}

/// The nests for these bounds of the innermost level, with a copy of the body
/// for each of its indices, and the one for any.
void MLoopLowering::emitNestFor(ArrayRef<air::LikelyBounds> likely) {
  if (likely.empty())
    return emitFrom(0);
  const air::LikelyBounds &bounds = likely.front();
  unsigned dim = nest.back().level->dim;
  BasicBlock *copies = fn.addBlock(name + ".few");
  BasicBlock *any = fn.addBlock(name + ".any");
  BasicBlock *join = fn.addBlock(name + ".done");
  Value *low = builder.getInt64(bounds.lo), *high = builder.getInt64(bounds.hi);
  Value *isLow = builder.CreateICmpEQ(lo[dim], low);
  Value *isHigh = builder.CreateICmpEQ(hi[dim], high);
  builder.CreateCondBr(builder.CreateAnd(isLow, isHigh), copies, any);
  SmallVector<Pieces, 4> start, afterFew;
  for (const auto &entry : accumulators)
    start.push_back(entry.second.value);
  SmallVector<Value *, 8> positions;
  for (const WalkerState &walker : walkers)
    positions.push_back(walker.position);

  fn.startBlock(copies);
  few = &bounds;
  emitFrom(0);
  few = nullptr;
  BasicBlock *fromFew = builder.GetInsertBlock();
  builder.CreateBr(join);

  fn.startBlock(any);
  for (auto [entry, value] : zip(accumulators, start)) {
    afterFew.push_back(entry.second.value);
    entry.second.value = value;
  }
  for (auto [walker, position] : zip(walkers, positions))
    walker.position = position;
  part = &parts.front();
  emitNestFor(likely.drop_front());
  BasicBlock *fromAny = builder.GetInsertBlock();
  builder.CreateBr(join);

  fn.startBlock(join);
  for (auto [entry, value] : zip(accumulators, afterFew))
    if (!entry.second.isElement())
      entry.second.value = merge(value, fromFew, entry.second.value, fromAny,
                                 entry.second.name());
}

/// A copy of the body for each likely index of the innermost level.
void MLoopLowering::emitUnrolled(BasicBlock *exit) {
  const air::LoopLevel &level = *nest.back().level;
  for (int64_t n = 0; n <= few->hi - few->lo; ++n) {
    current[level.dim] =
        builder.getInt64(level.down ? few->hi - n : few->lo + n);
    emitBody();
  }
  builder.CreateBr(exit);
  fn.startBlock(exit);
}

/// What is in the loop at \p depth - 1; goes on in the block after it.
void MLoopLowering::emitFrom(unsigned depth) {
  if (nest.empty() || isInnermost(depth))
    placeRows();
  if (depth == nest.size())
    emitBody();
  else
    emitLevel(depth);
}

/// One level and what is in it; goes on in the block after it.
void MLoopLowering::emitLevel(unsigned depth) {
  if (isSkewed(depth))
    return SkewedRows(*this, depth).emit();
  BasicBlock *exit = fn.addBlock(exitName(depth));
  if (isInnermost(depth))
    return emitInnermost(depth, exit);
  BasicBlock *head =
      fn.addBlock(part->name + ".dim" + Twine(nest[depth].level->dim));
  emitLoop(depth, builder.GetInsertBlock(), head, exit);
  fn.startBlock(exit);
}

void MLoopLowering::emitInnermost(unsigned depth, BasicBlock *exit) {
  if (copiesRows() && !few)
    return copyRow(depth, exit);
  loadElements();
  const Version &only = part->versions.front();
  if (few) {
    emitUnrolled(exit);
  } else if (part->versions.size() > 1) {
    emitVersions(depth, exit);
  } else if (!partStreams(only) && hasTail()) {
    emitWithTail(depth, exit);
  } else {
    emitVersion(only, depth, nullptr,
                fn.addBlock(part->name + ".body" + only.suffix), exit);
    fn.startBlock(exit);
  }
  storeElements();
}

/// From \p before, or from here if that is null, to a jump to \p exit.
void MLoopLowering::emitVersion(const Version &version, unsigned depth,
                                BasicBlock *before, BasicBlock *head,
                                BasicBlock *exit) {
  if (version.inner == InnerStrides::Blend)
    emitEvery(version, depth, before, head, exit);
  else if (partStreams(version))
    emitStrips(version, depth, head, exit);
  else
    emitRow(version, depth, before, head, exit);
}

/// Like emitVersion, without strips.
void MLoopLowering::emitRow(const Version &version, unsigned depth,
                            BasicBlock *before, BasicBlock *head,
                            BasicBlock *exit) {
  inner = version.inner;
  carriedStride = version.stride;
  startCarries(depth);
  emitLoop(depth, before ? before : builder.GetInsertBlock(), head, exit);
  inner = InnerStrides::Any;
}

/// The innermost loop for each case: the first one whose condition holds.
void MLoopLowering::emitVersions(unsigned depth, BasicBlock *exit) {
  ArrayRef<Version> versions = part->versions;
  SmallVector<BasicBlock *, 3> heads, entries, tests;
  for (const Version &version : versions) {
    heads.push_back(fn.addBlock(part->name + ".body" + version.suffix));
    bool isEntered = version.stride == 0 && !partStreams(version) &&
                     version.inner != InnerStrides::Blend &&
                     (!part->pairs || &version != &versions.back());
    entries.push_back(
        isEntered ? heads.back()
                  : fn.addBlock(part->name + ".start" + version.suffix));
  }
  for (auto [i, version] : enumerate(versions.drop_back())) {
    bool isLastTest = i + 2 == versions.size();
    BasicBlock *next =
        isLastTest ? entries.back() : fn.addBlock(part->name + ".else");
    builder.CreateCondBr(version.when, entries[i], next);
    tests.push_back(builder.GetInsertBlock());
    if (!isLastTest)
      fn.startBlock(next);
  }
  tests.push_back(tests.back());

  SmallVector<Pieces, 4> start;
  for (const auto &entry : accumulators)
    start.push_back(entry.second.value);
  SmallVector<SmallVector<Pieces, 4>, 3> ends;
  SmallVector<BasicBlock *, 3> latches;
  for (auto [i, version] : enumerate(versions)) {
    for (auto [entry, value] : zip(accumulators, start))
      entry.second.value = value;
    if (entries[i] != heads[i])
      fn.startBlock(entries[i]);
    if (part->pairs && i + 1 == versions.size())
      emitPairs(version, depth, entries[i], heads[i], exit);
    else
      emitVersion(version, depth, entries[i] != heads[i] ? nullptr : tests[i],
                  heads[i], exit);
    latches.push_back(builder.GetInsertBlock());
    SmallVector<Pieces, 4> &end = ends.emplace_back();
    for (const auto &entry : accumulators)
      end.push_back(entry.second.value);
  }

  fn.startBlock(exit);
  for (auto [i, entry] : enumerate(accumulators)) {
    if (!isCarried(entry.second, depth))
      continue;
    Phis merged = makePhis(ends.front()[i], entry.second.name());
    for (auto [end, latch] : zip(ends, latches))
      addIncoming(merged, end[i], latch);
    entry.second.value.assign(merged.begin(), merged.end());
  }
}

/// One loop, from \p before; its last block ends in a jump to \p exit.
void MLoopLowering::emitLoop(unsigned depth, BasicBlock *before,
                             BasicBlock *head, BasicBlock *exit) {
  LevelPhis phis = openLevel(depth, before, head);
  if (isShared(depth))
    emitParts();
  else
    emitFrom(depth + 1);
  closeLevel(depth, head, exit, phis);
}

/// Starts \p head with the loop's phis, which become the current values.
MLoopLowering::LevelPhis
MLoopLowering::openLevel(unsigned depth, BasicBlock *before, BasicBlock *head) {
  const air::LoopLevel &level = *nest[depth].level;
  fn.startBlock(head);
  auto addPhi = [&](Value *start, const Twine &phiName) {
    PHINode *phi = builder.CreatePHI(start->getType(), 2, phiName);
    phi->addIncoming(start, before);
    return phi;
  };
  LevelPhis phis;
  if (isInnermost(depth)) {
    openCarries(phis, before);
    openBehind(before);
  }
  phis.index = addPhi(level.down ? hi[level.dim] : lo[level.dim],
                      "i" + Twine(level.dim));
  current[level.dim] = phis.index;
  phis.counter = nullptr;
  if (isCounted && isInnermost(depth))
    counter = phis.counter =
        addPhi(firstCount ? firstCount : builder.getInt64(0), "count");
  phis.walkers.assign(walkers.size(), nullptr);
  for (unsigned w = 0; w < walkers.size(); ++w)
    if (leaders[w] == w && !isInnermost(depth) && walkers[w].bumps[depth] &&
        (isShared(depth) || part->walkers.contains(w)))
      walkers[w].position = phis.walkers[w] =
          addPhi(walkers[w].position, arrayName(w) + ".walker");
  for (auto &[key, accumulator] : accumulators) {
    Phis &carried = phis.accumulators.emplace_back();
    if (!isCarried(accumulator, depth))
      continue;
    carried = makePhis(accumulator.value, accumulator.name());
    addIncoming(carried, accumulator.value, before);
    accumulator.value.assign(carried.begin(), carried.end());
  }
  return phis;
}

/// The end of a step: moves what the level moves and jumps back or out.
void MLoopLowering::closeLevel(unsigned depth, BasicBlock *head,
                               BasicBlock *exit, const LevelPhis &phis) {
  const air::LoopLevel &level = *nest[depth].level;
  BasicBlock *latch = builder.GetInsertBlock();
  fn.setPlace(loop.range);
  phis.index->addIncoming(builder.CreateAdd(phis.index, steps[level.dim], "",
                                            /*HasNUW=*/false, /*HasNSW=*/true),
                          latch);
  if (phis.counter)
    phis.counter->addIncoming(
        builder.CreateAdd(phis.counter, builder.getInt64(1), "",
                          /*HasNUW=*/true, /*HasNSW=*/true),
        latch);
  for (unsigned w = 0; w < walkers.size(); ++w)
    if (PHINode *phi = phis.walkers[w])
      phi->addIncoming(
          move(phi, walkers[w].bumps[depth], arrayName(w) + ".bumped"), latch);
  closeCarries(phis, latch);
  if (isInnermost(depth))
    closeBehind(latch);
  for (auto [carried, entry] : zip(phis.accumulators, accumulators))
    if (!carried.empty())
      addIncoming(carried, entry.second.value, latch);
  Value *last = level.down ? lo[level.dim] : hi[level.dim];
  Value *isLast =
      phis.counter
          ? builder.CreateICmpEQ(phis.counter, lastCount)
          : builder.CreateICmpEQ(phis.index, depth == 0 ? lastStep : last);
  std::optional<unsigned> delay;
  if (stepsAreIndependent(depth))
    delay = part->delay;
  bool isAroundBody = isInnermost(depth + (few ? 1 : 0));
  bool mayVectorize =
      !part->isUnit || !isInnermost(depth) || inner != InnerStrides::Any;
  // What no other version takes is rare: it is not worth much code.
  bool mayUnroll =
      isAroundBody && !isTail && (mayVectorize || carriedStride != 0);
  VectorChoice vectors;
  vectors.width = !mayVectorize ? 1 : isTail && isAroundBody ? TailVector : 0;
  vectors.alone = inner == InnerStrides::StoreTwo;
  SourceRange place;
  if (fn.module.options.placesOfLoops && isAroundBody && mayVectorize &&
      inner != InnerStrides::StoreTwo && !isTail && !part->ops.empty())
    place = part->ops.front().range;
  aliases.annotateLoop(builder.CreateCondBr(isLast, exit, head), mayUnroll,
                       delay, vectors, place);
}

/// The name of the block after a loop.
std::string MLoopLowering::exitName(unsigned depth) const {
  if (depth == 0)
    return name + ".done";
  if (isShared(depth - 1))
    return part->name + ".row.end";
  return part->name + ".dim" + std::to_string(nest[depth - 1].level->dim) +
         ".next";
}

/// False if the steps of the loop at \p depth touch the same elements by its
/// nature: it is around several parts, or accumulates or stores in memory along
/// a dimension in which the target does not move. (AliasInfo knows what the
/// accesses themselves say.)
bool MLoopLowering::stepsAreIndependent(unsigned depth) const {
  if (isShared(depth))
    return false;
  return all_of(part->ops, [&](const air::ElementOp &op) {
    if (!op.target || air::rootElement(op.target)->array->isPerIndex())
      return true;
    int walker = air::rootElement(op.target)->walker;
    if (air::rootElement(op.target)->array->isContracted())
      return isInnermost(depth) && innerDim(walker) >= 0;
    bool moves = loop.walkers[walker].bumps[nest[depth].number] >= 0;
    return moves || (isInnermost(depth) && accumulators.contains(&op));
  });
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

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
  unsigned dim = nest[0].level->dim;
  if (int64_t delay = part->delay)
    current[dim] = builder.CreateAdd(
        step, builder.CreateMul(steps[dim], builder.getInt64(-delay)),
        "i" + Twine(dim) + ".after" + Twine(delay), /*HasNUW=*/false,
        /*HasNSW=*/true);
  Value *hasRow = partHasRow();
  BasicBlock *guard = builder.GetInsertBlock();
  BasicBlock *row = fn.addBlock(part->name + ".row");
  BasicBlock *next =
      fn.addBlock(part == &parts.back() ? name + ".dim" + Twine(dim) + ".next"
                                        : std::next(part)->name);
  builder.CreateCondBr(
      hasRow, row, next,
      MDBuilder(builder.getContext()).createLikelyBranchWeights());
  SmallVector<Pieces, 4> before;
  for (const auto &entry : accumulators)
    before.push_back(entry.second.value);

  fn.startBlock(row);
  stepBack();
  emitFrom(1);
  BasicBlock *done = builder.GetInsertBlock();
  fn.startBlock(next);
  for (auto [entry, old] : zip(accumulators, before)) {
    Accumulator &accumulator = entry.second;
    if (!accumulator.isElement() && accumulator.op->delay == part->delay)
      accumulator.value =
          merge(old, guard, accumulator.value, done, accumulator.name());
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

} // namespace zpl::codegen
