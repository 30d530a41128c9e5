//===- ClangPhase.h - What libzplInterop.so offers --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The line between zplc and the library that knows Clang. Only the data types
/// of Interop.h cross it. Source ranges come back with an index of
/// Imports::files or Thunks::files in place of one of the SourceManager.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTEROP_CLANGPHASE_H
#define ZPL_LIB_INTEROP_CLANGPHASE_H

#include "zpl/Interop/Interop.h"

namespace zpl::interop {

struct ClangPhase {
  /// Looks all externs up. With an error in a header nothing is found.
  Imports (*import)(const Externs &externs, const ClangOptions &options);

  /// Compiles the thunks. With an error there is no bitcode.
  Thunks (*thunks)(const Externs &externs, const Imports &imports,
                   const ClangOptions &options);
};

/// The library's one symbol: a function of this type.
using ClangPhaseEntry = const ClangPhase *();
constexpr const char *ClangPhaseSymbol = "zplInteropClangPhase";

/// The section of the library that says what it was compiled from.
#define ZPL_CLANG_PHASE_SECTION ".zpl.interop"
constexpr const char *ClangPhaseSection = ZPL_CLANG_PHASE_SECTION;

} // namespace zpl::interop

#endif // ZPL_LIB_INTEROP_CLANGPHASE_H
