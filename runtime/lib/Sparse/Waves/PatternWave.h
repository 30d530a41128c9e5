//===- PatternWave.h - A wave over a pattern under way ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_WAVES_PATTERNWAVE_H
#define ZRT_SPARSE_WAVES_PATTERNWAVE_H

#include "Sparse/PatternPlans.h"
#include "Transfer/WavePlan.h"

#include <span>

namespace zrt {

/// Who owns the indices of a wave's region, and what finds its neighbours.
struct WaveSetting {
  Transport &transport;
  const Placement &placement;
  const Distribution &distribution;
  PatternPlans &plans;
};

/// Goes through this processor's indices of a sparse region in the order of a
/// wave, tile by tile, and brings what other processors read to these. One
/// object serves one wave after the other.
class PatternWave {
public:
  /// As zrtA_pattern_wave_begin, of a region that has been set. \p width: of
  /// tiles, for tests; 0: as the costs say. Collective.
  void begin(const WaveSetting &setting, const zrt_region &region,
             const zrt_push *pushes, int64_t count, const zrt_wave &wave,
             int64_t width = 0);
  /// As zrtA_pattern_wave_next.
  const zrt_visits *next();
  /// When owners change.
  void clear() { plans.clear(); }

private:
  using Positions = std::vector<int32_t>;
  /// What one processor sends to another with one tile: for each push what is at
  /// some positions, or for the receiver is to go there.
  struct Message {
    int partner = 0;
    bool isSent = false;
    std::vector<Positions> places; ///< by direction
  };
  /// A tile in which this processor has something to do.
  struct Tile {
    int64_t first = 0, end = 0; ///< its visits
    /// In the order in which they are received before it, sent after it, and,
    /// both ways mixed, exchanged after that (WavePlan::late).
    std::vector<Message> receives, sends, late;
  };
  struct Plan {
    std::weak_ptr<const Pattern> pattern;
    uint64_t id = 0; ///< of the pattern
    zrt_wave wave = {};
    std::vector<int64_t> directions; ///< rank numbers for each push
    int64_t width = 0;
    uint64_t lastUse = 0;
    std::vector<size_t> directionOf;   ///< by push: which of the different ones
    Positions order;                   ///< by visit
    std::vector<Positions> readers;    ///< by direction and visit
    std::vector<const int32_t *> rows; ///< by push: the readers
    std::vector<Tile> tiles;           ///< in order
  };
  class Planner;
  static constexpr size_t MostPlans = 8;

  const Plan &findPlan(const WaveSetting &setting, const zrt_region &region,
                       const zrt_wave &wave, int64_t width,
                       std::span<const int64_t> directions);
  void endTile();
  void carry(const Message &message);

  std::vector<std::unique_ptr<Plan>> plans;
  uint64_t uses = 0;
  Transport *transport = nullptr;
  std::vector<zrt_push> pushes;
  const Plan *plan = nullptr; ///< of this wave, one of `plans`; null: no index
  size_t current = 0;         ///< tile
  bool isRunning = false;     ///< the program executes it
  zrt_visits visits = {};
  std::vector<char> buffer;
};

} // namespace zrt

#endif // ZRT_SPARSE_WAVES_PATTERNWAVE_H
