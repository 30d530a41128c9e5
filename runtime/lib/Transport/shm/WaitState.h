//===- WaitState.h - What a processor waits for -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_WAITSTATE_H
#define ZRT_TRANSPORT_SHM_WAITSTATE_H

#include "Transport/shm/Flag.h"

#include <optional>

namespace zrt::shm {

/// A wait of one processor for others.
struct Wait {
  int partner;     ///< who has to come, of several the first
  uint64_t number; ///< which of the processor's waits
};

/// The wait of a processor, as others may look at it at any time. Lies in
/// shared memory; all bits zero is a processor that does not wait. Written by
/// that processor only, with stores that are plain on the usual machines.
class WaitState {
  std::atomic<uint64_t> number; ///< waits begun plus ended: odd in a wait
  std::atomic<const Flag *> flag;
  std::atomic<uint64_t> target;
  std::atomic<int> partner;

public:
  /// From now on this processor does nothing but wait for \p which to reach
  /// \p value.
  void enter(int whom, const Flag &which, uint64_t value) {
    // Releases: who sees one of these sees that the last wait is over.
    flag.store(&which, std::memory_order_release);
    target.store(value, std::memory_order_release);
    partner.store(whom, std::memory_order_release);
    step();
  }
  void leave() { step(); }

  /// The wait under way; nothing if there is none, or if what it waits for has
  /// come.
  std::optional<Wait> look() const {
    uint64_t seen = number.load(std::memory_order_acquire);
    if (seen % 2 == 0)
      return std::nullopt;
    Wait wait = {partner.load(std::memory_order_acquire), seen};
    const Flag *which = flag.load(std::memory_order_acquire);
    uint64_t value = target.load(std::memory_order_acquire);
    if (number.load(std::memory_order_acquire) != seen ||
        which->load() >= value)
      return std::nullopt;
    return wait;
  }

private:
  void step() {
    number.store(number.load(std::memory_order_relaxed) + 1,
                 std::memory_order_release);
  }
};

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_WAITSTATE_H
