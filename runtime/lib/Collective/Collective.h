//===- Collective.h - Reductions and broadcasts -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_COLLECTIVE_H
#define ZRT_COLLECTIVE_COLLECTIVE_H

#include "Grid/ProcessGrid.h"
#include "Transport/Transport.h"
#include "zrt/Abi.h"

#include <vector>

namespace zrt {

/// Processors that work together, in an order that all of them know.
struct Slice {
  std::vector<int> members;
  int self = 0; ///< the place of this processor among them

  int size() const { return static_cast<int>(members.size()); }
};

/// All processors of \p transport.
Slice everybody(const Transport &transport);

/// Those that differ from \p processor only in their places along the grid
/// dimensions \p dims (bit d: dimension d), in row-major order.
Slice sliceOf(const ProcessGrid &grid, int processor, int dims);

/// Combines \p count values per member, value by value and in place, and gives
/// all members the same bits. \p kind is an enum zrt_kind: boolean, char,
/// integer, enumeration, real or complex. For a given number of members the
/// order of combining is fixed. The rules of enum zrt_reduction hold for a
/// single member too: NaN becomes the identity, -0 becomes +0, logical results
/// are 0 or 1.
void reduce(Transport &transport, const Slice &slice, void *values,
            int64_t count, int32_t kind, int32_t reduction);

/// One value per processor.
void reduce(Transport &transport, void *value, int32_t kind, int32_t reduction);

/// Combines \p count states of \p bytes bytes each per member, in place, and
/// gives all members the same bits. Of two members the one with the lower place
/// comes first in order.
void reduceStates(Transport &transport, const Slice &slice, void *states,
                  int64_t count, int64_t bytes, zrt_state_combine combine);

/// Gives every member the \p bytes bytes of member \p root.
void broadcast(Transport &transport, const Slice &slice, int root, void *value,
               size_t bytes);

/// Gives every processor the \p bytes bytes of processor 0.
void broadcast(Transport &transport, void *value, size_t bytes);

/// Returns when all processors have called it.
void barrier(Transport &transport);

} // namespace zrt

#endif // ZRT_COLLECTIVE_COLLECTIVE_H
