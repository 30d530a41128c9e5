//===- LowerPatternWave.h - Wavefronts over patterns ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_WAVES_LOWERPATTERNWAVE_H
#define ZPL_LIB_CODEGEN_WAVES_LOWERPATTERNWAVE_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// The M-loop of a wave over a sparse region, over one tile after the other in
/// the order of the wave. Goes on after the last tile.
void lowerPatternWave(FunctionState &fn, const air::WaveStmt *stmt);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_WAVES_LOWERPATTERNWAVE_H
