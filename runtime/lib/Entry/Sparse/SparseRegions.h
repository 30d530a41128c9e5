//===- SparseRegions.h - Patterns of a run and who has them -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_SPARSE_SPARSEREGIONS_H
#define ZRT_ENTRY_SPARSE_SPARSEREGIONS_H

#include "Entry/Sparse/SparseBoundary.h"
#include "Sparse/Addition.h"
#include "Sparse/PatternPlans.h"
#include "Sparse/Waves/PatternWave.h"

#include <string>
#include <unordered_map>

namespace zrt {

class Process;

/// The state of sparse regions on one processor.
struct SparseRegions {
  /// A modify between begin and end.
  struct Modify {
    Modify(const Placement &placement, const zrt_region &region,
           const Transport &transport, const zrt_loc *loc)
        : owners(placement, region.rank, transport.rank()),
          addition(region, owners, loc), old(sharedPattern(region.pattern)),
          isDivided(transport.size() > 1) {}
    IndexOwners owners;
    Addition addition;
    PatternPtr old;
    bool isDivided; ///< between several processors
  };

  /// What is at a place of the program.
  struct Placed {
    PatternPtr pattern;
    int16_t domain;
  };

  uint64_t lastId = 0;                                       ///< of patterns
  std::unordered_map<const zrt_pattern **, Placed> patterns; ///< by place
  std::unordered_map<const void *, std::unique_ptr<Modify>> modifies;
  const void *lastAt = nullptr; ///< of the modify that was added to
  Modify *last = nullptr;
  PatternPlans plans;
  PatternWave wave;                  ///< the last one that was begun
  std::vector<SparseBorder> borders; ///< that `wrap` and `reflect` have filled
};

/// "(3, 4)".
std::string indexText(int rank, const int64_t *index);
/// The region's name, or its bounds.
std::string nameOfRegion(const zrt_region &region);

/// \p region without a pattern unless it is sparse; ends the run if that was
/// never set.
zrt_region usable(const zrt_region &region, const zrt_loc *loc);

/// Who owns indices of \p region.
IndexOwners ownersOf(const zrt_region &region);

/// Makes a pattern for \p region.
PatternBuilder patternBuilder(const IndexOwners &owners,
                              const zrt_region &region, const zrt_loc *loc);

/// Gives the sparse region at \p at the bounds of \p region and \p pattern, or
/// null, and makes the arrays that follow it anew, each in its own domain.
/// Collective; with null local.
void setPattern(const zrt_pattern **at, const zrt_region &region,
                PatternPtr pattern, const zrt_loc *loc);

/// The indices of \p value that a mask, or none, leaves, for \p result. Local.
PatternPtr maskedPattern(const zrt_region &result, const zrt_region &value,
                         const zrt_mask &mask, const zrt_loc *loc);
/// The old pattern of \p result, as far as it lies within the dense \p value, of
/// the same domain, and the mask leaves it. Local.
PatternPtr keptPattern(const zrt_region &result, const zrt_region &value,
                       const zrt_mask &mask, const zrt_loc *loc);
/// What \p result has after \p operation with \p selected, which are indices of
/// \p value. Collective.
PatternPtr combinedPattern(const zrt_region &result, int32_t operation,
                           const zrt_region &value, PatternPtr selected,
                           const zrt_loc *loc);
/// What zrtA_pattern_take gives. Collective.
PatternPtr takenPattern(const zrt_region &result, const zrt_region &source,
                        const int64_t *direction, const zrt_loc *loc);

/// Makes \p array a sparse array, which follows the region at \p at (null:
/// none).
void newSparse(zrt_array &array, const void *at, const zrt_region &region,
               const zrt_type &type, const char *name, const zrt_loc *loc);

/// The modify of the region at \p at, which was begun.
SparseRegions::Modify &modifyOf(const void *at);

/// Ends the run: \p target, as written \p what, stores no element for \p index.
/// The same on all processors.
[[noreturn]] void failMissing(const zrt_array &target, const int64_t *index,
                              const char *what, const zrt_loc *loc);

/// The plan between a region that has been made usable and a sparse array.
/// Collective.
PatternPlan &patternPlan(const zrt_region &from, const zrt_array &named,
                         const int64_t *direction, bool wraps);

/// Ends the run unless every index of the sparse \p region, moved, lies where
/// \p array is declared; \p verb as for outsideMessage. Collective.
void checkStored(const zrt_array &array, const zrt_region &region,
                 const int64_t *direction, const char *what, const char *verb,
                 const zrt_loc *loc);

/// \p region with the bounds of the smallest box around its indices. Collective.
zrt_region tightRegion(const zrt_region &region, const zrt_loc *loc);

/// Empty if the sparse \p formal and \p array have the same pattern, else the
/// message. Collective.
std::string patternMessage(const zrt_array &array, const zrt_region &formal,
                           const char *what);

/// Distributes the patterns and sparse arrays of the domains with these numbers
/// anew, which are so already; \p old: who had what, in order. Arrays keep their
/// elements if \p keeps. Collective.
void redistributeSparse(const std::vector<int32_t> &numbers,
                        const std::vector<Placement> &old, bool keeps,
                        const zrt_loc *loc);

} // namespace zrt

#endif // ZRT_ENTRY_SPARSE_SPARSEREGIONS_H
