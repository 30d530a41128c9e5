//===- Fiber.h - Stacks of processors in one process ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SIM_FIBER_H
#define ZRT_TRANSPORT_SIM_FIBER_H

#include <cstddef>
#include <cstdint>

namespace zrt::sim {

/// A stack with a point in a program on it, at which it goes on when somebody
/// switches to it.
class Fiber {
public:
  Fiber() = default;
  ~Fiber();
  Fiber(const Fiber &) = delete;
  Fiber &operator=(const Fiber &) = delete;

  /// Gives it a stack of \p bytes bytes, a multiple of pages, of which memory is
  /// taken as far as it is used, and \p body (\p argument) to begin with, which
  /// never returns. The lowest \p guardBytes, a multiple of pages, cannot be
  /// touched. False if there is no address space for it.
  bool start(size_t bytes, size_t guardBytes, void (*body)(void *),
             void *argument);

  /// Leaves \p from, which runs, and goes on in \p to. A fiber without a stack
  /// of its own stands for the one that the process began with.
  static void change(Fiber &from, Fiber &to);

  /// Whether \p address is in its stack.
  bool holds(const void *address) const {
    auto at = reinterpret_cast<uintptr_t>(address);
    auto base = reinterpret_cast<uintptr_t>(memory);
    return memory && at >= base && at < base + size;
  }

  /// Whether \p address is where nothing can be touched.
  bool guards(const void *address) const {
    return holds(address) && static_cast<const char *>(address) <
                                 static_cast<const char *>(memory) + guard;
  }
  /// Lets the stack grow beyond \p address, which is guarded: for code that
  /// must not be interrupted. False if less than half of the guard would be
  /// left. Asynchronously safe.
  bool giveRoom(const void *address);
  /// Lets what is guarded be read, once nothing runs on the stack any more.
  /// Asynchronously safe.
  void letRead();
  /// Gives the memory of all but the highest \p bytes back to the system.
  void releaseBelow(size_t bytes);

private:
  void *memory = nullptr;
  size_t size = 0;
  size_t guard = 0;      ///< bytes that cannot be touched
  size_t firstGuard = 0; ///< of them at the start
  void *point = nullptr; ///< its stack pointer while it does not run
};

} // namespace zrt::sim

#endif // ZRT_TRANSPORT_SIM_FIBER_H
