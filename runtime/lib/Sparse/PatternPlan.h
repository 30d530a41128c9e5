//===- PatternPlan.h - Where sparse elements are ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_PATTERNPLAN_H
#define ZRT_SPARSE_PATTERNPLAN_H

#include "Remap/Messages.h"
#include "Sparse/Cursor.h"

#include <map>

namespace zrt {

/// How the indices of a region name those of a sparse array: moved, and with
/// \c wraps into the bounds.
struct IndexMove {
  int64_t direction[ZRT_MAX_RANK] = {};
  int mirrored = 0; ///< dimensions where i names direction - i
  bool wraps = false;
  Box bounds; ///< of the array, or others of its rank if it wraps into these
  /// Writes the index that \p index names.
  void apply(const int64_t *index, int64_t *named) const;
  /// The indices along dimension \p d of \p seq that name \p named.
  void reverse(int d, int64_t named, const Seq &seq,
               std::vector<int64_t> &indices) const;
  bool operator==(const IndexMove &other) const;
};

/// One side of a plan: a region or an array's pattern, and who owns what of it.
struct PlanSide {
  const Placement &placement;
  const zrt_region &region;
};

/// Where the elements of a sparse array are that the indices of a region name,
/// for both directions: they are fetched for these, or values of these are
/// stored there. Good for all arrays with the pattern.
class PatternPlan {
public:
  /// Collective. \p named: the sparse region of the array, set or not; \p from:
  /// a dense region, or one that was set. Keeps the placements by reference.
  PatternPlan(Transport &transport, const PlanSide &from, const PlanSide &named,
              const IndexMove &move);

  /// target[i] = source at what i names, or its implicitly replicated value.
  /// Collective.
  void fetch(Transport &transport, zrt_array &target, const zrt_array &source);
  /// What is named by i of target = source[i], where \p mask leaves it; in
  /// row-major order of i, if one element gets several values. Collective.
  void store(Transport &transport, zrt_array &target, const zrt_array &source,
             const zrt_mask &mask);

  /// The first index that names none of the array's and that the mask leaves;
  /// false if there is none. Collective.
  bool findMissing(Transport &transport, const zrt_mask &mask,
                   int64_t *index) const;
  const IndexMove move;

  /// Calls \p f with each slot that names a position, both of this processor.
  template <typename F> void forEachHere(F &&f) const {
    for (const Match &match : here)
      f(match.slot, match.position);
  }
  /// At p: the slots here that name elements of processor p, and the positions
  /// here that are named by slots of p. The k-th slot there names the k-th
  /// position here.
  const std::vector<std::vector<int64_t>> &slotsByOwner() const {
    return slots;
  }
  const std::vector<std::vector<int32_t>> &positionsByReader() const {
    return positions;
  }

  /// Adds how often this refers to patterns.
  void countReferences(std::map<const Pattern *, long> &counts) const {
    ++counts[indices.pattern.get()];
    ++counts[pattern.get()];
  }

private:
  /// Slots of the region, and the positions of this processor's array there.
  struct Match {
    int64_t slot;
    int32_t position;
  };
  using Streams = std::vector<std::vector<int32_t>>;
  Courier &courier(Transport &transport, size_t size, bool stores);
  void matchFrom(Transport &transport, const IndexOwners &owners);
  void matchNamed(Transport &transport, const IndexOwners &owners);
  void orderBySource(const Streams &sources);

  Box fromBox;
  IndexOwners fromOwners;
  OwnIndices indices; ///< of the region
  PatternPtr pattern; ///< of the array; null: no index
  std::vector<Match> here;
  std::vector<std::vector<int64_t>> slots;     ///< at p: named of p's elements
  std::vector<std::vector<int32_t>> positions; ///< at p: named by p's indices
  /// Over wraps that name an element twice: the order in which to store what is
  /// here and what comes, by number. Empty: any.
  std::vector<int64_t> order;
  bool travels = false;    ///< some may be on other processors
  bool isComplete = false; ///< all indices here name an element
  mutable std::optional<bool> isCompleteOnAll; ///< once a store has asked
  /// By the size of elements.
  std::map<size_t, std::unique_ptr<Courier>> fetchers, storers;
};

} // namespace zrt

#endif // ZRT_SPARSE_PATTERNPLAN_H
