//===- WindowPlan.h - Which elements windows have ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_WINDOWPLAN_H
#define ZRT_REMAP_WINDOWPLAN_H

#include "Remap/Schedule.h"

#include <optional>

namespace zrt {

/// What one remap of a window names, and which array gets the positions.
struct Reference {
  const RemapDomain &domain;
  RemappedArray source;
  zrt_array &positions;
};

/// Where the elements are that the references of a window name, and which of
/// them travel: for maps that stay as they are, and any array whose elements
/// have the same owners.
class WindowPlan {
public:
  /// The inspector, also for other maps than before. Collective.
  void inspect(const std::vector<Reference> &references);

  /// Per reference and index of this processor's part: numbers of own elements;
  /// of others: negative ones, from behind the last that arrives.
  std::vector<std::vector<int32_t>> positions;
  std::vector<int32_t> sent; ///< numbers of own elements, by processor
  std::vector<int64_t> sends, receives; ///< elements, per processor
  int64_t allReceives = 0;
  /// Where values are stored instead of combined: which of those that arrive
  /// come last for their elements, in row-major order of all sources, and the
  /// numbers of these.
  struct Stores {
    std::vector<int32_t> arrived, elements;
  };
  /// Finds them, if that has not been done for these maps. \p reference is the
  /// plan's only one. Collective.
  const Stores &stores(const Reference &reference);

  /// No other plan has it, nor had this one with other maps; the same on all
  /// processors.
  uint64_t number = 0;

private:
  void inspect(const Reference &reference, size_t number);
  std::vector<int64_t> lastSources(const Reference &reference,
                                   std::vector<int64_t> &ghosts) const;
  std::optional<Stores> last;

  /// An element of another processor: who wants it, and where.
  struct Want {
    size_t reference;
    int64_t index; ///< number in the part
  };
  // Of the inspector.
  std::vector<std::vector<int64_t>> wanted; ///< places, per owner
  std::vector<std::vector<Want>> wants;     ///< for each of them
};

} // namespace zrt

#endif // ZRT_REMAP_WINDOWPLAN_H
