//===- LaneCalls.cpp - Procedures that are called in lanes ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop is executed in lanes if the loops of each index are in it, so the
// procedures that it calls are put in their places even where LLVM would not
// find that it pays: calls in loops that are marked `zpl.lanes`, and in what
// these call, get the attribute `alwaysinline`. LLVM's inliner does the rest.
// Recursive procedures stay calls, and so do those that take more than
// MaxInstructions with all that they call.
//
// Cost: linear in the functions that are called.
//
//===----------------------------------------------------------------------===//

#include "Lanes/Lanes.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace zpl {

constexpr unsigned MaxInstructions = 2000;

static Function *calledIn(const Instruction &inst) {
  auto *call = dyn_cast<CallInst>(&inst);
  Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && !callee->isDeclaration() && callee->hasLocalLinkage() &&
                 !callee->hasFnAttribute(Attribute::NoInline)
             ? callee
             : nullptr;
}

/// Adds what \p function consists of when all calls are in their places. False
/// if that is too much, or never ends: \p path are the callers.
static bool addSize(Function &function, SetVector<Function *> &path,
                    unsigned &size) {
  size += function.getInstructionCount();
  if (size > MaxInstructions || !path.insert(&function))
    return false;
  for (BasicBlock &block : function)
    for (Instruction &inst : block)
      if (Function *callee = calledIn(inst))
        if (!addSize(*callee, path, size))
          return false;
  path.pop_back();
  return true;
}

/// Asks for the call, and for those in what it calls, to be put in place.
static void putInPlace(CallInst &call) {
  if (call.hasFnAttr(Attribute::AlwaysInline))
    return;
  call.addFnAttr(Attribute::AlwaysInline);
  for (BasicBlock &block : *call.getCalledFunction())
    for (Instruction &inst : block)
      if (calledIn(inst))
        putInPlace(cast<CallInst>(inst));
}

static void putCallsInPlace(Loop &loop) {
  for (BasicBlock *block : loop.blocks())
    for (Instruction &inst : *block)
      if (Function *callee = calledIn(inst)) {
        SetVector<Function *> path;
        unsigned size = 0;
        if (addSize(*callee, path, size))
          putInPlace(cast<CallInst>(inst));
      }
}

PreservedAnalyses LaneCallsPass::run(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder())
      if (isMarkedForLanes(*loop)) {
        putCallsInPlace(*loop);
        changed = true;
      }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace zpl
