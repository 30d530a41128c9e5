//===- BoxBlocks.h - Boxes of remaps as memory ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_BOXES_BOXBLOCKS_H
#define ZRT_REMAP_BOXES_BOXBLOCKS_H

#include "Remap/Boxes/BoxPlan.h"
#include "Remap/Maps.h"
#include "Transport/Transport.h"

namespace zrt {

/// The two ends of a remap of \p remapped.
BoxEnds endsOf(const RemapDomain &domain, const ClosedMaps &maps,
               const Distribution &remote, const zrt_array &remapped);

/// The elements of \p array, over the covering region, at a piece's indices.
MemoryBlock regionalBlock(const zrt_array &array, const BoxPiece &piece,
                          int rank);
/// The elements of \p array that a piece's indices name.
MemoryBlock remappedBlock(const zrt_array &array, const BoxPiece &piece,
                          const ClosedMaps &maps);

/// Moves what \p pairs say, in ascending order of partners; \p meanwhile does
/// what needs nobody else. With \p isLarge, which is the same on all processors,
/// from array to array. Collective.
void movePairs(Transport &transport, std::vector<Pair> pairs, bool isLarge,
               const std::function<void()> &meanwhile);

} // namespace zrt

#endif // ZRT_REMAP_BOXES_BOXBLOCKS_H
