//===- Groups.cpp - What is measured one after the other ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of groups. Seconds are those of a quiet machine with two cores;
// they only move the bar.
//
//===----------------------------------------------------------------------===//

#include "Measure/Groups.h"
#include "Measure/Programs.h"
#include "Measure/Ways.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace calibrate {

static constexpr Group Table[] = {
    {"memory", "sweeps through memory, by size and number of streams", 12,
     nullptr},
    {"stores", "ordinary stores and those past the caches", 12, measureStores},
    {"prefetch", "how far ahead memory is asked for", 1, measurePrefetch},
    {"pages", "small and huge pages", 2, measurePages},
    {"vectors", "widths of vectors", 1, measureVectors},
    {"operations", "latencies and throughputs", 1, measureOperations},
    {"gathers", "loads at random", 8, nullptr},
    {"library", "functions of the C library", 1, measureLibrary},
    {"transports", "messages, columns and collectives, by transport", 40,
     measureTransports},
    {"programs", "figures that small programs are the fastest with", 60,
     measurePrograms}};

ArrayRef<Group> groups() { return Table; }

void measureGroups(Session &session) {
  auto isAsked = [&](StringRef name) {
    const auto &only = session.options.only;
    return only.empty() || is_contained(only, name);
  };
  double seconds = 0;
  for (const Group &group : Table)
    seconds += isAsked(group.name) ? group.seconds : 0;
  session.progress.begin(seconds);
  std::vector<Way> ways = allWays(session);
  for (const Group &group : Table) {
    if (!isAsked(group.name))
      continue;
    session.progress.group(group.name, group.seconds);
    auto own = make_filter_range(
        ways, [&](const Way &way) { return way.group == group.name; });
    size_t all = size_t(range_size(own)), done = 0;
    for (Way &way : own)
      calibrateWay(session, way, done++, all);
    if (group.measure)
      group.measure(session);
  }
  session.progress.end();
}

} // namespace calibrate
