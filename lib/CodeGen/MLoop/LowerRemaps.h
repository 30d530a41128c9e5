//===- LowerRemaps.h - M-loops: elements by maps ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_LOWERREMAPS_H
#define ZPL_LIB_CODEGEN_MLOOP_LOWERREMAPS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Reads, in front of the loops, where the arrays lie that are read by maps.
void startRemaps(MLoopState &m);

/// The address of the element; ends the run where a checked map is no index.
llvm::Value *remapAddress(MLoopState &m, const air::RemapExpr *expr);

/// Its value; of an aggregate the address.
llvm::Value *readRemap(MLoopState &m, const air::RemapExpr *expr);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_LOWERREMAPS_H
