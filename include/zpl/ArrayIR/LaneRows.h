//===- LaneRows.h - The array IR: rows as lanes -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an M-loop whose rows are lanes of vectors (MLoopStmt::inLanes) may be.
/// docs/ArrayIR.md, section 4.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_LANEROWS_H
#define ZPL_ARRAYIR_LANEROWS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include <optional>
#include <string>

namespace zpl::air {

/// The least skew with which rows of the M-loop may be lanes: what a row reads
/// of one before has been stored a step before at least. None where \p why says
/// what forbids it.
std::optional<unsigned> leastLaneSkew(const Module &module,
                                      const MLoopStmt &loop, bool mayAlias,
                                      std::string &why);

/// Bytes of the largest number that the M-loop stores or reads, 1 to 8.
unsigned largestElement(const MLoopStmt &loop);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_LANEROWS_H
