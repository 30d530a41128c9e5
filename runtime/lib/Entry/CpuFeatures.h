//===- CpuFeatures.h - What the processor must be able to do ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_CPUFEATURES_H
#define ZRT_ENTRY_CPUFEATURES_H

#include <string>

namespace zrt {

/// The features of the comma-separated list \p needed, in LLVM's names, that
/// this processor is known to lack, separated by ", ". Names that cannot be
/// asked for count as there.
std::string missingCpuFeatures(const char *needed);

} // namespace zrt

#endif // ZRT_ENTRY_CPUFEATURES_H
