//===- Lanes.h - Loops inside of loops over indices -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_LANES_LANES_H
#define ZPL_LIB_BACKEND_LANES_LANES_H

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"

namespace zpl {

/// Whether CodeGen has marked the loop with `zpl.lanes`.
bool isMarkedForLanes(const llvm::Loop &loop);

/// Asks for calls in marked loops to be put in their places. First of all
/// passes. See LaneCalls.cpp.
class LaneCallsPass : public llvm::PassInfoMixin<LaneCallsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
};

/// Executes loops that are marked with `zpl.lanes` and have loops inside in
/// lanes, where that is possible and faster. See Lanes.cpp.
class LanesPass : public llvm::PassInfoMixin<LanesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

} // namespace zpl

#endif // ZPL_LIB_BACKEND_LANES_LANES_H
