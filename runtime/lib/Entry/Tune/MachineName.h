//===- MachineName.h - Which kind of machine this is ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_TUNE_MACHINENAME_H
#define ZRT_ENTRY_TUNE_MACHINENAME_H

#include <string>

namespace zrt {

/// What is the same on machines whose loops take about the same time, on one
/// line: "AuthenticAMD 25 1, 2 processors, caches 512 32768 KB".
std::string machineName();

} // namespace zrt

#endif // ZRT_ENTRY_TUNE_MACHINENAME_H
