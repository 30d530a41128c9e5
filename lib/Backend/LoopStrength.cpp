//===- LoopStrength.cpp - Strength reduction where it pays ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's loop strength reduction looks for the cheapest set of recurrences from
// which all addresses of a loop can be made. For the nest of an array statement
// that search took half of the back end's time, and there is little to find:
// code generation gives each array a walker that is bumped once a row, and in
// the row an x86 address [walker + 8 * index + constant] costs nothing. What it
// did find cost room: a pointer of its own for each array in each of the loops
// that a row becomes (vectors, the remainder, rows past the caches).
//
// Where a loop has no vectors, an instruction saved is saved for every element:
// waves and other recurrences. So the search is for innermost loops that are
// neither vectors nor the remainder of such:
//
//     A := B * C                    vector.body, and what is left over of a
//                                   row: neither is searched
//     scan A := A'@west + B end     mloop.dim1, one element a time: searched
//
// Measured on a quiet machine (`zplc -O3 -march=native -c`, processor time):
// 200 statements over 200 arrays 2.21 -> 1.44 s, hydro.z 0.53 -> 0.34; code 26
// and 14 % smaller. Of 23 programs of bench/, least of 5 to 15 runs by turns,
// none is slower beyond what the same code differs by; without any strength
// reduction tridiagonal/shard takes 1.2 times as long.
//
// Cost: that of LLVM's pass, for the loops that are searched.
//
//===----------------------------------------------------------------------===//

#include "LoopStrength.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopStrengthReduce.h"
#include "llvm/Transforms/Utils/CanonicalizeFreezeInLoops.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace zpl {

static bool touchesVectors(Instruction &instruction) {
  return isa<LoadInst, StoreInst>(instruction) &&
         getLoadStoreType(&instruction)->isVectorTy();
}

/// Is an instruction saved here saved for each element?
static bool isScalarLoop(const Loop &loop) {
  return loop.isInnermost() &&
         !getBooleanLoopAttribute(&loop, "llvm.loop.isvectorized") &&
         none_of(loop.blocks(), [](BasicBlock *block) {
           return any_of(*block, touchesVectors);
         });
}

namespace {

/// The two passes of the back end that belong together, for scalar loops.
struct ReduceScalarLoopPass : PassInfoMixin<ReduceScalarLoopPass> {
  PreservedAnalyses run(Loop &loop, LoopAnalysisManager &loops,
                        LoopStandardAnalysisResults &results,
                        LPMUpdater &updater) {
    if (!isScalarLoop(loop))
      return PreservedAnalyses::all();
    PreservedAnalyses kept =
        CanonicalizeFreezeInLoopsPass().run(loop, loops, results, updater);
    kept.intersect(LoopStrengthReducePass().run(loop, loops, results, updater));
    return kept;
  }
};

} // namespace

void reduceScalarLoops(Module &module, TargetMachine &machine) {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  ModulePassManager passes;
  passes.addPass(createModuleToFunctionPassAdaptor(
      createFunctionToLoopPassAdaptor(ReduceScalarLoopPass())));
  passes.run(module, modules);
}

} // namespace zpl
