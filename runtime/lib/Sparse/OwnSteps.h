//===- OwnSteps.h - Own indices of one dimension by number ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_OWNSTEPS_H
#define ZRT_SPARSE_OWNSTEPS_H

#include "Sparse/IndexOwners.h"

#include <algorithm>
#include <span>
#include <vector>

namespace zrt {

/// The indices of a region that this processor owns in one dimension, numbered
/// from 0 in ascending order: their *steps*.
class OwnSteps {
public:
  OwnSteps() = default;
  OwnSteps(const IndexOwners &owners, int d, const Seq &indices);

  int64_t count() const { return total; }
  /// Neighbours are equally far apart.
  bool isSequence() const { return list.empty(); }
  /// Steps and indices follow each other one by one.
  bool isDense() const { return list.empty() && stride == 1; }
  /// The least step from \p begin up to \p end whose index is not below \p
  /// index; \p end if there is none.
  int64_t firstFrom(int64_t index, int64_t begin, int64_t end) const {
    if (list.empty() && stride == 1) [[likely]]
      return std::clamp(index - lo, begin, end);
    return searchFrom(index, begin, end);
  }
  int32_t at(int64_t step) const {
    return list.empty() ? static_cast<int32_t>(lo + step * stride)
                        : list[static_cast<size_t>(step)];
  }

private:
  int64_t searchFrom(int64_t index, int64_t begin, int64_t end) const;

  int64_t total = 0, lo = 0, stride = 1;
  std::vector<int32_t> list; ///< empty: they are one sequence
};

/// Steps from `begin` up to `end`.
struct StepRange {
  int64_t begin, end;
};

/// The steps that pieces of indices have.
class PieceSteps {
public:
  /// Of what is added the steps from \p begin up to \p end count, which are one
  /// at least. \p along must live as long.
  void start(const OwnSteps &along, int64_t begin, int64_t end);
  /// Ranges in order with gaps between them, until the next call.
  std::span<const StepRange> of(std::span<const zrt_piece> pieces,
                                std::span<const zrt_windows> windows);

private:
  bool join(std::span<const zrt_piece> pieces);
  void sort(std::span<const zrt_piece> pieces);
  void add(int64_t from, int64_t to);
  void add(const zrt_windows &windows);

  const OwnSteps *along = nullptr;
  int64_t begin = 0, end = 0; ///< steps
  int64_t lo = 0, hi = 0;     ///< their indices
  std::vector<StepRange> ranges;
  size_t count = 0;          ///< of them, with `join`
  std::vector<size_t> order; ///< of pieces, by `from`
};

} // namespace zrt

#endif // ZRT_SPARSE_OWNSTEPS_H
