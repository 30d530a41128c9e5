//===- LaneLoops.cpp - The control flow of a loop in lanes ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] while X*X + Y*Y <= 4.0 do  if X > Y then F; else G; end;  end;
//
//   lanes.head:                       ; eight indices at a time
//     %mask = %position + <0,1,..7> < %count
//     %x0 = masked load X; ...
//   lanes.loop:                       ; while any lane is in the loop
//     %live = phi [%mask, lanes.head], [%live.next, lanes.loop]
//     %x = phi <8 x double> [%x0, ..], [%x.next, ..]
//     %then = %live & (%x > %y)
//     F in the lanes of %then, G in those of %live & !(%x > %y)
//     %x.next = select %then, F's, G's
//     %stays = %x.next*%x.next + .. <= 4.0
//     %x.left = phi [poison], [%x.left.next]  ; with what lanes left
//     %x.left.next = select (%live & !%stays), %x.next, %x.left
//     %live.next = %live & %stays
//     br any(%live.next), lanes.loop, lanes.loop.left
//   lanes.loop.left:
//     masked store X, %x.left
//
// Blocks come one after the other in an order in which each is after those that
// lead to it. What was control flow is data: each edge from block to block has
// a mask, the lanes of this iteration that take it; a block's mask is the union
// of those of the edges to it, and what a phi gets is chosen by them. Loops
// stay loops, which go on while a lane does. An exit edge collects its lanes
// over all iterations, and a phi after it what each had when it left. The
// loops are reducible, so this is all there is to do, also for `exit` and
// `return` out of several loops: the edge is one of each of them.
//
// A loop that all lanes leave together is controlled by the scalar condition;
// so is its end if lanes that get there leave together, and others before. A
// loop that no lane enters is jumped over.
//
// Where every lane that is at an earlier block gets to another one, the masks
// are the same.
//
// Cost: the code grows by one copy of the loop. Source: the idea is ispc's
// (Pharr, Mark, "ispc: A SPMD compiler for high-performance CPU programming",
// 2012), on a loop instead of a program.
//
//===----------------------------------------------------------------------===//

#include "Lanes/LaneCode.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace zpl::lanes {

/// Below so many indices they are taken one by one.
constexpr unsigned FewIndices = 2;

namespace {

/// What a phi after an inner loop has got so far, from the lanes that left.
struct LeftValue {
  const PHINode *phi;
  PHINode *soFar;
  /// The phi of the loop's head that has the same next value, and is soFar:
  /// lanes that have left keep it.
  const PHINode *carried = nullptr;
  Value *now = nullptr; ///< soFar with what comes from this iteration
};

/// A block after an inner loop that is being emitted, to which it leads.
struct Exit {
  const BasicBlock *to;
  SmallVector<const BasicBlock *, 2> from; ///< blocks of the loop
  PHINode *mask = nullptr; ///< the lanes that have gone there; null: all do
  Value *sum = nullptr;    ///< the same with this iteration's
  SmallVector<LeftValue, 4> left{};
};

/// An inner loop that is being emitted.
struct InnerLoop {
  const Loop &loop;
  bool isDivergent;
  BasicBlock *before, *head, *after;
  Value *entered; ///< the mask
  PHINode *live = nullptr;
  SmallVector<Exit, 2> exits{};
};

/// What a phi at an exit of a loop gets from it.
struct LeavingValue {
  const Exit *exit;
  const PHINode *phi;
  Value *value;
};

class LoopEmitter {
public:
  explicit LoopEmitter(const LanePlan &plan)
      : plan(plan), context(plan.context), loop(context.loop),
        function(*loop.getHeader()->getParent()),
        code{plan, IRBuilder<>(function.getContext())} {}

  void run();

private:
  IRBuilder<> &builder() { return code.builder; }
  BasicBlock *newBlock(const Twine &name) {
    return BasicBlock::Create(function.getContext(), name, &function);
  }
  bool isVarying(const Value *value) const {
    return shapeOf(plan.shapes, value).kind == Shape::Varying;
  }

  void emitBody(Loop &of, Value *mask);
  Value *maskOf(const BasicBlock &block, const Loop &in);
  void emitPhi(const PHINode &phi);
  Value *arriving(const PHINode &phi, const BasicBlock *from);
  void emitEnd(BasicBlock &block, Value *mask);
  void emitSwitch(SwitchInst &choice, Value *mask);
  void addEdgeMask(Edge edge, Value *mask);

  void emitInner(Loop &inner);
  void openInner(InnerLoop &state);
  void openExits(InnerLoop &state);
  Type *typeOfLeft(const InnerLoop &state, const Exit &exit,
                   const PHINode &phi) const;
  LeftValue openLeft(InnerLoop &state, const Exit &exit, const PHINode &phi,
                     bool isLast);
  void closeInner(InnerLoop &state);
  Value *takenAlong(const LeftValue &left, const BasicBlock *from);
  void addLeaving(Exit &exit, function_ref<bool(const BasicBlock *)> isOne);
  void carryOn(const Exit &exit);
  void openAfter(InnerLoop &state, ArrayRef<LeavingValue> values,
                 BasicBlock *last);
  bool endsTogether(const BasicBlock &latch) const;
  Value *commonCondition(const Loop &inner, const BasicBlock &exiting);

  void openOuter(BasicBlock *before, Value *count);
  Value *firstMask(Value *count);
  Value *next(const PHINode &phi, PHINode *made);
  void closeOuter(Value *count, BasicBlock *done);
  Value *movedBy(Value *value, Value *distance);
  void addToExit(BasicBlock *done, Value *count);

  const LanePlan &plan;
  const LoopContext &context;
  Loop &loop;
  Function &function;
  LaneCode code;
  DenseMap<const BasicBlock *, Value *> masks; ///< of blocks
  /// Next values of phis of inner loops that lanes keep when they have left.
  DenseMap<const PHINode *, Value *> kept;
  PHINode *position = nullptr; ///< of the first lane, from 0
};

} // namespace

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void LoopEmitter::addEdgeMask(Edge edge, Value *mask) {
  auto [it, isNew] = code.edgeMasks.try_emplace(edge, mask);
  if (!isNew)
    it->second = builder().CreateOr(it->second, mask);
}

/// Whether all paths from \p above lead to \p block in the same iteration of
/// the loop \p in.
static bool alwaysLeadsTo(const BasicBlock *above, const BasicBlock *block,
                          const Loop &in) {
  SmallPtrSet<const BasicBlock *, 16> seen;
  SmallVector<const BasicBlock *, 16> work = {above};
  while (!work.empty())
    for (const BasicBlock *next : successors(work.pop_back_val())) {
      if (next == block || !seen.insert(next).second)
        continue;
      if (next == in.getHeader() || !in.contains(next))
        return false;
      work.push_back(next);
    }
  return true;
}

/// The mask of a block that is no head of a loop: that of an earlier one from
/// which all lanes come here, or what arrives.
Value *LoopEmitter::maskOf(const BasicBlock &block, const Loop &in) {
  const DomTreeNode *above = context.dominators.getNode(&block)->getIDom();
  while (context.loops.getLoopFor(above->getBlock()) != &in)
    above = above->getIDom();
  if (alwaysLeadsTo(above->getBlock(), &block, in))
    return masks.lookup(above->getBlock());
  Value *mask = nullptr;
  for (const BasicBlock *from : predecessors(&block)) {
    Value *edge = code.edgeMasks.lookup({from, &block});
    assert(edge && "a block is emitted after those that lead to it");
    mask = !mask || mask == edge ? edge : builder().CreateOr(mask, edge);
  }
  return mask;
}

/// What a phi gets over that edge.
Value *LoopEmitter::arriving(const PHINode &phi, const BasicBlock *from) {
  if (Value *left = code.leaving.lookup({&phi, from}))
    return left;
  Value *value = phi.getIncomingValueForBlock(from);
  return isVarying(&phi) ? vectorOf(code, value) : scalarOf(code, value);
}

void LoopEmitter::emitPhi(const PHINode &phi) {
  Value *result = nullptr;
  SmallPtrSet<const BasicBlock *, 4> seen;
  for (const BasicBlock *from : phi.blocks()) {
    if (!seen.insert(from).second)
      continue;
    Value *value = arriving(phi, from);
    result = result && isVarying(&phi)
                 ? blend(code, code.edgeMasks.lookup({from, phi.getParent()}),
                         value, result, phi.getName())
                 : value;
  }
  (isVarying(&phi) ? code.vectors : code.scalars)[&phi] = result;
}

/// The masks of the edges that begin at a switch.
void LoopEmitter::emitSwitch(SwitchInst &choice, Value *mask) {
  const BasicBlock *block = choice.getParent();
  Value *value = vectorOf(code, choice.getCondition());
  Value *others = mask;
  for (auto &one : choice.cases()) {
    Value *isIt = builder().CreateICmpEQ(
        value, ConstantVector::getSplat(ElementCount::getFixed(plan.width),
                                        one.getCaseValue()));
    Value *taken =
        builder().CreateAnd(mask, toMask(code, builder().CreateFreeze(isIt)));
    addEdgeMask({block, one.getCaseSuccessor()}, taken);
    others = without(code, others, taken);
  }
  addEdgeMask({block, choice.getDefaultDest()}, others);
}

/// Whether the lanes that come to the end of an inner loop go on, or leave it,
/// together.
bool LoopEmitter::endsTogether(const BasicBlock &latch) const {
  auto *branch = dyn_cast<BranchInst>(latch.getTerminator());
  const Loop *inner = context.loops.getLoopFor(&latch);
  return branch && branch->isConditional() && inner != &loop &&
         inner->getLoopLatch() == &latch && !isVarying(branch->getCondition());
}

void LoopEmitter::emitEnd(BasicBlock &block, Value *mask) {
  Instruction *end = block.getTerminator();
  if (auto *choice = dyn_cast<SwitchInst>(end))
    return emitSwitch(*choice, mask);
  auto *branch = cast<BranchInst>(end);
  const BasicBlock *first = branch->getSuccessor(0);
  if (branch->isUnconditional() || branch->getSuccessor(1) == first)
    return addEdgeMask({&block, first}, mask);
  if (endsTogether(block)) {
    // The loop ends where they leave, so nobody is counted twice.
    addEdgeMask({&block, first}, mask);
    return addEdgeMask({&block, branch->getSuccessor(1)}, mask);
  }
  Value *taken = narrow(code, mask, branch->getCondition());
  addEdgeMask({&block, first}, taken);
  addEdgeMask({&block, branch->getSuccessor(1)}, without(code, mask, taken));
}

/// One iteration of a loop, whose head's phis are there.
void LoopEmitter::emitBody(Loop &of, Value *mask) {
  LoopBlocksRPO order(&of);
  order.perform(&context.loops);
  for (BasicBlock *block : order) {
    Loop *in = context.loops.getLoopFor(block);
    if (in != &of) {
      if (in->getParentLoop() == &of && block == in->getHeader())
        emitInner(*in);
      continue;
    }
    bool isHead = block == of.getHeader();
    Value *here = isHead ? mask : maskOf(*block, of);
    masks[block] = here;
    for (Instruction &inst : *block) {
      auto *phi = dyn_cast<PHINode>(&inst);
      if (phi && !isHead)
        emitPhi(*phi);
      else if (!phi && !inst.isTerminator())
        emitInstruction(code, inst, here);
    }
    if (block != loop.getLoopLatch())
      emitEnd(*block, here);
  }
}

//===----------------------------------------------------------------------===//
// Inner loops
//===----------------------------------------------------------------------===//

/// Common integers are kept in the size of masks, with which they are chosen.
Type *LoopEmitter::typeOfLeft(const InnerLoop &state, const Exit &exit,
                              const PHINode &phi) const {
  bool areCommon = phi.getType()->isIntegerTy() &&
                   !plan.maskElement->isIntegerTy(1) &&
                   all_of(exit.from, [&](const BasicBlock *from) {
                     return context.loops.getLoopFor(from) == &state.loop &&
                            !isVarying(phi.getIncomingValueForBlock(from));
                   });
  return wide(code, areCommon ? plan.maskElement : phi.getType());
}

/// \p isLast: the only exit edge begins where the back edge does.
LeftValue LoopEmitter::openLeft(InnerLoop &state, const Exit &exit,
                                const PHINode &phi, bool isLast) {
  const Value *value = phi.getIncomingValueForBlock(exit.from.front());
  if (isLast && isVarying(value))
    for (const PHINode &carried : state.loop.getHeader()->phis())
      if (isVarying(&carried) &&
          carried.getIncomingValueForBlock(exit.from.front()) == value) {
        auto *made = cast<PHINode>(code.vectors.lookup(&carried));
        return {&phi, made, &carried, made};
      }
  Type *type = typeOfLeft(state, exit, phi);
  PHINode *soFar = builder().CreatePHI(type, 2, phi.getName() + ".left");
  soFar->addIncoming(PoisonValue::get(type), state.before);
  return {&phi, soFar, nullptr, soFar};
}

/// The blocks after the loop to which it leads, with the edges there.
static SmallVector<Exit, 2> findExits(const Loop &inner) {
  SmallVector<Loop::Edge, 4> edges;
  inner.getExitEdges(edges);
  SmallVector<Exit, 2> exits;
  for (auto [from, to] : edges) {
    auto exit = find_if(exits, [&](const Exit &one) { return one.to == to; });
    if (exit == exits.end())
      exits.push_back({to, {from}});
    else if (!is_contained(exit->from, from))
      exit->from.push_back(from);
  }
  return exits;
}

void LoopEmitter::openExits(InnerLoop &state) {
  state.exits = findExits(state.loop);
  for (Exit &exit : state.exits) {
    if (state.exits.size() > 1) {
      exit.mask = builder().CreatePHI(state.entered->getType(), 2, "left");
      exit.mask->addIncoming(Constant::getNullValue(exit.mask->getType()),
                             state.before);
      exit.sum = exit.mask;
    }
    bool isLast = state.exits.size() == 1 && exit.from.size() == 1 &&
                  exit.from.front() == state.loop.getLoopLatch();
    for (const PHINode &phi : exit.to->phis())
      if (state.isDivergent && isVarying(&phi))
        exit.left.push_back(openLeft(state, exit, phi, isLast));
  }
}

void LoopEmitter::openInner(InnerLoop &state) {
  const BasicBlock *header = state.loop.getHeader();
  const BasicBlock *from = state.loop.getLoopPredecessor();
  SmallVector<std::pair<const PHINode *, Value *>, 8> first;
  for (const PHINode &phi : header->phis())
    first.push_back({&phi, arriving(phi, from)});
  builder().CreateCondBr(isAny(code, state.entered), state.head, state.after);
  state.before = builder().GetInsertBlock();
  builder().SetInsertPoint(state.head);
  if (state.isDivergent) {
    state.live = builder().CreatePHI(state.entered->getType(), 2, "live");
    state.live->addIncoming(state.entered, state.before);
  }
  for (auto [phi, value] : first) {
    PHINode *made = builder().CreatePHI(value->getType(), 2, phi->getName());
    made->addIncoming(value, state.before);
    (isVarying(phi) ? code.vectors : code.scalars)[phi] = made;
  }
  openExits(state);
}

/// What a lane that leaves from there takes along for the phi.
Value *LoopEmitter::takenAlong(const LeftValue &left, const BasicBlock *from) {
  Value *now = arriving(*left.phi, from);
  if (now->getType() == left.soFar->getType())
    return now;
  Value *common = scalarOf(code, left.phi->getIncomingValueForBlock(from));
  return builder().CreateVectorSplat(
      plan.width, builder().CreateSExtOrTrunc(common, plan.maskElement));
}

/// Adds the lanes that leave by the exit, from the blocks for which \p isOne,
/// and their values: they are what comes over each of its edges.
void LoopEmitter::addLeaving(Exit &exit,
                             function_ref<bool(const BasicBlock *)> isOne) {
  for (LeftValue &left : exit.left)
    for (const BasicBlock *from : exit.from)
      if (isOne(from))
        left.now = blend(code,
                         left.carried ? masks.lookup(from)
                                      : code.edgeMasks.lookup({from, exit.to}),
                         takenAlong(left, from), left.now,
                         left.phi->getName() + ".left");
  for (const BasicBlock *from : exit.from)
    if (exit.mask && isOne(from))
      exit.sum =
          builder().CreateOr(exit.sum, code.edgeMasks.lookup({from, exit.to}));
}

/// Gives the phis of an exit what they have got for the next iteration.
void LoopEmitter::carryOn(const Exit &exit) {
  BasicBlock *last = builder().GetInsertBlock();
  for (const LeftValue &left : exit.left)
    if (left.carried)
      kept[left.carried] = left.now;
    else
      left.soFar->addIncoming(left.now, last);
  if (exit.mask)
    exit.mask->addIncoming(exit.sum, last);
}

/// A value after the loop; \p skipped if no lane entered it.
static Value *afterLoop(IRBuilder<> &builder, const InnerLoop &state,
                        Value *inLoop, Value *skipped, BasicBlock *last) {
  PHINode *phi = builder.CreatePHI(inLoop->getType(), 2);
  phi->addIncoming(inLoop, last);
  phi->addIncoming(skipped, state.before);
  return phi;
}

/// Begins the code after the loop with what its exits have collected.
void LoopEmitter::openAfter(InnerLoop &state, ArrayRef<LeavingValue> values,
                            BasicBlock *last) {
  builder().SetInsertPoint(state.after);
  SmallVector<Value *, 8> after;
  for (const LeavingValue &one : values)
    after.push_back(afterLoop(builder(), state, one.value,
                              PoisonValue::get(one.value->getType()), last));
  for (const Exit &exit : state.exits) {
    Value *mask = state.entered;
    if (exit.mask)
      mask = afterLoop(builder(), state, exit.sum,
                       Constant::getNullValue(exit.sum->getType()), last);
    for (const BasicBlock *from : exit.from)
      code.edgeMasks[{from, exit.to}] = mask;
  }
  for (auto [entry, value] : zip(values, after)) {
    Type *type = entry.phi->getType();
    if (type->isIntegerTy() && value->getType()->isVectorTy())
      value = builder().CreateSExtOrTrunc(value, wide(code, type));
    for (const BasicBlock *from : entry.exit->from)
      code.leaving[{entry.phi, from}] = value;
  }
}

/// The condition on which all lanes go on from a block of the loop.
Value *LoopEmitter::commonCondition(const Loop &inner,
                                    const BasicBlock &exiting) {
  auto *branch = cast<BranchInst>(exiting.getTerminator());
  Value *condition = scalarOf(code, branch->getCondition());
  return inner.contains(branch->getSuccessor(0))
             ? condition
             : builder().CreateNot(condition);
}

/// Ends the loop; what comes next is after it.
void LoopEmitter::closeInner(InnerLoop &state) {
  const BasicBlock *latch = state.loop.getLoopLatch();
  BasicBlock *last = builder().GetInsertBlock();
  bool leavesTogether = state.live && endsTogether(*latch);
  auto isAlone = [&](const BasicBlock *from) {
    return !leavesTogether || from != latch;
  };
  for (Exit &exit : state.exits) {
    addLeaving(exit, isAlone);
    carryOn(exit);
  }
  for (const PHINode &phi : state.loop.getHeader()->phis()) {
    Value *next = kept.lookup(&phi);
    cast<PHINode>((isVarying(&phi) ? code.vectors : code.scalars).lookup(&phi))
        ->addIncoming(next ? next : arriving(phi, latch), last);
  }
  Value *goesOn = nullptr;
  if (state.live) {
    Value *next = code.edgeMasks.lookup({latch, state.loop.getHeader()});
    state.live->addIncoming(next, last);
    goesOn = isAny(code, next);
  }
  if (!state.live || leavesTogether) {
    Value *common = commonCondition(
        state.loop, state.live ? *latch : *state.loop.getExitingBlock());
    goesOn = goesOn ? builder().CreateAnd(goesOn, common) : common;
  }
  BasicBlock *end = leavesTogether ? newBlock("lanes.end") : state.after;
  builder().CreateCondBr(goesOn, state.head, end);
  SmallVector<LeavingValue, 8> values;
  if (leavesTogether)
    builder().SetInsertPoint(end);
  else
    builder().SetInsertPoint(last, last->getTerminator()->getIterator());
  for (Exit &exit : state.exits) {
    if (leavesTogether)
      addLeaving(exit, [&](const BasicBlock *from) { return from == latch; });
    for (const LeftValue &left : exit.left)
      code.leaving[{left.phi, exit.from.front()}] = left.now;
    for (const PHINode &phi : exit.to->phis())
      values.push_back({&exit, &phi, arriving(phi, exit.from.front())});
  }
  if (leavesTogether)
    builder().CreateBr(state.after);
  openAfter(state, values, leavesTogether ? end : last);
}

void LoopEmitter::emitInner(Loop &inner) {
  bool isDivergent = plan.shapes.divergent.contains(&inner);
  const BasicBlock *from = inner.getLoopPredecessor();
  InnerLoop state{inner,
                  isDivergent,
                  nullptr,
                  newBlock("lanes.loop"),
                  newBlock("lanes.left"),
                  code.edgeMasks.lookup({from, inner.getHeader()})};
  openInner(state);
  emitBody(inner, state.live ? state.live : state.entered);
  closeInner(state);
}

//===----------------------------------------------------------------------===//
// The loop itself
//===----------------------------------------------------------------------===//

/// Begins the loop over lanes with its phis; an i1 vector of those that there
/// are is its mask.
void LoopEmitter::openOuter(BasicBlock *before, Value *count) {
  BasicBlock *head = newBlock("lanes.head");
  builder().SetInsertPoint(head);
  position = builder().CreatePHI(count->getType(), 2, "position");
  position->addIncoming(ConstantInt::get(count->getType(), 0), before);
  const BasicBlock *scalarEntry = loop.getLoopPreheader();
  for (const PHINode &phi : loop.getHeader()->phis()) {
    PHINode *made = builder().CreatePHI(phi.getType(), 2, phi.getName());
    made->addIncoming(phi.getIncomingValueForBlock(scalarEntry), before);
    code.scalars[&phi] = made;
  }
  for (const Moved &one : plan.moved) {
    SmallVector<Constant *, 16> numbers;
    for (unsigned lane = 0; lane < plan.width; ++lane)
      numbers.push_back(ConstantInt::get(one.step->getType(), lane));
    Value *first = code.scalars.lookup(one.phi);
    Value *distance =
        builder().CreateMul(builder().CreateVectorSplat(plan.width, one.step),
                            ConstantVector::get(numbers));
    code.vectors[one.phi] =
        first->getType()->isPointerTy()
            ? builder().CreateGEP(builder().getInt8Ty(), first, distance)
            : builder().CreateAdd(
                  builder().CreateVectorSplat(plan.width, first), distance);
  }
}

/// The lanes of this iteration that are indices of the loop.
Value *LoopEmitter::firstMask(Value *count) {
  SmallVector<Constant *, 16> numbers;
  for (unsigned lane = 0; lane < plan.width; ++lane)
    numbers.push_back(ConstantInt::get(count->getType(), lane));
  Value *remaining = builder().CreateNSWSub(count, position, "remaining");
  Value *isThere = builder().CreateICmpSLT(
      ConstantVector::get(numbers),
      builder().CreateVectorSplat(plan.width, remaining));
  return toMask(code, isThere);
}

/// Says that there is nothing left to do for LLVM's loop passes.
static MDNode *finishedLoop(LLVMContext &context) {
  auto *one =
      ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), 1));
  Metadata *done[] = {MDString::get(context, "llvm.loop.isvectorized"), one};
  Metadata *whole[] = {MDString::get(context, "llvm.loop.unroll.disable")};
  MDNode *node =
      MDNode::getDistinct(context, {nullptr, MDNode::get(context, done),
                                    MDNode::get(context, whole)});
  node->replaceOperandWith(0, node);
  return node;
}

/// What the phi of the loop's head, for which \p made stands, is next.
Value *LoopEmitter::next(const PHINode &phi, PHINode *made) {
  if (auto found = plan.strides.find(&phi); found != plan.strides.end())
    return movedBy(made, builder().getInt64(found->second * plan.width));
  for (const Moved &one : plan.moved)
    if (one.phi == &phi)
      return movedBy(made, builder().CreateMul(
                               one.step, ConstantInt::get(one.step->getType(),
                                                          plan.width)));
  return scalarOf(code, phi.getIncomingValueForBlock(loop.getLoopLatch()));
}

/// Moves the phis by as many iterations as there are lanes, and goes back or on
/// to \p done.
void LoopEmitter::closeOuter(Value *count, BasicBlock *done) {
  BasicBlock *last = builder().GetInsertBlock();
  BasicBlock *head = position->getParent();
  for (const PHINode &phi : loop.getHeader()->phis()) {
    auto *made = cast<PHINode>(code.scalars.lookup(&phi));
    made->addIncoming(next(phi, made), last);
  }
  Value *following = builder().CreateNUWAdd(
      position, ConstantInt::get(count->getType(), plan.width));
  position->addIncoming(following, last);
  BranchInst *back = builder().CreateCondBr(
      builder().CreateICmpULT(following, count), head, done);
  back->setMetadata(LLVMContext::MD_loop, finishedLoop(function.getContext()));
}

/// An integer, or a pointer in bytes, plus an i64.
Value *LoopEmitter::movedBy(Value *value, Value *distance) {
  if (value->getType()->isPointerTy())
    return builder().CreateGEP(builder().getInt8Ty(), value, distance);
  return builder().CreateAdd(
      value, builder().CreateSExtOrTrunc(distance, value->getType()));
}

/// Says what is used after the loop: the values of its last index.
void LoopEmitter::addToExit(BasicBlock *done, Value *count) {
  builder().SetInsertPoint(done);
  Value *lane = builder().CreateSub(
      builder().CreateSub(count, builder().getInt64(1)), position);
  BasicBlock *exit = loop.getExitBlock();
  for (PHINode &phi : exit->phis()) {
    Value *value = phi.getIncomingValueForBlock(loop.getLoopLatch());
    Value *first = scalarOf(code, value);
    Shape shape = shapeOf(plan.shapes, value);
    bool isLinear = shape.kind == Shape::Linear;
    phi.addIncoming(
        isLinear ? movedBy(first, builder().CreateMul(
                                      lane, builder().getInt64(shape.stride)))
                 : first,
        done);
  }
  builder().CreateBr(exit);
}

void LoopEmitter::run() {
  BasicBlock *before = loop.getLoopPreheader();
  Type *number = builder().getInt64Ty();
  SCEVExpander expander(context.evolution, function.getDataLayout(), "lanes");
  const SCEV *iterations = context.evolution.getAddExpr(
      context.evolution.getNoopOrZeroExtend(plan.backedges, number),
      context.evolution.getOne(number));
  Value *count = expander.expandCodeFor(iterations, number,
                                        before->getTerminator()->getIterator());
  BasicBlock *scalarEntry = SplitBlock(before, before->getTerminator(),
                                       &context.dominators, &context.loops);
  BasicBlock &entry = function.getEntryBlock();
  builder().SetInsertPoint(&entry, entry.begin());
  code.nowhere = builder().CreateAlloca(number, nullptr, "nowhere");
  for (AllocaInst *variable : plan.own)
    code.scalars[variable] = builder().CreateAlloca(
        ArrayType::get(variable->getAllocatedType(), plan.width), nullptr,
        variable->getName() + ".lanes");
  openOuter(before, count);
  BasicBlock *head = builder().GetInsertBlock();
  emitBody(loop, firstMask(count));
  BasicBlock *done = newBlock("lanes.done");
  closeOuter(count, done);
  addToExit(done, count);
  ReplaceInstWithInst(
      before->getTerminator(),
      BranchInst::Create(head, scalarEntry,
                         new ICmpInst(before->getTerminator()->getIterator(),
                                      ICmpInst::ICMP_UGE, count,
                                      ConstantInt::get(number, FewIndices))));
}

void emitLanes(const LanePlan &plan) {
  LoopEmitter(plan).run();
  Loop &rest = plan.context.loop;
  if (!findOptionMDForLoop(&rest, "llvm.loop.unroll.disable"))
    addStringMetadataToLoop(&rest, "llvm.loop.unroll.disable", 1);
}

} // namespace zpl::lanes
