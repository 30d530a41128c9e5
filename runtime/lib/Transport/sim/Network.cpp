//===- Network.cpp - What messages take on a machine ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A message of k bytes, by LogGP with hops and a busy receiver:
//
//     sender      o_s |                     processor
//     its port        | max(g, k G) ...|    the next one leaves after that
//     network         | L + hops * hop + k G |
//     receiver's port                  |...| max(g, k G), one after the other
//     receiver                              | o_r + k * receive_byte |
//
// A stream of messages to one receiver comes in at the rate at which one sender
// sends, so a receiver's port changes nothing for a single sender, and many
// senders share it: the last of 63 messages of k bytes is there 62 k G after the
// first. (Brewer, chapter 7: what permutations with barriers avoid.)
//
// Hops: of a mesh the distance in rows and columns of the rectangle that is
// closest to a square; of a torus the shorter way round; of a fat tree up to the
// node that both leaves are below, and down. What hops share is not modelled
// but for the bus, of which there is one.
//
//===----------------------------------------------------------------------===//

#include "Transport/sim/Network.h"

#include <algorithm>
#include <cstdlib>

using namespace zrt::sim;

Network::Network(const Machine &machine, int processors)
    : latency(ticksOf(machine.latency)), send(ticksOf(machine.send)),
      receive(ticksOf(machine.receive)), gap(ticksOf(machine.gap)),
      hop(ticksOf(machine.hop)), byte(machine.byte * TicksPerSecond),
      receiveByte(machine.receiveByte * TicksPerSecond),
      contention(machine.contention), topology(machine.topology), rows(1) {
  for (int k = 1; k * k <= processors; ++k)
    if (processors % k == 0)
      rows = k;
  columns = processors / rows;
}

int Network::hops(int from, int to) const {
  switch (topology) {
  case Topology::Flat:
  case Topology::Bus:
    return 0;
  case Topology::Mesh:
    return std::abs(from / columns - to / columns) +
           std::abs(from % columns - to % columns);
  case Topology::Torus: {
    int down = std::abs(from / columns - to / columns);
    int along = std::abs(from % columns - to % columns);
    return std::min(down, rows - down) + std::min(along, columns - along);
  }
  case Topology::FatTree: {
    constexpr int Children = 4;
    int levels = 0;
    for (; from != to; from /= Children, to /= Children)
      ++levels;
    return 2 * levels;
  }
  }
  __builtin_unreachable();
}

Ticks Network::occupation(size_t bytes) const {
  return std::max(gap, perByte(byte, bytes));
}

Ticks Network::depart(Port &port, Ticks now, size_t bytes) {
  Ticks departure = std::max(now, port.sendFree);
  if (hasBus()) {
    departure = std::max(departure, busFree);
    busFree = departure + occupation(bytes);
  }
  port.sendFree = departure + occupation(bytes);
  return departure;
}

Ticks Network::arrive(Ticks departure, int from, int to, size_t bytes) const {
  return departure + latency + hop * hops(from, to) + perByte(byte, bytes);
}

Ticks Network::comeIn(Port &port, Ticks arrival, size_t bytes) const {
  if (!contention)
    return arrival;
  Ticks ready = std::max(arrival, port.receiveFree + occupation(bytes));
  port.receiveFree = ready;
  return ready;
}
