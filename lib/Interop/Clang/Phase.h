//===- Phase.h - The two halves of the library ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTEROP_CLANG_PHASE_H
#define ZPL_LIB_INTEROP_CLANG_PHASE_H

#include "zpl/Interop/Interop.h"

namespace zpl::interop {

/// ClangPhase::import.
Imports importDeclarations(const Externs &externs, const ClangOptions &options);

/// ClangPhase::thunks.
Thunks compileThunks(const Externs &externs, const Imports &imports,
                     const ClangOptions &options);

} // namespace zpl::interop

#endif // ZPL_LIB_INTEROP_CLANG_PHASE_H
