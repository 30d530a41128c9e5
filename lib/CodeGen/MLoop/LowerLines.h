//===- LowerLines.h - M-loops: contracted arrays ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MLOOP_LOWERLINES_H
#define ZPL_LIB_CODEGEN_MLOOP_LOWERLINES_H

#include "MLoop/MLoopState.h"

namespace zpl::codegen {

/// Makes the storage of all contracted arrays: cells in the entry block, and
/// rows in memory that the runtime lends. In front of the nest, after its
/// bounds are counted.
void startLines(MLoopState &m);

/// How far elements of a contracted array, or of one that takes turns with it,
/// are read below the current index, and above.
std::pair<int64_t, int64_t> margins(const air::MLoopStmt &loop,
                                    const air::Array *array, unsigned dim);

/// The bytes that an innermost row of so many takes, such that the next one
/// begins in another cache line.
llvm::Value *roundUpLine(llvm::IRBuilder<> &builder, llvm::Value *bytes);

/// The row of a contracted array that is at \p offset from the current one,
/// such that elementAddress finds elements from it; filled if it is fetched. In
/// front of the innermost loop.
llvm::Value *placeLine(MLoopState &m, unsigned walker,
                       const air::Offset &offset);

/// Says that the elements per index that the current part stores have no value
/// yet. Before its operations, at each index.
void forgetElements(MLoopState &m);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MLOOP_LOWERLINES_H
