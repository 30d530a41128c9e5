//===- LaneCosts.cpp - How many lanes pay ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A vector of lanes fills one register with the widest type that the loop
// computes with; two, if what is alive in the innermost loops then still has
// room in the registers, since steps of a recurrence mostly wait for the step
// before, and two of them can wait at once: Julia's steps take 0.7 of the time.
//
// Whether that is faster than one index after the other is asked of LLVM's
// model of the processor, instruction by instruction, each counted Steps times
// for every loop around it:
//
//     lanes:    vector form, both ways of each branch, blends
//     scalar:   width times the scalar form
//
// In loops that lanes leave one by one they wait for the last one. With eight
// lanes the steps that are waited for are 1.06 times those that are wanted in
// Mandelbrot's set (1000^2 points), 1.07 in Newton's fractal, 1.45 for the
// numbers of Collatz to 10^6, 1.69 in a Julia set; Divergence lies between.
//
// Cost: linear in the loop's instructions.
//
//===----------------------------------------------------------------------===//

#include "Lanes/LanePlan.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace zpl::lanes {

constexpr double Steps = 8;        ///< of a loop, where nobody knows
constexpr double Divergence = 1.3; ///< of loops that lanes leave one by one
constexpr unsigned MaxWidth = 16;

/// Whether its size says how many lanes a register has.
static bool isComputedWith(const Type *type) {
  return type->isFloatingPointTy() ||
         (type->isIntegerTy() && type->getIntegerBitWidth() > 1);
}

static unsigned widestType(const LanePlan &plan) {
  unsigned widest = 0;
  for (const BasicBlock *block : plan.context.loop.blocks())
    for (const Instruction &inst : *block)
      if (shapeOf(plan.shapes, &inst).kind == Shape::Varying &&
          isComputedWith(inst.getType()))
        widest = std::max(widest, inst.getType()->getScalarSizeInBits());
  return widest;
}

namespace {

/// What is alive in an innermost loop: of each lane, and of all.
struct Pressure {
  unsigned varying = 0, uniform = 0;
};

} // namespace

/// Whether lanes that have left the loop keep the value in a phi of its head.
static bool isCarriedIn(const Loop &inner, const Value *value) {
  return any_of(inner.getHeader()->phis(), [&](const PHINode &phi) {
    return phi.getIncomingValueForBlock(inner.getLoopLatch()) == value;
  });
}

static Pressure pressureIn(const Loop &inner, const LanePlan &plan) {
  Pressure result;
  SmallPtrSet<const Value *, 16> seen;
  auto add = [&](const Value *value) {
    if (!isComputedWith(value->getType()) || !seen.insert(value).second)
      return;
    bool isVarying = shapeOf(plan.shapes, value).kind == Shape::Varying;
    ++(isVarying ? result.varying : result.uniform);
  };
  for (const BasicBlock *block : inner.blocks())
    for (const Instruction &inst : *block) {
      bool isCarried = isa<PHINode>(inst) && block == inner.getHeader();
      if (isCarried && shapeOf(plan.shapes, &inst).kind == Shape::Varying)
        add(&inst);
      if (shapeOf(plan.shapes, &inst).kind != Shape::Varying)
        continue;
      for (const Value *operand : inst.operands()) {
        auto *made = dyn_cast<Instruction>(operand);
        bool isOutside = made ? !inner.contains(made)
                              : isa<ConstantFP, ConstantInt, Argument>(operand);
        if (isOutside)
          add(operand);
      }
    }
  SmallVector<BasicBlock *, 4> exits;
  inner.getUniqueExitBlocks(exits);
  for (const BasicBlock *exit : exits)
    for (const PHINode &phi : exit->phis())
      if (shapeOf(plan.shapes, &phi).kind == Shape::Varying &&
          !isCarriedIn(inner, phi.getIncomingValue(0)))
        add(&phi);
  return result;
}

/// Whether every innermost loop has registers for lanes in two of them.
static bool fitsTwice(const LanePlan &plan, unsigned registers) {
  constexpr unsigned Temporaries = 2;
  for (const Loop *inner : plan.context.loop.getLoopsInPreorder()) {
    if (!inner->isInnermost())
      continue;
    Pressure alive = pressureIn(*inner, plan);
    if (2 * (alive.varying + Temporaries) + alive.uniform > registers * 3 / 2)
      return false;
  }
  return true;
}

namespace {

class Costs {
public:
  explicit Costs(const LanePlan &plan) : plan(plan) {}

  /// Of all lanes, in cycles of the processor's model.
  double ofLanes() const;
  double ofScalars() const;

private:
  double times(const BasicBlock *block, double perLoop) const;
  static double value(InstructionCost cost) {
    return double(cost.getValue().value_or(1000));
  }
  double scalar(const Instruction &inst) const;
  double vector(const Instruction &inst) const;
  double access(const Instruction &inst) const;
  double costOfCalls(const CallInst &call) const;
  double call(const CallInst &call) const;
  VectorType *wide(Type *type) const {
    if (type->isPointerTy())
      type = Type::getInt64Ty(type->getContext());
    return FixedVectorType::get(type, plan.width);
  }
  double blend(Type *type) const {
    return value(plan.context.target.getCmpSelInstrCost(
        Instruction::Select, wide(type),
        wide(Type::getInt1Ty(type->getContext())), CmpInst::BAD_ICMP_PREDICATE,
        Kind));
  }

  static constexpr auto Kind = TargetTransformInfo::TCK_RecipThroughput;
  const LanePlan &plan;
};

} // namespace

double Costs::times(const BasicBlock *block, double perLoop) const {
  double result = 1;
  for (const Loop *inner = plan.context.loops.getLoopFor(block);
       inner && inner != &plan.context.loop; inner = inner->getParentLoop()) {
    result *= Steps;
    if (plan.shapes.divergent.contains(inner))
      result *= perLoop;
  }
  return result;
}

double Costs::scalar(const Instruction &inst) const {
  if (isMarker(inst))
    return 0;
  return value(plan.context.target.getInstructionCost(&inst, Kind));
}

double Costs::access(const Instruction &inst) const {
  const TargetTransformInfo &target = plan.context.target;
  const Value *pointer = getLoadStorePointerOperand(&inst);
  auto *type = wide(accessType(inst));
  Shape shape = shapeOf(plan.shapes, pointer);
  if (shape.kind == Shape::Uniform)
    return scalar(inst) + 2;
  if (shape.kind == Shape::Linear && shape.stride == accessSize(inst))
    return value(target.getMaskedMemoryOpCost(inst.getOpcode(), type,
                                              accessAlign(inst), 0, Kind));
  return value(target.getGatherScatterOpCost(inst.getOpcode(), type, pointer,
                                             /*VariableMask=*/true,
                                             accessAlign(inst), Kind, &inst));
}

/// Calls on vectors take some more time than calls on one number; calls one by
/// one are jumped to.
double Costs::costOfCalls(const CallInst &call) const {
  VectorVariant variant = vectorVariant(call, plan.width);
  if (!variant.function)
    return plan.width * (scalar(call) + 4);
  unsigned calls = plan.width / variant.lanes;
  return calls * (1.5 * scalar(call));
}

double Costs::call(const CallInst &call) const {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (!intrinsic || !isTriviallyVectorizable(intrinsic->getIntrinsicID()))
    return costOfCalls(call);
  SmallVector<Type *, 4> types;
  for (auto [i, arg] : enumerate(intrinsic->args()))
    types.push_back(
        isVectorIntrinsicWithScalarOpAtArg(intrinsic->getIntrinsicID(), i)
            ? arg->getType()
            : wide(arg->getType()));
  FastMathFlags flags;
  if (isa<FPMathOperator>(call))
    flags = call.getFastMathFlags();
  return value(plan.context.target.getIntrinsicInstrCost(
      IntrinsicCostAttributes(intrinsic->getIntrinsicID(), wide(call.getType()),
                              types, flags),
      Kind));
}

double Costs::vector(const Instruction &inst) const {
  const TargetTransformInfo &target = plan.context.target;
  if (isMarker(inst))
    return 0;
  if (auto *branch = dyn_cast<BranchInst>(&inst))
    return branch->isConditional() ? 3 : 0; // masks, and a test of one
  if (isa<SwitchInst>(inst))
    return 3.0 * inst.getNumSuccessors();
  if (isa<LoadInst, StoreInst>(inst))
    return access(inst);
  if (shapeOf(plan.shapes, &inst).kind != Shape::Varying)
    return scalar(inst);
  if (auto *phi = dyn_cast<PHINode>(&inst))
    return (phi->getNumIncomingValues() - 1) * blend(phi->getType());
  if (auto *called = dyn_cast<CallInst>(&inst))
    return call(*called);
  Type *type = inst.getType(), *from = inst.getOperand(0)->getType();
  if (auto *cast = dyn_cast<CastInst>(&inst))
    return value(target.getCastInstrCost(inst.getOpcode(), wide(type),
                                         wide(from), TTI::CastContextHint::None,
                                         Kind, cast));
  if (auto *compare = dyn_cast<CmpInst>(&inst))
    return value(target.getCmpSelInstrCost(inst.getOpcode(), wide(from),
                                           wide(type), compare->getPredicate(),
                                           Kind));
  if (isa<SelectInst>(inst))
    return blend(type);
  if (isa<BinaryOperator, UnaryOperator>(inst))
    return value(
        target.getArithmeticInstrCost(inst.getOpcode(), wide(type), Kind));
  return 1; // addresses
}

double Costs::ofLanes() const {
  double sum = 0;
  for (const BasicBlock *block : plan.context.loop.blocks())
    for (const Instruction &inst : *block)
      sum += times(block, Divergence) * vector(inst);
  return sum;
}

double Costs::ofScalars() const {
  double sum = 0;
  for (const BasicBlock *block : plan.context.loop.blocks())
    for (const Instruction &inst : *block)
      sum += times(block, 1) * scalar(inst);
  return sum * plan.width;
}

/// Whether vectors that have every register to themselves have some for masks,
/// too (AVX-512).
static bool hasMaskRegisters(const LanePlan &plan, unsigned registers) {
  Triple triple(plan.context.loop.getHeader()->getModule()->getTargetTriple());
  return triple.isX86() && registers >= 32;
}

bool chooseWidth(LanePlan &plan) {
  const TargetTransformInfo &target = plan.context.target;
  LLVMContext &context = plan.context.loop.getHeader()->getContext();
  unsigned bits =
      target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector)
          .getFixedValue();
  unsigned widest = std::max(widestType(plan), 8u);
  unsigned registers = target.getNumberOfRegisters(
      target.getRegisterClassForType(/*Vector=*/true));
  plan.width = bits / widest;
  if (fitsTwice(plan, registers))
    plan.width *= 2;
  plan.width = std::clamp(plan.width, 2u, MaxWidth);
  plan.maskElement = hasMaskRegisters(plan, registers)
                         ? Type::getInt1Ty(context)
                         : Type::getIntNTy(context, widest);
  Costs costs(plan);
  return costs.ofLanes() < costs.ofScalars();
}

} // namespace zpl::lanes
