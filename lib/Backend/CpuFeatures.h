//===- CpuFeatures.h - Features that a program checks at start --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_CPUFEATURES_H
#define ZPL_LIB_BACKEND_CPUFEATURES_H

#include <string>
#include <vector>

namespace llvm {
class MCSubtargetInfo;
class Triple;
} // namespace llvm

namespace zpl {

/// The features of \p processor that its architecture's baseline lacks and that
/// code may need, by the names of __builtin_cpu_supports. Empty where nothing
/// can be checked.
std::vector<std::string>
featuresToCheck(const llvm::Triple &triple,
                const llvm::MCSubtargetInfo &processor);

} // namespace zpl

#endif // ZPL_LIB_BACKEND_CPUFEATURES_H
