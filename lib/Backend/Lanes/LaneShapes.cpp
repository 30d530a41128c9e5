//===- LaneShapes.cpp - What lanes of a loop have in common ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   row:   %x = phi ptr [ %X, .. ], [ %x.next, .. ]        Linear, 8 bytes
//          %a = load double, ptr %x                        Varying
//   step:  %k = phi i32 [ 0, %row ], [ %k.next, %step ]    Uniform: lanes that
//          %z = phi double [ %a, %row ], [ %z.next, ..]    are here agree
//          ...                                             Varying
//          br i1 %goes.on, label %step, label %done        step is divergent
//   done:  %steps = phi i32 [ %k.next, %step ]             Varying: lanes come
//                                                          at different times
//
// All values are taken for Uniform at first; shapes and divergent loops then
// grow until nothing changes (data flow over a lattice of height three). A phi
// where edges of one iteration meet is Varying, unless the same value comes
// from everywhere: code for lanes takes all edges, one after the other, so
// there is no single one over which a common value could come.
//
// What may trap is Uniform only where every iteration gets to it, since
// otherwise there may be no lane that wants it.
//
//===----------------------------------------------------------------------===//

#include "Lanes/LaneShapes.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace zpl::lanes {
namespace {

class ShapeFinder {
public:
  ShapeFinder(Loop &loop, const LoopInfo &loops,
              const DominatorTree &dominators,
              const DenseMap<const Value *, int64_t> &strides,
              const SmallPtrSetImpl<const PHINode *> &moved)
      : loop(loop), loops(loops), dominators(dominators), strides(strides),
        moved(moved), layout(loop.getHeader()->getModule()->getDataLayout()) {}

  Shapes find();

private:
  Shape get(const Value *value) const { return shapeOf(shapes, value); }
  bool isUniform(const Value *value) const {
    return get(value).kind == Shape::Uniform;
  }
  bool areUniform(const User &user) const {
    return all_of(user.operands(),
                  [&](const Use &use) { return isUniform(use.get()); });
  }
  Shape of(const Instruction &inst) const;
  Shape ofPhi(const PHINode &phi) const;
  Shape ofSum(const Instruction &inst) const;
  Shape ofAddress(const GetElementPtrInst &address) const;
  bool isDivergent(const Loop &inner) const;
  /// Whether lanes may leave a loop over this edge at different times.
  bool leavesDivergent(const BasicBlock *from, const BasicBlock *to) const;

  Loop &loop;
  const LoopInfo &loops;
  const DominatorTree &dominators;
  const DenseMap<const Value *, int64_t> &strides;
  const SmallPtrSetImpl<const PHINode *> &moved;
  const DataLayout &layout;
  Shapes shapes;
};

} // namespace

static constexpr Shape VaryingShape{Shape::Varying, 0};

static Shape linear(int64_t stride) {
  return stride == 0 ? Shape() : Shape{Shape::Linear, stride};
}

/// The factor of a multiplication or shift by a constant.
static std::optional<int64_t> constantFactor(const Instruction &inst) {
  auto *by = dyn_cast<ConstantInt>(inst.getOperand(1));
  if (!by || by->getBitWidth() > 64)
    return std::nullopt;
  if (inst.getOpcode() == Instruction::Mul)
    return by->getSExtValue();
  if (inst.getOpcode() == Instruction::Shl && by->getZExtValue() < 32)
    return int64_t(1) << by->getZExtValue();
  return std::nullopt;
}

/// Integers differ by a constant modulo their size, so sums and multiples do.
Shape ShapeFinder::ofSum(const Instruction &inst) const {
  Shape a = get(inst.getOperand(0)), b = get(inst.getOperand(1));
  if (a.kind == Shape::Varying || b.kind == Shape::Varying)
    return VaryingShape;
  if (inst.getOpcode() == Instruction::Add)
    return linear(a.stride + b.stride);
  if (inst.getOpcode() == Instruction::Sub)
    return linear(a.stride - b.stride);
  std::optional<int64_t> factor = constantFactor(inst);
  return factor ? linear(a.stride * *factor) : VaryingShape;
}

Shape ShapeFinder::ofAddress(const GetElementPtrInst &address) const {
  Shape base = get(address.getPointerOperand());
  if (base.kind == Shape::Varying || address.getType()->isVectorTy())
    return VaryingShape;
  int64_t stride = base.stride;
  for (auto it = gep_type_begin(address), end = gep_type_end(address);
       it != end; ++it) {
    Shape index = get(it.getOperand());
    if (index.kind == Shape::Uniform)
      continue;
    // Narrower indices are extended, and may wrap around before.
    bool isWide = it.getOperand()->getType()->getIntegerBitWidth() ==
                  layout.getIndexTypeSizeInBits(address.getType());
    if (index.kind == Shape::Varying || it.isStruct() || !isWide)
      return VaryingShape;
    stride += index.stride * int64_t(it.getSequentialElementStride(layout));
  }
  return linear(stride);
}

bool ShapeFinder::leavesDivergent(const BasicBlock *from,
                                  const BasicBlock *to) const {
  for (const Loop *left = loops.getLoopFor(from);
       left && left != &loop && !left->contains(to);
       left = left->getParentLoop())
    if (shapes.divergent.contains(left))
      return true;
  return false;
}

Shape ShapeFinder::ofPhi(const PHINode &phi) const {
  const BasicBlock *block = phi.getParent();
  if (block == loop.getHeader()) {
    if (moved.contains(&phi))
      return VaryingShape;
    auto found = strides.find(&phi);
    return found == strides.end() ? Shape() : linear(found->second);
  }
  const Value *first = phi.getIncomingValue(0);
  if (loops.isLoopHeader(block))
    return all_of(phi.incoming_values(),
                  [&](const Use &in) { return get(in.get()) == get(first); })
               ? get(first)
               : VaryingShape;
  for (const BasicBlock *from : phi.blocks())
    if (leavesDivergent(from, block))
      return VaryingShape;
  return all_equal(phi.incoming_values()) ? get(first) : VaryingShape;
}

/// Whether executing it where no lane wants it could do harm.
static bool mayTrap(const Instruction &inst) {
  return isa<CallBase>(inst) || ((isa<LoadInst>(inst) || inst.isIntDivRem()) &&
                                 !isSafeToSpeculativelyExecute(&inst));
}

Shape ShapeFinder::of(const Instruction &inst) const {
  if (auto *phi = dyn_cast<PHINode>(&inst))
    return ofPhi(*phi);
  if (auto *address = dyn_cast<GetElementPtrInst>(&inst))
    return ofAddress(*address);
  if (!areUniform(inst)) {
    switch (inst.getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl:
      return ofSum(inst);
    case Instruction::Trunc:
    case Instruction::Freeze:
      return get(inst.getOperand(0));
    default: // LLVM's opcodes.
      return VaryingShape;
    }
  }
  bool isHarmless = !mayTrap(inst) || isa<IntrinsicInst>(inst) ||
                    isAlwaysReached(inst.getParent(), loop, loops, dominators);
  return isHarmless ? Shape() : VaryingShape;
}

bool ShapeFinder::isDivergent(const Loop &inner) const {
  const BasicBlock *exiting = inner.getExitingBlock();
  auto *branch =
      exiting ? dyn_cast<BranchInst>(exiting->getTerminator()) : nullptr;
  return !branch || !branch->isConditional() ||
         !isUniform(branch->getCondition()) ||
         loops.getLoopFor(exiting) != &inner ||
         !dominators.dominates(exiting, inner.getLoopLatch());
}

Shapes ShapeFinder::find() {
  for (auto [value, stride] : strides)
    if (isa<AllocaInst>(value))
      shapes.known[value] = linear(stride);
  LoopBlocksRPO order(&loop);
  order.perform(&loops);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Loop *inner : loop.getLoopsInPreorder())
      if (inner != &loop && isDivergent(*inner))
        changed |= shapes.divergent.insert(inner).second;
    for (const BasicBlock *block : order)
      for (const Instruction &inst : *block) {
        Shape now = of(inst), before = get(&inst);
        if (now == before)
          continue;
        // A shape that is neither the one before nor a greater one is the
        // greatest.
        bool isGreater = before.kind < now.kind;
        shapes.known[&inst] = isGreater ? now : VaryingShape;
        changed |= before.kind != Shape::Varying;
      }
  }
  return std::move(shapes);
}

Shapes findShapes(Loop &loop, const LoopInfo &loops,
                  const DominatorTree &dominators,
                  const DenseMap<const Value *, int64_t> &strides,
                  const SmallPtrSetImpl<const PHINode *> &moved) {
  return ShapeFinder(loop, loops, dominators, strides, moved).find();
}

bool isAlwaysReached(const BasicBlock *block, const Loop &loop,
                     const LoopInfo &loops, const DominatorTree &dominators) {
  return loops.getLoopFor(block) == &loop &&
         dominators.dominates(block, loop.getLoopLatch());
}

} // namespace zpl::lanes
