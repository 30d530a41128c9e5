//===- PerIndex.h - Procedures that M-loops call ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_PERINDEX_H
#define ZPL_LIB_CODEGEN_MLOOP_PERINDEX_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/DenseSet.h"

namespace zpl::codegen {

/// The procedures of a module in Loop form that are called for each index of an
/// M-loop, and what they call in turn.
llvm::DenseSet<const air::Procedure *>
proceduresPerIndex(const air::Module &module);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_PERINDEX_H
