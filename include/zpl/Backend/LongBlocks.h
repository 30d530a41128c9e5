//===- LongBlocks.h - Straight code in pieces -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_BACKEND_LONGBLOCKS_H
#define ZPL_BACKEND_LONGBLOCKS_H

namespace llvm {
class Module;
}

namespace zpl {

/// Makes functions of the pieces of very long basic blocks of \p module, which
/// does the same afterwards. To be called before optimization.
void divideLongBlocks(llvm::Module &module);

} // namespace zpl

#endif // ZPL_BACKEND_LONGBLOCKS_H
