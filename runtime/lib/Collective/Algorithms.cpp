//===- Algorithms.cpp - The selector of collectives -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A sum of one double over four processors of shm, that of a million, and the
// maximum of a million, with the numbers of Collectives.def:
//
//     gather       the transport brings all parts to all in one step
//     pairwise     each adds up a quarter, quarters go round
//     ring         the same; the order of a maximum does not matter
//
// Every algorithm has an estimate, linear in the number of messages that wait
// for each other and in the bytes that go through one member; with more
// processes than cores, in the turns they take and the work of all. The
// cheapest of those that can do the job is taken (Brewer's selection, with the
// model written down instead of fitted). All members have the same numbers, so
// they take the same one. What the choice depends on is the same for all jobs
// of one place in a program, so each slice keeps its last choice per operation:
// a reduction in a loop finds it by three comparisons.
//
// ZRT_COLLECTIVE forces algorithms, for tests and for measurements.
//
//===----------------------------------------------------------------------===//

#include "Collective/Algorithms.h"

#include "Collective/AlgorithmTools.h"
#include "Machine/RunFigures.h"
#include "Transport/sim/SimTransport.h"

#include <cstring>
#include <limits>
#include <unistd.h>

namespace zrt {

static constexpr Algorithm Table[] = {
#define ZRT_TERMS(expression)                                                  \
  [](const CostTerms &t) -> double {                                           \
    [[maybe_unused]] auto [p, up, down, segments, odd] = t;                    \
    return expression;                                                         \
  }
#define ZRT_COLLECTIVE(operation, name, needs, rounds, copies, work, function) \
  {Collective::operation,                                                      \
   name,                                                                       \
   Needs::needs,                                                               \
   ZRT_TERMS(rounds),                                                          \
   ZRT_TERMS(copies),                                                          \
   ZRT_TERMS(work),                                                            \
   function},
#include "Collective/Collectives.def"
#undef ZRT_TERMS
};

std::span<const Algorithm> algorithmTable() { return Table; }

const char *text(Collective operation) {
  static const char *const texts[CollectiveCount] = {"broadcast", "reduce",
                                                     "allgather", "barrier"};
  return texts[static_cast<int>(operation)];
}

namespace {

/// What a transport is estimated to take, in seconds.
struct TransportCost {
  double message, byte, gather, member, turn;
};

/// The forced ones; null: none.
const Algorithm *forced[CollectiveCount];

/// A simulated machine says itself what messages take there.
TransportCost costOfSimulated() {
  constexpr double Nano = 1e-9;
  sim::MessageCost cost = sim::simulatedMessageCost();
  return {cost.message * Nano, cost.byte * Nano, 0, 0, 0};
}

TransportCost costOf(const Transport &transport) {
  if (std::strcmp(transport.name(), "sim") == 0)
    return costOfSimulated();
  const RunFigures &f = runFigures();
  if (std::strcmp(transport.name(), "shm") == 0)
    return {f.shmMessage, f.shmByte, f.shmGather, f.shmMember, f.shmTurn};
  return {f.otherMessage, f.otherByte, f.otherGather, f.otherMember,
          f.otherTurn};
}

/// The number of cores of the machine, whichever of them this process may use:
/// the others see the same number.
int cores() {
  static const int number =
      std::max(1, static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
  return number;
}

/// What one member would give Transport::gather; 0: it is of no use.
size_t gatheredPart(Collective operation, const Job &job) {
  switch (operation) {
  case Collective::Broadcast:
  case Collective::Reduce:
    return job.bytes;
  case Collective::Allgather:
    for (int m = 0; m < job.slice.size(); ++m)
      if (job.offsets[m] != job.offsets[1] * static_cast<size_t>(m))
        return 0;
    return job.offsets[job.slice.size()] ==
                   job.offsets[1] * static_cast<size_t>(job.slice.size())
               ? job.offsets[1]
               : 0;
  case Collective::Barrier:
    return 1;
  }
  __builtin_unreachable();
}

bool canDo(const Algorithm &algorithm, const Job &job) {
  switch (algorithm.needs) {
  case Needs::Nothing:
    return true;
  case Needs::Gather: {
    size_t part = gatheredPart(algorithm.operation, job);
    return part > 0 && part <= job.transport.gatherLimit(job.slice.size());
  }
  case Needs::Exact:
    return job.reducer->isExact;
  }
  __builtin_unreachable();
}

const Algorithm &cheapest(Collective operation, const Job &job) {
  const Algorithm *best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Algorithm &algorithm : Table) {
    if (algorithm.operation != operation)
      continue;
    double cost = estimate(algorithm, job);
    if (cost < least) {
      least = cost;
      best = &algorithm;
    }
  }
  return *best;
}

} // namespace

double estimate(const Algorithm &algorithm, const Job &job) {
  if (!canDo(algorithm, job))
    return std::numeric_limits<double>::infinity();
  const TransportCost cost = costOf(job.transport);
  unsigned members = static_cast<unsigned>(job.slice.size());
  CostTerms terms;
  terms.p = members;
  terms.up = std::bit_width(members - 1);
  terms.down = std::bit_width(members) - 1;
  size_t segments = (job.bytes + PipelineSegment - 1) / PipelineSegment;
  terms.segments = static_cast<double>(std::max<size_t>(1, segments));
  terms.odd = terms.up > terms.down ? 1 : 0;
  double time = static_cast<double>(job.bytes) * cost.byte;
  if (cost.turn > 0 && job.transport.size() > cores())
    return algorithm.rounds(terms) * terms.p * cost.turn +
           algorithm.work(terms) / cores() * time;
  time *= algorithm.copies(terms);
  if (algorithm.needs == Needs::Gather)
    return cost.gather + terms.p * cost.member + time;
  return algorithm.rounds(terms) * cost.message + time;
}

const Algorithm &selectAlgorithm(Collective operation, const Job &job) {
  Selection &last = job.slice.last[static_cast<int>(operation)];
  bool isExact = job.reducer && job.reducer->isExact;
  size_t part = gatheredPart(operation, job);
  if (last.algorithm && last.bytes == job.bytes && last.part == part &&
      last.isExact == isExact)
    return *last.algorithm;
  const Algorithm *wish = forced[static_cast<int>(operation)];
  const Algorithm &chosen =
      wish && canDo(*wish, job) ? *wish : cheapest(operation, job);
  last = {&chosen, job.bytes, part, isExact};
  return chosen;
}

//===----------------------------------------------------------------------===//
// Forcing
//===----------------------------------------------------------------------===//

/// What users may write: the operations, or the algorithms of one.
static std::string names(const Collective *operation) {
  std::string all;
  auto add = [&](const char *name) {
    all += all.empty() ? "" : ", ";
    all += name;
  };
  if (!operation)
    for (int k = 0; k < CollectiveCount; ++k)
      add(text(static_cast<Collective>(k)));
  for (const Algorithm &algorithm : Table)
    if (operation && algorithm.operation == *operation)
      add(algorithm.name);
  return all;
}

/// One `operation:algorithm`.
static bool forceOne(std::string_view choice, const Algorithm **wishes,
                     std::string &error) {
  size_t colon = choice.find(':');
  std::string_view name = choice.substr(0, colon);
  for (int k = 0; k < CollectiveCount; ++k) {
    Collective operation = static_cast<Collective>(k);
    if (name != text(operation))
      continue;
    std::string_view wanted =
        colon == choice.npos ? "" : choice.substr(colon + 1);
    for (const Algorithm &algorithm : Table)
      if (algorithm.operation == operation && wanted == algorithm.name) {
        wishes[k] = &algorithm;
        return true;
      }
    error = "ZRT_COLLECTIVE: '" + std::string(name) + "' has no algorithm '" +
            std::string(wanted) + "'; there are: " + names(&operation);
    return false;
  }
  error = "ZRT_COLLECTIVE: there is no operation '" + std::string(name) +
          "'; write OPERATION:ALGORITHM, separated by commas, with one of: " +
          names(nullptr);
  return false;
}

bool forceAlgorithms(std::string_view choices, std::string &error) {
  const Algorithm *wishes[CollectiveCount] = {};
  while (!choices.empty()) {
    size_t comma = std::min(choices.find(','), choices.size());
    if (!forceOne(choices.substr(0, comma), wishes, error))
      return false;
    choices.remove_prefix(std::min(comma + 1, choices.size()));
  }
  std::copy(std::begin(wishes), std::end(wishes), forced);
  return true;
}

} // namespace zrt
