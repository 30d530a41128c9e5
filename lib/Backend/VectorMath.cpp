//===- VectorMath.cpp - Library functions on vectors ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where the target has AVX2 and FMA, CodeGen calls SLEEF's functions for what
// VectorMath.def gives them, on one number:
//
//     [R] B := exp(A);      %b = call double @Sleef_finz_expd1_u10purecfma(
//                                                double %a)
//
// SLEEF has each on vectors, too, with the same bits. The vectorizers of loops
// and straight code learn of these by an attribute in the form of LLVM's vector
// function ABI,
//
//     "vector-function-abi-variant"="
//         _ZGV_LLVM_N4v_Sleef_finz_expd1_u10purecfma(Sleef_finz_expd4_u10avx2)"
//
// one for each length that fits the target's registers, and put
//
//     %bs = call <4 x double> @Sleef_finz_expd4_u10avx2(<4 x double> %as)
//
// into the loop. What is left over of a row, short rows and all that is not
// vectorized call the function on one number.
//
// Under a condition they call a function that is made here, which takes the
// condition, too, and does nothing where it is false for all:
//
//     define internal <4 x double> @zpl.masked.expd4(<4 x double>, <4 x i1>)
//
// A function that stays with the C library would keep all of its loop from
// being vectorized. So it gets counterparts that call it element by element, and
// where a condition holds:
//
//     define internal <4 x double> @zpl.each.sinh.4(<4 x double>)
//     define internal <4 x double> @zpl.some.sinh.4(<4 x double>, <4 x i1>)
//
// They take some 2 ns more for each element than calls in a scalar loop, so they
// are for loops that have enough else to do on vectors.
//
// For that it has another name while the passes run, `zpl.libm.sinh`: LLVM has
// ideas of its own about `sinh`, which `nobuiltin` forbids, and with them the
// counterparts.
//
// The vectorizer would have four vectors of calls in flight, which gains nothing
// and leaves up to 15 elements of a row to the calls on one number; it is told
// to have one.
//
// All of them live through the passes as members of llvm.compiler.used, and go
// afterwards if no loop has wanted them.
//
// Cost: two functions per length of each library function that is called.
//
//===----------------------------------------------------------------------===//

#include "VectorMath.h"
#include "zpl/Support/VectorMath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace zpl {

static constexpr unsigned RegisterBits[] = {128, 256, 512};
static constexpr StringLiteral Masked = "zpl.masked.";
static constexpr StringLiteral EachOf = "zpl.each.";
static constexpr StringLiteral SomeOf = "zpl.some.";
static constexpr StringLiteral Variants = "vector-function-abi-variant";
static constexpr StringLiteral Disguise = "zpl.libm.";

//===----------------------------------------------------------------------===//
// Functions on vectors
//===----------------------------------------------------------------------===//

/// A function like \p scalar on vectors of \p lanes, and on a condition if it
/// \p hasMask. It has no body.
static Function *addVariant(Function &scalar, const Twine &name, unsigned lanes,
                            bool hasMask, GlobalValue::LinkageTypes linkage) {
  LLVMContext &context = scalar.getContext();
  SmallVector<Type *, 3> params;
  for (const Argument &arg : scalar.args())
    params.push_back(FixedVectorType::get(arg.getType(), lanes));
  if (hasMask)
    params.push_back(FixedVectorType::get(Type::getInt1Ty(context), lanes));
  auto *type = FunctionType::get(
      FixedVectorType::get(scalar.getReturnType(), lanes), params, false);
  auto *function = Function::Create(type, linkage, name, *scalar.getParent());
  function->setAttributes(scalar.getAttributes());
  function->removeFnAttr(Variants);
  if (function->hasInternalLinkage())
    function->addFnAttr(Attribute::NoInline);
  appendToCompilerUsed(*scalar.getParent(), {function});
  return function;
}

static SmallVector<Value *, 3> argumentsOf(Function &function, size_t count) {
  SmallVector<Value *, 3> result;
  for (Argument &arg : function.args())
    if (result.size() < count)
      result.push_back(&arg);
  return result;
}

/// Gives \p masked a body: \p vector, if the condition holds for any element.
static void callIfAny(Function &masked, Function &vector) {
  LLVMContext &context = masked.getContext();
  auto *entry = BasicBlock::Create(context, "entry", &masked);
  auto *some = BasicBlock::Create(context, "some", &masked);
  auto *none = BasicBlock::Create(context, "none", &masked);
  IRBuilder<> builder(entry);
  Value *mask = masked.getArg(masked.arg_size() - 1);
  builder.CreateCondBr(builder.CreateOrReduce(mask), some, none);
  builder.SetInsertPoint(some);
  builder.CreateRet(
      builder.CreateCall(&vector, argumentsOf(masked, vector.arg_size())));
  builder.SetInsertPoint(none);
  builder.CreateRet(Constant::getNullValue(masked.getReturnType()));
}

/// Calls \p scalar for element \p k of \p operands and puts what it gives into
/// \p result.
static Value *callForElement(IRBuilder<> &builder, Function &scalar, uint64_t k,
                             ArrayRef<Value *> operands, Value *result) {
  SmallVector<Value *, 3> args;
  for (Value *operand : operands)
    args.push_back(builder.CreateExtractElement(operand, k));
  return builder.CreateInsertElement(result, builder.CreateCall(&scalar, args),
                                     k);
}

/// Gives \p each a body: \p scalar for all elements or, if it has a condition,
/// for those for which that holds.
static void callForEach(Function &each, Function &scalar) {
  LLVMContext &context = each.getContext();
  IRBuilder<> builder(BasicBlock::Create(context, "entry", &each));
  SmallVector<Value *, 3> operands = argumentsOf(each, scalar.arg_size());
  bool hasMask = each.arg_size() > operands.size();
  Value *result = Constant::getNullValue(each.getReturnType());
  unsigned lanes = cast<FixedVectorType>(result->getType())->getNumElements();
  for (uint64_t k = 0; k < lanes; ++k) {
    if (!hasMask) {
      result = callForElement(builder, scalar, k, operands, result);
      continue;
    }
    BasicBlock *before = builder.GetInsertBlock();
    auto *call = BasicBlock::Create(context, "call", &each);
    auto *next = BasicBlock::Create(context, "next", &each);
    Value *mask = each.getArg(each.arg_size() - 1);
    builder.CreateCondBr(builder.CreateExtractElement(mask, k), call, next);
    builder.SetInsertPoint(call);
    Value *inserted = callForElement(builder, scalar, k, operands, result);
    builder.CreateBr(next);
    builder.SetInsertPoint(next);
    PHINode *merged = builder.CreatePHI(result->getType(), 2);
    merged->addIncoming(result, before);
    merged->addIncoming(inserted, call);
    result = merged;
  }
  builder.CreateRet(result);
}

//===----------------------------------------------------------------------===//
// What the vectorizers are told
//===----------------------------------------------------------------------===//

/// Lists \p variant among those of \p scalar, in the form of LLVM's vector
/// function ABI.
static void addMapping(Function &scalar, const Function &variant,
                       unsigned lanes) {
  StringRef known = scalar.getFnAttribute(Variants).getValueAsString();
  bool hasMask = variant.arg_size() > scalar.arg_size();
  std::string mapping = ((known.empty() ? "" : known + ",") + "_ZGV_LLVM_" +
                         (hasMask ? "M" : "N") + Twine(lanes) +
                         std::string(scalar.arg_size(), 'v') + "_" +
                         scalar.getName() + "(" + variant.getName() + ")")
                            .str();
  scalar.addFnAttr(Variants, mapping);
}

static void addSleefVariants(const VectorFunction &known, Function &scalar,
                             unsigned lanes) {
  Function *vector = addVariant(scalar, known.symbol(lanes), lanes,
                                /*hasMask=*/false, Function::ExternalLinkage);
  Function *masked = addVariant(
      scalar, Masked + known.name + (known.isDouble ? "d" : "f") + Twine(lanes),
      lanes, /*hasMask=*/true, Function::InternalLinkage);
  callIfAny(*masked, *vector);
  addMapping(scalar, *vector, lanes);
  addMapping(scalar, *masked, lanes);
}

/// Variants of a function of the C library that is in its disguise. The one
/// without a mask is not told: the vectorizer of straight code would take it.
static void addVariantsOfEach(Function &scalar, StringRef name,
                              unsigned lanes) {
  for (bool hasMask : {false, true}) {
    Function *variant = addVariant(
        scalar, (hasMask ? SomeOf : EachOf) + name + "." + Twine(lanes), lanes,
        hasMask, Function::InternalLinkage);
    callForEach(*variant, scalar);
    if (hasMask)
      addMapping(scalar, *variant, lanes);
  }
}

/// Whether \p function is one of the C library's on floating numbers, as
/// CodeGen declares them.
static bool isLibraryFunction(const Function &function) {
  Type *number = function.getReturnType();
  return function.isDeclaration() && !function.use_empty() &&
         function.hasFnAttribute(Attribute::NoBuiltin) &&
         function.doesNotAccessMemory() &&
         (number->isDoubleTy() || number->isFloatTy()) &&
         all_of(function.args(),
                [&](const Argument &arg) { return arg.getType() == number; });
}

void addVectorMath(Module &module, unsigned bits) {
  for (const VectorFunction &known : vectorFunctions())
    if (Function *scalar = module.getFunction(known.symbol(1)))
      for (unsigned width : RegisterBits)
        if (width <= bits)
          addSleefVariants(known, *scalar, known.lanesOf(width));
  SmallVector<Function *, 16> others;
  for (Function &function : module)
    if (isLibraryFunction(function))
      others.push_back(&function);
  for (Function *scalar : others) {
    std::string name = scalar->getName().str();
    scalar->setName(Disguise + name);
    scalar->removeFnAttr(Attribute::NoBuiltin);
    unsigned size = scalar->getReturnType()->getPrimitiveSizeInBits();
    for (unsigned width : RegisterBits)
      if (width <= std::max(bits, RegisterBits[0]))
        addVariantsOfEach(*scalar, name, width / size);
  }
}

namespace {

/// What a loop has for vectors to do.
struct LoopWork {
  unsigned sleefCalls = 0, libraryCalls = 0;
  unsigned arithmetic = 0; ///< additions and what takes as long

  explicit LoopWork(const Loop &loop) {
    for (const BasicBlock *block : loop.blocks())
      for (const Instruction &instruction : *block)
        add(instruction);
  }

  /// Whether vectors gain more than calls element by element lose: an addition
  /// on a vector saves some 0.2 ns for each element, a call of SLEEF 4.
  bool isForVectors() const {
    return arithmetic + 20 * sleefCalls >= 10 * libraryCalls;
  }

private:
  void add(const Instruction &instruction) {
    if (auto *call = dyn_cast<CallInst>(&instruction))
      addCall(*call);
    else if (instruction.getType()->isFloatingPointTy() &&
             isa<BinaryOperator>(instruction))
      arithmetic += instruction.getOpcode() == Instruction::FDiv ? 5 : 1;
  }
  void addCall(const CallInst &call) {
    const Function *callee = call.getCalledFunction();
    if (!callee)
      return;
    sleefCalls += isVectorFunction(callee->getName());
    libraryCalls += callee->getName().starts_with(Disguise);
    if (callee->isIntrinsic() && callee->getReturnType()->isFloatingPointTy())
      arithmetic += callee->getIntrinsicID() == Intrinsic::sqrt ? 5 : 1;
  }
};

} // namespace

PreservedAnalyses VectorMathLoopsPass::run(Function &function,
                                           FunctionAnalysisManager &analyses) {
  for (Loop *loop :
       analyses.getResult<LoopAnalysis>(function).getLoopsInPreorder()) {
    if (!loop->isInnermost())
      continue;
    LoopWork work(*loop);
    if (!work.isForVectors())
      addStringMetadataToLoop(loop, "llvm.loop.vectorize.enable", 0);
    else if (work.sleefCalls + work.libraryCalls != 0)
      addStringMetadataToLoop(loop, "llvm.loop.interleave.count", 1);
  }
  return PreservedAnalyses::all();
}

static bool isVariant(const Function &function) {
  StringRef name = function.getName();
  return name.starts_with(Masked) || name.starts_with(EachOf) ||
         name.starts_with(SomeOf) ||
         (isVectorFunction(name) && function.getReturnType()->isVectorTy());
}

/// Where a call has a mask that holds for all elements, it is one without.
static void dropFullMasks(Function &some) {
  Function *each = some.getParent()->getFunction(
      (EachOf + some.getName().drop_front(SomeOf.size())).str());
  for (User *user : make_early_inc_range(some.users())) {
    auto *call = dyn_cast<CallInst>(user);
    if (!call || call->getCalledFunction() != &some)
      continue;
    SmallVector<Value *, 3> args(call->args());
    auto *mask = dyn_cast<Constant>(args.pop_back_val());
    if (!mask || !mask->isAllOnesValue())
      continue;
    CallInst *plain = CallInst::Create(each, args, "", call->getIterator());
    plain->takeName(call);
    call->replaceAllUsesWith(plain);
    call->eraseFromParent();
  }
}

PreservedAnalyses DropVectorMathPass::run(Module &module,
                                          ModuleAnalysisManager &) {
  for (Function &function : module)
    if (function.getName().starts_with(SomeOf))
      dropFullMasks(function);
  removeFromUsedLists(module, [](Constant *used) {
    auto *function = dyn_cast<Function>(used->stripPointerCasts());
    return function && isVariant(*function);
  });
  // Those that are defined call those that are not.
  for (bool isDeclared : {false, true})
    for (Function &function : make_early_inc_range(module))
      if (isVariant(function) && function.isDeclaration() == isDeclared &&
          function.use_empty())
        function.eraseFromParent();
  for (Function &function : module) {
    if (isVectorFunction(function.getName()))
      function.removeFnAttr(Variants);
    if (function.getName().starts_with(Disguise)) {
      function.removeFnAttr(Variants);
      function.setName(function.getName().drop_front(Disguise.size()).str());
      function.addFnAttr(Attribute::NoBuiltin);
    }
  }
  return PreservedAnalyses::none();
}

} // namespace zpl
