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

#include "MLoop/LowerMLoop.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::codegen {

/// Steps that are worth a loop of their own.
static constexpr int64_t LeastSteps = 8;

bool MLoopLowering::isStored(unsigned walker) const {
  return any_of(part->ops, [&](const air::ElementOp &op) {
    return op.target &&
           leaders[air::rootElement(op.target)->walker] == leaders[walker];
  });
}

/// By how many elements the innermost loop moves a walker in that case; 0 if
/// that is not known, or it does not move along rows.
unsigned MLoopLowering::stepOf(unsigned walker, InnerStrides how) const {
  if (!mayBeUnitStride(walker))
    return 0;
  switch (how) {
  case InnerStrides::Any:
    return 0;
  case InnerStrides::Unit:
    return 1;
  case InnerStrides::StoreTwo:
    return isStored(walker) || hasDisplacements(walker) ? 2 : 1;
  case InnerStrides::Blend:
    return 2;
  case InnerStrides::LoadTwo:
    return isReadAround(walker) || hasDisplacements(walker) ? 2 : 1;
  }
  llvm_unreachable("covered switch");
}

/// Whether the part may read every second element of rows and store all of
/// others, as far as its text shows.
bool MLoopLowering::mayLoadTwo() const {
  if (isTiled || !part->isUnit)
    return false;
  bool reads = false;
  for (int w : part->walkers) {
    if (stepOf(w, InnerStrides::LoadTwo) != 2)
      continue;
    if (isStored(w))
      return false;
    reads = true;
  }
  return reads;
}

/// Whether the part reads the walker's array, and views of it, at several
/// places.
bool MLoopLowering::isReadAround(unsigned walker) const {
  auto root = [&](const air::Array *array) {
    const air::ShiftStmt *shift = fn.shifts.lookup(array);
    return shift ? static_cast<const air::Array *>(shift->source) : array;
  };
  const air::Array *array = root(loop.walkers[walker].array);
  std::set<RowKey> places;
  for (const air::ElementOp &op : part->ops)
    air::forEachExpr(op, [&](const air::Expr &e) {
      auto *element = dyn_cast<air::ElementExpr>(&e);
      if (element && root(element->array) == array)
        places.insert({element->walker, element->offset});
    });
  return places.size() > 1;
}

/// Whether that is the case, for all walkers of the part that may walk along
/// rows; null if there are none. Before the nest.
Value *MLoopLowering::walkersHave(InnerStrides how) {
  Value *all = nullptr;
  for (unsigned w = 0; w < walkers.size(); ++w) {
    unsigned step = stepOf(w, how);
    if (step == 0 || !part->walkers.contains(w))
      continue;
    int64_t bytes = step * fn.types.size(loop.walkers[w].array->element);
    Value *bump = builder.getInt64(nest.back().level->down ? -bytes : bytes);
    Value *one = builder.CreateICmpEQ(walkers[w].bumps.back(), bump);
    all = all ? builder.CreateAnd(all, one) : one;
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

/// Whether the part may store pairs of elements, as far as its text shows.
bool MLoopLowering::mayStorePairs() const {
  bool isLikely = all_of(part->walkers, [&](int w) {
    return innerDim(w) < 0 || (isTiled && walksRows(w)) || hasDisplacements(w);
  });
  if (!isLikely || !part->isUnit || loop.rows > 1 || nest.back().level->down ||
      !aliases.isParallel(part->delay))
    return false;
  bool stores = false;
  for (const air::ElementOp &op : part->ops) {
    auto *target = dyn_cast_or_null<air::ElementExpr>(op.target);
    if (op.kind == air::ElementOp::Let && op.carries.empty())
      continue;
    if (op.kind != air::ElementOp::Store || op.guard || !target)
      return false;
    if (target->array->isPerIndex())
      continue;
    stores = true;
    air::Type type = op.value->type;
    bool isPlain =
        (type.isInteger() || type.isFloat()) && fn.types.size(type) >= 4;
    if (!isPlain || target->array->isContracted() ||
        !mayBeUnitStride(leaders[target->walker]))
      return false;
  }
  return stores;
}

/// After a store, in the version for pairs.
void MLoopLowering::storeSibling(const air::ElementOp &op, Value *place) {
  air::Type type = op.value->type;
  Value *sibling =
      builder.CreateGEP(fn.types.memory(type), place, builder.getInt64(1));
  LoadInst *old = fn.loadMemory(type, sibling, "between");
  annotate(old, op.target);
  StoreInst *store = builder.CreateStore(builder.CreateFreeze(old), sibling);
  annotate(store, op.target);
}

/// From \p start, where code is being made: the innermost loop in pairs, if
/// that is the case, then what is left for \p others, the last of its versions,
/// which begins with \p body and ends in a jump to \p exit.
void MLoopLowering::emitPairs(const Version &others, unsigned depth,
                              BasicBlock *start, BasicBlock *body,
                              BasicBlock *exit) {
  const air::LoopLevel &level = *nest[depth].level;
  BasicBlock *head = fn.addBlock(part->name + ".body.pairs");
  BasicBlock *rest = fn.addBlock(part->name + ".rest");
  Value *last = lastCount, *begin = lo[level.dim];
  lastCount = builder.CreateSub(last, builder.getInt64(1));
  Value *isLong = builder.CreateICmpUGE(last, builder.getInt64(LeastSteps));
  builder.CreateCondBr(builder.CreateAnd(part->pairs, isLong), head, rest);

  emitVersion({nullptr, InnerStrides::StoreTwo, 0, {}}, depth, start, head,
              rest);
  BasicBlock *latch = builder.GetInsertBlock();
  lastCount = last;

  fn.startBlock(rest);
  PHINode *done = builder.CreatePHI(fn.types.i64, 2, "done");
  done->addIncoming(builder.getInt64(0), start);
  done->addIncoming(last, latch);
  firstCount = done;
  lo[level.dim] =
      builder.CreateAdd(begin, builder.CreateMul(done, steps[level.dim]));
  emitVersion(others, depth, nullptr, body, exit);
  firstCount = nullptr;
  lo[level.dim] = begin;
}

//===----------------------------------------------------------------------===//
// Blend
//===----------------------------------------------------------------------===//

/// Whether an operation puts back what lies between its elements.
bool MLoopLowering::isEvery(const air::ElementOp &op) const {
  return inner == InnerStrides::Blend &&
         !air::rootElement(op.target)->array->isPerIndex();
}

/// Whether it is the element behind the one that is stored, in the order of the
/// innermost loop.
bool MLoopLowering::isBehind(const air::ElementExpr &element,
                             const air::Array *stored) const {
  const air::LoopLevel &level = *nest.back().level;
  air::Offset offset(loop.region->rank(), 0);
  offset[level.dim] = level.down ? 1 : -1;
  return element.array == stored && element.offset == offset;
}

/// Whether the part stores, in rows without gaps, what it reads around, as far
/// as its text shows.
bool MLoopLowering::mayStoreEvery() const {
  if (!part->isUnit || loop.rows > 1 || !aliases.isParallel(part->delay) ||
      any_of(part->walkers,
             [&](int w) { return innerDim(w) >= 0 && !hasDisplacements(w); }))
    return false;
  bool isAround = false;
  for (const air::ElementOp &op : part->ops) {
    auto *target = dyn_cast_or_null<air::ElementExpr>(op.target);
    air::Type type = op.value->type;
    bool isPlain =
        (type.isInteger() || type.isFloat()) && fn.types.size(type) >= 4;
    if (op.kind != air::ElementOp::Store || op.guard || !target || !isPlain ||
        !storesEverywhere(op, /*isVain=*/true))
      return false;
    if (target->array->isPerIndex())
      continue;
    if (target->array->isContracted() || !mayBeUnitStride(target->walker))
      return false;
    for (const air::ElementOp &other : part->ops)
      air::forEachExpr(other, [&](const air::Expr &e) {
        auto *element = dyn_cast<air::ElementExpr>(&e);
        isAround |=
            element && element->array == target->array && element->isShifted();
      });
  }
  return isAround;
}

/// Like emitRow, over all elements from the first to the last one.
void MLoopLowering::emitEvery(const Version &version, unsigned depth,
                              BasicBlock *before, BasicBlock *head,
                              BasicBlock *exit) {
  Value *&step = steps[nest[depth].level->dim];
  Value *last = lastCount, *stride = step;
  lastCount = builder.CreateShl(last, 1, "elements");
  step = builder.getInt64(nest[depth].level->down ? -1 : 1);
  startBehind();
  emitRow(version, depth, before, head, exit);
  behind.clear();
  step = stride;
  lastCount = last;
}

/// In front of the loop: what lies behind the first elements, if it is read.
void MLoopLowering::startBehind() {
  behind.clear();
  for (const air::ElementOp &op : part->ops) {
    auto *own = cast<air::ElementExpr>(op.target);
    if (own->array->isPerIndex())
      continue;
    const air::ElementExpr *read = nullptr;
    for (const air::ElementOp &other : part->ops)
      air::forEachExpr(other, [&](const air::Expr &e) {
        auto *element = dyn_cast<air::ElementExpr>(&e);
        if (element && isBehind(*element, own->array))
          read = element;
      });
    if (!read)
      continue;
    Value *place =
        builder.CreateGEP(fn.types.memory(own->array->element),
                          rows.at({read->walker, rowOffset(read)}),
                          builder.getInt64(nest.back().level->down ? 1 : -1));
    LoadInst *start =
        fn.loadMemory(own->array->element, place, own->array->name);
    annotate(start, read);
    behind.push_back({own, fn.fromMemory(own->array->element, start)});
  }
}

void MLoopLowering::openBehind(BasicBlock *before) {
  for (PreviousElement &element : behind) {
    element.phi = builder.CreatePHI(element.start->getType(), 2,
                                    element.own->array->name + ".behind");
    element.phi->addIncoming(element.start, before);
  }
}

void MLoopLowering::closeBehind(BasicBlock *latch) {
  for (PreviousElement &element : behind)
    element.phi->addIncoming(element.next, latch);
}

} // namespace zpl::codegen
