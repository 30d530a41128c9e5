//===- Phase.cpp - The way into the library -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// libzplInterop.so exports this function and nothing else: all of Clang that
/// zplc ever sees.
///
//===----------------------------------------------------------------------===//

#include "Phase.h"
#include "ClangPhase.h"

extern "C" __attribute__((
    section(".note.zplc"), used, aligned(4),
    visibility("hidden"))) constexpr zpl::interop::LibraryNote zplInteropNote{};

extern "C" __attribute__((visibility("default")))
const zpl::interop::ClangPhase *
zplInteropClangPhase() {
  static constexpr zpl::interop::ClangPhase phase = {
      zpl::interop::importDeclarations, zpl::interop::compileThunks};
  return &phase;
}
