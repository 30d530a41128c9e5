//===- FixedDomains.cpp - Domains that nothing changes any more -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every M-loop asks zrtA_domain for its processor's block. The answer stays
// what it is once all regions have been declared (RuntimeCalls.cpp); nearly always
// that is done by the procedure of the global declarations. If this procedure
// calls no other, then in all others
//
//     %own = call ptr @zrtA_domain(i32 2)    memory(none)
//
// is a constant: one call serves all M-loops of a procedure, whatever is called
// between them, and moves out of loops. It serves compile time as well. Where a
// procedure has 500 M-loops, LLVM looks for each call through all that comes
// before it for what might have changed the answer: with 1000 statements GVN
// took 4.6 of 10.6 s of `opt -O3 -time-passes`, and takes 1.2 of 6.2 s.
//
// Cost: one look at the instructions of the first procedure, and at the uses of
// two functions.
//
//===----------------------------------------------------------------------===//

#include "FixedDomains.h"
#include "zrt/Abi.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace zpl::codegen {

/// The calls of a function of the runtime.
static SmallVector<CallInst *> callsOf(Module &module, StringRef name) {
  SmallVector<CallInst *> result;
  if (Function *function = module.getFunction(name))
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallInst>(user))
        result.push_back(call);
  return result;
}

/// Does \p instruction call what may be code of the program?
static bool mayCallProcedure(const Instruction &instruction) {
  const auto *call = dyn_cast<CallBase>(&instruction);
  return call && (!call->getCalledFunction() ||
                  !call->getCalledFunction()->isDeclaration());
}

void markFixedDomains(Module &module, const Function *initialize) {
  static_assert(sizeof(&zrtA_region_declare) && sizeof(&zrtA_domain));
  for (CallInst *call : callsOf(module, "zrtA_region_declare"))
    if (call->getFunction() != initialize)
      return;
  if (initialize && any_of(instructions(*initialize), mayCallProcedure))
    return;
  for (CallInst *call : callsOf(module, "zrtA_domain"))
    if (call->getFunction() != initialize)
      call->setDoesNotAccessMemory();
}

} // namespace zpl::codegen
