//===- Compile.h - From source to object bytes ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_DRIVER_COMPILE_H
#define ZPL_DRIVER_COMPILE_H

#include "Dependencies.h"
#include "Library/Library.h"
#include "Link.h"
#include "Options.h"
#include "zpl/Support/Timing.h"
#include "llvm/ADT/SmallString.h"
#include <vector>

namespace zpl::driver {

/// Bytes of the files that a compilation makes.
using Products = std::vector<llvm::SmallString<0>>;

/// What it gives beside them.
struct ByProducts {
  Dependencies dependencies; ///< the files that were read
  LibraryTexts library;      ///< of --library
  std::string page;          ///< what options.report is to hold
};

/// Runs every phase up to options.lastPhase on the ZPL input, with the dumps
/// that the options ask for. \p products are then what options.kind says: one,
/// but several objects of a long program that is to be linked, and none if an
/// earlier phase was the last. False after errors; they are reported.
bool compile(const Options &options, const Installation &installation,
             PhaseTimers &timers, Products &products, ByProducts &more);

/// Runs the phases up to Sema and then the program itself (--interpret). Gives
/// the program's exit status, or 1 after errors in it.
int interpretProgram(const Options &options, const Installation &installation,
                     PhaseTimers &timers);

} // namespace zpl::driver

#endif // ZPL_DRIVER_COMPILE_H
