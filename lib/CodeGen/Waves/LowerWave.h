//===- LowerWave.h - Wavefronts ---------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_WAVES_LOWERWAVE_H
#define ZPL_LIB_CODEGEN_WAVES_LOWERWAVE_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// The M-loop of a wave over one tile after the other, in an order in which
/// what primed references read was stored before. Goes on after the last tile.
void lowerWave(FunctionState &fn, const air::WaveStmt *stmt);

/// The address of the zrt_wave of a wave.
llvm::Value *waveTable(FunctionState &fn, const air::WaveStmt *stmt);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_WAVES_LOWERWAVE_H
