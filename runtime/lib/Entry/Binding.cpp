//===- Binding.cpp - Processors on cores ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     ./heat -p4 --bind=core -v       on two sockets of four cores each
//
//     heat: processor 0 on node7, hardware threads 0,8
//     heat: processor 1 on node7, hardware threads 2,10 ...
//
// Processes that the system moves from core to core lose what is in the caches
// and, on machines of several sockets, find their memory at the other one.
// This is done before arrays are allocated, so that a page lies where its first
// touch is: beside the core that will use it.
//
// A launcher or a batch system may have given each process its own part of
// the machine. So the processors that share cores are those of one machine
// that may use the same hardware threads: they tell each other a number that
// is made of both, and each takes its place among those with its own number.
// That is one gather, at the start.
//
//===----------------------------------------------------------------------===//

#include "Entry/Binding.h"

#include "Collective/Collective.h"
#include "Machine/Cores.h"
#include "Support/Error.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <unistd.h>

using namespace zrt;

static std::string hostName() {
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  return host;
}

/// What the processors that share the cores of \p threads have in common.
static int64_t sharedNumber(const std::vector<int> &threads) {
  std::string boot; // Containers of one machine have one, and its cores.
  if (!std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot))
    boot = hostName();
  return static_cast<int64_t>(
      std::hash<std::string>()(boot + " " + listText(threads)));
}

void zrt::bindToCores(Transport &transport) {
  std::vector<int> threads = usableThreads();
  std::vector<Core> cores = coresOf(threads, "/sys/devices/system/cpu");
  std::vector<int64_t> numbers =
      allNumbers(transport, everybody(transport), sharedNumber(threads));
  int place = 0, places = 0;
  for (int other = 0; other < transport.size(); ++other) {
    bool isShared = numbers[other] == numbers[transport.rank()];
    place += isShared && other < transport.rank();
    places += isShared;
  }
  if (!cores.empty() &&
      bindTo(cores[coreOf(place, places, static_cast<int>(cores.size()))]))
    return;
  fatal(nullptr, ErrorScope::Local, "cannot bind processor %d to a core: %s",
        transport.rank(),
        cores.empty() ? "the system does not say which there are"
                      : std::strerror(errno));
}

std::string zrt::bindingText(Transport &transport, const std::string &program) {
  std::string own = program + ": processor " +
                    std::to_string(transport.rank()) + " on " + hostName() +
                    ", hardware threads " + listText(usableThreads()) + "\n";
  Slice all = everybody(transport);
  std::vector<size_t> offsets = {0};
  for (int64_t bytes :
       allNumbers(transport, all, static_cast<int64_t>(own.size())))
    offsets.push_back(offsets.back() + static_cast<size_t>(bytes));
  std::string text(offsets.back(), 0);
  text.replace(offsets[transport.rank()], own.size(), own);
  allgather(transport, all, text.data(), offsets);
  return text;
}
