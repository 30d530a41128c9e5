//===- Wave.h - A wave under way --------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSFER_WAVE_H
#define ZRT_TRANSFER_WAVE_H

#include "Transfer/WavePlan.h"
#include "Transport/Transport.h"

#include <span>

namespace zrt {

/// What the tiles of \p wave are chosen by.
WaveCosts waveCosts(const Transport &transport, const zrt_wave &wave);

/// Goes through the tiles of a wave on this processor and exchanges what they
/// store. One object serves one wave after the other.
class Wave {
public:
  /// As zrtA_wave_begin. \p width: of tiles, for tests; 0: as the costs say.
  void begin(Transport &transport, const Distribution &distribution,
             const zrt_region &region, const zrt_shift *primed, int64_t count,
             const zrt_wave &wave, int64_t width = 0);
  /// As zrtA_wave_next.
  bool next(zrt_region &tile);

private:
  /// The plan that was made for a wave, by what it depends on.
  struct Known {
    zrt_wave wave;
    zrt_region region;
    std::vector<uint64_t> ids;       ///< of the arrays of the offsets
    std::vector<int64_t> directions; ///< rank numbers for each offset
    int64_t width = 0;
    WavePlan plan;
    uint64_t lastUse = 0;

    bool matches(const zrt_region &region, const zrt_shift *primed,
                 int64_t count, const zrt_wave &wave, int64_t width) const;
  };
  static constexpr size_t MaxPlans = 8;

  const WavePlan &findPlan(const Distribution &distribution,
                           const zrt_shift *primed, int64_t count,
                           int64_t width);
  Known makePlan(const Distribution &distribution, const zrt_shift *primed,
                 int64_t count, int64_t width) const;
  void endTile();
  void layBricks();
  void setBrick(zrt_region &tile);
  void send(int partner, std::span<const WaveStrip> strips);
  void receive(int partner, std::span<const WaveStrip> strips);
  size_t gather(std::span<const WaveStrip> strips);

  Transport *transport = nullptr;
  zrt_region region = {};
  std::vector<zrt_array *> arrays;
  zrt_wave wave = {};
  std::vector<Known> plans;
  uint64_t uses = 0;
  const WavePlan *plan = nullptr; ///< of this wave, one of `plans`
  int64_t current = 0;            ///< tile
  int64_t tileCount = 0;
  Box now;           ///< the current tile
  Box mine;          ///< this processor's part of it
  int64_t brick = 0; ///< the current one of that part
  int64_t brickCount = 1;
  int64_t extent[ZRT_MAX_RANK] = {}; ///< of bricks, by dimension
  bool isRunning = false;            ///< the program executes it
  std::vector<MemoryBlock> blocks;   ///< of the message at hand
  std::vector<char> buffer;
};

} // namespace zrt

#endif // ZRT_TRANSFER_WAVE_H
