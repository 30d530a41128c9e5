//===- ThreadTransport.h - A plain transport for tests ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Processors as threads, messages in queues under one lock: so plain that what
/// fails on it is no fault of the transport's. It can use what a transport's
/// contract allows: sends may block until they are received, and there may or
/// may not be a `gather`.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_THREADTRANSPORT_H
#define ZRT_TEST_THREADTRANSPORT_H

#include "Transport/Blocks.h"
#include "Transport/Transport.h"

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <tuple>
#include <vector>

namespace zrt {

/// What all processors of a run share.
struct ThreadRun {
  int processors = 1;
  bool sendsBlock = false;
  size_t gatherLimit = 0;

  std::mutex lock;
  std::condition_variable changed;
  /// By channel, sender and receiver. Channel 0 has the messages.
  using Queue = std::deque<std::vector<char>>;
  std::map<std::tuple<uint64_t, int, int>, Queue> queues;

  void put(uint64_t channel, int from, int to, std::vector<char> data,
           bool blocks) {
    std::unique_lock held(lock);
    Queue &queue = queues[{channel, from, to}];
    queue.push_back(std::move(data));
    changed.notify_all();
    if (blocks)
      changed.wait(held, [&] { return queue.empty(); });
  }
  std::vector<char> take(uint64_t channel, int from, int to) {
    std::unique_lock held(lock);
    Queue &queue = queues[{channel, from, to}];
    changed.wait(held, [&] { return !queue.empty(); });
    std::vector<char> data = std::move(queue.front());
    queue.pop_front();
    changed.notify_all();
    return data;
  }
};

class ThreadTransport final : public Transport {
public:
  ThreadTransport(ThreadRun &run, int self) : run(run), self(self) {}

  const char *name() const override { return "threads"; }
  int rank() const override { return self; }
  int size() const override { return run.processors; }
  void *allocate(size_t bytes) override {
    size_t whole = (bytes + 63) / 64 * 64;
    void *memory = std::aligned_alloc(64, whole);
    std::memset(memory, 0, whole);
    return memory;
  }
  void release(void *memory, size_t) override { std::free(memory); }

  void send(int to, const void *data, size_t bytes) override {
    auto *first = static_cast<const char *>(data);
    run.put(0, self, to, {first, first + bytes}, run.sendsBlock);
    ++traffic.messages;
  }
  void receive(int from, void *data, size_t bytes) override {
    std::vector<char> came = run.take(0, from, self);
    if (came.size() != bytes)
      std::abort();
    std::memcpy(data, came.data(), bytes);
  }

  size_t gatherLimit(int) const override { return run.gatherLimit; }
  void gather(const int *members, int count, int place, const void *mine,
              size_t bytes, void *all) override {
    auto *first = static_cast<const char *>(mine);
    for (int m = 0; m < count; ++m)
      if (m != place)
        run.put(1, self, members[m], {first, first + bytes}, false);
    for (int m = 0; m < count; ++m) {
      std::vector<char> part(first, first + bytes);
      if (m != place)
        part = run.take(1, members[m], self);
      std::memcpy(static_cast<char *>(all) + static_cast<size_t>(m) * bytes,
                  part.data(), bytes);
    }
  }

  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override {
    return std::make_unique<Exchanger>(*this, std::move(pairs), ++exchanges);
  }
  bool claimReport(bool) override { return true; }
  [[noreturn]] void abort(int status) override { std::_Exit(status); }
  void finish() override {}

private:
  /// Packs at SR and unpacks at DN.
  class Exchanger final : public Exchange {
  public:
    Exchanger(ThreadTransport &transport, std::vector<Pair> pairs,
              uint64_t number)
        : transport(transport), pairs(std::move(pairs)), channel(number + 1) {}
    void destinationReady() override {}
    void sourceReady() override {
      for (const Pair &pair : pairs)
        for (const MemoryBlock &block : pair.sends) {
          std::vector<char> data(static_cast<size_t>(block.bytes()));
          packBlock(block, data.data());
          transport.run.put(channel, transport.self, pair.partner,
                            std::move(data), false);
        }
    }
    void destinationNeeded() override {
      for (const Pair &pair : pairs)
        for (const MemoryBlock &block : pair.receives)
          unpackBlock(
              transport.run.take(channel, pair.partner, transport.self).data(),
              block);
    }
    void sourceVolatile() override {}

  private:
    ThreadTransport &transport;
    std::vector<Pair> pairs;
    uint64_t channel;
  };

  ThreadRun &run;
  int self;
  uint64_t exchanges = 0;
};

/// Runs \p work on a thread for each of \p transports.
inline void onEach(const std::vector<std::unique_ptr<Transport>> &transports,
                   const std::function<void(Transport &)> &work) {
  std::vector<std::thread> threads;
  for (const auto &transport : transports)
    threads.emplace_back([&work, &transport] {
      work(*transport);
      transport->finish();
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace zrt

#endif // ZRT_TEST_THREADTRANSPORT_H
