//===- LanePlan.cpp - Which loops can be executed in lanes ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// That iterations are independent CodeGen has said; what is asked here is
// whether each instruction has a form for lanes:
//
//  - the loop is left at its end only, after a number of iterations that is
//    known when it begins
//  - what goes from iteration to iteration moves by a constant (walkers,
//    indices) or by what is known before, or is a chain of one operation, which is done lane by lane, so
//    that even sums of floating values keep their order
//  - an iteration stores to elements of its own only: an address that moves
//    with the iterations
//  - calls are intrinsics with forms for vectors, or have no effects, and are
//    made lane by lane
//
// Cost: linear in the loop's instructions.
//
//===----------------------------------------------------------------------===//

#include "Lanes/LanePlan.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/IVDescriptors.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace zpl::lanes {

bool isMarker(const Instruction &inst) {
  return isa<DbgInfoIntrinsic, AssumeInst, NoAliasScopeDeclInst>(inst) ||
         inst.isLifetimeStartOrEnd();
}

Type *accessType(const Instruction &access) {
  auto *store = dyn_cast<StoreInst>(&access);
  return store ? store->getValueOperand()->getType() : access.getType();
}

Align accessAlign(const Instruction &access) {
  auto *store = dyn_cast<StoreInst>(&access);
  return store ? store->getAlign() : cast<LoadInst>(access).getAlign();
}

int64_t accessSize(const Instruction &access) {
  return int64_t(access.getDataLayout().getTypeStoreSize(accessType(access)));
}

namespace {

class LanePlanner {
public:
  LanePlanner(LanePlan &plan, std::string &reason)
      : plan(plan), loop(plan.context.loop), reason(reason) {}

  bool run();

private:
  bool refuse(const Twine &why) {
    reason = why.str();
    return false;
  }
  bool isLeftAtItsEnd();
  bool findCarried();
  bool isChain(PHINode &phi);
  bool isExpressible(const Instruction &inst);
  bool isCallExpressible(const CallBase &call);
  bool storesOwnElement(const StoreInst &store);
  bool areLeavingValuesKnown();

  LanePlan &plan;
  Loop &loop;
  std::string &reason;
};

} // namespace

/// How often the loop goes back if it does until an index is the last one: not
/// known to LLVM for strides, with which it might miss it.
static const SCEV *backedgesToLast(const Loop &loop,
                                   ScalarEvolution &evolution) {
  auto *branch = cast<BranchInst>(loop.getLoopLatch()->getTerminator());
  auto *end = dyn_cast<ICmpInst>(branch->getCondition());
  if (!end || !end->isEquality() ||
      !end->getOperand(0)->getType()->isIntegerTy())
    return nullptr;
  auto *index = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(end->getOperand(0)));
  // As a value, not as what it was computed from.
  const SCEV *last = evolution.getUnknown(end->getOperand(1));
  auto *step = index
                   ? dyn_cast<SCEVConstant>(index->getStepRecurrence(evolution))
                   : nullptr;
  bool leavesAtLast = loop.contains(branch->getSuccessor(0)) ==
                      (end->getPredicate() == CmpInst::ICMP_NE);
  if (!step || index->getLoop() != &loop || !index->isAffine() ||
      !evolution.isLoopInvariant(last, &loop) || !leavesAtLast)
    return nullptr;
  const SCEV *distance = evolution.getMinusSCEV(last, index->getStart());
  if (step->getAPInt().isNegative())
    distance = evolution.getNegativeSCEV(distance);
  return evolution.getUDivExpr(distance,
                               evolution.getConstant(step->getAPInt().abs()));
}

bool LanePlanner::isLeftAtItsEnd() {
  if (!loop.isLoopSimplifyForm() ||
      loop.getExitingBlock() != loop.getLoopLatch() || !loop.getExitBlock())
    return refuse("an index may end the loop");
  ScalarEvolution &evolution = plan.context.evolution;
  plan.backedges = backedgesToLast(loop, evolution);
  if (!plan.backedges)
    plan.backedges = evolution.getBackedgeTakenCount(&loop);
  SCEVExpander expander(evolution, loop.getHeader()->getDataLayout(), "lanes");
  if (isa<SCEVCouldNotCompute>(plan.backedges) ||
      !expander.isSafeToExpand(plan.backedges) ||
      plan.backedges->getType()->getIntegerBitWidth() > 64)
    return refuse("the number of indices is not known before");
  LoopBlocksRPO order(&loop);
  order.perform(&plan.context.loops);
  if (containsIrreducibleCFG<const BasicBlock *>(order, plan.context.loops))
    return refuse("loops are entered at several places");
  return true;
}

/// Whether the operation can be done lane by lane, on one value.
static bool isOperationOfChain(const Instruction &inst) {
  if (auto *call = dyn_cast<IntrinsicInst>(&inst))
    return call->arg_size() == 2 &&
           isTriviallyVectorizable(call->getIntrinsicID()) &&
           call->getArgOperand(0)->getType() == call->getType() &&
           call->getArgOperand(1)->getType() == call->getType();
  return isa<BinaryOperator>(inst) && !inst.isIntDivRem();
}

/// By what an iteration moves the phi, if that is a value from before the loop;
/// else null.
static Value *stepOf(PHINode &phi, const Loop &loop) {
  Value *next = phi.getIncomingValueForBlock(loop.getLoopLatch());
  Value *step = nullptr;
  if (auto *sum = dyn_cast<BinaryOperator>(next);
      sum && sum->getOpcode() == Instruction::Add)
    step = sum->getOperand(0) == &phi   ? sum->getOperand(1)
           : sum->getOperand(1) == &phi ? sum->getOperand(0)
                                        : nullptr;
  auto *address = dyn_cast<GetElementPtrInst>(next);
  if (address && address->getPointerOperand() == &phi &&
      address->getNumIndices() == 1 &&
      address->getSourceElementType()->isIntegerTy(8) &&
      address->getOperand(1)->getType()->isIntegerTy(64))
    step = address->getOperand(1);
  return step && loop.isLoopInvariant(step) ? step : nullptr;
}

bool LanePlanner::isChain(PHINode &phi) {
  auto *next =
      dyn_cast<Instruction>(phi.getIncomingValueForBlock(loop.getLoopLatch()));
  if (!next || !phi.hasOneUse() || *phi.user_begin() != next ||
      !isOperationOfChain(*next) || is_contained(next->operands(), next) ||
      !isAlwaysReached(next->getParent(), loop, plan.context.loops,
                       plan.context.dominators))
    return false;
  for (const User *user : next->users())
    if (user != &phi && loop.contains(cast<Instruction>(user)))
      return false;
  plan.chains.push_back({&phi, next});
  return true;
}

bool LanePlanner::findCarried() {
  for (PHINode &phi : loop.getHeader()->phis()) {
    InductionDescriptor moved;
    if (InductionDescriptor::isInductionPHI(&phi, &loop,
                                            &plan.context.evolution, moved)) {
      auto *step = dyn_cast<SCEVConstant>(moved.getStep());
      if (step && step->getAPInt().getSignificantBits() <= 64 &&
          moved.getKind() != InductionDescriptor::IK_FpInduction) {
        plan.strides[&phi] = step->getAPInt().getSExtValue();
        continue;
      }
    }
    if (Value *step = stepOf(phi, loop);
        step && !phi.getType()->isFloatingPointTy())
      plan.moved.push_back({&phi, step});
    else if (!isChain(phi))
      return refuse("a value goes from index to index");
  }
  return true;
}

bool LanePlanner::storesOwnElement(const StoreInst &store) {
  const Value *address = store.getPointerOperand();
  Shape shape = shapeOf(plan.shapes, address);
  if (shape.kind == Shape::Linear)
    return std::abs(shape.stride) >= accessSize(store);
  // CodeGen gives scopes to elements of the M-loop's arrays, of which an
  // iteration changes its own.
  return shape.kind == Shape::Varying &&
         store.hasMetadata(LLVMContext::MD_alias_scope);
}

bool LanePlanner::isCallExpressible(const CallBase &call) {
  if (isMarker(call))
    return true;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    if (isTriviallyVectorizable(intrinsic->getIntrinsicID()))
      return true;
  const Function *callee = call.getCalledFunction();
  if (callee && isa<CallInst>(call) && !call.isConvergent() &&
      call.onlyReadsMemory() && call.doesNotThrow() &&
      (call.getType()->isFloatingPointTy() || call.getType()->isIntegerTy()))
    return true;
  return refuse("an index calls what has no form for lanes" +
                (callee ? " (" + callee->getName() + ")" : Twine()));
}

static bool isLaneType(const Type *type) {
  return type->isPointerTy() || type->isFloatTy() || type->isDoubleTy() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() <= 64);
}

bool LanePlanner::isExpressible(const Instruction &inst) {
  if (auto *call = dyn_cast<CallBase>(&inst))
    return isCallExpressible(*call);
  if (inst.isTerminator())
    return isa<BranchInst, SwitchInst>(inst) ||
           refuse("an index may end the program");
  if (auto *store = dyn_cast<StoreInst>(&inst)) {
    if (!store->isSimple() || !isLaneType(store->getValueOperand()->getType()))
      return refuse("an index stores what has no form for lanes");
    return storesOwnElement(*store) ||
           refuse("indices store to the same place");
  }
  auto *load = dyn_cast<LoadInst>(&inst);
  bool isKnown = isa<PHINode, BinaryOperator, UnaryOperator, CmpInst, CastInst,
                     SelectInst, FreezeInst, GetElementPtrInst>(inst) ||
                 (load && load->isSimple());
  if (!isKnown || !isLaneType(inst.getType()))
    return refuse("an index computes what has no form for lanes (" +
                  Twine(inst.getOpcodeName()) + ")");
  return true;
}

/// After the loop its chains can be used, and what moves by constants.
bool LanePlanner::areLeavingValuesKnown() {
  for (PHINode &phi : loop.getExitBlock()->phis()) {
    const Value *value = phi.getIncomingValueForBlock(loop.getLoopLatch());
    bool isOfChain = any_of(
        plan.chains, [&](const Chain &chain) { return chain.next == value; });
    if (!isOfChain && shapeOf(plan.shapes, value).kind == Shape::Varying)
      return refuse("a value of the last index is used afterwards");
  }
  return true;
}

bool LanePlanner::run() {
  if (!isLeftAtItsEnd() || !findCarried())
    return false;
  SmallPtrSet<const PHINode *, 2> moved;
  for (const Moved &one : plan.moved)
    moved.insert(one.phi);
  plan.shapes = findShapes(loop, plan.context.loops, plan.context.dominators,
                           plan.strides, moved);
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &inst : *block)
      if (!isExpressible(inst))
        return false;
  return areLeavingValuesKnown();
}

std::optional<LanePlan> planLanes(const LoopContext &context,
                                  std::string &reason) {
  LanePlan plan{context};
  if (!LanePlanner(plan, reason).run())
    return std::nullopt;
  return plan;
}

} // namespace zpl::lanes
