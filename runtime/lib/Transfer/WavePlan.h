//===- WavePlan.h - Tiles of a wave and what they exchange ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSFER_WAVEPLAN_H
#define ZRT_TRANSFER_WAVEPLAN_H

#include "Transfer/TransferPlan.h"

namespace zrt {

/// What takes how long, in the time of one addition.
struct WaveCosts {
  double message = 0; ///< from one processor to another
  double element = 0; ///< computing one
  double row = 0;     ///< entering the innermost loop
};

/// The indices number \p from to \p to of \p seq, as far as there are any;
/// counted from its end if it is gone through \p down.
Seq pieceOf(const Seq &seq, int64_t from, int64_t to, bool down);

/// Elements that one processor stores and another reads: those of `box` that
/// are in a tile go there with this tile.
struct WaveStrip {
  int partner = 0;
  /// Read by later tiles only, by partners that may be on any side; else by the
  /// partner's part of the same tile or later ones, and the partner comes
  /// later in the order of the processors.
  bool isLate = false;
  ArrayBox elements;
};

/// A wave as one processor sees it. All processors agree on the tiles, which
/// are cut out of the whole region, and on their order.
struct WavePlan {
  Box region;
  Box own; ///< this processor's part of it
  zrt_wave wave = {};
  int tiled = -1;    ///< the dimension that tiles are cut in; -1: none
  int64_t width = 0; ///< of a tile there, in indices of the region
  /// In the order in which they are sent and received.
  std::vector<WaveStrip> sends, receives;
  /// Those that are late, both ways mixed; `true`: sent.
  std::vector<std::pair<bool, WaveStrip>> late;

  /// How many tiles there are.
  int64_t tileCount() const;
  /// Whether the wave goes through dimension \p dim from its end.
  bool isDown(int dim) const;
  /// Number \p tile of them, counted from 0 in their order.
  Box tile(int64_t tile) const;
  /// The number of the tile that an index of the region is in.
  int64_t tileOf(const int64_t *index) const;
  /// Whether what lies \p direction away is in another step.
  bool isLate(const int64_t *direction) const;
};

/// The place of a processor in the order of a wave over a region of \p rank.
std::vector<int> placeInWave(const Distribution &distribution,
                             const zrt_wave &wave, int rank, int processor);

/// The plan of processor \p self for a wave over \p region that is flooded in
/// \p floods. A pure function: equal arguments on all processors make plans
/// that fit each other. \p width: of tiles, instead of the one that \p costs
/// suggest; 0: none.
WavePlan planWave(const Distribution &distribution, const Box &region,
                  int floods, const std::vector<ShiftItem> &items,
                  const zrt_wave &wave, const WaveCosts &costs, int self,
                  int64_t width = 0);

} // namespace zrt

#endif // ZRT_TRANSFER_WAVEPLAN_H
