//===- TogetherClauses.cpp - exchange and gather --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The clauses about what processors do at the same time: `exchange`, a message
/// each way, and `gather`, small payloads of all to all. Collectives stand on
/// these two. A transport without a gather (limit 0) skips the clauses about
/// it.
///
//===----------------------------------------------------------------------===//

#include "../Random.h"
#include "Clauses.h"

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace zrt;
using namespace zrt::test;

namespace {

// --- exchange ---------------------------------------------------------------

void swapPattern(Context &context, int partner, int number, size_t bytes,
                 const char *what) {
  std::vector<char> out(bytes + 1), in(bytes + 1, -1);
  fillPattern(out.data(), bytes, context.rank(), number);
  context.transport.exchange(partner, out.data(), in.data(), bytes);
  context.expect(holdsPattern(in.data(), bytes, partner, number), what);
}

/// Both sides send before they receive, whatever the size.
void swapSizes(Context &context) {
  int partner = context.rank() ^ 1;
  if (partner >= context.size())
    return;
  for (size_t bytes : {size_t(0), size_t(1), size_t(8), size_t(4000),
                       size_t(65536), size_t(300001), context.largest()})
    swapPattern(context, partner, 1, bytes, "both payloads arrive whole");
}

/// The messages around an exchange stay in their order.
void swapOrder(Context &context) {
  int partner = context.rank() ^ 1;
  if (partner >= context.size())
    return;
  bool first = context.rank() < partner;
  for (int round = 0; round < 20; ++round) {
    int64_t before = round * 10 + 1, behind = round * 10 + 2;
    int64_t gotBefore = 0, gotBehind = 0;
    if (first)
      context.transport.send(partner, &before, sizeof before);
    else
      context.linger();
    if (!first)
      context.transport.receive(partner, &gotBefore, sizeof gotBefore);
    int64_t mine = round * 100 + context.rank(), its = 0;
    context.transport.exchange(partner, &mine, &its, sizeof mine);
    if (first)
      context.transport.send(partner, &behind, sizeof behind);
    else
      context.transport.receive(partner, &gotBehind, sizeof gotBehind);
    context.expect(its == round * 100 + partner,
                   "an exchange brings what the partner gave to it");
    context.expect(first || (gotBefore == before && gotBehind == behind),
                   "messages and exchanges of a pair are in order");
  }
}

/// Matchings of all kinds: butterflies, neighbours, random ones; some
/// processors are left out.
void swapPatterns(Context &context) {
  constexpr const char *What = "each matching's payloads arrive";
  int number = 0, size = context.size();
  for (int bit = 1; bit < size; bit *= 2, ++number)
    if ((context.rank() ^ bit) < size)
      swapPattern(context, context.rank() ^ bit, number, 100, What);
  Random random(context.caseSeed(0));
  for (int round = 0; round < context.cases(60); ++round, ++number) {
    std::vector<int> order(size);
    std::iota(order.begin(), order.end(), 0);
    for (int i = size - 1; i > 0; --i)
      std::swap(order[i], order[random(0, i)]);
    size_t bytes = random(0, 4) ? random(0, 300) : random(0, 150000);
    for (int i = 0; i + 1 < size; i += 2)
      for (int side : {0, 1})
        if (order[i + side] == context.rank())
          swapPattern(context, order[i + 1 - side], number, bytes, What);
  }
}

// --- gather -----------------------------------------------------------------

/// Payload \p number of \p from to everyone: a few bytes of it.
void gatherPattern(Context &context, const std::vector<int> &members,
                   int number, size_t bytes, const char *what) {
  int count = static_cast<int>(members.size());
  int place = static_cast<int>(
      std::find(members.begin(), members.end(), context.rank()) -
      members.begin());
  if (place == count)
    return;
  // A guard behind tells whether more was written.
  std::vector<char> mine(bytes + 1), all(bytes * count + 8, 99);
  fillPattern(mine.data(), bytes, context.rank(), number);
  context.transport.gather(members.data(), count, place, mine.data(), bytes,
                           all.data());
  std::fill(mine.begin(), mine.end(), -1);
  bool holds = true;
  for (int i = 0; i < count; ++i)
    holds &= holdsPattern(all.data() + i * bytes, bytes, members[i], number);
  for (int i = 0; i < 8; ++i)
    holds &= all[bytes * count + i] == 99;
  context.expect(holds, what);
}

std::vector<int> everybody(const Context &context) {
  std::vector<int> members(context.size());
  std::iota(members.begin(), members.end(), 0);
  return members;
}

/// Whether there is a gather for \p count; notes if not.
bool hasGather(Context &context, int count) {
  if (context.transport.gatherLimit(count) > 0)
    return true;
  context.skip("gatherLimit is 0");
  return false;
}

/// Behind each gather a barrier, so that no gather meets the next.
void gatherOrder(Context &context) {
  if (!hasGather(context, context.size()))
    return;
  for (int round = 0; round < 10; ++round) {
    gatherPattern(context, everybody(context), round, 1,
                  "payloads stand in the members' order");
    context.barrier();
  }
}

void gatherSizes(Context &context) {
  if (!hasGather(context, context.size()))
    return;
  size_t limit = context.transport.gatherLimit(context.size());
  for (size_t bytes : {size_t(0), size_t(1), size_t(2), size_t(3), limit / 2,
                       limit - 1, limit}) {
    gatherPattern(context, everybody(context), 3, std::min(bytes, limit),
                  "payloads of all sizes up to the limit arrive whole");
    context.barrier();
  }
}

/// One after the other comes late, and nobody has its payload before.
void gatherSlowest(Context &context) {
  if (!hasGather(context, context.size()))
    return;
  for (int round = 0; round < 3 * context.size(); ++round) {
    if (round % context.size() == context.rank())
      context.linger();
    gatherPattern(context, everybody(context), round, 1,
                  "a gather waits for the slowest");
    context.barrier();
  }
}

/// No barrier in between: a fast processor is in the next gather while a slow
/// one still reads.
void gatherRounds(Context &context) {
  if (!hasGather(context, context.size()))
    return;
  size_t limit = context.transport.gatherLimit(context.size());
  for (int round = 0; round < context.cases(500); ++round)
    gatherPattern(context, everybody(context), round,
                  std::min<size_t>(limit, 1 + round % 8),
                  "gathers may follow each other without a barrier");
}

/// Slices of a grid, which gather at the same time, and random subsets. Not
/// everybody is a member, and a set may have one.
void gatherSubsets(Context &context) {
  if (!hasGather(context, 1))
    return;
  constexpr const char *What = "any subset gathers for itself";
  int number = 0, size = context.size();
  for (int step = 1; step <= size; ++step, ++number) {
    std::vector<int> members;
    for (int i = context.rank() % step; i < size; i += step)
      members.push_back(i);
    if (context.transport.gatherLimit(static_cast<int>(members.size())) > 0)
      gatherPattern(context, members, number, 1, What);
  }
  Random random(context.caseSeed(0));
  for (int round = 0; round < context.cases(200); ++round, ++number) {
    std::vector<int> members;
    for (int i = 0; i < size; ++i)
      if (random(0, 1))
        members.push_back(i);
    int count = static_cast<int>(members.size());
    size_t limit = count ? context.transport.gatherLimit(count) : 0;
    size_t bytes = std::min<size_t>(limit, random(0, 12));
    if (limit > 0)
      gatherPattern(context, members, number, bytes, What);
  }
}

} // namespace

const std::vector<Clause> &zrt::test::togetherClauses() {
  static const std::vector<Clause> clauses = {
      {"swap-size", "exchange() brings both payloads, of any size", swapSizes},
      {"swap-order", "exchange() is in order with messages", swapOrder},
      {"swap-pattern", "exchange() works for any matching of partners",
       swapPatterns},
      {"gather-order", "gather puts payloads into the members' order",
       gatherOrder},
      {"gather-size", "gather takes payloads up to its limit", gatherSizes},
      {"gather-slowest", "gather waits for the slowest", gatherSlowest},
      {"gather-rounds", "gathers follow each other without a barrier",
       gatherRounds},
      {"gather-subset", "any subset may gather", gatherSubsets},
  };
  return clauses;
}
