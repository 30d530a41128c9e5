//===- MachineName.cpp - Which kind of machine this is --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// By what the system says of the first processor: on x86 vendor, family and
/// model, on others implementer and part; else the kind of machine.
///
/// Cost: the first lines of /proc/cpuinfo.
///
//===----------------------------------------------------------------------===//

#include "Entry/Tune/MachineName.h"

#include <algorithm>
#include <fstream>
#include <sys/utsname.h>
#include <unistd.h>

static std::string processorName() {
  static const char *const Names[] = {"vendor_id", "cpu family", "model",
                                      "CPU implementer", "CPU part"};
  std::ifstream file("/proc/cpuinfo");
  std::string name;
  for (std::string line; std::getline(file, line) && !line.empty();) {
    size_t colon = line.find(':');
    if (colon == line.npos)
      continue;
    std::string key = line.substr(0, line.find_last_not_of(" \t:", colon) + 1);
    if (std::find(std::begin(Names), std::end(Names), key) != std::end(Names))
      name += (name.empty() ? "" : " ") +
              line.substr(std::min(colon + 2, line.size()));
  }
  utsname system;
  if (name.empty() && uname(&system) == 0)
    name = system.machine;
  return name;
}

std::string zrt::machineName() {
  std::string name = processorName() + ", " +
                     std::to_string(sysconf(_SC_NPROCESSORS_ONLN)) +
                     " processors";
#if defined(_SC_LEVEL2_CACHE_SIZE) && defined(_SC_LEVEL3_CACHE_SIZE)
  name += ", caches";
  for (int level : {_SC_LEVEL2_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE})
    name += " " + std::to_string(std::max(sysconf(level), 0L) >> 10);
  name += " KB";
#endif
  return name;
}
