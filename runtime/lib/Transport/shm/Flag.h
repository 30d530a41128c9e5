//===- Flag.h - Waiting between processors ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_FLAG_H
#define ZRT_TRANSPORT_SHM_FLAG_H

#include <atomic>
#include <cstdint>

namespace zrt::shm {

inline constexpr size_t CacheLine = 64;

/// How long a waiting processor keeps its core before it sleeps.
struct WaitPolicy {
  int spins;  ///< looks with a pause in between: costs nobody else anything
  int yields; ///< looks with a sched_yield in between
};

/// The policy for \p processors on the cores that this process may use.
WaitPolicy choosePolicy(int processors);

/// A number that grows. One processor raises it, one other waits for it. Lies
/// in shared memory; all bits zero is a flag of value 0.
///
/// What the raiser wrote before `raise` is visible to a processor whose `load`
/// or `await` has returned the new value. From then on the raiser does not
/// touch the flag, so the waiter may free it.
class Flag {
  /// Twice the value, plus 1 while the waiter is, or is about to be, asleep.
  std::atomic<uint64_t> word;

public:
  uint64_t load() const { return word.load(std::memory_order_acquire) >> 1; }

  void raise(uint64_t to) {
    if (word.exchange(to << 1, std::memory_order_acq_rel) & 1)
      wake();
  }

  /// Returns the value once it is at least \p target.
  uint64_t await(uint64_t target, const WaitPolicy &policy) {
    uint64_t seen = load();
    return seen >= target ? seen : awaitSlowly(target, policy);
  }

private:
  uint64_t awaitSlowly(uint64_t target, const WaitPolicy &policy);
  uint64_t sleep(uint64_t target);
  void wake();
};

static_assert(std::atomic<uint64_t>::is_always_lock_free);

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_FLAG_H
