//===- Skeleton.h - What a run leaves out -----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_SKELETON_H
#define ZRT_ENTRY_SKELETON_H

#include "zrt/AbiTypes.h"

#include <string>

namespace zrt {

/// What -v says about --sim=skeleton, in lines that begin with \p name: which
/// loops and output of \p program are left out, which loops are computed, and
/// what for.
std::string skeletonText(const zrt_program &program, const std::string &name);

/// The line about it that a profile ends with.
std::string skeletonSummary(const zrt_program &program);

} // namespace zrt

#endif // ZRT_ENTRY_SKELETON_H
