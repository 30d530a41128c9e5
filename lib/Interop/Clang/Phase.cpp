//===- Phase.cpp - The way into the library -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// libzplInterop.so exports this function and nothing else: all of Clang that
/// zplc ever sees. Before it is loaded its file says what it was compiled from.
///
//===----------------------------------------------------------------------===//

#include "Phase.h"
#include "ClangPhase.h"

__attribute__((section(ZPL_CLANG_PHASE_SECTION),
               used)) static const char identity[] = ZPL_INTEROP_ID;

extern "C" __attribute__((visibility("default")))
const zpl::interop::ClangPhase *
zplInteropClangPhase() {
  static constexpr zpl::interop::ClangPhase phase = {
      zpl::interop::importDeclarations, zpl::interop::compileThunks};
  return &phase;
}
