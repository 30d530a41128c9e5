//===- SpreadAlgorithms.cpp - Broadcasts, all-gathers, barriers -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Broadcast, six members, from member 0 (another root is renumbered to 0):
//
//   binomial   0 -> 4; 0 -> 2, 4 unless beyond; 0 -> 1, 2 -> 3, 4 -> 5
//   scatter    the root gives each member a part; parts go round a ring
//   pipeline   0 -> 1 -> 2 -> ... -> 5, in segments that follow each other
//
// All-gather, the parts being of any lengths that all members know:
//
//   gather         Transport::gather, of equal parts
//   dissemination  in step s = 1, 2, 4 ... member m sends what it has, its own
//                  part and up to s - 1 after it, to member m - s (Bruck et
//                  al.); works for any number, as the last step sends less
//   ring           in each step the part that came last goes to the next one
//
// Barrier:
//
//   gather         of a byte
//   dissemination  in step s = 1, 2, 4 ... member m tells member m + s, and
//                  hears of m - s; after it everybody has heard of 2s members
//                  (Hensgen, Finkel and Manber)
//   binomial       up a tree and down again
//
// Messages may block until they are received, so of those that send around a
// circle some receive first (`sendsFirst`).
//
//===----------------------------------------------------------------------===//

#include "Collective/AlgorithmTools.h"

namespace zrt {

//===----------------------------------------------------------------------===//
// Broadcast
//===----------------------------------------------------------------------===//

/// Numbers members so that the root is 0.
static int fromRoot(const Job &job, int place) {
  int members = job.slice.size();
  return (place - job.root + members) % members;
}
static int placeOf(const Job &job, int number) {
  return (number + job.root) % job.slice.size();
}

void broadcastByTree(const Job &job) {
  int members = job.slice.size(), own = fromRoot(job, job.slice.self);
  int step = 1; // the bit by which the parent differs, or the whole tree's
  while (step < members && !(own & step))
    step *= 2;
  if (own != 0)
    receiveFrom(job, placeOf(job, own - step), job.data, job.bytes);
  for (step /= 2; step > 0; step /= 2)
    if (own + step < members)
      sendTo(job, placeOf(job, own + step), job.data, job.bytes);
}

void broadcastByScatter(const Job &job) {
  constexpr size_t Line = 64; // parts share no cache line
  int members = job.slice.size(), self = job.slice.self;
  std::vector<size_t> offsets =
      evenParts(job.bytes / Line * Line, Line, members);
  offsets.back() = job.bytes;
  auto part = [&](int m) { return offsets[m + 1] - offsets[m]; };
  if (self != job.root)
    receiveFrom(job, job.root, job.data + offsets[self], part(self));
  for (int m = 0; self == job.root && m < members; ++m)
    if (m != self)
      sendTo(job, m, job.data + offsets[m], part(m));
  Job rest = job;
  rest.offsets = offsets.data();
  allgatherByRing(rest);
}

void broadcastByPipeline(const Job &job) {
  int members = job.slice.size(), own = fromRoot(job, job.slice.self);
  for (size_t at = 0; at < job.bytes; at += PipelineSegment) {
    size_t bytes = std::min(PipelineSegment, job.bytes - at);
    if (own > 0)
      receiveFrom(job, placeOf(job, own - 1), job.data + at, bytes);
    if (own + 1 < members)
      sendTo(job, placeOf(job, own + 1), job.data + at, bytes);
  }
}

//===----------------------------------------------------------------------===//
// All-gather
//===----------------------------------------------------------------------===//

void allgatherByGather(const Job &job) {
  int members = job.slice.size();
  size_t bytes = job.offsets[1];
  Scratch own(bytes); // `gather` may write to `data` before it has read
  std::memcpy(own.data(), job.data + job.offsets[job.slice.self], bytes);
  job.transport.gather(job.slice.members.data(), members, job.slice.self,
                       own.data(), bytes, job.data);
}

void allgatherByDissemination(const Job &job) {
  int members = job.slice.size(), self = job.slice.self;
  auto part = [&](int m) { return job.offsets[m + 1] - job.offsets[m]; };
  // Parts from the own one on, and where they are in that order.
  std::vector<size_t> turned(1, 0);
  for (int k = 0; k < members; ++k)
    turned.push_back(turned.back() + part((self + k) % members));
  Scratch all(turned.back());
  std::memcpy(all.data(), job.data + job.offsets[self], part(self));
  for (int step = 1; step < members; step *= 2) {
    int count = std::min(step, members - step);
    int to = (self - step + members) % members, from = (self + step) % members;
    shift(job, to, all.data(), turned[count], from, all.data() + turned[step],
          turned[step + count] - turned[step], sendsFirst(self, step));
  }
  for (int k = 1; k < members; ++k) {
    int m = (self + k) % members;
    std::memcpy(job.data + job.offsets[m], all.data() + turned[k], part(m));
  }
}

void allgatherByRing(const Job &job) {
  int members = job.slice.size(), self = job.slice.self;
  auto part = [&](int m) { return job.offsets[m + 1] - job.offsets[m]; };
  int next = (self + 1) % members, last = (self + members - 1) % members;
  for (int step = 1; step < members; ++step) {
    int leaves = (self - step + 1 + members) % members;
    int comes = (self - step + members) % members;
    shift(job, next, job.data + job.offsets[leaves], part(leaves), last,
          job.data + job.offsets[comes], part(comes), sendsFirst(self, 1));
  }
}

//===----------------------------------------------------------------------===//
// Barrier
//===----------------------------------------------------------------------===//

void barrierByGather(const Job &job) {
  char byte = 0;
  Scratch all(static_cast<size_t>(job.slice.size()));
  job.transport.gather(job.slice.members.data(), job.slice.size(),
                       job.slice.self, &byte, 1, all.data());
}

void barrierByDissemination(const Job &job) {
  int members = job.slice.size(), self = job.slice.self;
  for (int step = 1; step < members; step *= 2) {
    char out = 0, in = 0;
    shift(job, (self + step) % members, &out, 1,
          (self - step + members) % members, &in, 1, sendsFirst(self, step));
  }
}

void barrierByTree(const Job &job) {
  /// Combines nothing: the messages alone are the barrier.
  struct None : Reducer {
    void take(char *, char *, size_t, bool) const override {}
  } none;
  char byte = 0;
  Job all = job;
  all.data = &byte;
  all.bytes = 1;
  all.reducer = &none;
  reduceByTree(all);
}

} // namespace zrt
