//===- Transpose.h - Blocks of vectors --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_WAVES_TRANSPOSE_H
#define ZPL_LIB_CODEGEN_WAVES_TRANSPOSE_H

#include "llvm/IR/IRBuilder.h"

namespace zpl::codegen {

using VectorBlock = llvm::SmallVector<llvm::Value *, 16>;

/// Lane i of vector k of the result is lane k of vector i: as many vectors as
/// lanes, a power of two, of numbers of \p bytes.
VectorBlock transposeSquare(llvm::IRBuilder<> &builder,
                            llvm::ArrayRef<llvm::Value *> block,
                            unsigned bytes);
/// Likewise. One of the number of vectors and that of lanes divides the other.
VectorBlock transpose(llvm::IRBuilder<> &builder,
                      llvm::ArrayRef<llvm::Value *> block, unsigned bytes);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_WAVES_TRANSPOSE_H
