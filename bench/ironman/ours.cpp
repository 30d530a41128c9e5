//===- ours.cpp - Transfers and reductions of the runtime, timed ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     ours PLUGIN_DIRECTORY TRANSPORT PROCESSORS WHAT...
//
// Each WHAT is halo:BYTES, fresh:BYTES, column:N or allreduce. Processor 0
// prints a line `WHAT seconds` with the time of one repetition. What is
// measured:
//
//   halo       two processors give each other BYTES contiguous bytes, by the
//              four points of one exchange
//   fresh      the same as programs do it: they write what they send before,
//              and read what they got after, each time
//   column     the same with a column of N x N doubles
//   allreduce  the sum of a double over all processors
//
// The peer, peer.c, does the same with MPI.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"
#include "Support/Clock.h"
#include "Transport/Launch.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>

using namespace zrt;

static constexpr double SecondsEach = 0.2;

/// The seconds that `body` takes, of `count` repetitions so chosen on
/// processor 0 that they take a while.
template <typename F> static double timeOf(Transport &transport, F body) {
  for (int64_t count = 16;; count *= 4) {
    barrier(transport);
    double start = monotonicSeconds();
    for (int64_t i = 0; i < count; ++i)
      body();
    barrier(transport);
    double seconds = monotonicSeconds() - start;
    broadcast(transport, &seconds, sizeof seconds);
    if (seconds > SecondsEach)
      return seconds / static_cast<double>(count);
  }
}

/// Both processors send \p source and receive at \p target; \p use is called
/// before and after.
template <typename F>
static double timeExchange(Transport &transport, MemoryBlock source,
                           MemoryBlock target, F use) {
  std::vector<Pair> pairs;
  if (transport.rank() < 2)
    pairs.push_back({1 - transport.rank(), {source}, {target}});
  std::unique_ptr<Exchange> exchange = transport.makeExchange(std::move(pairs));
  return timeOf(transport, [&] {
    exchange->destinationReady();
    use(true);
    exchange->sourceReady();
    exchange->destinationNeeded();
    use(false);
    exchange->sourceVolatile();
  });
}

static double timeHalo(Transport &transport, int64_t bytes, bool isFresh) {
  auto *memory = static_cast<char *>(transport.allocate(2 * bytes + 4096));
  int64_t element = bytes < 8 ? 1 : 8;
  MemoryBlock source = {memory, element, 1, {bytes / element}, {element}};
  MemoryBlock target = source;
  target.base += bytes + 2048;
  auto *sent = reinterpret_cast<uint64_t *>(source.base);
  auto *got = reinterpret_cast<uint64_t *>(target.base);
  int64_t count = isFresh ? bytes / 8 : 0;
  uint64_t sum = 0;
  return timeExchange(transport, source, target, [&](bool isBefore) {
    if (isBefore)
      std::fill(sent, sent + count, sum);
    else
      sum = std::accumulate(got, got + count, sum);
  });
}

static double timeColumn(Transport &transport, int64_t n) {
  int64_t pitch = (n + 8) * 8;
  auto *memory = static_cast<char *>(transport.allocate(n * pitch));
  memset(memory, 0, n * pitch);
  MemoryBlock source = {memory + 8, 8, 1, {n}, {pitch}};
  MemoryBlock target = source;
  target.base += n * 8 - 8;
  return timeExchange(transport, source, target, [](bool) {});
}

static double timeReduce(Transport &transport) {
  double value = 1;
  Slice all = everybody(transport); // which zrtA_reduce has as well
  return timeOf(transport, [&] {
    reduce(transport, all, &value, 1, ZRT_F64, ZRT_SUM);
    value = 1;
  });
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fprintf(stderr,
            "usage: ours PLUGIN_DIRECTORY TRANSPORT PROCESSORS WHAT...\n");
    return 2;
  }
  LaunchOptions options;
  options.pluginDir = argv[1];
  options.transport = argv[2];
  options.processors = atoi(argv[3]);
  std::unique_ptr<Transport> transport = launch(options);
  for (int i = 4; i < argc; ++i) {
    std::string what = argv[i];
    size_t colon = what.find(':');
    int64_t size =
        colon == std::string::npos ? 0 : atoll(what.c_str() + colon + 1);
    double seconds = what[0] == 'h'   ? timeHalo(*transport, size, false)
                     : what[0] == 'f' ? timeHalo(*transport, size, true)
                     : what[0] == 'c' ? timeColumn(*transport, size)
                                      : timeReduce(*transport);
    if (transport->rank() == 0) {
      printf("%s %.9e\n", argv[i], seconds);
      fflush(stdout);
    }
  }
  transport->finish();
}
