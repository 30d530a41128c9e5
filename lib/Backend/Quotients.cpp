//===- Quotients.cpp - Division of complex numbers in line ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CodeGen leaves a complex quotient to the runtime, one call per part, since
// numbers near the ends of the range of exponents need more than a formula
// (runtime/lib/Entry/Abi/Quotient.h):
//
//     %re = call double @zrtA_quotient_part(%a, %b, %c, %d, i32 fused)
//     %im = call double @zrtA_quotient_part(%b, -%a, %c, %d, i32 fused)
//
// The function has no effects. For the vectorizer it gets counterparts that
// take it element by element,
//
//     define internal <4 x double> @zpl.quotient.4(<4 x double> %p, ...)
//
// and when that is done, calls with the same divisor become
//
//     %square = c*c + d*d                          all by llvm.fma if fused
//     %re = (a*c + b*d) / %square, %im likewise
//     br (some operand of some element is extreme), %extreme, %done
//   extreme:                                       ; hardly ever
//     the calls, as they were
//   done:
//     phi
//
// An operand is extreme if it is neither 0 nor between 2^-220 and 2^220. For
// all others both ways give the same bits, so it does not matter which elements
// share a vector. A branch in a loop would keep the vectorizer off; after it,
// it costs next to nothing.
//
// Cost: of the pass, the calls, and per block the square of the divisors.
//
//===----------------------------------------------------------------------===//

#include "Quotients.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace zpl {

static constexpr StringLiteral ScalarName = "zrtA_quotient_part";
static constexpr StringLiteral VectorName = "zpl.quotient.";
static constexpr unsigned VectorLengths[] = {2, 4, 8, 16};

//===----------------------------------------------------------------------===//
// On vectors
//===----------------------------------------------------------------------===//

/// zpl.quotient.LENGTH: the function for each element.
static Function *addVectorQuotient(Function &scalar, unsigned length) {
  Type *vector = FixedVectorType::get(scalar.getReturnType(), length);
  Type *fused = scalar.getArg(4)->getType();
  auto *type =
      FunctionType::get(vector, {vector, vector, vector, vector, fused}, false);
  auto *function =
      Function::Create(type, GlobalValue::InternalLinkage,
                       VectorName + Twine(length), *scalar.getParent());
  function->setAttributes(scalar.getAttributes());
  function->removeFnAttr(Attribute::Speculatable);
  function->addFnAttr(Attribute::NoInline);
  function->addFnAttr(Attribute::Cold);
  IRBuilder<> builder(
      BasicBlock::Create(scalar.getContext(), "entry", function));
  Value *result = PoisonValue::get(vector);
  for (uint64_t k = 0; k < length; ++k) {
    SmallVector<Value *, 5> args;
    for (unsigned operand = 0; operand < 4; ++operand)
      args.push_back(
          builder.CreateExtractElement(function->getArg(operand), k));
    args.push_back(function->getArg(4));
    result = builder.CreateInsertElement(result,
                                         builder.CreateCall(&scalar, args), k);
  }
  builder.CreateRet(result);
  return function;
}

void addVectorQuotients(Module &module) {
  Function *scalar = module.getFunction(ScalarName);
  if (!scalar || scalar->use_empty())
    return;
  std::string mappings; // in the form of LLVM's vector function ABI
  for (unsigned length : VectorLengths) {
    Function *vector = addVectorQuotient(*scalar, length);
    appendToCompilerUsed(module, {vector});
    mappings += (mappings.empty() ? "" : ",") +
                ("_ZGV_LLVM_N" + Twine(length) + "vvvvu_" + ScalarName + "(" +
                 vector->getName() + ")")
                    .str();
  }
  scalar->addFnAttr("vector-function-abi-variant", mappings);
}

//===----------------------------------------------------------------------===//
// In line
//===----------------------------------------------------------------------===//

namespace {

/// Calls in one block with the same divisor.
struct Group {
  SmallVector<CallInst *, 2> calls;

  CallInst *first() const { return calls.front(); }
  bool hasDivisorOf(const CallInst *call) const {
    return all_of(ArrayRef({2, 3, 4}), [&](unsigned operand) {
      return first()->getArgOperand(operand) == call->getArgOperand(operand);
    });
  }
};

/// Brings \p value before \p place, in whose block it is used, if it is not
/// there and can be: it is the negation of something that is.
bool bringBefore(Value *value, Instruction *place) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || instruction->getParent() != place->getParent() ||
      instruction->comesBefore(place))
    return true;
  auto *operand = instruction->getOpcode() == Instruction::FNeg
                      ? dyn_cast<Instruction>(instruction->getOperand(0))
                      : nullptr;
  if (!operand || (operand->getParent() == place->getParent() &&
                   !operand->comesBefore(place)))
    return false;
  instruction->moveBefore(place);
  return true;
}

bool isQuotient(const CallInst *call) {
  const Function *callee = call->getCalledFunction();
  return callee && (callee->getName() == ScalarName ||
                    callee->getName().starts_with(VectorName));
}

std::vector<Group> groupsOf(BasicBlock &block) {
  std::vector<Group> groups;
  for (Instruction &instruction : make_early_inc_range(block)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    if (!call || !isQuotient(call))
      continue;
    auto group = find_if(groups, [&](const Group &group) {
      return group.hasDivisorOf(call) &&
             all_of(ArrayRef({0, 1}), [&](unsigned operand) {
               return bringBefore(call->getArgOperand(operand), group.first());
             });
    });
    if (group != groups.end())
      group->calls.push_back(call);
    else
      groups.push_back({{call}});
  }
  return groups;
}

/// Writes the instructions for one group before its first call.
class GroupWriter {
public:
  explicit GroupWriter(const Group &group)
      : group(group), builder(group.first()),
        c(group.first()->getArgOperand(2)), d(group.first()->getArgOperand(3)),
        fuses(!cast<Constant>(group.first()->getArgOperand(4))->isZeroValue()) {
  }

  void run() {
    Value *square = multiplyAdd(c, c, builder.CreateFMul(d, d));
    SmallVector<Value *, 2> usual;
    for (CallInst *call : group.calls)
      usual.push_back(builder.CreateFDiv(
          dividend(call->getArgOperand(0), call->getArgOperand(1)), square));
    // Splitting moves the first call, and all after it, to a new block.
    BasicBlock *before = group.first()->getParent();
    Instruction *jump = SplitBlockAndInsertIfThen(
        isSomeExtreme(), group.first(), /*Unreachable=*/false,
        MDBuilder(builder.getContext()).createUnlikelyBranchWeights());
    for (auto [call, value] : zip_equal(group.calls, usual)) {
      PHINode *result =
          PHINode::Create(call->getType(), 2, "", group.first()->getIterator());
      result->takeName(call);
      call->replaceAllUsesWith(result);
      result->addIncoming(value, before);
      result->addIncoming(call, jump->getParent());
    }
    for (CallInst *call : group.calls)
      call->moveBefore(jump);
  }

private:
  Value *multiplyAdd(Value *x, Value *y, Value *z) {
    if (fuses)
      return builder.CreateIntrinsic(Intrinsic::fma, {x->getType()}, {x, y, z});
    return builder.CreateFAdd(builder.CreateFMul(x, y), z);
  }

  /// p*c + q*d.
  Value *dividend(Value *p, Value *q) {
    Value *product = builder.CreateFMul(q, d);
    Value *sum = multiplyAdd(p, c, product);
    if (!fuses)
      return sum;
    return builder.CreateFSub(sum,
                              multiplyAdd(builder.CreateFNeg(q), d, product));
  }

  /// The operands of all calls, of a number and its negative one.
  SmallSetVector<Value *, 4> operands() const {
    SmallSetVector<Value *, 4> result;
    for (CallInst *call : group.calls)
      for (unsigned operand = 0; operand < 4; ++operand) {
        Value *value = call->getArgOperand(operand);
        auto *negation = dyn_cast<UnaryOperator>(value);
        result.insert(negation && negation->getOpcode() == Instruction::FNeg
                          ? negation->getOperand(0)
                          : value);
      }
    return result;
  }

  Value *isSomeExtreme() {
    Value *some = nullptr;
    for (Value *operand : operands()) {
      Value *one = isExtreme(operand);
      some = some ? builder.CreateOr(some, one) : one;
    }
    return some->getType()->isVectorTy() ? builder.CreateOrReduce(some) : some;
  }

  /// Neither 0 nor from 2^-220 to 2^220 (Quotient.h), by the bits without the
  /// sign.
  Value *isExtreme(Value *number) {
    constexpr uint64_t Least = uint64_t(1023 - 220) << 53,
                       Bound = uint64_t(1023 + 220) << 53;
    Type *bits = builder.getInt64Ty();
    if (auto *vector = dyn_cast<FixedVectorType>(number->getType()))
      bits = FixedVectorType::get(bits, vector->getNumElements());
    Value *size = builder.CreateShl(builder.CreateBitCast(number, bits), 1);
    Value *above = builder.CreateSub(size, ConstantInt::get(bits, Least));
    Value *isOutside =
        builder.CreateICmpUGE(above, ConstantInt::get(bits, Bound - Least));
    return builder.CreateAnd(isOutside, builder.CreateIsNotNull(size));
  }

  const Group &group;
  IRBuilder<> builder;
  Value *c, *d;
  bool fuses;
};

} // namespace

static bool inlineQuotients(Function &function) {
  bool changes = false;
  for (BasicBlock &block : make_early_inc_range(function))
    for (const Group &group : groupsOf(block)) {
      GroupWriter(group).run();
      changes = true;
    }
  return changes;
}

static void cleanUp(Function &function, FunctionAnalysisManager &analyses) {
  analyses.invalidate(function, PreservedAnalyses::none());
  FunctionPassManager passes;
  passes.addPass(EarlyCSEPass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()),
                                                 /*UseMemorySSA=*/true));
  passes.run(function, analyses);
}

/// Functions on vectors that no loop has wanted.
static void dropUnused(Module &module) {
  removeFromUsedLists(module, [](Constant *used) {
    return used->getName().starts_with(VectorName);
  });
  for (Function &function : make_early_inc_range(module))
    if (function.getName().starts_with(VectorName) && function.use_empty())
      function.eraseFromParent();
}

PreservedAnalyses InlineQuotientsPass::run(Module &module,
                                           ModuleAnalysisManager &analyses) {
  if (!module.getFunction(ScalarName))
    return PreservedAnalyses::all();
  auto &functions =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  for (Function &function : module)
    if (!function.getName().starts_with(VectorName) &&
        inlineQuotients(function) && cleansUp)
      cleanUp(function, functions);
  dropUnused(module);
  return PreservedAnalyses::none();
}

} // namespace zpl
