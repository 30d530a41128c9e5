//===- GhostPlan.h - What views read beside the own elements ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSFER_GHOSTPLAN_H
#define ZRT_TRANSFER_GHOSTPLAN_H

#include "Transfer/CopyPlan.h"

#include <optional>

namespace zrt {

/// The array that views look into, as far as planning needs it.
struct GhostSource {
  const zrt_region &declared;
  bool hasBorders = false; ///< is stored beside the declared region
};

/// One `A@direction` or `A@^direction`.
struct GhostShift {
  int64_t direction[ZRT_MAX_RANK] = {};
  bool wraps = false;
};

/// Where in storage that goes on beyond the declared region the elements of \p
/// shift over \p region are: \p shift with the components of flooded dimensions
/// 0 and, if it wraps, the others modulo the declared extents, so that they
/// lead as little out of the region as possible.
GhostShift nearest(const GhostSource &source, const zrt_region &region,
                   const GhostShift &shift);

/// The room beside the own block and beyond the declared region, in indices,
/// that \p shifts over \p region need; they are nearest. None if it would be
/// out of proportion (GhostPlan.cpp) or lie in borders.
std::optional<zrt_fluff> ghostRoom(const Distribution &distribution,
                                   const GhostSource &source,
                                   const zrt_region &region,
                                   const std::vector<GhostShift> &shifts);

/// True if all that \p room has \p other has as well, in \p rank dimensions.
bool isWithin(const zrt_fluff &room, const zrt_fluff &other, int rank);

/// What an array gets that has \p room and needs \p more: in the dimensions
/// that are not wide enough powers of two, in strides of \p declared, so that
/// directions that grow step by step do not move it at each.
zrt_fluff widened(const zrt_fluff &room, const zrt_fluff &more,
                  const zrt_region &declared);

/// What one processor exchanges with a partner, as pieces: target[i] =
/// source[map(i)], where the targets are ghosts of the receiver. The k-th piece
/// sent is the k-th that the partner receives.
struct PartnerGhosts {
  int partner = 0;
  std::vector<CopyPiece> sends;
  std::vector<CopyPiece> receives;
};

struct GhostParts {
  std::vector<PartnerGhosts> partners; ///< ascending
  std::vector<CopyPiece> here;         ///< ghosts of own elements
};

/// What processor \p self does so that every processor has, at each index i of
/// \p region that it owns and for each of the \p shifts, the element at i +
/// direction, or a copy of the element that this wraps to. No ghost is moved
/// twice. A pure function: equal arguments on all processors make plans that
/// fit each other.
GhostParts planGhosts(const Distribution &distribution,
                      const GhostSource &source, const zrt_region &region,
                      const std::vector<GhostShift> &shifts, int self);

} // namespace zrt

#endif // ZRT_TRANSFER_GHOSTPLAN_H
