//===- FetchAhead.cpp - Requests for memory in vector loops ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   vector.body:                            call void @llvm.prefetch(ptr %p
//     %v = load <4 x double>, ptr %p    =>    + 2048, for reading, keep, data)
//       !alias.scope !7                     %v = load <4 x double>, ptr %p
//   !7 = !{..., !{!"zpl.ahead", !8}}
//
// Which loads these are the pass fetch-ahead of the array IR has said: CodeGen
// puts them into a scope of this name, which the vectorizer hands on. One
// request per cache line: loads from the same line share one. Whether they are
// scalar evolution tells, as it tells which loads move from step to step. What
// vectors leave over asks for nothing.
//
// A constant distance goes on where a row ends with what lies behind it, which
// mostly is the next row. Measured (seconds by bytes of distance; 0: no
// requests; kernels as in bench/stencils, bench/programs):
//
//                   Intel Emerald Rapids             AMD Zen 5
//                      0   1024   2048   3072       0   2048   3072   4096
//     resid 256^3  0.206  0.183  0.188  0.176   0.146  0.120  0.111  0.114
//     psinv        0.198  0.161  0.164  0.165   0.130  0.095  0.095  0.090
//     rprj3        0.091  0.080  0.085  0.074   0.044  0.043  0.036  0.036
//     interp       0.105  0.079  0.077  0.076   0.068  0.041  0.037  0.039
//     heat 200^3   0.770  0.421  0.355  0.402   0.283  0.229  0.220  0.222
//     star 2000^2  0.326  0.205  0.190  0.205   0.139  0.104  0.091  0.091
//
// Other processors: nobody has measured, so there are no requests
// (Figures.def, `fetch.ahead`).
//
// A loop that asks for nothing may have another way that does, of which the run
// chooses (docs/Tuning.md): its loads are in the scope "zpl.way.ahead".
//
// Cost: the square of the marked loads in a loop.
//
//===----------------------------------------------------------------------===//

#include "FetchAhead.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace zpl {

constexpr int64_t LineBytes = 64;

static bool isMarked(const LoadInst &load, StringRef mark) {
  const MDNode *scopes = load.getMetadata(LLVMContext::MD_alias_scope);
  return scopes && any_of(scopes->operands(), [mark](const MDOperand &scope) {
           auto *name = dyn_cast<MDString>(cast<MDNode>(scope)->getOperand(0));
           return name && name->getString() == mark;
         });
}

/// The loop's loads of whole vectors that have the mark and move, with their
/// places.
static SmallVector<std::pair<LoadInst *, const SCEV *>, 8>
loadsAhead(const Loop &loop, ScalarEvolution &evolution, StringRef mark) {
  SmallVector<std::pair<LoadInst *, const SCEV *>, 8> loads;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block) {
      auto *load = dyn_cast<LoadInst>(&instruction);
      if (!load || !load->getType()->isVectorTy() || !isMarked(*load, mark))
        continue;
      const SCEV *place = evolution.getSCEV(load->getPointerOperand());
      auto *moving = dyn_cast<SCEVAddRecExpr>(place);
      if (moving && moving->getLoop() == &loop)
        loads.push_back({load, place});
    }
  return loads;
}

/// Puts requests into \p loop, for what is \p distance bytes on from loads
/// with the mark; returns whether there are any.
static bool addRequests(const Loop &loop, ScalarEvolution &evolution,
                        StringRef mark, unsigned distance) {
  if (distance == 0)
    return false;
  SmallVector<const SCEV *, 8> asked;
  auto isAsked = [&](const SCEV *place) {
    return any_of(asked, [&](const SCEV *other) {
      auto *apart =
          dyn_cast<SCEVConstant>(evolution.getMinusSCEV(place, other));
      return apart && apart->getAPInt().abs().ult(LineBytes);
    });
  };
  for (const auto &[load, place] : loadsAhead(loop, evolution, mark)) {
    IRBuilder<> builder(load);
    int64_t bytes = load->getDataLayout()
                        .getTypeStoreSize(load->getType())
                        .getKnownMinValue();
    for (int64_t at = 0; at < bytes; at += LineBytes) {
      const SCEV *line = evolution.getAddExpr(
          place, evolution.getConstant(builder.getInt64Ty(), at));
      if (isAsked(line))
        continue;
      asked.push_back(line);
      Value *ahead = builder.CreateConstGEP1_64(
          builder.getInt8Ty(), load->getPointerOperand(), distance + at);
      builder.CreateIntrinsic(Intrinsic::prefetch, {ahead->getType()},
                              {ahead, builder.getInt32(/*read*/ 0),
                               builder.getInt32(/*keep*/ 3),
                               builder.getInt32(/*data*/ 1)});
    }
  }
  return !asked.empty();
}

PreservedAnalyses FetchAheadPass::run(Function &function,
                                      FunctionAnalysisManager &analyses) {
  LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
  auto &evolution = analyses.getResult<ScalarEvolutionAnalysis>(function);
  bool isChanged = false;
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (loop->isInnermost()) {
      isChanged |= addRequests(*loop, evolution, "zpl.ahead", distance);
      isChanged |= addRequests(*loop, evolution, "zpl.way.ahead", wayDistance);
    }
  return isChanged ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace zpl
