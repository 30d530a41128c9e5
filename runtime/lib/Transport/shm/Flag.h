//===- Flag.h - Waiting between processors ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_FLAG_H
#define ZRT_TRANSPORT_SHM_FLAG_H

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace zrt::shm {

inline constexpr size_t CacheLine = 64;

/// How long a waiting processor keeps its core before it sleeps.
struct WaitPolicy {
  int spins;  ///< looks with a pause in between: costs nobody else anything
  int yields; ///< looks with a sched_yield in between
};

/// The number of cores that this process may use.
int usableCores();

/// The policy for processors of which each has a core, or not.
WaitPolicy choosePolicy(bool isCrowded);

/// A number that grows. One processor raises it, others wait for it. Lies in
/// shared memory; all bits zero is a flag of value 0.
///
/// What the raiser wrote before `raise` or `set` is visible to a processor
/// that has seen the new value. From then on the raiser does not touch the
/// flag, so the waiter may free it.
class Flag {
  /// Twice the value, plus 1 while somebody is, or is about to be, asleep.
  std::atomic<uint64_t> word;

public:
  uint64_t load() const { return word.load(std::memory_order_acquire) >> 1; }

  /// Returns the number of system calls that this took: 1 if somebody slept.
  int raise(uint64_t to) {
    if (word.exchange(to << 1, std::memory_order_acq_rel) & 1)
      return wake();
    return 0;
  }

  /// For flags on which nobody sleeps but for limited times.
  void set(uint64_t to) { word.store(to << 1, std::memory_order_release); }

  /// Looks \p looks times; true as soon as the value is at least \p target.
  bool spin(uint64_t target, int looks) const;

  /// Returns when the value is at least \p target: looks, yields, sleeps.
  /// Returns the number of system calls.
  int await(uint64_t target, const WaitPolicy &policy);

  /// Sleeps until the value is at least \p target, but for \p nanoseconds at
  /// most. One system call.
  void doze(uint64_t target, long nanoseconds);

private:
  void sleep(uint64_t target, long nanoseconds);
  int wake();
};

static_assert(std::atomic<uint64_t>::is_always_lock_free);

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_FLAG_H
