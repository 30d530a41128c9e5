//===- TimeLoop.h - Loops of iterations around sweeps -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What skew-time-steps and strip-loops have in common: a `for` of which one
/// statement of the body may execute several iterations at once.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_TIME_TIMELOOP_H
#define ZPL_LIB_TRANSFORMS_LOOPS_TIME_TIMELOOP_H

#include "zpl/Analysis/StorageAliases.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/Transforms/PassContext.h"
#include <string>

namespace zpl::air {

/// A loop of iterations around one M-loop, or around strips of some.
struct TimeLoop {
  explicit TimeLoop(ForStmt &loop) : loop(loop) {}

  ForStmt &loop;
  Variable *variable = nullptr;            ///< of the loop
  int64_t step = 0;                        ///< of the variable, at least 1
  Stmt *sweep = nullptr;                   ///< the M-loop, or the strips
  llvm::SmallVector<MLoopStmt *, 4> loops; ///< that, or the strips' M-loops
};

/// Why the loop of \p time is none of iterations around one sweep that may be
/// executed several at a time, in the words of a remark; else empty, and the
/// other fields are filled in. All else in the body does the same in each
/// iteration. What the sweep stores and reads is not looked at.
std::string whyNoTimeLoop(TimeLoop &time, const Procedure &procedure,
                          const StorageAliases &aliases,
                          const PassContext &context);

/// Lets the sweep of \p time execute several iterations, each \p lag rows
/// behind the one before: fills in \p steps, which is the sweep's, and lets the
/// loop go on behind them. \p result gets what comes before the loop.
void countSteps(TimeLoop &time, TimeSteps &steps, unsigned lag, Module &module,
                Procedure &procedure, NameAllocator &names, StmtList &result);

/// Whether \p loops, in one sweep with time steps, may give an array that
/// \p transfer brings other storage.
bool mayMove(llvm::ArrayRef<MLoopStmt *> loops, const Transfer &transfer,
             const StorageAliases &aliases);

/// Arrays may get other storage where a sweep begins several iterations. So what
/// waits until the values of an array have been sent (SV) comes before a
/// statement of \p list that has such a sweep in it, not behind it.
void waitBeforeSteps(StmtList &list, const StorageAliases &aliases);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_TIME_TIMELOOP_H
