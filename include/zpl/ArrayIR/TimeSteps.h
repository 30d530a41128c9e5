//===- TimeSteps.h - The array IR: iterations in one M-loop -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an M-loop with time steps (MLoopStmt::time) may be. docs/ArrayIR.md,
/// section 4.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_TIMESTEPS_H
#define ZPL_ARRAYIR_TIMESTEPS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include <optional>
#include <string>

namespace zpl::air {

/// The level whose steps delays and lags count: the outermost loop, if there is
/// another one in it and it takes all indices of its dimension. Else null.
const LoopLevel *rowLevel(const MLoopStmt &loop);

/// Pairs of arrays of an M-loop that may take turns (TimeSteps::swaps): all of
/// the delayed operations copy rows to an array of the same element type, which
/// the loop stores nowhere else, and all others store only such rows and other
/// contracted arrays. Empty if not all may.
llvm::SmallVector<std::pair<Array *, Array *>, 2>
findSwaps(const MLoopStmt &loop);

/// How many steps of the outermost loop an iteration of the M-loop must stay
/// behind the one before, so that each sees and leaves in the arrays what it
/// would if it began when that one had ended, and one processor has all of
/// them. None where \p why says what forbids it, in the words of a remark.
std::optional<unsigned> leastLag(const Module &module, const MLoopStmt &loop,
                                 bool mayAlias, std::string &why);

/// An element that an M-loop touches, relative to its index.
using TouchedElement = std::pair<const Array *, Offset>;

/// What iterations of an M-loop need of each other where processors have parts
/// of its region.
struct StepReach {
  /// How far from its index, by dimension, an iteration reads what the one
  /// before it may have stored.
  Offset below, above;
  /// The elements that it reads, each once, then those of arrays that it stores
  /// only. Contracted arrays have none.
  std::vector<TouchedElement> touched;
  unsigned reads = 0; ///< so many of them are read
  /// What it computes at an index that another processor owns is not what that
  /// one computes, or may not be stored beside the own block.
  bool isAlone = false;
};
StepReach stepReach(const MLoopStmt &loop);

/// The same of M-loops in strips (StripsStmt), of which each has its part.
struct StripReach : StepReach {
  /// How far beside the own block each M-loop computes in the last iteration,
  /// below and above: what the later ones of the same iteration read there.
  std::vector<std::pair<Offset, Offset>> beside;
};
/// \p parts: what `separated` makes, all over regions of one rank and domain.
StripReach stripReach(llvm::ArrayRef<MLoopStmt> parts);

/// Whether the M-loop may be all points of the transfer (TimeSteps::brings): it
/// reads all that it brings, over the same region, and something at another index
/// that it stores, so that the run has an exchange for it.
bool mayBring(const MLoopStmt &loop, const Transfer &transfer);

/// Why the M-loop does not compute beyond its region, in the dimensions whose bits
/// \p wraps has, what it computes at the region's other end, in the words of a
/// remark; empty: it does.
std::string whyNotAround(const MLoopStmt &loop, uint32_t wraps);

/// Whether the run may give arrays of the M-loop other storage: room for what
/// its iterations compute beside their blocks.
bool maySeekRoom(const MLoopStmt &loop);

/// How many rows of an array a step of the outermost loop may touch, from the
/// first to the last one, in one iteration.
unsigned rowsInFlight(const MLoopStmt &loop);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_TIMESTEPS_H
