//===- Recursion.h - Procedures that call themselves ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_RECURSION_H
#define ZPL_LIB_CODEGEN_RECURSION_H

namespace llvm {
class Module;
}

namespace zpl::codegen {

/// Keeps LLVM from making loops of recursions in \p module, whose functions are
/// complete.
void keepRecursion(llvm::Module &module);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_RECURSION_H
