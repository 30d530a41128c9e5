//===- CountWork.h - What M-loops compute -----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_COUNTWORK_H
#define ZPL_LIB_CODEGEN_FUNCTION_COUNTWORK_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Bytes of elements that an index of the loop reads or writes in memory: of
/// each array once, however often it is named.
uint64_t bytesOf(const MLoopState &m);

/// -fcount-work: adds what the loop is about to compute to zrt_work_done. After
/// chooseTimeSteps, if the loop has time steps; else it does nothing.
void countWork(MLoopState &m);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_COUNTWORK_H
