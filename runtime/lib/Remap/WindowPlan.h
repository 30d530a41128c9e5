//===- WindowPlan.h - Windows of remapped arrays ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_WINDOWPLAN_H
#define ZRT_REMAP_WINDOWPLAN_H

#include "Memory/Array.h"
#include "Remap/MapMemory.h"

namespace zrt {

/// What one remap of a window names, and which array gets the positions.
struct Reference {
  const RemapDomain &domain;
  RemappedArray source;
  zrt_array &positions;
};

/// One zrtA_window_fetch with maps that stay as they are, of any array whose
/// elements have the same owners.
class WindowPlan final : public Schedule {
public:
  /// The inspector, also for other maps than before. Collective.
  void inspect(const std::vector<Reference> &references);
  /// The executor: makes `window`, with the id \p id, and the positions of
  /// \p references, with the ids after it. Collective.
  void run(const std::vector<Reference> &references, zrt_array &window,
           uint64_t id);
  /// The same for elements that are combined by \p store, and meet their targets
  /// by `deliver`. Collective, both.
  void collect(const std::vector<Reference> &references, const Store &store,
               zrt_array &window, uint64_t id);
  void deliver(const Store &store);
  /// Whether \p window is what it has made last.
  bool hasMade(const zrt_array &window) const {
    return window.keeper == &keeper;
  }
  /// What it has made last has not been freed.
  bool isInUse() const { return keeper.views > 0; }

private:
  void inspect(const Reference &reference, NumberList &list, size_t number);
  void find(const Reference &first);
  void describe(const Reference &first, char *ghosts, zrt_array &window) const;
  void lendAll(const std::vector<Reference> &references, zrt_array &window,
               uint64_t id);
  void point(const Reference &reference, NumberList &list);
  void lend(zrt_array &array, uint64_t id);

  std::vector<NumberList> positions; ///< per reference; of others: negative
  NumberList sent;                   ///< of the source
  zrt_keeper keeper;
  std::unique_ptr<Numbering> elements; ///< of the source, while it is used
  char *own = nullptr;                 ///< where its own ones are
  Courier *collected = nullptr;        ///< what `deliver` brings

  /// An element of another processor: who wants it, and where.
  struct Want {
    size_t reference;
    int64_t index; ///< number in the part
  };
  // Of the inspector.
  std::vector<std::vector<int64_t>> wanted; ///< places, per owner
  std::vector<std::vector<Want>> wants;     ///< for each of them
};

/// The plans of the program's windows. All its decisions are the same on all
/// processors.
class WindowPlans {
public:
  /// The plan for the window at \p loc whose maps have the patterns with these
  /// numbers, 0 if they are not remembered; makes one if there is none.
  /// Collective.
  WindowPlan &find(const MapMemory &memory, const zrt_loc *loc,
                   const std::vector<uint64_t> &numbers,
                   const std::vector<Reference> &references);
  /// Whether find would find one.
  bool knows(const zrt_loc *loc, const std::vector<uint64_t> &numbers) const;
  /// That which has made \p window.
  WindowPlan &of(const zrt_array &window);
  /// Before the transport ends.
  void clear() { plans.clear(); }

private:
  struct Kept {
    const zrt_loc *loc;
    std::vector<uint64_t> numbers;
    uint64_t lastUse;
    std::unique_ptr<WindowPlan> plan;
  };
  static bool isOld(const Kept &kept, const MapMemory &memory);
  void dropOld(const MapMemory &memory);

  std::vector<Kept> plans;
  uint64_t clock = 0;
};

} // namespace zrt

#endif // ZRT_REMAP_WINDOWPLAN_H
