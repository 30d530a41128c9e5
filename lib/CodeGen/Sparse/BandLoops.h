//===- BandLoops.h - Several rows of a sparse region at a time --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_SPARSE_BANDLOOPS_H
#define ZPL_LIB_CODEGEN_SPARSE_BANDLOOPS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// An i1, whether the pattern has bands (zrt_pattern). In front of the nest.
llvm::Value *haveBands(MLoopState &m);

/// The loops for a complete pattern with bands; goes on in the block behind
/// them. Requires LoopPlan::hasBands, and enterComplete before.
void emitBands(MLoopState &m);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_SPARSE_BANDLOOPS_H
