//===- Network.h - What messages take on a machine --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SIM_NETWORK_H
#define ZRT_TRANSPORT_SIM_NETWORK_H

#include "Transport/sim/Machine.h"

#include <cstddef>
#include <cstdint>

namespace zrt::sim {

/// Virtual time, in picoseconds: integers, so that sums do not depend on their
/// order; 106 days are in range.
using Ticks = int64_t;
inline constexpr double TicksPerSecond = 1e12;

inline Ticks ticksOf(double seconds) {
  return static_cast<Ticks>(seconds * TicksPerSecond + 0.5);
}
inline double secondsOf(Ticks ticks) {
  return static_cast<double>(ticks) / TicksPerSecond;
}

/// The side of the network of one processor, and what it is busy with.
struct Port {
  Ticks sendFree = 0;    ///< when the next message may leave
  Ticks receiveFree = 0; ///< when the one before has come in
};

/// A machine with a number of processors.
class Network {
public:
  Network(const Machine &machine, int processors);

  /// Wires that a message from \p from to \p to goes along, in addition to what
  /// the latency is for.
  int hops(int from, int to) const;

  /// The sender's processor, per message.
  Ticks sendCost() const { return send; }
  /// The receiver's processor, for \p bytes bytes.
  Ticks receiveCost(size_t bytes) const {
    return receive + perByte(receiveByte, bytes);
  }

  /// A message is given to the network at \p now: when it leaves. Takes up
  /// \p port, and of a bus the medium.
  Ticks depart(Port &port, Ticks now, size_t bytes);
  /// When the last byte of one that left at \p departure is at \p to.
  Ticks arrive(Ticks departure, int from, int to, size_t bytes) const;
  /// When one that arrived at \p arrival can be taken: after those before it,
  /// where these are in its way. To be called in the order of arrivals.
  Ticks comeIn(Port &port, Ticks arrival, size_t bytes) const;

  /// Whether messages of different senders are in each other's way: at the
  /// receiver, on the medium.
  bool hasContention() const { return contention; }
  bool hasBus() const { return topology == Topology::Bus; }
  /// The least time from a departure to an arrival.
  Ticks leastLatency() const { return latency; }

private:
  /// What \p bytes bytes take.
  static Ticks perByte(double ticks, size_t bytes) {
    return static_cast<Ticks>(ticks * static_cast<double>(bytes) + 0.5);
  }
  Ticks occupation(size_t bytes) const;

  Ticks latency, send, receive, gap, hop;
  double byte, receiveByte; ///< ticks
  bool contention;
  Topology topology;
  int rows, columns;
  Ticks busFree = 0;
};

} // namespace zrt::sim

#endif // ZRT_TRANSPORT_SIM_NETWORK_H
