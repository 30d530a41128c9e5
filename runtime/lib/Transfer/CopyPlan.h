//===- CopyPlan.h - Elements that move by a map of indices ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSFER_COPYPLAN_H
#define ZRT_TRANSFER_COPYPLAN_H

#include "Grid/Distribution.h"
#include "Memory/Array.h"

#include <vector>

namespace zrt {

/// target[i] = source[map(i)] for the indices i of a box. What the map says of
/// dimensions in which the source is flooded does not matter; in those in which
/// the target is the box has the index 0.
struct CopyPiece {
  Box target;
  IndexMap source;
};

/// `result[i] = array[i + direction]` over \p target.
CopyPiece shiftPiece(const Box &target, const int64_t *direction);

/// `array[i + direction] = value[i]` over \p source.
CopyPiece shiftIntoPiece(const Box &source, const int64_t *direction);

/// `result[i] = array[wrapped(i + direction)]` over \p target: the index whose
/// position is that of i + direction modulo the extent of \p base. The latter
/// is not empty, and the moved indices have its alignment. Dimensions that
/// \p base floods stay as they are.
std::vector<CopyPiece> wrapPieces(const Box &target, const zrt_region &base,
                                  const int64_t *direction);

/// The same the other way round, `array[wrapped(i + direction)] = value[i]`
/// over \p source. If there are several values for one element, those of later
/// pieces come later in row-major order.
std::vector<CopyPiece> wrapIntoPieces(const Box &source, const zrt_region &base,
                                      const int64_t *direction);

/// The indices of \p source that wrapIntoPieces wraps last to their element.
Box lastWrapped(const Box &source, const zrt_region &base);

/// What `wrap` and `reflect` copy in the scope `direction of base`, which is
/// not empty; the latter is one piece.
std::vector<CopyPiece> wrapBorder(const zrt_region &base,
                                  const int64_t *direction);
std::vector<CopyPiece> reflectBorder(const zrt_region &base,
                                     const int64_t *direction);

/// A part of piece number `piece`, in indices of the target.
struct PiecePart {
  int piece = 0;
  Box box;
};

/// What one processor exchanges with a partner. The k-th part sent is the k-th
/// that the partner receives.
struct PartnerParts {
  int partner = 0;
  std::vector<PiecePart> sends;
  std::vector<PiecePart> receives;
};

struct CopyParts {
  std::vector<PartnerParts> partners; ///< ascending
  std::vector<PiecePart> here;        ///< both ends are owned here
};

/// What processor \p self does so that all owners of target elements get them
/// from the owners of the sources. Where the target is flooded so is the
/// source; there each processor copies within its slice of the grid. A pure
/// function: equal arguments on all processors make plans that fit each other.
CopyParts planCopy(const Distribution &distribution,
                   const std::vector<CopyPiece> &pieces, int targetFloods,
                   int sourceFloods, int self);

} // namespace zrt

#endif // ZRT_TRANSFER_COPYPLAN_H
