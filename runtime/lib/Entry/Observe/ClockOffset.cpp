//===- ClockOffset.cpp - The clocks of several machines -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A monotonic clock counts from the start of its machine. Processors of one
// machine read the same clock; of another one processor 0 asks for the time, as
// Cristian did ("Probabilistic clock synchronization", 1989):
//
//     processor 0   sends at a ............ receives at b
//     processor 1             its time is t
//
// t was read between a and b, so it is ahead by t - (a + b) / 2, wrong by at
// most half of b - a. The shortest of some rounds is taken. Each processor does
// so in its turn: P - 1 times 16 rounds, at the start.
//
//===----------------------------------------------------------------------===//

#include "Entry/Observe/ClockOffset.h"

#include <algorithm>
#include <fstream>
#include <unistd.h>

namespace zrt {

static constexpr int Rounds = 16;
/// Enough for the identity of a Linux system, 36 characters, or a host's name.
static constexpr size_t IdentityBytes = 64;

std::string machineIdentity() {
  std::string text;
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  if (std::getline(file, text))
    return text;
  char host[IdentityBytes] = {};
  gethostname(host, sizeof host - 1);
  return host;
}

/// On processor 0: what \p other has to take for its offset.
static int64_t askForTime(Transport &transport, int other, int64_t (*clock)()) {
  int64_t least = INT64_MAX, offset = 0;
  for (int round = 0; round < Rounds; ++round) {
    char question = 0;
    int64_t time = 0, before = clock();
    transport.send(other, &question, sizeof question);
    transport.receive(other, &time, sizeof time);
    int64_t after = clock();
    if (after - before >= least)
      continue;
    least = after - before;
    offset = time - (before + least / 2);
  }
  return offset;
}

int64_t measureClockOffset(Transport &transport, const std::string &machine,
                           int64_t (*clock)()) {
  auto toBytes = [](const std::string &name) {
    std::string bytes = name.substr(0, IdentityBytes);
    bytes.resize(IdentityBytes);
    return bytes;
  };
  std::string own = toBytes(machine);
  if (transport.rank() != 0) {
    transport.send(0, own.data(), own.size());
    char isOther = 0, question = 0;
    transport.receive(0, &isOther, sizeof isOther);
    for (int round = 0; isOther && round < Rounds; ++round) {
      transport.receive(0, &question, sizeof question);
      int64_t time = clock();
      transport.send(0, &time, sizeof time);
    }
    int64_t offset = 0;
    transport.receive(0, &offset, sizeof offset);
    return offset;
  }
  for (int other = 1; other < transport.size(); ++other) {
    std::string its = own;
    transport.receive(other, its.data(), its.size());
    char isOther = its != own;
    transport.send(other, &isOther, sizeof isOther);
    int64_t offset = isOther ? askForTime(transport, other, clock) : 0;
    transport.send(other, &offset, sizeof offset);
  }
  return 0;
}

} // namespace zrt
