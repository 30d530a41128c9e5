//===- LowerStrips.h - M-loops in strips of rows ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_WAVES_LOWERSTRIPS_H
#define ZPL_LIB_CODEGEN_WAVES_LOWERSTRIPS_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// The statements one after the other, or the loops strip by strip where the run
/// finds that better. Goes on after the last one.
void lowerStrips(FunctionState &fn, const air::StripsStmt *stmt);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_WAVES_LOWERSTRIPS_H
