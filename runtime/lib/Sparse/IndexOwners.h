//===- IndexOwners.h - Who owns an index, and where -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_INDEXOWNERS_H
#define ZRT_SPARSE_INDEXOWNERS_H

#include "Transfer/DomainCopy.h"

#include <vector>

namespace zrt {

/// Answers index by index who owns what of a domain, and where this processor
/// has what it owns. Keeps the placement by reference.
class IndexOwners {
public:
  IndexOwners(const Placement &placement, int rank, int self);

  const int rank;
  const int self;

  /// The place along the grid, in dimension \p d, of the owner of \p index.
  int along(int d, int64_t index) const {
    const Dim &dim = dims[d];
    bool isHere = dim.own.lo <= index && index <= dim.own.hi;
    return isHere ? dim.at : search(d, index);
  }
  /// The processor at the places \p at.
  int processor(const int *at) const { return placement.grid.processor(at); }
  /// The owner of an index.
  int owner(const int64_t *index) const {
    int at[ZRT_MAX_RANK];
    for (int d = 0; d < rank; ++d)
      at[d] = along(d, index[d]);
    return processor(at);
  }
  /// Whether this processor owns an index, where that is easy to tell; false may
  /// be wrong.
  bool isSurelyOwn(const int64_t *index) const {
    for (int d = 0; d < rank; ++d)
      if (index[d] < dims[d].own.lo || index[d] > dims[d].own.hi)
        return false;
    return true;
  }
  bool isOwn(int d, int64_t index) const {
    return along(d, index) == dims[d].at;
  }

  bool isScattered() const { return placement.isScattered; }
  /// The place of an own index of a scattered domain.
  int64_t placeOf(int d, int64_t index) const {
    return placement.dims[d].placesOf(dims[d].at, {index, index}).lo;
  }
  /// The own ones of \p indices in dimension \p d, as sequences that ascend.
  std::vector<Seq> partsOf(int d, const Seq &indices) const;
  /// The own ones of \p indices in dimension \p d, in ascending order.
  std::vector<int32_t> ownOf(int d, const Seq &indices) const;

private:
  struct Dim {
    int at = 0; ///< this processor's place along the grid
    /// Indices that are certainly own; all of them unless it is scattered.
    Range own = EmptyRange;
    std::vector<int64_t> ends; ///< in blocks: of each part that has one
    std::vector<int> parts;    ///< these
  };
  int search(int d, int64_t index) const;

  const Placement &placement;
  std::vector<Dim> dims;
};

} // namespace zrt

#endif // ZRT_SPARSE_INDEXOWNERS_H
