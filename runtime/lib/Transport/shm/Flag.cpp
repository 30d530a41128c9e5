//===- Flag.cpp - Waiting between processors ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A processor that waits does not know whether its partner is about to write
/// the value or has no core to run on. So it waits in three stages:
///  1. spin: look, pause, look. Right when the partner runs: the value arrives
///     within a tenth of a microsecond.
///  2. yield: offer the core to whoever can run, which may be the partner.
///  3. sleep on a futex. Waking up costs some ten microseconds, but a sleeper
///     takes nothing from the others.
/// With a core for each processor the first two stages last some milliseconds,
/// longer than neighbours usually drift apart in a sweep (Jacobi, n = 2000, two
/// processors of a virtual machine: 1.18 s instead of 1.36 s with a hundred
/// yields, medians of five). With fewer cores there are a few looks and no
/// yields: every look takes the core from a processor with work to do, and who
/// has yielded waits for its turn again even when the value has come (Jacobi, n
/// = 1000, six processors on two cores that others use as well: 0.41 s instead
/// of 0.54 s with four yields, lower quartiles of twenty; 0.18 and 0.23 s at
/// best).
///
/// Several may sleep on one flag; the raiser wakes them by one call.
///
/// Value and "asleep" are one word, so that neither side can miss the other,
/// and a raise is the raiser's last access: it may wake an address that is in
/// other use by then, which sleepers must bear anyway. The futex is of the
/// shared kind and compares the low half of the word. Missing a change would
/// take 2^31 raises between a look and the system call.
///
//===----------------------------------------------------------------------===//

#include "Transport/shm/Flag.h"

#include <bit>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace zrt;
using namespace zrt::shm;

namespace {

void pauseBriefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// The half of a 64-bit word that changes with every raise.
const void *lowHalf(const void *word) {
  constexpr int Offset = std::endian::native == std::endian::little ? 0 : 4;
  return static_cast<const char *>(word) + Offset;
}

} // namespace

int zrt::shm::usableCores() {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores)
                                                         : 1;
}

WaitPolicy zrt::shm::choosePolicy(bool isCrowded) {
  if (isCrowded)
    return {20, 0};
  return {1000, 20000};
}

bool Flag::spin(uint64_t target, int looks) const {
  for (int i = 0; i < looks; ++i) {
    if (load() >= target)
      return true;
    pauseBriefly();
  }
  return load() >= target;
}

int Flag::await(uint64_t target, const WaitPolicy &policy) {
  if (spin(target, policy.spins))
    return 0;
  int calls = 0;
  for (; calls < policy.yields; ++calls) {
    if (load() >= target)
      return calls;
    sched_yield();
  }
  for (; load() < target; ++calls)
    sleep(target, 0);
  return calls;
}

void Flag::doze(uint64_t target, long nanoseconds) {
  if (load() < target)
    sleep(target, nanoseconds);
}

/// Sleeps until the word changes or, if \p nanoseconds is not 0, so long.
void Flag::sleep(uint64_t target, long nanoseconds) {
  // Say that we sleep, unless the value changes first.
  uint64_t seen = word.load(std::memory_order_acquire);
  while (!(seen & 1)) {
    if (seen >> 1 >= target)
      return;
    if (word.compare_exchange_weak(seen, seen | 1, std::memory_order_acquire))
      seen |= 1;
  }
  if (seen >> 1 >= target)
    return;
  timespec limit = {0, nanoseconds};
  syscall(SYS_futex, lowHalf(&word), FUTEX_WAIT, static_cast<uint32_t>(seen),
          nanoseconds ? &limit : nullptr, nullptr, 0);
}

int Flag::wake() {
  syscall(SYS_futex, lowHalf(&word), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  return 1;
}
