//===- Views.h - Shifted arrays in the storage of their source --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSFER_VIEWS_H
#define ZRT_TRANSFER_VIEWS_H

#include "Transfer/Copy.h"
#include "Transfer/GhostPlan.h"
#include "Transfer/Pieces.h"

#include <unordered_map>

namespace zrt {

/// The shifts of one array in a statement of the program.
struct ShiftStatement {
  zrt_array &source;
  const zrt_region &region;
  const zrt_view *views;
  int64_t count;

  GhostSource ghostSource() const {
    return {source.region, source.border_count > 0};
  }
  /// They, nearest (GhostPlan.h).
  std::vector<GhostShift> shifts() const;
};

/// What serves a statement: views, and the copies that fill their ghosts.
class ViewPlan {
public:
  /// The source has room for the \p shifts, those of \p statement. Collective.
  ViewPlan(Transport &transport, const Distribution &distribution,
           const ShiftStatement &statement,
           const std::vector<GhostShift> &shifts);

  /// Makes the results of \p statement, which is that of the plan or differs in
  /// names only, with ids from \p lastId + 1 on; their ghosts are there after
  /// `await`. Several statements of one array may be under way: two names of a
  /// loop for one member of a family. Collective.
  void begin(const ShiftStatement &statement, uint64_t &lastId);
  void await();
  /// Until the source may be written.
  void finish();

  /// How far the views reach beyond this processor's block, if it pays to
  /// compute while ghosts travel; else null.
  const Reach *reach() const { return travels ? &far : nullptr; }

private:
  std::vector<zrt_array> views; ///< as patterns
  Reach far;
  bool travels = false;
  Copy ghosts;
  int underWay = 0;     ///< statements that have begun and not finished
  bool arrived = false; ///< the ghosts that they all have
};

/// The plans of the statements that were executed last. All decisions follow
/// from replicated values, so all processors make and drop the same plans at
/// the same points, as Transport::makeExchange demands.
class ViewPlans {
public:
  /// Null if there is none.
  ViewPlan *find(const ShiftStatement &statement);

  /// Keeps the plan of the statement that was not found last.
  ViewPlan &add(ViewPlan plan);

  /// Forgets the plans of the array \p id, whose storage goes.
  void dropArray(uint64_t id);

  void clear() { entries.clear(); }

private:
  struct Entry {
    std::vector<int64_t> key;
    ViewPlan plan;
    uint64_t lastUse;
  };

  uint64_t makeKey(const ShiftStatement &statement);

  static constexpr size_t MostEntries = 256;
  std::unordered_multimap<uint64_t, Entry> entries; ///< by a hash of the key
  std::vector<int64_t> key;                         ///< looked for last
  uint64_t hash = 0;                                ///< its
  uint64_t uses = 0;
};

} // namespace zrt

#endif // ZRT_TRANSFER_VIEWS_H
