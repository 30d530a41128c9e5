//===- SimTransport.h - Processors of a simulated machine -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SIM_SIMTRANSPORT_H
#define ZRT_TRANSPORT_SIM_SIMTRANSPORT_H

#include "Transport/Transport.h"
#include "Transport/sim/Scheduler.h"

#include <functional>
#include <memory>
#include <string>

namespace zrt::sim {

/// What one processor does from its start to its end, with its transport.
using ProcessorBody = std::function<void(std::unique_ptr<Transport>)>;

/// Runs \p body on each processor of \p setup; its stacks are chosen here. False,
/// with a sentence in \p error, if there is too little memory for them, or they
/// cannot be started. After it `events` tells of the simulation's own work.
bool simulate(Setup setup, const ProcessorBody &body, std::string &error,
              uint64_t &events);

/// Whether this process simulates a machine.
bool isSimulation();
/// Memory that arrays of all processors may have in common, whose elements do not
/// matter: at least \p bytes, on a cache line; null if there is no address space
/// for it. Only in a simulation, which keeps it.
void *commonMemory(size_t bytes);

/// The program has ended on this processor of a simulated machine; what follows
/// does not count. Does nothing elsewhere.
void noteSimulatedEnd();
/// What is predicted, for a profile; "" in other runs.
std::string simulationSummary();

/// What messages of the simulated machine take, in nanoseconds: one, and per
/// byte. Only in a simulation.
struct MessageCost {
  double message, byte;
};
MessageCost simulatedMessageCost();

} // namespace zrt::sim

#endif // ZRT_TRANSPORT_SIM_SIMTRANSPORT_H
