//===- MachineMemory.cpp - How much memory there is -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The system hands out more memory than it has, and kills a process when that
/// comes out: two arrays of 20 GB on a machine of 24 are no error until they
/// are written to. So heaps keep count, against this limit.
///
/// Control groups: a line of /proc/self/cgroup names the group of this process,
/// "0::/batch/job7" or, in version 1, "4:memory:/batch/job7". Its limit and
/// those of the groups that it is in are in files below /sys/fs/cgroup; what is
/// not limited says "max" or an enormous number. That is read once, and only
/// by programs that need so much that it may matter.
///
//===----------------------------------------------------------------------===//

#include "Machine/MachineMemory.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <sys/sysinfo.h>

/// The least limit in the files \p name of \p group, a path below \p root, and
/// of its parents.
static uint64_t leastLimit(const std::string &root, std::string group,
                           const char *name) {
  uint64_t least = UINT64_MAX;
  while (true) {
    uint64_t limit = 0;
    std::ifstream file(root + group + '/' + name);
    if (file >> limit)
      least = std::min(least, limit);
    size_t slash = group.rfind('/');
    if (slash == group.npos)
      return least;
    group.erase(slash);
  }
}

static uint64_t groupLimit() {
  std::ifstream groups("/proc/self/cgroup");
  uint64_t least = UINT64_MAX;
  for (std::string line; std::getline(groups, line);) {
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == line.npos)
      continue;
    std::string kind = line.substr(first + 1, second - first - 1);
    std::string group = line.substr(second + 1);
    if (kind.empty())
      least =
          std::min(least, leastLimit("/sys/fs/cgroup", group, "memory.max"));
    if (kind == "memory")
      least = std::min(least, leastLimit("/sys/fs/cgroup/memory", group,
                                         "memory.limit_in_bytes"));
  }
  return least;
}

static uint64_t machineMemory() {
  struct sysinfo machine;
  uint64_t all = UINT64_MAX;
  if (sysinfo(&machine) == 0)
    all = (static_cast<uint64_t>(machine.totalram) + machine.totalswap) *
          machine.mem_unit;
  return std::min(all, groupLimit());
}

bool zrt::machineHas(uint64_t bytes) {
  constexpr uint64_t EveryMachineHas = 64 << 20;
  if (bytes <= EveryMachineHas)
    return true;
  static const uint64_t available = machineMemory();
  return bytes <= available;
}

bool zrt::takeMemory(std::atomic<uint64_t> &held, uint64_t bytes) {
  uint64_t before = held.load(std::memory_order_relaxed);
  do {
    if (bytes > UINT64_MAX - before || !machineHas(before + bytes))
      return false;
  } while (!held.compare_exchange_weak(before, before + bytes,
                                       std::memory_order_relaxed));
  return true;
}
