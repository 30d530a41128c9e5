//===- LowerBlocks.h - M-loops that are unrolled and tiled ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_LOWERBLOCKS_H
#define ZPL_LIB_CODEGEN_MLOOP_LOWERBLOCKS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// The whole nest of a loop of which air::isInBlocks is true: loops over its
/// tiles, and unrolled ones with copies of the body in them. The insertion
/// point is in front of the nest, whose bounds are counted (countSteps) and
/// whose walkers stand at its first index; afterwards it is after the nest.
void emitBlocks(MLoopState &m);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_LOWERBLOCKS_H
