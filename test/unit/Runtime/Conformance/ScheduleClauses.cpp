//===- ScheduleClauses.cpp - Any interleaving -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Random programs on the transport: up to ten exchanges between random pairs
/// of processors, whose points come in a random order, the same one on all
/// processors, with messages, exchange(), gather and new plans in between.
/// Everything that the contract lets a program do is done: sources change
/// behind SV, destinations between DN and DR, memory comes and goes.
///
///     DR0 SR0 DR3 | message 2 -> 0 | SR3 DN3 | new 1 | DN0 SV3 DR1 SV0 ...
///
/// A program is right if it finishes and each value is as it must be.
///
//===----------------------------------------------------------------------===//

#include "../Random.h"
#include "Field.h"

#include <cstring>

using namespace zrt;
using namespace zrt::test;

namespace {

/// One exchange of a program: bytes from some processors to others.
class Track {
public:
  /// \p random is in the same state on all processors.
  Track(Context &context, Random &random, int name)
      : context(context), name(name) {
    int size = context.size();
    for (int from = 0; from < size; ++from)
      for (int to = 0; to < size; ++to)
        if (from != to && random(0, 2) == 0)
          links.push_back({from, to, bytesOf(random)});
    std::vector<Pair> pairs(size);
    for (int other = 0; other < size; ++other)
      pairs[other].partner = other;
    for (const Link &link : links) {
      if (link.from == context.rank()) {
        sources.push_back(
            std::make_unique<OwnedPiece>(context.transport, link.bytes));
        pairs[link.to].sends.push_back(sources.back()->row());
      }
      if (link.to == context.rank()) {
        targets.push_back(
            std::make_unique<OwnedPiece>(context.transport, link.bytes));
        pairs[link.from].receives.push_back(targets.back()->row());
      }
    }
    std::erase_if(pairs, [](const Pair &pair) {
      return pair.sends.empty() && pair.receives.empty();
    });
    takesPart = !pairs.empty();
    writeTargets();
    exchange = context.transport.makeExchange(std::move(pairs));
  }

  /// The next of the four points; true behind SV.
  bool step() {
    int point = steps++ % 4;
    if (!takesPart)
      return point == 3;
    switch (point) {
    case 0:
      checkTargets(false);
      exchange->destinationReady();
      break;
    case 1:
      forSources([&](const OwnedPiece &source) {
        fillPattern(source.data, source.bytes, context.rank(), number());
      });
      exchange->sourceReady();
      break;
    case 2:
      exchange->destinationNeeded();
      checkTargets(true);
      break;
    case 3:
      writeTargets();
      exchange->sourceVolatile();
      forSources([&](const OwnedPiece &source) {
        if (source.bytes > 0)
          memset(source.data, -1, source.bytes);
      });
      break;
    }
    return point == 3;
  }

private:
  struct Link {
    int from, to;
    size_t bytes;
  };

  static size_t bytesOf(Random &random) {
    switch (random(0, 9)) {
    case 0:
      return 0;
    case 1:
      return random(60000, 100000);
    default:
      return random(1, 3000);
    }
  }
  /// Of the pattern of this round, for DR to SV.
  int number() const { return name * 100 + (steps - 1) / 4; }

  template <typename Take> void forSources(Take take) {
    for (const auto &source : sources)
      take(*source);
  }
  /// What the program puts where data will arrive.
  void writeTargets() {
    for (const auto &target : targets)
      fillPattern(target->data, target->bytes, 77, name);
  }
  /// Whether the destinations hold what was sent, or else what the program has
  /// put there.
  void checkTargets(bool arrived) {
    size_t at = 0;
    for (const Link &link : links) {
      if (link.to != context.rank())
        continue;
      const OwnedPiece &target = *targets[at++];
      if (arrived)
        context.expect(
            holdsPattern(target.data, target.bytes, link.from, number()),
            "in any order of points, each transfer brings its values");
      else
        context.expect(holdsPattern(target.data, target.bytes, 77, name),
                       "in any order of points, a destination is the "
                       "program's until DR");
    }
  }

  Context &context;
  int name;
  int steps = 0;
  bool takesPart = false;
  std::vector<Link> links;
  std::vector<std::unique_ptr<OwnedPiece>> sources, targets;
  std::unique_ptr<Exchange> exchange;
};

/// Something else between two points.
void doOther(Context &context, Random &random, int number) {
  int size = context.size();
  int first = static_cast<int>(random(0, size - 1));
  int second = static_cast<int>(random(0, size - 1));
  size_t bytes = random(0, 5) ? random(0, 400) : random(0, 70000);
  bool isMessage = random(0, 1);
  std::vector<char> in(bytes + 1);
  bool isMember = context.rank() == first || context.rank() == second;
  if (first == second || !isMember)
    return;
  int partner = first + second - context.rank();
  char *out = context.keep(bytes);
  fillPattern(out, bytes, context.rank(), number);
  bool receives = !isMessage || context.rank() == second;
  if (!isMessage)
    context.transport.exchange(partner, out, in.data(), bytes);
  else if (context.rank() == first)
    context.transport.send(partner, out, bytes);
  else
    context.transport.receive(partner, in.data(), bytes);
  if (receives)
    context.expect(holdsPattern(in.data(), bytes, partner, number),
                   "messages between the points arrive");
}

void gatherAll(Context &context, int number) {
  if (context.transport.gatherLimit(context.size()) == 0)
    return;
  std::vector<int> members;
  for (int i = 0; i < context.size(); ++i)
    members.push_back(i);
  char mine = patternByte(context.rank(), number, 0);
  std::vector<char> all(context.size());
  context.transport.gather(members.data(), context.size(), context.rank(),
                           &mine, 1, all.data());
  for (int i = 0; i < context.size(); ++i)
    context.expect(all[i] == patternByte(i, number, 0),
                   "gathers between the points are right");
}

/// \p length steps, and then all transfers that are under way to their ends.
void runProgram(Context &context, unsigned seed, int length) {
  Random random(seed);
  std::vector<std::unique_ptr<Track>> tracks;
  std::vector<bool> isIdle;
  int names = 0;
  for (int64_t count = random(1, 10); count > 0; --count) {
    tracks.push_back(std::make_unique<Track>(context, random, names++));
    isIdle.push_back(true);
  }
  for (int n = 0; n < length; ++n) {
    size_t at = random(0, static_cast<int64_t>(tracks.size()) - 1);
    switch (random(0, 19)) {
    case 0:
      doOther(context, random, n);
      break;
    case 1:
      gatherAll(context, n);
      break;
    case 2:
      if (isIdle[at]) // The old memory and the new one are there together.
        tracks[at] = std::make_unique<Track>(context, random, names++);
      break;
    case 3:
      if (context.rank() == n % context.size())
        context.linger();
      break;
    default:
      isIdle[at] = tracks[at]->step();
      break;
    }
  }
  for (size_t at = 0; at < tracks.size(); ++at)
    while (!isIdle[at])
      isIdle[at] = tracks[at]->step();
}

void randomPrograms(Context &context) {
  for (int i = 0; i < context.cases(50); ++i)
    runProgram(context, context.caseSeed(i), 200);
}

} // namespace

const std::vector<Clause> &zrt::test::scheduleClauses() {
  static const std::vector<Clause> clauses = {
      {"schedule-random",
       "points may come in any order that is the same on "
       "all processors",
       randomPrograms},
  };
  return clauses;
}
