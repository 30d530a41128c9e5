//===- Callbacks.cpp - Procedures that C calls ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     proc @apply(var %x: f64) block extern "zplx_apply_2"
//         callback @square "zplx_apply_2_f"
//
// becomes
//
//     define void @zplx_apply_2_f(ptr %r, ptr %a) {
//       %1 = load double, ptr %a
//       %2 = call double @zpl.square(double %1)
//       store double %2, ptr %r ...
//
// What C's conventions are is known to Clang, which makes the function of C's
// types that calls this one.
//
//===----------------------------------------------------------------------===//

#include "Function/Callbacks.h"
#include "Function/FunctionLowering.h"
#include "Function/LowerScalar.h"

using namespace llvm;

namespace zpl::codegen {

static void addCallback(ModuleLowering &module, const air::Callback &callback) {
  const air::Procedure &called = *callback.procedure;
  bool hasResult = called.result != air::Type::Void;
  llvm::Type *nothing = llvm::Type::getVoidTy(module.module->getContext());
  auto *function = cast<Function>(
      module.thunk(callback.symbol, nothing, called.params.size() + hasResult)
          .getCallee());
  LLVMContext &context = function->getContext();
  AttrBuilder attributes(
      context, module.function(&called)->getAttributes().getFnAttrs());
  function->addFnAttrs(attributes);
  FunctionState fn(module, called, function);
  SmallVector<Value *, 4> args;
  for (const auto &[i, param] : enumerate(called.params))
    args.push_back(load(fn, param.variable->type,
                        function->getArg(i + hasResult), param.variable->name));
  Value *value = fn.builder.CreateCall(module.function(&called), args);
  if (hasResult)
    store(fn, called.result, value, function->getArg(0));
  fn.builder.CreateRetVoid();
}

void addCallbacks(ModuleLowering &module, const air::Procedure &external) {
  for (const air::Callback &callback : external.callbacks)
    addCallback(module, callback);
}

} // namespace zpl::codegen
