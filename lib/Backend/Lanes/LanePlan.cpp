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
//    indices) or by what is known before, or is a chain of one operation,
//    which is done lane by lane, so that even sums of floating values keep
//    their order
//  - an iteration stores to elements of its own only: an address that moves
//    with the iterations
//  - what else it stores to is a variable that lives in it; there is one
//    for each lane then
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

VectorVariant vectorVariant(const CallInst &call, unsigned width) {
  // What calls the scalar function for each element has nothing for lanes.
  constexpr StringLiteral OneByOne = "zpl.each.";
  VectorVariant result;
  for (const VFInfo &variant : VFDatabase::getMappings(call)) {
    unsigned lanes = variant.Shape.VF.getKnownMinValue();
    VFShape plain = VFShape::get(call.getFunctionType(),
                                 ElementCount::getFixed(lanes), /*Pred=*/false);
    if (variant.Shape == plain && lanes > result.lanes && width % lanes == 0 &&
        !StringRef(variant.VectorName).starts_with(OneByOne))
      result = {call.getModule()->getFunction(variant.VectorName), lanes};
  }
  return result;
}

int64_t strideOf(const AllocaInst &variable) {
  return int64_t(
      variable.getDataLayout().getTypeAllocSize(variable.getAllocatedType()));
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
  void findOwn();
  bool isChain(PHINode &phi);
  bool isExpressible(const Instruction &inst);
  bool hasCommonOperands(const IntrinsicInst &call) const;
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

/// Where the life of the variable begins in an iteration; null: it does not.
static const Instruction *startOf(const AllocaInst &variable,
                                  const Loop &loop) {
  for (const User *user : variable.users()) {
    auto *marker = dyn_cast<IntrinsicInst>(user);
    if (marker && marker->getIntrinsicID() == Intrinsic::lifetime_start &&
        loop.contains(marker))
      return marker;
  }
  return nullptr;
}

/// Computes addresses of parts of variables in the loop that uses them, where
/// LLVM has moved them out of it.
void bringAddressesBack(Loop &loop) {
  BasicBlock *header = loop.getHeader();
  SmallVector<GetElementPtrInst *, 8> outside;
  for (Instruction &inst : header->getParent()->getEntryBlock())
    if (isa<AllocaInst>(inst))
      for (User *user : inst.users())
        if (auto *address = dyn_cast<GetElementPtrInst>(user);
            address && !loop.contains(address))
          outside.push_back(address);
  for (GetElementPtrInst *address : outside) {
    auto isInside = [&](const Use &use) {
      return loop.contains(cast<Instruction>(use.getUser())) &&
             !isa<PHINode>(use.getUser());
    };
    if (none_of(address->uses(), isInside))
      continue;
    Instruction *inside = address->clone();
    inside->insertBefore(header->getFirstInsertionPt());
    address->replaceUsesWithIf(inside,
                               [&](const Use &use) { return isInside(use); });
  }
}

/// Whether the loop uses the value, or one that is made from it before.
static bool isUsedIn(const Instruction &value, const Loop &loop) {
  SmallPtrSet<const Instruction *, 8> seen = {&value};
  SmallVector<const Instruction *, 8> work = {&value};
  while (!work.empty())
    for (const User *next : work.pop_back_val()->users()) {
      auto *user = cast<Instruction>(next);
      if (loop.contains(user))
        return true;
      if (user->getType()->isPointerTy() && seen.insert(user).second)
        work.push_back(user);
    }
  return false;
}

/// Whether the variable lives in one iteration at a time, and its address is
/// used for nothing but to find parts of it.
static bool isOwn(const AllocaInst &variable, const Loop &loop,
                  const DominatorTree &dominators) {
  const Instruction *start = startOf(variable, loop);
  if (!start)
    return false;
  SmallVector<const User *, 8> work(variable.users());
  while (!work.empty()) {
    auto *user = cast<Instruction>(work.pop_back_val());
    if (!loop.contains(user)) {
      // An address from before the loop would be the same for all lanes.
      if (isUsedIn(*user, loop))
        return false;
      continue;
    }
    bool isAccess = user != start && !isa<GetElementPtrInst>(user);
    if (isAccess && !dominators.dominates(start, user))
      return false;
    auto *store = dyn_cast<StoreInst>(user);
    if (store && isa<AllocaInst, GetElementPtrInst>(store->getValueOperand()))
      return false;
    if (isa<GetElementPtrInst>(user))
      append_range(work, user->users());
    else if (!isa<LoadInst, StoreInst, MemIntrinsic>(user) && !isMarker(*user))
      return false;
  }
  return true;
}

void LanePlanner::findOwn() {
  for (Instruction &inst : loop.getHeader()->getParent()->getEntryBlock()) {
    auto *variable = dyn_cast<AllocaInst>(&inst);
    if (!variable || !variable->isStaticAlloca() || variable->use_empty() ||
        !isOwn(*variable, loop, plan.context.dominators))
      continue;
    plan.own.push_back(variable);
  }
}

bool LanePlanner::storesOwnElement(const StoreInst &store) {
  const Value *address = store.getPointerOperand();
  Shape shape = shapeOf(plan.shapes, address);
  if (shape.kind == Shape::Linear)
    return std::abs(shape.stride) >= accessSize(store);
  if (is_contained(plan.own, getUnderlyingObject(address)))
    return true;
  // CodeGen gives scopes to elements of the M-loop's arrays, of which an
  // iteration changes its own.
  return shape.kind == Shape::Varying &&
         store.hasMetadata(LLVMContext::MD_alias_scope);
}

/// Whether what has no vector form in the intrinsic's is common to all lanes.
bool LanePlanner::hasCommonOperands(const IntrinsicInst &call) const {
  return all_of(enumerate(call.args()), [&](const auto &arg) {
    return !isVectorIntrinsicWithScalarOpAtArg(call.getIntrinsicID(),
                                               arg.index()) ||
           shapeOf(plan.shapes, arg.value()).kind == Shape::Uniform;
  });
}

bool LanePlanner::isCallExpressible(const CallBase &call) {
  if (isMarker(call))
    return true;
  if (auto *fill = dyn_cast<MemSetInst>(&call))
    if (!fill->isVolatile() && isa<ConstantInt>(fill->getLength()) &&
        shapeOf(plan.shapes, fill->getDest()).kind == Shape::Linear)
      return true;
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    if (isTriviallyVectorizable(intrinsic->getIntrinsicID()))
      return hasCommonOperands(*intrinsic) ||
             refuse("an index calls what is no operation on vectors there");
  const Function *callee = call.getCalledFunction();
  if (callee && isa<CallInst>(call) && !call.isConvergent() &&
      call.onlyReadsMemory() && call.doesNotThrow() &&
      (call.getType()->isFloatingPointTy() || call.getType()->isIntegerTy()))
    return true;
  return refuse("an index calls what has no form for lanes" +
                (callee ? " (" + callee->getName() + ")" : Twine()));
}

/// Whether elements of vectors lie in memory as scalars do.
static bool isOfBytes(Type *type) {
  return !type->isIntegerTy() || type->getIntegerBitWidth() % 8 == 0;
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
    Type *type = store->getValueOperand()->getType();
    if (!store->isSimple() || !isLaneType(type) || !isOfBytes(type))
      return refuse("an index stores what has no form for lanes");
    return storesOwnElement(*store) ||
           refuse("indices store to the same place");
  }
  auto *load = dyn_cast<LoadInst>(&inst);
  bool isKnown = isa<PHINode, BinaryOperator, UnaryOperator, CmpInst, CastInst,
                     SelectInst, FreezeInst, GetElementPtrInst>(inst) ||
                 (load && load->isSimple() && isOfBytes(load->getType()));
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
  findOwn();
  DenseMap<const Value *, int64_t> strides;
  for (auto [phi, stride] : plan.strides)
    strides[phi] = stride;
  for (const AllocaInst *variable : plan.own)
    strides[variable] = strideOf(*variable);
  plan.shapes = findShapes(loop, plan.context.loops, plan.context.dominators,
                           strides, moved);
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
