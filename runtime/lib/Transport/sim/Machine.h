//===- Machine.h - The machine that is simulated ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SIM_MACHINE_H
#define ZRT_TRANSPORT_SIM_MACHINE_H

#include <cstdint>
#include <string>
#include <string_view>

namespace zrt::sim {

/// How processors are connected: says how many hops a message makes, and what
/// messages share.
enum class Topology : uint8_t {
  Flat,    ///< as many hops, none, from each to each
  Mesh,    ///< a rectangle as square as can be, row by row
  Torus,   ///< the same, closed in both dimensions
  FatTree, ///< leaves of a tree of which each inner node has four children
  Bus      ///< one medium that carries one message at a time
};

/// The costs of a machine: LogGP (Alexandrov, Ionescu, Schauser and Scheiman
/// 1995), in seconds and seconds per byte, with what hops and the receiver's
/// side add.
struct Machine {
  std::string name;
  std::string transport;   ///< the name of the section that was read
  double latency = 0;      ///< L: from the sender's network to the receiver's
  double send = 0;         ///< o_s: of the sender's processor, per message
  double receive = 0;      ///< o_r: of the receiver's
  double gap = 0;          ///< g: least time from one message to the next
  double byte = 0;         ///< G: of the network, per byte
  double receiveByte = 0;  ///< of the receiver's processor, per byte
  double hop = 0;          ///< in addition to `latency`, per hop
  bool contention = false; ///< messages for one receiver wait for each other
  Topology topology = Topology::Flat;

  bool hasProcessor = false; ///< whether the file says what computing costs
  double operation = 0;      ///< per operation on doubles
  double memoryByte = 0;     ///< per byte that is read or written
};

/// Reads the text of a machine file, "transports" and "processor" of it; of
/// several transports the one called \p transport, or "" for the first. False,
/// with a sentence in \p error, if something is missing, negative or unknown.
bool parseMachine(std::string_view text, const std::string &transport,
                  Machine &machine, std::string &error);

/// The same of a file: \p name is a path if it has a '/' or ends in ".json",
/// else NAME.json in the folder \p installed.
bool findMachine(const std::string &name, const std::string &installed,
                 const std::string &transport, Machine &machine,
                 std::string &error);

} // namespace zrt::sim

#endif // ZRT_TRANSPORT_SIM_MACHINE_H
