//===- Messages.h - What processors send each other in remaps ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_MESSAGES_H
#define ZRT_REMAP_MESSAGES_H

#include "Transport/Transport.h"

#include <cstring>
#include <memory>
#include <vector>

namespace zrt {

using Bytes = std::vector<char>;

/// Sends message k to processor k and receives one from each, of any sizes. The
/// own one stays. Collective.
std::vector<Bytes> exchangeAll(Transport &transport,
                               std::vector<Bytes> messages);

/// exchangeAll of messages of which coming[p] bytes are known to come from
/// processor p. With \p isLarge, which is the same on all processors, from
/// buffer to buffer where the transport can. Collective.
std::vector<Bytes> exchangeSized(Transport &transport,
                                 std::vector<Bytes> messages,
                                 const std::vector<int64_t> &coming,
                                 bool isLarge);

/// Gives number k to processor k, and returns those that were given to this one.
/// The own one stays. Collective.
std::vector<int64_t> exchangeCounts(Transport &transport,
                                    const std::vector<int64_t> &numbers);

/// The numbers as a message, and back.
template <typename T> Bytes messageOf(const std::vector<T> &numbers) {
  Bytes message(numbers.size() * sizeof(T));
  if (!numbers.empty())
    std::memcpy(message.data(), numbers.data(), message.size());
  return message;
}
template <typename T> std::vector<T> numbersIn(const Bytes &message) {
  std::vector<T> numbers(message.size() / sizeof(T));
  if (!numbers.empty())
    std::memcpy(numbers.data(), message.data(), message.size());
  return numbers;
}

/// exchangeAll of lists of numbers; \p isLarge as for exchangeSized.
template <typename T>
std::vector<std::vector<T>>
exchangeNumbers(Transport &transport, const std::vector<std::vector<T>> &lists,
                bool isLarge) {
  std::vector<Bytes> messages;
  std::vector<int64_t> sizes;
  for (const std::vector<T> &list : lists) {
    messages.push_back(messageOf(list));
    sizes.push_back(static_cast<int64_t>(messages.back().size()));
  }
  sizes = exchangeCounts(transport, sizes);
  messages = exchangeSized(transport, std::move(messages), sizes, isLarge);
  std::vector<std::vector<T>> received;
  for (const Bytes &message : messages)
    received.push_back(numbersIn<T>(message));
  return received;
}

/// Elements of one size: sends[p] go to processor p, receives[p] come from it,
/// and behind these there is room for `spare` more.
struct Load {
  const std::vector<int64_t> &sends, &receives;
  int64_t spare;
  size_t size; ///< bytes of an element
};

/// Brings the same numbers of elements between the same processors again and
/// again, all loads together, while both compute if the transport can.
class Courier {
public:
  /// Of several loads, or of one. Collective.
  Courier(Transport &transport, const std::vector<Load> &loads);
  Courier(Transport &transport, const std::vector<int64_t> &sends,
          const std::vector<int64_t> &receives, int64_t spare, size_t size)
      : Courier(transport, {{sends, receives, spare, size}}) {}
  ~Courier();
  Courier(const Courier &) = delete;
  Courier &operator=(const Courier &) = delete;

  /// Where a load's elements are put before they go, in the order of the
  /// processors. Waits until the last ones have been taken.
  char *outgoing(size_t load = 0);
  /// They go.
  void begin();
  /// Waits for those of the others, and returns them, in the order of the
  /// processors, until the next `begin`.
  char *arrived(size_t load = 0);

private:
  /// Where a load begins, and how many bytes all are.
  struct Buffer {
    std::vector<size_t> starts;
    size_t bytes = 0;
    char *base = nullptr;
    void add(const std::vector<int64_t> &counts, int64_t spare, size_t size);
  };

  Transport &transport;
  Buffer out, in;
  std::unique_ptr<Exchange> exchange;
  bool isOut = false;    ///< the last ones may not have been taken yet
  bool isComing = false; ///< nobody has waited for them yet
};

} // namespace zrt

#endif // ZRT_REMAP_MESSAGES_H
