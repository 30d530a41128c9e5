//===- ScanLoops.h - Scans as M-loops ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_SCANS_SCANLOOPS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_SCANS_SCANLOOPS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Makes M-loops of scans, which carry along what comes before each index.
///
///     scan @S = sum @A over @R dims (2)
///
///     array %C : f64 <.., *> carries sum (2) over %lines
///     region %lines = [_, *] from @R
///     alloc %C
///     mloop @R levels(0 up, 1 up) {
///       store @S = %C
///       store %C = add(%C, @A)
///     }
///     free %C
///
/// Form: Loop -> Loop.
/// Establishes: carries whose elements have no value before their loop until
/// start-carries.
/// Refuses operators of the program, strings and complex numbers, what is to be
/// reproducible, sparse regions, scattered domains, grid dimensions.
void scanLoops(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_SCANS_SCANLOOPS_H
