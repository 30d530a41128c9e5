//===- Algorithms.h - The algorithm table of collectives --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each collective operation has several algorithms, all for any number of
/// members; Collectives.def lists them with what they need and cost. One
/// selector picks (Algorithms.cpp). The operations for users are in
/// Collective.h.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_ALGORITHMS_H
#define ZRT_COLLECTIVE_ALGORITHMS_H

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace zrt {

class Transport;
struct Slice;

/// What members do together.
enum class Collective : uint8_t { Broadcast, Reduce, Allgather, Barrier };
inline constexpr int CollectiveCount = 4;

/// "broadcast", ...
const char *text(Collective operation);

/// How two payloads become one, value by value.
class Reducer {
public:
  virtual ~Reducer() = default;
  /// Combines \p bytes bytes of values at \p other into those at \p into; they
  /// are those of higher members unless \p isBefore. \p other is lost.
  virtual void take(char *into, char *other, size_t bytes,
                    bool isBefore) const = 0;

  size_t size = 1;      ///< of a value; payloads are cut between values
  bool isExact = false; ///< in any order, and the other way round, the same
};

/// One operation of one member.
struct Job {
  Transport &transport;
  const Slice &slice;
  /// Broadcast: the payload, at the root or to be. Reduce: the member's values,
  /// then the result. Allgather: room for all parts, the own one in place.
  char *data = nullptr;
  size_t bytes = 0; ///< at data
  int root = 0;     ///< Broadcast: the place of
  /// Reduce.
  const Reducer *reducer = nullptr;
  /// Allgather: where each member's part begins, and the end of the last one.
  const size_t *offsets = nullptr;
};

/// What an algorithm cannot do without.
enum class Needs : uint8_t {
  Nothing,
  Gather, ///< a transport that gathers payloads of this size
  Exact   ///< a reduction in which the order does not matter
};

/// The quantities that costs are made of.
struct CostTerms {
  double p;        ///< members, at least 2
  double up;       ///< log2 p, rounded up
  double down;     ///< log2 p, rounded down
  double segments; ///< of PipelineSegment bytes, at least 1
  double odd;      ///< 1 if p is no power of two, else 0
};

/// A line of Collectives.def.
struct Algorithm {
  Collective operation;
  const char *name;
  Needs needs;
  double (*rounds)(const CostTerms &); ///< messages, one behind the other
  double (*copies)(const CostTerms &); ///< payloads, one behind the other
  double (*work)(const CostTerms &);   ///< payloads that members move
  void (*run)(const Job &job);
};

/// The whole table.
std::span<const Algorithm> algorithmTable();

/// Pieces in which payloads go down a chain.
inline constexpr size_t PipelineSegment = size_t(1) << 16;

/// A choice and what it was made for.
struct Selection {
  const Algorithm *algorithm = nullptr;
  size_t bytes = 0;
  size_t part = 0;
  bool isExact = false;
};

/// The algorithm for \p job, the same on all members: the one that was forced,
/// if it can do it, else the cheapest by the estimates of Collectives.def.
const Algorithm &selectAlgorithm(Collective operation, const Job &job);

/// Forces algorithms for all jobs that they can do: "reduce:ring,barrier:
/// binomial"; "" forces none. False, with a sentence in \p error, if there are
/// no such ones; then nothing changes. To be called before any collective.
bool forceAlgorithms(std::string_view choices, std::string &error);

/// What \p algorithm is estimated to take, in nanoseconds; infinite if it
/// cannot do it.
double estimate(const Algorithm &algorithm, const Job &job);

} // namespace zrt

#endif // ZRT_COLLECTIVE_ALGORITHMS_H
