//===- LowerInterleave.h - Loops in turn ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_WAVES_LOWERINTERLEAVE_H
#define ZPL_LIB_CODEGEN_WAVES_LOWERINTERLEAVE_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// The loops tile by tile, all of them in a tile before the next one. Goes on
/// after the last tile.
void lowerInterleave(FunctionState &fn, const air::InterleaveStmt *stmt);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_WAVES_LOWERINTERLEAVE_H
