//===- LowerStreams.h - M-loops: stores past the caches ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Stores of large results in strips: into a buffer, and from there past the
/// caches.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_ROWS_LOWERSTREAMS_H
#define ZPL_LIB_CODEGEN_ROWS_LOWERSTREAMS_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Sets `streams`: decides, in front of the nest, whether its results are
/// large; null if no store may stream. The bounds are counted, the walkers
/// started.
void startStreams(MLoopState &m);

/// After the nest: a fence, if it has streamed, so that what was streamed is
/// there before what is stored later.
void endStreams(MLoopState &m);

/// Copies \p bytes bytes, at least one, past the caches. The two do not
/// overlap.
void streamTo(MLoopState &m, llvm::Value *to, llvm::Value *from,
              llvm::Value *bytes);

/// The innermost loop, at \p depth, strip by strip; it begins with \p body and
/// ends in a jump to \p exit. Strips are counted in indices, or in steps where
/// those are. Requires isInStrips.
void emitStrips(MLoopState &m, const Version &version, unsigned depth,
                llvm::BasicBlock *body, llvm::BasicBlock *exit);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_ROWS_LOWERSTREAMS_H
