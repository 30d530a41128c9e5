//===- LaneInstructions.cpp - Instructions of a loop in lanes -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %b = load double, ptr %w       %b = masked load <8 x double>, ptr %w, %mask
//   %q = sdiv i32 %a, %b           %q = sdiv <8 x i32> %a, (%mask ? %b : 1)
//   %k = add i32 %k0, 1            the same: all lanes have one %k
//   %r = call double @f(%b)        for each lane of the mask, one call
//   %s = fadd double %s0, %b       %s = %s0 + %b[0] + ... as far as %mask says
//
// What all lanes have in common stays scalar. Lanes outside of the mask compute
// along with whatever values they have, but for what may trap: they touch no
// memory, divide by 1 and call nothing. Where an address is common to all
// lanes, the one load is from elsewhere if no lane wants it.
//
//===----------------------------------------------------------------------===//

#include "Lanes/LaneCode.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

namespace zpl::lanes {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

VectorType *wide(const LaneCode &code, Type *element) {
  return FixedVectorType::get(element, code.plan.width);
}

Value *scalarOf(const LaneCode &code, Value *value) {
  auto found = code.scalars.find(value);
  return found != code.scalars.end() ? found->second : value;
}

/// 0, stride, 2*stride, ... in integers of \p type.
static Constant *steps(const LaneCode &code, Type *type, int64_t stride) {
  SmallVector<Constant *, 16> elements;
  for (unsigned lane = 0; lane < code.plan.width; ++lane)
    elements.push_back(ConstantInt::get(type, uint64_t(stride) * lane, true));
  return ConstantVector::get(elements);
}

Value *vectorOf(LaneCode &code, Value *value) {
  if (auto found = code.vectors.find(value); found != code.vectors.end())
    return found->second;
  IRBuilder<> &builder = code.builder;
  Value *first = scalarOf(code, value);
  Shape shape = shapeOf(code.plan.shapes, value);
  if (shape.kind == Shape::Linear && first->getType()->isPointerTy())
    return builder.CreateGEP(builder.getInt8Ty(), first,
                             steps(code, builder.getInt64Ty(), shape.stride));
  Value *splat = builder.CreateVectorSplat(code.plan.width, first);
  if (shape.kind != Shape::Linear)
    return splat;
  return builder.CreateAdd(splat, steps(code, first->getType(), shape.stride));
}

//===----------------------------------------------------------------------===//
// Masks
//===----------------------------------------------------------------------===//

static bool areBits(const LaneCode &code) {
  return code.plan.maskElement->isIntegerTy(1);
}

Value *toCondition(LaneCode &code, Value *mask) {
  if (areBits(code))
    return mask;
  return code.builder.CreateICmpSLT(mask,
                                    Constant::getNullValue(mask->getType()));
}

Value *toMask(LaneCode &code, Value *condition) {
  if (areBits(code))
    return condition;
  return code.builder.CreateSExt(condition, wide(code, code.plan.maskElement));
}

/// The mask of all lanes if a common condition is true, else of none.
static Value *maskOfAll(LaneCode &code, Value *condition) {
  Value *known = code.builder.CreateFreeze(scalarOf(code, condition));
  Value *element = code.builder.CreateSExtOrTrunc(known, code.plan.maskElement);
  return code.builder.CreateVectorSplat(code.plan.width, element);
}

/// Conjunctions and disjunctions are taken apart, so that what lanes have in
/// common is no vector of i1, which has no form in registers of its own.
Value *narrow(LaneCode &code, Value *mask, Value *condition) {
  using namespace PatternMatch;
  IRBuilder<> &builder = code.builder;
  Value *a, *b;
  if (shapeOf(code.plan.shapes, condition).kind == Shape::Uniform)
    return builder.CreateAnd(mask, maskOfAll(code, condition));
  if (match(condition, m_LogicalAnd(m_Value(a), m_Value(b))))
    return narrow(code, narrow(code, mask, a), b);
  if (match(condition, m_LogicalOr(m_Value(a), m_Value(b))))
    return builder.CreateOr(narrow(code, mask, a), narrow(code, mask, b));
  if (match(condition, m_Not(m_Value(a))))
    return without(code, mask, narrow(code, mask, a));
  Value *known = builder.CreateFreeze(vectorOf(code, condition));
  return builder.CreateAnd(mask, toMask(code, known));
}

Value *without(LaneCode &code, Value *mask, Value *part) {
  return code.builder.CreateAnd(mask, code.builder.CreateNot(part));
}

Value *isAny(LaneCode &code, Value *mask) {
  IRBuilder<> &builder = code.builder;
  Value *bits = builder.CreateBitCast(toCondition(code, mask),
                                      builder.getIntNTy(code.plan.width));
  return builder.CreateIsNotNull(bits, "any");
}

Value *blend(LaneCode &code, Value *mask, Value *chosen, Value *other,
             const Twine &name) {
  if (chosen == other)
    return chosen;
  return code.builder.CreateSelect(toCondition(code, mask), chosen, other,
                                   name);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Whether the elements of neighbouring lanes are neighbours in memory.
static bool isContiguous(const LaneCode &code, const Instruction &access) {
  Shape shape = shapeOf(code.plan.shapes, getLoadStorePointerOperand(&access));
  return shape.kind == Shape::Linear && shape.stride == accessSize(access);
}

static Value *emitLoad(LaneCode &code, LoadInst &load, Value *mask) {
  IRBuilder<> &builder = code.builder;
  Value *pointer = load.getPointerOperand();
  if (shapeOf(code.plan.shapes, pointer).kind == Shape::Uniform) {
    Value *from = builder.CreateSelect(isAny(code, mask),
                                       scalarOf(code, pointer), code.nowhere);
    Value *loaded = builder.CreateAlignedLoad(
        load.getType(), from,
        std::min(load.getAlign(), code.nowhere->getAlign()));
    return builder.CreateVectorSplat(code.plan.width, loaded, load.getName());
  }
  VectorType *type = wide(code, load.getType());
  Value *lanes = toCondition(code, mask);
  CallInst *made =
      isContiguous(code, load)
          ? builder.CreateMaskedLoad(type, scalarOf(code, pointer),
                                     load.getAlign(), lanes,
                                     PoisonValue::get(type), load.getName())
          : builder.CreateMaskedGather(type, vectorOf(code, pointer),
                                       load.getAlign(), lanes,
                                       PoisonValue::get(type), load.getName());
  made->setAAMetadata(load.getAAMetadata());
  return made;
}

static void emitStore(LaneCode &code, StoreInst &store, Value *mask) {
  IRBuilder<> &builder = code.builder;
  Value *pointer = store.getPointerOperand();
  Value *value = vectorOf(code, store.getValueOperand());
  Value *lanes = toCondition(code, mask);
  CallInst *made =
      isContiguous(code, store)
          ? builder.CreateMaskedStore(value, scalarOf(code, pointer),
                                      store.getAlign(), lanes)
          : builder.CreateMaskedScatter(value, vectorOf(code, pointer),
                                        store.getAlign(), lanes);
  made->setAAMetadata(store.getAAMetadata());
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static Value *emitIntrinsic(LaneCode &code, IntrinsicInst &call) {
  Intrinsic::ID id = call.getIntrinsicID();
  SmallVector<Type *, 2> types;
  if (isVectorIntrinsicWithOverloadTypeAtArg(id, -1))
    types.push_back(wide(code, call.getType()));
  SmallVector<Value *, 4> args;
  for (auto [i, arg] : enumerate(call.args())) {
    args.push_back(isVectorIntrinsicWithScalarOpAtArg(id, i)
                       ? scalarOf(code, arg)
                       : vectorOf(code, arg));
    if (isVectorIntrinsicWithOverloadTypeAtArg(id, int(i)))
      types.push_back(args.back()->getType());
  }
  Function *callee =
      Intrinsic::getDeclaration(code.nowhere->getModule(), id, types);
  CallInst *made = code.builder.CreateCall(callee, args, call.getName());
  made->copyIRFlags(&call);
  return made;
}

/// One call for each lane of the mask; null if it has no value.
static Value *emitCalls(LaneCode &code, CallInst &call, Value *mask) {
  IRBuilder<> &builder = code.builder;
  Function *function = code.nowhere->getFunction();
  LLVMContext &context = function->getContext();
  SmallVector<Value *, 4> args;
  for (Value *arg : call.args())
    args.push_back(isa<Constant>(arg) ? arg : vectorOf(code, arg));
  Value *lanes = toCondition(code, mask);
  bool hasValue = !call.getType()->isVoidTy();
  Value *result =
      hasValue ? PoisonValue::get(wide(code, call.getType())) : nullptr;
  for (unsigned lane = 0; lane < code.plan.width; ++lane) {
    BasicBlock *before = builder.GetInsertBlock();
    auto *called = BasicBlock::Create(context, "lanes.call", function);
    auto *after = BasicBlock::Create(context, "lanes.called", function);
    builder.CreateCondBr(builder.CreateExtractElement(lanes, lane), called,
                         after);
    builder.SetInsertPoint(called);
    auto *made = cast<CallInst>(call.clone());
    for (auto [i, arg] : enumerate(args))
      made->setArgOperand(i, arg->getType()->isVectorTy()
                                 ? builder.CreateExtractElement(arg, lane)
                                 : arg);
    builder.Insert(made);
    Value *with =
        hasValue ? builder.CreateInsertElement(result, made, lane) : nullptr;
    builder.CreateBr(after);
    builder.SetInsertPoint(after);
    if (!hasValue)
      continue;
    PHINode *merged = builder.CreatePHI(result->getType(), 2, call.getName());
    merged->addIncoming(result, before);
    merged->addIncoming(with, called);
    result = merged;
  }
  return result;
}

/// Calls of a function on vectors, for so many lanes each.
static Value *emitVectorCalls(LaneCode &code, CallInst &call,
                              const VectorVariant &variant) {
  SmallVector<Value *, 4> args;
  for (Value *arg : call.args())
    args.push_back(vectorOf(code, arg));
  SmallVector<Value *, 4> parts;
  for (unsigned lane = 0; lane < code.plan.width; lane += variant.lanes) {
    SmallVector<Value *, 4> some;
    for (Value *arg : args)
      some.push_back(code.builder.CreateShuffleVector(
          arg, createSequentialMask(lane, variant.lanes, 0)));
    parts.push_back(
        code.builder.CreateCall(variant.function, some, call.getName()));
  }
  return concatenateVectors(code.builder, parts);
}

static Value *emitCall(LaneCode &code, CallInst &call, Value *mask) {
  if (auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    if (isTriviallyVectorizable(intrinsic->getIntrinsicID()))
      return emitIntrinsic(code, *intrinsic);
  VectorVariant variant = vectorVariant(call, code.plan.width);
  return variant.function ? emitVectorCalls(code, call, variant)
                          : emitCalls(code, call, mask);
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static const Chain *chainOf(const LaneCode &code, const Instruction &inst) {
  auto found = find_if(code.plan.chains,
                       [&](const Chain &chain) { return chain.next == &inst; });
  return found == code.plan.chains.end() ? nullptr : &*found;
}

/// The operation for one lane after the other, in their order.
static Value *emitChain(LaneCode &code, const Chain &chain, Value *mask) {
  IRBuilder<> &builder = code.builder;
  unsigned which = chain.next->getOperand(0) == chain.phi ? 1 : 0;
  Value *terms = vectorOf(code, chain.next->getOperand(which));
  Value *lanes = toCondition(code, mask);
  Value *sum = scalarOf(code, chain.phi);
  for (unsigned lane = 0; lane < code.plan.width; ++lane) {
    Instruction *next = chain.next->clone();
    next->setOperand(1 - which, sum);
    next->setOperand(which, builder.CreateExtractElement(terms, lane));
    builder.Insert(next, chain.next->getName());
    sum = builder.CreateSelect(builder.CreateExtractElement(lanes, lane), next,
                               sum);
  }
  return sum;
}

static Value *emitAddress(LaneCode &code, GetElementPtrInst &address) {
  auto part = [&](Value *value) {
    return shapeOf(code.plan.shapes, value).kind == Shape::Uniform
               ? scalarOf(code, value)
               : vectorOf(code, value);
  };
  SmallVector<Value *, 4> indices;
  for (const Use &index : address.indices())
    indices.push_back(part(index.get()));
  return code.builder.CreateGEP(address.getSourceElementType(),
                                part(address.getPointerOperand()), indices,
                                address.getName(), address.getNoWrapFlags());
}

/// A division, by 1 where no lane wants it.
static Value *emitDivision(LaneCode &code, Instruction &inst, Value *mask) {
  Value *divisor = vectorOf(code, inst.getOperand(1));
  if (!isSafeToSpeculativelyExecute(&inst))
    divisor = blend(code, mask, divisor,
                    ConstantInt::get(divisor->getType(), 1), "divisor");
  return code.builder.CreateBinOp(cast<BinaryOperator>(inst).getOpcode(),
                                  vectorOf(code, inst.getOperand(0)), divisor,
                                  inst.getName());
}

/// An operation that works on vectors as it does on scalars.
static Value *emitWide(LaneCode &code, Instruction &inst) {
  IRBuilder<> &builder = code.builder;
  Instruction *made = nullptr;
  auto operand = [&](unsigned i) { return vectorOf(code, inst.getOperand(i)); };
  if (auto *compare = dyn_cast<CmpInst>(&inst))
    made = CmpInst::Create(compare->getOpcode(), compare->getPredicate(),
                           operand(0), operand(1));
  else if (auto *cast = dyn_cast<CastInst>(&inst))
    made = CastInst::Create(cast->getOpcode(), operand(0),
                            wide(code, inst.getType()));
  else if (isa<SelectInst>(inst))
    made = SelectInst::Create(operand(0), operand(1), operand(2));
  else if (auto *unary = dyn_cast<UnaryOperator>(&inst))
    made = UnaryOperator::Create(unary->getOpcode(), operand(0));
  else if (auto *binary = dyn_cast<BinaryOperator>(&inst))
    made = BinaryOperator::Create(binary->getOpcode(), operand(0), operand(1));
  else
    made = new FreezeInst(operand(0));
  made->copyIRFlags(&inst);
  return builder.Insert(made, inst.getName());
}

/// The instruction once, for the first lane or for all.
static void emitScalar(LaneCode &code, Instruction &inst) {
  Instruction *made = inst.clone();
  for (Use &operand : made->operands())
    operand.set(scalarOf(code, operand.get()));
  code.builder.Insert(made, inst.getName());
  code.scalars[&inst] = made;
}

void emitInstruction(LaneCode &code, Instruction &inst, Value *mask) {
  code.builder.SetCurrentDebugLocation(inst.getDebugLoc());
  if (isMarker(inst))
    return;
  if (auto *fill = dyn_cast<MemSetInst>(&inst)) {
    emitCalls(code, *fill, mask);
    return;
  }
  if (auto *store = dyn_cast<StoreInst>(&inst))
    return emitStore(code, *store, mask);
  if (const Chain *chain = chainOf(code, inst)) {
    code.scalars[&inst] = emitChain(code, *chain, mask);
    return;
  }
  if (shapeOf(code.plan.shapes, &inst).kind != Shape::Varying)
    return emitScalar(code, inst);
  Value *made = nullptr;
  if (auto *load = dyn_cast<LoadInst>(&inst))
    made = emitLoad(code, *load, mask);
  else if (auto *call = dyn_cast<CallInst>(&inst))
    made = emitCall(code, *call, mask);
  else if (auto *address = dyn_cast<GetElementPtrInst>(&inst))
    made = emitAddress(code, *address);
  else if (inst.isIntDivRem())
    made = emitDivision(code, inst, mask);
  else
    made = emitWide(code, inst);
  code.vectors[&inst] = made;
}

} // namespace zpl::lanes
