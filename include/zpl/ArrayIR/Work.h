//===- Work.h - How much an M-loop computes ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_WORK_H
#define ZPL_ARRAYIR_WORK_H

#include "zpl/ArrayIR/ArrayIR.h"

namespace zpl::air {

/// What an index of an M-loop takes, by what is done.
struct LoopWork {
  unsigned loads = 0;     ///< elements that are read
  unsigned stores = 0;    ///< elements that are stored, or taken into
  unsigned additions = 0; ///< of any number type, subtractions among them
  unsigned products = 0;  ///< a fused product and sum is one of each
  unsigned divisions = 0; ///< but those by constants, which are products
  unsigned calls = 0;     ///< of procedures and functions such as sqrt
  unsigned others = 0;    ///< comparisons, conversions, indices, ...
};

/// The work of one index; operations under guards count as executed.
LoopWork workOf(const MLoopStmt &loop);

/// About how many additions that is: what the runtime weighs against the cost
/// of messages, and -fcount-work counts.
unsigned operationsOf(const MLoopStmt &loop);

/// What the runtime weighs to choose the tiles of a wave: zrt_wave's.
struct WaveWork {
  unsigned cost = 1; ///< of an element, in additions, about
  unsigned chain =
      0;             ///< the innermost loop's dimension from 1, if each element
                     ///< there waits for the one before it; else 0
  unsigned rows = 0; ///< that of the loop around it, if it has a chain or
                     ///< several rows are worked on at a time; else 0
  unsigned group = 1; ///< so many rows
};
WaveWork workOf(const WaveStmt &wave);

/// Whether the elements that a walker goes through are in memory: not those of
/// arrays that are kept by rows or single elements.
bool isInMemory(const Walker &walker);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_WORK_H
