//===- Traffic.h - Who sends how much in an operation -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_PREDICT_TRAFFIC_H
#define ZPL_PREDICT_TRAFFIC_H

#include "Collective/Algorithms.h"
#include "Grid/Distribution.h"
#include "Transport/sim/Machine.h"

#include <map>
#include <string>
#include <vector>

namespace predict {

/// A message of the busiest processor.
struct Message {
  int partner = 0;
  double bytes = 0;
};

/// What an operation sends.
struct Traffic {
  double messages = 0, bytes = 0; ///< of all processors together
  int busiest = 0;
  std::vector<Message> sends, receives; ///< of the busiest one
  /// A collective: what the longest path through it has, in messages, and in
  /// payloads times the payload's bytes. Else 0.
  double rounds = 0, copied = 0;
  /// A wave: in how many tiles, and how many processors are before the last.
  double tiles = 1, stages = 0;
  double repeats = 1; ///< of the busiest processor's messages
  bool isEstimate = false;
};

/// An item of a transfer, shift or wave, in numbers.
struct ItemNumbers {
  int array = 0;
  int64_t bytes = 0;
  int64_t offset[ZRT_MAX_RANK] = {};
  zrt_region declared = {};
  bool wraps = false;
};

/// What a transport's collectives are chosen by.
struct CollectiveCosts {
  double message = 0, byte = 0; ///< nanoseconds, as the runtime has them
};

/// `@` by constant directions.
Traffic transferTraffic(const zrt::Distribution &distribution,
                        const zrt_region &region,
                        const std::vector<ItemNumbers> &items);

/// Shifted arrays: views with ghosts, or copies where these reach too far.
Traffic shiftTraffic(const zrt::Distribution &distribution,
                     const zrt_region &region,
                     const std::vector<ItemNumbers> &items);

/// A flood of \p from along the dimensions \p moved (bits), of \p times indices
/// one behind the other in the dimension of the first singleton; \p isSplit: in
/// two phases.
Traffic floodTraffic(const zrt::Distribution &distribution,
                     const zrt_region &from, int moved, int64_t elementBytes,
                     int64_t times, bool isSplit, const CollectiveCosts &costs);

/// A reduction of \p payload bytes in each of \p groups of \p members.
Traffic reductionTraffic(int members, double groups, double payload,
                         bool isExact, bool isSplit,
                         const CollectiveCosts &costs);

/// A partial reduction along the dimensions \p dims (bits), of each processor's
/// part of \p region, which is flooded there; \p payload bytes an element.
Traffic partialTraffic(const zrt::Distribution &distribution,
                       const zrt_region &region, int dims, double payload,
                       bool isExact, const CollectiveCosts &costs);

/// A wave; order and steps as zrt_wave's.
Traffic waveTraffic(const zrt::Distribution &distribution,
                    const zrt_region &region,
                    const std::vector<ItemNumbers> &items,
                    const zrt_wave &wave);

/// Elements of \p region that go to any processors.
Traffic scatteredTraffic(const zrt::Distribution &distribution,
                         const zrt_region &region, int64_t elementBytes);

/// Text of \p region, which processor 0 writes.
Traffic outputTraffic(const zrt::Distribution &distribution,
                      const zrt_region &region, int64_t elementBytes);

/// Indices of \p region on the processor that has most of them, and on all.
struct Points {
  double most = 0, all = 0;
};
Points pointsOf(const zrt::Distribution &distribution,
                const zrt_region &region);

} // namespace predict

#endif // ZPL_PREDICT_TRAFFIC_H
