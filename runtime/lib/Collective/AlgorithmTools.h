//===- AlgorithmTools.h - What algorithms are made of -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions that Collectives.def names, and what several of them use:
/// messages between places of a slice, memory, the order of combining.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_COLLECTIVE_ALGORITHMTOOLS_H
#define ZRT_COLLECTIVE_ALGORITHMTOOLS_H

#include "Collective/Slice.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <vector>

namespace zrt {

#define ZRT_COLLECTIVE(operation, name, needs, rounds, copies, work, function) \
  void function(const Job &job);
#include "Collective/Collectives.def"

/// Memory for values of any type, on the stack if little.
class Scratch {
public:
  explicit Scratch(size_t bytes) {
    if (bytes > sizeof few) {
      many.resize((bytes + sizeof(Unit) - 1) / sizeof(Unit));
      memory = many.front().bytes;
    }
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  char *data() { return memory; }

private:
  struct alignas(std::max_align_t) Unit {
    char bytes[alignof(std::max_align_t)];
  };
  alignas(std::max_align_t) char few[1024];
  std::vector<Unit> many;
  char *memory = few;
};

inline int memberAt(const Job &job, int place) {
  return job.slice.members[static_cast<size_t>(place)];
}
inline void sendTo(const Job &job, int place, const char *data, size_t bytes) {
  if (bytes > 0)
    job.transport.send(memberAt(job, place), data, bytes);
}
inline void receiveFrom(const Job &job, int place, char *data, size_t bytes) {
  if (bytes > 0)
    job.transport.receive(memberAt(job, place), data, bytes);
}

/// Sends to one place and receives from another, or the same. Around each
/// circle of such pairs somebody must not send first, since sends may wait for
/// their receivers.
void shift(const Job &job, int to, const char *out, size_t outBytes, int from,
           char *in, size_t inBytes, bool sendsFirst);

/// Whether the member at \p place sends first if everybody sends to the place
/// \p distance < size further on, or back. Among the places that differ by
/// multiples of the greatest common divisor of both, some are below \p distance
/// and some are not, and one of each follow one another.
inline bool sendsFirst(int place, int distance) {
  return place / distance % 2 == 0;
}

/// The order in which payloads of all members are combined (Reduce.cpp): 2^k
/// blocks of one or two neighbours, then a complete tree over the blocks.
struct Blocks {
  int count; ///< of blocks, a power of two
  int pairs; ///< the first blocks have two members

  explicit Blocks(int members)
      : count(static_cast<int>(std::bit_floor(static_cast<unsigned>(members)))),
        pairs(members - count) {}
  /// The place of the first member of block \p b.
  int place(int b) const { return b < pairs ? 2 * b : b + pairs; }
  int block(int place) const {
    return place < 2 * pairs ? place / 2 : place - pairs;
  }
  bool isPaired(int place) const { return place < 2 * pairs; }
};

/// Combines payloads of \p bytes bytes of all \p members, side by side at \p
/// all, into the first one; the others are lost.
void combineAll(const Reducer &reducer, char *all, int members, size_t bytes);

/// Where each of \p members parts of a payload of \p bytes bytes begins, and
/// where the last one ends. Parts are whole values of \p size bytes, all but
/// the last ones of equal length.
std::vector<size_t> evenParts(size_t bytes, size_t size, int members);

} // namespace zrt

#endif // ZRT_COLLECTIVE_ALGORITHMTOOLS_H
