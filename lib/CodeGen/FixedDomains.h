//===- FixedDomains.h - Domains that nothing changes any more ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FIXEDDOMAINS_H
#define ZPL_LIB_CODEGEN_FIXEDDOMAINS_H

namespace llvm {
class Function;
class Module;
} // namespace llvm

namespace zpl::codegen {

/// Tells LLVM of the calls of zrtA_domain in a whole \p module, except those in
/// \p initialize (null: there is none), that they read no memory, if all
/// regions are declared before any other procedure can run.
void markFixedDomains(llvm::Module &module, const llvm::Function *initialize);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FIXEDDOMAINS_H
