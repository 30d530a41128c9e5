//===- InsertTransfers.h - Communication made explicit ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_COMMUNICATION_INSERTTRANSFERS_H
#define ZPL_LIB_TRANSFORMS_COMMUNICATION_INSERTTRANSFERS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Gives every array statement that reads shifted elements a transfer.
///
///     [R] B := A@east + A@west;       transfer %t = {@A: (0,1) (0,-1)} over @R
///                                =>   dr %t  sr %t  dn %t
///                                     [@R] @B = add(@A@(0,1), @A@(0,-1))
///                                     sv %t
///
/// Form: Block -> Block.
/// Needs: no statement reads its target at another index.
/// Establishes: every shifted element is preceded by its transfer
/// (verifyTransfers).
/// Refuses nothing.
/// See docs/ArrayIR.md, "Transfers"; the dissertation's section 4.4.
void insertTransfers(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_COMMUNICATION_INSERTTRANSFERS_H
