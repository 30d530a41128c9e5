//===- Lanes.cpp - Loops inside of loops over indices ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] while X*X + Y*Y <= 4.0 & K < 255 do
//       T := X*X - Y*Y + A;  Y := 2.0*X*Y + B;  X := T;  K += 1;
//     end;
//
// Shattered control flow and promoted procedures with loops are M-loops whose
// innermost loop has loops inside, once LLVM has put the procedure in its
// place. LLVM's vectorizer takes only what has none. Here such a loop is
// executed in *lanes*: a vector of indices goes through the loops inside
// together, until the last one is done.
//
//   1. CodeGen marks the loops whose iterations are independent: `zpl.lanes`.
//      LaneCalls.cpp has what they call put in its place
//   2. LanePlan.cpp asks whether each instruction has a form for lanes, with
//      LaneShapes.cpp, which finds what lanes have in common
//   3. LaneCosts.cpp chooses how many lanes there are, or none
//   4. LaneLoops.cpp and LaneInstructions.cpp make the code
//
// The pass comes before LLVM's vectorizer, when procedures are in their places
// and variables are registers; what it makes is cleaned up as the rest is. The
// bytes are those of the scalar loop, whose operations are done in the same
// order in each lane.
//
// Cost: the analyses of a function once per loop that is transformed.
//
//===----------------------------------------------------------------------===//

#include "Lanes/Lanes.h"
#include "Lanes/LaneCode.h"
#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;

namespace zpl {

static constexpr StringLiteral Mark = "zpl.lanes";

static MDNode *markOf(const Loop &loop) {
  MDNode *id = loop.getLoopID();
  return id ? findOptionMDForLoopID(id, Mark) : nullptr;
}

bool isMarkedForLanes(const Loop &loop) { return markOf(loop) != nullptr; }

/// Whether the mark asks for lanes even where they do not pay.
static bool isAlways(const MDNode &mark) {
  return mdconst::extract<ConstantInt>(mark.getOperand(1))->isOne();
}

/// Takes the mark from the loop, so that it is looked at once.
static void unmark(Loop &loop) {
  loop.setLoopID(makePostTransformationMetadata(loop.getHeader()->getContext(),
                                                loop.getLoopID(), {Mark}, {}));
}

static Loop *findMarked(LoopInfo &loops) {
  for (Loop *loop : loops.getLoopsInPreorder())
    if (!loop->isInnermost() && markOf(*loop))
      return loop;
  return nullptr;
}

static void tell(OptimizationRemarkEmitter &remarks, const Loop &loop,
                 const std::optional<lanes::LanePlan> &plan, bool isFaster,
                 const std::string &reason) {
  DebugLoc place = loop.getStartLoc();
  const BasicBlock *header = loop.getHeader();
  if (plan && isFaster)
    remarks.emit([&] {
      return OptimizationRemark("zpl-lanes", "InLanes", place, header)
             << ore::NV("Lanes", plan->width);
    });
  else
    remarks.emit([&] {
      return OptimizationRemarkMissed("zpl-lanes", "NoLanes", place, header)
             << ore::NV("Reason", plan ? "one index after the other is faster "
                                         "on this processor, by LLVM's costs"
                                       : reason);
    });
}

/// Looks at one loop; false if there is none left.
static bool visitOne(Function &function, FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<LoopAnalysis>(function);
  Loop *loop = findMarked(loops);
  if (!loop)
    return false;
  auto &dominators = analyses.getResult<DominatorTreeAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  auto &assumptions = analyses.getResult<AssumptionAnalysis>(function);
  bool always = isAlways(*markOf(*loop));
  unmark(*loop);
  simplifyLoop(loop, &dominators, &loops, &evolution, &assumptions, nullptr,
               /*PreserveLCSSA=*/false);
  formLCSSARecursively(*loop, dominators, &loops, &evolution);
  lanes::bringAddressesBack(*loop);
  std::string reason;
  std::optional<lanes::LanePlan> plan =
      lanes::planLanes({*loop, loops, dominators, evolution,
                        analyses.getResult<TargetIRAnalysis>(function)},
                       reason);
  bool isFaster = plan && (lanes::chooseWidth(*plan) || always);
  tell(analyses.getResult<OptimizationRemarkEmitterAnalysis>(function), *loop,
       plan, isFaster, reason);
  if (isFaster)
    lanes::emitLanes(*plan);
  analyses.invalidate(function, PreservedAnalyses::none());
  return true;
}

PreservedAnalyses LanesPass::run(Function &function,
                                 FunctionAnalysisManager &analyses) {
  bool changed = false;
  while (visitOne(function, analyses))
    changed = true;
  if (!changed)
    return PreservedAnalyses::all();
  EarlyCSEPass(/*UseMemorySSA=*/true).run(function, analyses);
  return PreservedAnalyses::none();
}

} // namespace zpl
