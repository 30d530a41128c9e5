//===- Time.cpp - What a machine takes for a program ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computing: operations and bytes of memory of the processor that has most
// indices, as the transport `sim` charges them. Of a machine that zpl-calibrate
// has measured it is the slower of both, M-loop by M-loop, with the memory's
// speed for as many bytes as the loop goes through.
//
// Messages, by LogGP: those of the busiest processor are sent one after the
// other and received in the order in which its partners' come, which are taken
// to send at the same times. For k messages of b bytes to different partners:
//
//     k * send, or what the network needs between them, if that is more
//     latency + hops + b * byte                  of the last one
//     receive + b * receive_byte                 of each
//
// A collective takes its rounds one after the other, and the bytes on the
// longest path. On a bus all bytes of all processors come one after the other.
//
//===----------------------------------------------------------------------===//

#include "Time.h"

#include "Transport/sim/Network.h"

#include <algorithm>
#include <cmath>

using namespace zrt::sim;

namespace predict {

std::vector<std::pair<std::string, double Machine::*>> coefficients() {
  return {
      {"latency", &Machine::latency},  {"send", &Machine::send},
      {"receive", &Machine::receive},  {"gap", &Machine::gap},
      {"byte", &Machine::byte},        {"receive_byte", &Machine::receiveByte},
      {"hop", &Machine::hop},          {"flop", &Machine::operation},
      {"memory", &Machine::memoryByte}};
}

CollectiveCosts collectiveCosts(const Machine &machine) {
  return {(machine.send + machine.latency + machine.receive) * 1e9,
          (machine.byte + machine.receiveByte) * 1e9};
}

/// Rounds of a collective; partners are as far away as processors that differ
/// in one bit of their number are on the whole.
static double roundsTime(const Traffic &traffic, const Machine &machine,
                         const Network &network, int processors) {
  double hops = 0, steps = 0;
  for (int step = 1; step < processors; step *= 2, ++steps)
    hops += network.hops(0, step);
  double hop = steps > 0 ? machine.hop * hops / steps : 0;
  return traffic.rounds *
             (machine.send + machine.latency + hop + machine.receive) +
         traffic.copied * (machine.byte + machine.receiveByte);
}

static double exchangeTime(const Traffic &traffic, const Machine &machine,
                           const Network &network) {
  auto occupation = [&](double bytes) {
    return std::max(machine.gap, machine.byte * bytes);
  };
  auto travel = [&](const Message &message) {
    return machine.latency +
           machine.hop * network.hops(traffic.busiest, message.partner) +
           machine.byte * message.bytes;
  };
  double clock = 0, port = 0;
  std::vector<double> departures;
  for (const Message &message : traffic.sends) {
    clock += machine.send;
    departures.push_back(std::max(clock, port));
    port = departures.back() + occupation(message.bytes);
  }
  double in = 0;
  for (size_t k = 0; k < traffic.receives.size(); ++k) {
    const Message &message = traffic.receives[k];
    double left = departures.empty()
                      ? machine.send
                      : departures[std::min(k, departures.size() - 1)];
    double ready = left + travel(message);
    if (machine.contention)
      in = ready = std::max(ready, in + occupation(message.bytes));
    clock = std::max(clock, ready) + machine.receive +
            machine.receiveByte * message.bytes;
  }
  return clock * traffic.repeats;
}

double timeOf(const Traffic &traffic, const Machine &machine, int processors) {
  if (traffic.messages == 0)
    return 0;
  Network network(machine, processors);
  double seconds = traffic.rounds > 0
                       ? roundsTime(traffic, machine, network, processors)
                       : exchangeTime(traffic, machine, network);
  if (network.hasBus()) {
    double each = traffic.bytes / traffic.messages;
    double bus = traffic.messages * std::max(machine.gap, machine.byte * each);
    seconds = std::max(seconds, bus + machine.latency);
  }
  return seconds;
}

/// What a wave's messages take to the last processor.
static double stagesTime(const Traffic &traffic, const Machine &machine) {
  return traffic.stages * (machine.send + machine.latency + machine.receive);
}

/// How fast a working set is read, relative to the largest that was measured.
static double memoryShare(const zpl::Machine &measured, double workingSet) {
  const zpl::Model *read = measured.models.find("read");
  const zpl::InputRange &range = read->ranges.front();
  double bytes = std::clamp(workingSet, range.least, range.most);
  double here = measured.models.predict(*read, {bytes}).cost / bytes;
  double most = measured.models.predict(*read, {range.most}).cost / range.most;
  return std::isfinite(here / most) && here > 0 ? std::min(here / most, 1.0)
                                                : 1.0;
}

/// M-loops on a machine that was measured: vectors compute while memory is
/// under way. A fused product and sum takes the time of one of them.
static double measuredTime(const Line &line, const Machine &machine,
                           const zpl::Machine &measured) {
  constexpr double Division = 4, Function = 20; // additions
  double seconds = 0;
  for (const LoopRun &run : line.runs) {
    auto count = [&](const char *name) {
      return double(run.entry->number(name));
    };
    double each = std::max(count("additions"), count("products")) +
                  count("others") + Division * count("divisions") +
                  Function * count("calls");
    double memory = run.points * count("bytes") * machine.memoryByte *
                    memoryShare(measured, run.workingSet);
    seconds += std::max(run.arithmetic * each * machine.operation, memory);
  }
  return seconds;
}

static bool hasMemory(const zpl::Machine *measured) {
  const zpl::Model *read = measured ? measured->models.find("read") : nullptr;
  return read && read->ranges.size() == 1 && read->inputs.size() == 1 &&
         read->ranges.front().least > 0;
}

ProgramTime timeOf(const Evaluation &evaluation, const Machine &machine,
                   const zpl::Machine *measured) {
  bool isMeasured = hasMemory(measured);
  ProgramTime time;
  double mean = 0, most = 0;
  for (const Line &line : evaluation.lines) {
    LineTime &one = time.lines.emplace_back();
    one.computing = isMeasured ? measuredTime(line, machine, *measured)
                               : line.operations * machine.operation +
                                     line.memoryBytes * machine.memoryByte;
    for (const auto &[traffic, times] : line.traffic)
      one.communicating +=
          times * stagesTime(*traffic, machine) +
          times * timeOf(*traffic, machine, evaluation.processors);
    one.communicating += line.waitingOperations * machine.operation +
                         line.waitingBytes * machine.memoryByte;
    time.computing += one.computing;
    time.communicating += one.communicating;
    mean += line.meanOperations;
    most += line.operations;
  }
  time.imbalance = mean > 0 ? most / mean : 1;
  return time;
}

} // namespace predict
