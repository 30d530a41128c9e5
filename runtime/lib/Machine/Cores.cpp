//===- Cores.cpp - The cores of this machine ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two sockets of two cores with two hardware threads each, as Linux says it:
//
//     cpu0/topology/thread_siblings_list      0,4       one core: 0 and 4
//     cpu0/topology/physical_package_id       0         on socket 0
//
// gives the cores {0,4} {1,5} {2,6} {3,7}; of a process that may use 0 to 3
// only, {0} {1} {2} {3}. Two processes get the first and the third core, one
// on each socket: they have the caches and the memory of both.
//
// The system is asked directly, in two files for each thread. A library such as
// hwloc knows more systems, but every ZPL program would have to be linked with
// it, as the runtime is.
//
//===----------------------------------------------------------------------===//

#include "Machine/Cores.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <sched.h>

namespace zrt {

/// Machines of today have some hundreds.
static constexpr int MostThreads = CPU_SETSIZE;

/// The first number in a file; \p otherwise if there is none.
static int firstNumber(const std::string &path, int otherwise) {
  std::ifstream file(path);
  int number = 0;
  return file >> number ? number : otherwise;
}

std::vector<int> usableThreads() {
  std::vector<int> threads;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return threads;
  for (int thread = 0; thread < MostThreads; ++thread)
    if (CPU_ISSET(thread, &set))
      threads.push_back(thread);
  return threads;
}

std::vector<Core> coresOf(const std::vector<int> &threads,
                          const std::string &folder) {
  // By socket and the first thread of the core, which need not be usable.
  std::map<std::pair<int, int>, Core> found;
  for (int thread : threads) {
    std::string place = folder + "/cpu" + std::to_string(thread) + "/topology/";
    int socket = firstNumber(place + "physical_package_id", 0);
    int first = firstNumber(place + "thread_siblings_list", thread);
    found[{socket, first}].push_back(thread);
  }
  std::vector<Core> cores;
  for (auto &entry : found)
    cores.push_back(std::move(entry.second));
  return cores;
}

int coreOf(int place, int places, int cores) {
  return static_cast<int>(static_cast<int64_t>(place) * cores / places);
}

bool bindTo(const Core &core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int thread : core)
    CPU_SET(thread, &set);
  return sched_setaffinity(0, sizeof set, &set) == 0;
}

std::string listText(const std::vector<int> &numbers) {
  std::string text;
  for (size_t k = 0; k < numbers.size();) {
    size_t end = k + 1;
    while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
      ++end;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[k]);
    if (end - k > 1)
      text += "-" + std::to_string(numbers[end - 1]);
    k = end;
  }
  return text;
}

} // namespace zrt
