//===- Processors.h - What was measured on processors -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_PROCESSORS_H
#define ZPL_LIB_BACKEND_PROCESSORS_H

#include "llvm/ADT/StringRef.h"

namespace zpl {

/// Where measurements said something else than LLVM's model of a processor.
struct ProcessorTuning {
  /// How many bytes ahead loops ask for memory (FetchAhead.cpp); 0: not at all.
  unsigned fetchAheadDistance = 0;
  /// The width of vectors, in bits; 0: what LLVM prefers.
  unsigned vectorBits = 0;
};

/// The tuning for a processor, by LLVM's name; nothing for one that nobody
/// measured.
ProcessorTuning tuningOf(llvm::StringRef cpu);

} // namespace zpl

#endif // ZPL_LIB_BACKEND_PROCESSORS_H
