//===- Messages.h - What is under way between processors --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SIM_MESSAGES_H
#define ZRT_TRANSPORT_SIM_MESSAGES_H

#include "Transport/sim/Network.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace zrt::sim {

struct Processor;

/// Where the time of a processor comes from: along the longest chain of
/// computing and messages that ends at it.
struct Path {
  Ticks computing = 0;
  Ticks overhead = 0; ///< processors' work for messages
  Ticks network = 0;  ///< ports and wires
  uint64_t messages = 0;
};

/// A message that was sent and not yet received; its data follow it.
struct Message {
  Message *next = nullptr; ///< in its channel, or in the pool
  size_t bytes = 0;
  size_t room = 0; ///< bytes that its piece of memory has for data
  int from = 0;
  uint64_t number = 0; ///< of all messages of the run
  Ticks departure = 0, arrival = 0;
  Ticks ready = -1; ///< when it has come in; -1: not yet
  Path path;        ///< of the sender at the departure

  char *data() { return reinterpret_cast<char *>(this + 1); }
};

/// Memory of messages, by powers of two.
class MessagePool {
public:
  ~MessagePool();
  Message *take(size_t bytes);
  void give(Message *message);

private:
  static constexpr int Smallest = 6, Classes = 11; ///< 64 bytes to 64 KiB
  Message *kept[Classes] = {};
};

/// Owned by whoever has it.
class MessageRef {
public:
  MessageRef() = default;
  MessageRef(MessagePool &pool, Message *message)
      : pool(&pool), message(message) {}
  MessageRef(MessageRef &&other) noexcept
      : pool(other.pool), message(std::exchange(other.message, nullptr)) {}
  MessageRef &operator=(MessageRef &&other) = delete;
  ~MessageRef() {
    if (message)
      pool->give(message);
  }
  Message *operator->() const { return message; }
  Message *release() { return std::exchange(message, nullptr); }

private:
  MessagePool *pool = nullptr;
  Message *message = nullptr;
};

/// Messages of one kind from one processor to another, in order.
struct Channel {
  Message *first = nullptr, *last = nullptr;
  int users = 0; ///< sides of an exchange that have it

  void add(Message *message) {
    (first ? last->next : first) = message;
    last = message;
  }
  Message *take() {
    Message *taken = first;
    first = taken->next;
    taken->next = nullptr;
    return taken;
  }
};

/// Whose, and of which exchange of the pair.
struct ChannelKey {
  int from, to;
  uint32_t number;
  bool operator==(const ChannelKey &other) const = default;
};

struct ChannelHash {
  size_t operator()(const ChannelKey &key) const {
    uint64_t mixed = static_cast<uint64_t>(key.from) << 32 ^
                     static_cast<uint64_t>(key.to) << 16 ^ key.number;
    return static_cast<size_t>(mixed * 0x9E3779B97F4A7C15u >> 16);
  }
};

/// Channels by the partner's number. Few partners are the rule.
class ChannelTable {
public:
  /// Null: none was put there.
  Channel *find(int partner) {
    if (partner == lastPartner)
      return last;
    auto found = all.find(partner);
    if (found == all.end())
      return nullptr;
    lastPartner = partner;
    return last = found->second.get();
  }
  void put(int partner, std::shared_ptr<Channel> channel) {
    all[partner] = std::move(channel);
  }

private:
  int lastPartner = -1;
  Channel *last = nullptr;
  std::unordered_map<int, std::shared_ptr<Channel>> all;
};

/// Messages for one processor in the order in which they come in: by arrival,
/// then sender, then number.
class Inbox {
public:
  bool isEmpty() const { return heap.empty(); }
  void add(Message *message);
  /// Takes the first one out.
  Message *take();

private:
  std::vector<Message *> heap;
};

/// Processors that can go on, the earliest first; of equal ones the one with
/// the least number.
class ReadyQueue {
public:
  bool isEmpty() const { return heap.empty(); }
  Ticks earliest() const { return heap.front().at; }
  void add(Ticks at, int rank);
  int take();

private:
  struct Entry {
    Ticks at;
    int rank;
    bool operator<(const Entry &other) const {
      return at != other.at ? at < other.at : rank < other.rank;
    }
  };
  std::vector<Entry> heap;
};

} // namespace zrt::sim

#endif // ZRT_TRANSPORT_SIM_MESSAGES_H
