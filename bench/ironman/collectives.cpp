//===- collectives.cpp - Every algorithm of every collective, timed -------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     collectives PLUGIN_DIRECTORY TRANSPORT PROCESSORS
//
// Prints, for each operation and size, the microseconds that each algorithm of
// Collectives.def takes on all processors, and which one the selector picks; in
// brackets what it loses to the best one. The numbers of ZRT_TRANSPORT_COST are
// chosen so that little is lost; run this again after changing a transport:
//
//     message         half of a 1-byte binomial reduction, two processors
//     byte            slope of the binomial broadcast from 64 KB on
//     gather, member  gathers of a byte by 2 and by more processors
//
// Under a launcher, PROCESSORS is 0.
//
//===----------------------------------------------------------------------===//

#include "Collective/Collective.h"
#include "Support/Clock.h"
#include "Transport/Launch.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

using namespace zrt;

static constexpr double SecondsEach = 0.1;
static constexpr int Batch = 8;

/// Microseconds of one `body`, the same on all processors: of the least
/// disturbed one of many small batches, as the machine may have other work.
template <typename F> static double timeOf(Transport &transport, F body) {
  double best = INFINITY, begin = monotonicSeconds();
  for (bool goesOn = true; goesOn;) {
    barrier(transport);
    double start = monotonicSeconds();
    for (int i = 0; i < Batch; ++i)
      body();
    double seconds = monotonicSeconds() - start;
    reduce(transport, &seconds, ZRT_F64, ZRT_MAX);
    best = std::min(best, seconds / Batch);
    goesOn = monotonicSeconds() - begin < SecondsEach;
    broadcast(transport, &goesOn, sizeof goesOn);
  }
  return best * 1e6;
}

/// One line: all algorithms of an operation with one size.
static void measure(Transport &transport, Collective operation, size_t bytes) {
  Slice slice = everybody(transport);
  std::vector<double> values(bytes / sizeof(double) + 1, 1.0);
  std::vector<size_t> offsets;
  size_t members = slice.members.size();
  for (size_t m = 0; m <= members; ++m)
    offsets.push_back(m * (bytes / members));
  // A maximum stays the same, and every algorithm can find it.
  BuiltInReducer reducer(operatorTable(ZRT_F64, ZRT_MAX));
  Job job = {transport, slice, reinterpret_cast<char *>(values.data()), bytes};
  job.reducer = &reducer;
  job.offsets = offsets.data();
  if (operation == Collective::Allgather)
    job.bytes = offsets.back();
  const Algorithm &chosen = selectAlgorithm(operation, job);
  bool isFirst = transport.rank() == 0;
  if (isFirst)
    std::printf("%-10s %8zu", text(operation), bytes);
  double best = INFINITY, ofChosen = 0;
  for (const Algorithm &algorithm : algorithmTable()) {
    if (algorithm.operation != operation ||
        !std::isfinite(estimate(algorithm, job)))
      continue;
    double time = timeOf(transport, [&] { algorithm.run(job); });
    best = std::min(best, time);
    if (&algorithm == &chosen)
      ofChosen = time;
    if (isFirst)
      std::printf("  %s %.2f", algorithm.name, time);
  }
  if (isFirst)
    std::printf("  -> %s (%.2f)\n", chosen.name, ofChosen / best);
  std::fflush(stdout);
}

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fprintf(stderr,
                 "usage: collectives PLUGIN_DIRECTORY TRANSPORT PROCESSORS\n");
    return 2;
  }
  LaunchOptions options;
  options.pluginDir = argv[1];
  options.transport = argv[2];
  options.processors = std::atoi(argv[3]);
  std::unique_ptr<Transport> transport = launch(options);
  if (transport->rank() == 0)
    std::printf("%s, %d processors\n", transport->name(), transport->size());
  for (Collective operation :
       {Collective::Reduce, Collective::Broadcast, Collective::Allgather})
    for (size_t bytes : {8, 64, 512, 4096, 32768, 262144, 2097152})
      measure(*transport, operation, bytes);
  measure(*transport, Collective::Barrier, 0);
  transport->finish();
}
