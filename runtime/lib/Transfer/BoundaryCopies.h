//===- BoundaryCopies.h - The copies of wrap and reflect --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSFER_BOUNDARYCOPIES_H
#define ZRT_TRANSFER_BOUNDARYCOPIES_H

#include "Transfer/Copy.h"

namespace zrt {

/// `wrap` or `reflect` of an array in `direction of base`.
struct BoundaryStatement {
  enum Kind { Wrap, Reflect };

  Kind kind;
  const zrt_array &array;
  const zrt_region &base;
  const int64_t *direction;
};

/// The copies of the boundary statements that were executed last. All decisions
/// follow from replicated values, so all processors make and drop the same ones
/// at the same points, as Transport::makeExchange demands.
class BoundaryCopies {
public:
  /// The copy of \p statement; null if there is none.
  Copy *find(const BoundaryStatement &statement);

  /// Keeps the copy of \p statement, of which there was none.
  Copy &add(const BoundaryStatement &statement, Copy copy);

  /// Forgets the copies of the array \p id, which is about to be freed.
  void dropArray(uint64_t id);

  void clear() { entries.clear(); }

private:
  struct Entry {
    BoundaryStatement::Kind kind;
    uint64_t array;
    zrt_region base;
    int64_t direction[ZRT_MAX_RANK];
    Copy copy;

    bool matches(const BoundaryStatement &statement) const;
  };

  static constexpr size_t MostEntries = 64;
  std::vector<std::unique_ptr<Entry>> entries; ///< used last at the end
};

} // namespace zrt

#endif // ZRT_TRANSFER_BOUNDARYCOPIES_H
