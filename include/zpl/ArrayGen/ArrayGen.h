//===- ArrayGen.h - From checked program to array IR ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYGEN_ARRAYGEN_H
#define ZPL_ARRAYGEN_ARRAYGEN_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Remark.h"
#include <vector>

namespace zpl {

struct ArrayGenOptions {
  /// Floating sums and products have the same bits for every number of
  /// processors (language 13): they are folds and reproducible scans.
  bool reproducible = false;
  /// Operations on signed integers may fail, so they are evaluated only where
  /// the source does.
  bool checksOverflow = false;
  /// Loops with constant bounds over members of families are unrolled.
  bool unrollsLoops = false;
};

/// Makes the array IR, in Block form, of a checked program: one procedure per
/// instance, every array statement in normal form (one rank, one covering
/// region, no read of the target at another index), temporaries explicit.
/// Cannot fail. \p remarks, if given, gets what is to be said of loops that are
/// unrolled, or nearly.
air::Module buildArrayIR(const sema::Program &program,
                         const ArrayGenOptions &options = {},
                         std::vector<Remark> *remarks = nullptr);

} // namespace zpl

#endif // ZPL_ARRAYGEN_ARRAYGEN_H
