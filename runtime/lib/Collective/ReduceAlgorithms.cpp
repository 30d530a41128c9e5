//===- ReduceAlgorithms.cpp - Ways to combine payloads --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// *One order.* All algorithms but the ring combine in the same order, which
// depends on the number of members only. With seven members, the first three
// pairs are made blocks, so that four blocks are left; over these stands a
// complete tree:
//
//     ((0 1) (2 3)) ((4 5) 6)
//
// Neighbours stay neighbours, so states of a program, whose operator need not
// be commutative, come in the members' order. Sums of floating-point values
// have the same bits whichever algorithm, and thus whichever transport, adds
// them up. In the ring each part of the payload is combined in an order of its
// own; it serves operators of which that cannot be seen (`isExact`).
//
// *The same bits on all members.* What a member has of a node of the tree is
// computed from the same two operands, whoever does it. But a processor's
// addition of two NaNs gives one of them, and a compiler may exchange the
// operands. So NaNs of results are made one in the end (Collective.cpp), and
// for all other values the built-in operators do not care which comes first.
//
//   gather     all parts to all by Transport::gather; each member combines them
//   butterfly  pairs make blocks; in step s = 1, 2, 4 ... block b and block
//              b xor s exchange what they have; the others of the pairs get
//              the result
//   binomial   the same, but of two blocks the lower one receives; the result
//              goes down a broadcast tree
//   pairwise   each member gets its part of everybody's payload, combines, and
//              parts go round a ring
//   ring       parts go round once and are combined on the way, then again
//
// Cost: see Collectives.def. Memory: gather p payloads, the last two about one
// or a part of one, the others one.
//
//===----------------------------------------------------------------------===//

#include "Collective/AlgorithmTools.h"

namespace zrt {

void shift(const Job &job, int to, const char *out, size_t outBytes, int from,
           char *in, size_t inBytes, bool sendsFirst) {
  if (to == from && outBytes == inBytes && outBytes > 0)
    return job.transport.exchange(memberAt(job, to), out, in, outBytes);
  if (sendsFirst)
    sendTo(job, to, out, outBytes);
  receiveFrom(job, from, in, inBytes);
  if (!sendsFirst)
    sendTo(job, to, out, outBytes);
}

void combineAll(const Reducer &reducer, char *all, int members, size_t bytes) {
  Blocks blocks(members);
  auto at = [&](int place) { return all + static_cast<size_t>(place) * bytes; };
  for (int b = 0; b < blocks.pairs; ++b)
    reducer.take(at(2 * b), at(2 * b + 1), bytes, /*isBefore=*/false);
  for (int step = 1; step < blocks.count; step *= 2)
    for (int b = 0; b < blocks.count; b += 2 * step)
      reducer.take(at(blocks.place(b)), at(blocks.place(b + step)), bytes,
                   /*isBefore=*/false);
}

std::vector<size_t> evenParts(size_t bytes, size_t size, int members) {
  size_t count = bytes / size, m = static_cast<size_t>(members);
  size_t part = (count + m - 1) / m * size;
  std::vector<size_t> offsets;
  for (size_t k = 0; k <= m; ++k)
    offsets.push_back(std::min(k * part, bytes));
  return offsets;
}

void reduceByGather(const Job &job) {
  int members = job.slice.size();
  Scratch all(static_cast<size_t>(members) * job.bytes);
  job.transport.gather(job.slice.members.data(), members, job.slice.self,
                       job.data, job.bytes, all.data());
  combineAll(*job.reducer, all.data(), members, job.bytes);
  std::memcpy(job.data, all.data(), job.bytes);
}

/// The lower member of a pair takes the values of the upper one. False for the
/// upper ones: they wait for the result.
static bool joinPairs(const Job &job, const Blocks &blocks, char *other) {
  int self = job.slice.self;
  if (!blocks.isPaired(self))
    return true;
  if (self % 2 == 1) {
    sendTo(job, self - 1, job.data, job.bytes);
    return false;
  }
  receiveFrom(job, self + 1, other, job.bytes);
  job.reducer->take(job.data, other, job.bytes, /*isBefore=*/false);
  return true;
}

void reduceByButterfly(const Job &job) {
  Blocks blocks(job.slice.size());
  int self = job.slice.self;
  Scratch other(job.bytes);
  if (!joinPairs(job, blocks, other.data()))
    return receiveFrom(job, self - 1, job.data, job.bytes);
  int own = blocks.block(self);
  for (int step = 1; step < blocks.count; step *= 2) {
    int partner = own ^ step;
    job.transport.exchange(memberAt(job, blocks.place(partner)), job.data,
                           other.data(), job.bytes);
    job.reducer->take(job.data, other.data(), job.bytes,
                      /*isBefore=*/partner < own);
  }
  if (blocks.isPaired(self))
    sendTo(job, self + 1, job.data, job.bytes);
}

void reduceByTree(const Job &job) {
  Blocks blocks(job.slice.size());
  Scratch other(job.bytes);
  bool climbs = joinPairs(job, blocks, other.data());
  int own = blocks.block(job.slice.self);
  for (int step = 1; climbs && step < blocks.count; step *= 2) {
    if (own & step) {
      sendTo(job, blocks.place(own - step), job.data, job.bytes);
      break;
    }
    receiveFrom(job, blocks.place(own + step), other.data(), job.bytes);
    job.reducer->take(job.data, other.data(), job.bytes, /*isBefore=*/false);
  }
  Job down = job;
  down.root = 0;
  broadcastByTree(down);
}

/// Each round is a matching: of places whose sum is the round's number modulo
/// that of members. So pairs wait for each other only, and for earlier rounds.
void reduceByPairs(const Job &job) {
  int members = job.slice.size(), self = job.slice.self;
  std::vector<size_t> offsets =
      evenParts(job.bytes, job.reducer->size, members);
  auto part = [&](int m) { return offsets[m + 1] - offsets[m]; };
  size_t own = part(self);
  Scratch all(own * static_cast<size_t>(members));
  for (int round = 0; round < members; ++round) {
    int partner = (round - self + members) % members;
    char *place = all.data() + own * static_cast<size_t>(partner);
    if (partner == self)
      std::memcpy(place, job.data + offsets[self], own);
    else
      shift(job, partner, job.data + offsets[partner], part(partner), partner,
            place, own, self < partner);
  }
  combineAll(*job.reducer, all.data(), members, own);
  std::memcpy(job.data + offsets[self], all.data(), own);
  Job rest = job;
  rest.offsets = offsets.data();
  allgatherByRing(rest);
}

/// Part m starts at member m + 1 and comes to member m with all others' in it.
void reduceByRing(const Job &job) {
  int members = job.slice.size(), self = job.slice.self;
  std::vector<size_t> offsets =
      evenParts(job.bytes, job.reducer->size, members);
  auto part = [&](int m) { return offsets[m + 1] - offsets[m]; };
  Scratch other(part(0));
  int next = (self + 1) % members, last = (self + members - 1) % members;
  for (int step = 1; step < members; ++step) {
    int leaves = (self - step + members) % members;
    int comes = (leaves - 1 + members) % members;
    shift(job, next, job.data + offsets[leaves], part(leaves), last,
          other.data(), part(comes), sendsFirst(self, 1));
    job.reducer->take(job.data + offsets[comes], other.data(), part(comes),
                      /*isBefore=*/true);
  }
  Job rest = job;
  rest.offsets = offsets.data();
  allgatherByRing(rest);
}

} // namespace zrt
