//===- EndOrder.h - Which process has ended first ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_ENDORDER_H
#define ZRT_TRANSPORT_ENDORDER_H

#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace zrt {

/// A descriptor that becomes readable when \p process ends; -1 if that is not
/// to be had.
int openProcess(pid_t process);

/// The children of \p parent that live or are zombies.
std::vector<pid_t> childrenOf(pid_t parent);

/// Tells in which order descriptors have become readable, also of those that
/// did while nobody looked. The kernel appends each to a queue as it happens
/// (epoll), under the lock under which a process's end becomes known to its
/// parent: an end that follows from another one comes after it.
class EndOrder {
public:
  enum class How : uint8_t {
    Once,  ///< it is told of once
    Always ///< ... until it is no longer readable
  };

  EndOrder();
  ~EndOrder();
  EndOrder(const EndOrder &) = delete;
  EndOrder &operator=(const EndOrder &) = delete;

  bool isGood() const { return queue >= 0; }
  /// From now on \p file, not owned, is told of by the number \p id, which is
  /// not negative.
  bool add(int file, int id, How how = How::Once);
  /// The number of the first that has not been told of. Waits for it; for ever
  /// if \p milliseconds is -1. -1: none.
  int next(int milliseconds);

private:
  int queue;
};

} // namespace zrt

#endif // ZRT_TRANSPORT_ENDORDER_H
