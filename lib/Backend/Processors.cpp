//===- Processors.cpp - What was measured on processors -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How far ahead memory is asked for: FetchAhead.cpp has the figures.
//
// The width of vectors. On Intel's processors with AVX-512 LLVM uses half of
// the registers, since the first ones of them lowered their clock for the whole
// ones. Emerald Rapids does not; seconds (medians of three runs, kernels of
// bench/):
//
//                              256 bits   512 bits
//     matmul 1280, SUMMA          0.111      0.077
//     matmul 1280, PSP            0.129      0.080
//     shortest paths 1280         0.291      0.207
//     life 2000^2                 0.046      0.035
//     27 points: rprj3            0.087      0.075
//       resid, psinv, interp      0.168, 0.158, 0.076    0.170, 0.158, 0.075
//     star 2000^2                 0.174      0.162
//     Jacobi 1000^2               0.146      0.127
//     NAS MG A (five runs)        0.583      0.515
//     heat 200^3                  0.313      0.339
//
// AMD's have LLVM's preference for whole registers already.
//
//===----------------------------------------------------------------------===//

#include "Processors.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zpl {

ProcessorTuning tuningOf(StringRef cpu) {
  return StringSwitch<ProcessorTuning>(cpu)
      .Case("sapphirerapids",
            {2048, 512}) // LLVM's name for Emerald Rapids, too
      .Case("znver5", {3072, 0})
      .Default({});
}

} // namespace zpl
