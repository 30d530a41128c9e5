//===- ShmTest.cpp - What is special to the transport shm -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transfers arrive whichever way they go, with sources and destinations in
// private and in shared memory; gathers of rows and columns of a grid overlap;
// a processor that waits is seen to; a segment can be opened by a process that
// has not inherited it. Processors are threads where nothing else is said.
//
//===----------------------------------------------------------------------===//

#include "Transport/shm/ShmTransport.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace zrt;
using namespace zrt::shm;

namespace {

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif
#ifdef __SANITIZE_THREAD__
constexpr bool UnderThreadSanitizer = true;
#else
constexpr bool UnderThreadSanitizer = false;
#endif

void runThreads(int processors,
                const std::function<void(Transport &transport)> &body) {
  auto transports = makeThreadTransports(processors);
  ASSERT_EQ(transports.size(), static_cast<size_t>(processors));
  std::vector<std::thread> threads;
  for (auto &transport : transports)
    threads.emplace_back([&] {
      body(*transport);
      transport->finish();
    });
  for (std::thread &thread : threads)
    thread.join();
}

void dawdle(std::mt19937 &random) {
  if (random() % 8 == 0)
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
}

/// `count` doubles, `step` apart.
MemoryBlock strided(char *base, int64_t count, int64_t step) {
  return {base, 8, 1, {count}, {step * 8}};
}

/// Memory of a transport, or outside of it, as large arrays are where slices
/// have no huge pages.
struct Memory {
  Memory(Transport &transport, bool isPrivate, size_t bytes)
      : transport(transport), isPrivate(isPrivate), bytes(bytes),
        data(static_cast<char *>(isPrivate ? calloc(bytes, 1)
                                           : transport.allocate(bytes))) {}
  ~Memory() {
    if (isPrivate)
      free(data);
    else
      transport.release(data, bytes);
  }
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;
  double &at(int64_t i) { return reinterpret_cast<double *>(data)[i]; }

  Transport &transport;
  bool isPrivate;
  size_t bytes;
  char *data;
};

/// Each processor sends to the next; processor 0 is slow now and then.
void sendAround(Transport &transport, int64_t count, int64_t step,
                bool isSourcePrivate, bool isTargetPrivate, bool bothWays) {
  int size = transport.size(), self = transport.rank();
  int next = (self + 1) % size, previous = (self + size - 1) % size;
  Memory source(transport, isSourcePrivate, count * step * 8);
  Memory target(transport, isTargetPrivate, count * 8);
  std::vector<Pair> pairs;
  MemoryBlock from = strided(source.data, count, step);
  MemoryBlock to = strided(target.data, count, 1);
  if (size == 2 && bothWays)
    pairs = {{next, {from}, {to}}};
  else if (self == 0 && !bothWays)
    pairs = {{next, {from}, {}}};
  else if (self == 1 && !bothWays)
    pairs = {{previous, {}, {to}}};
  auto exchange = transport.makeExchange(pairs);
  bool receives = bothWays || self == 1;
  std::mt19937 random(self);
  for (int round = 0; round < 12; ++round) {
    exchange->destinationReady();
    for (int64_t i = 0; i < count; ++i)
      source.at(i * step) = round * 1e6 + previous * 1e8 + i;
    dawdle(random);
    exchange->sourceReady();
    exchange->destinationNeeded();
    dawdle(random);
    int64_t wrong = 0;
    for (int64_t i = 0; receives && i < count; ++i)
      wrong += target.at(i) != round * 1e6 + self * 1e8 + i;
    EXPECT_EQ(wrong, 0) << count << " elements " << step << " apart, round "
                        << round;
    exchange->sourceVolatile();
    for (int64_t i = 0; i < count; ++i)
      source.at(i * step) = -1;
  }
}

} // namespace

/// In the cache line of the flag and beyond; packed and pulled; in short runs.
TEST(Shm, TransfersOfAllSizesAndSteps) {
  for (int64_t count : {1, 6, 7, 128, 129, 4096, 4097, 20000})
    for (int64_t step : {1, 3})
      for (bool bothWays : {true, false})
        runThreads(2, [&](Transport &transport) {
          sendAround(transport, count, step, false, false, bothWays);
        });
}

/// Private sources are packed or pushed, private destinations filled by their
/// owner.
TEST(Shm, TransfersBetweenPrivateAndShared) {
  for (int64_t count : {5, 600, 9000})
    for (bool isSourcePrivate : {true, false})
      for (bool isTargetPrivate : {true, false})
        for (bool bothWays : {true, false})
          runThreads(2, [&](Transport &transport) {
            sendAround(transport, count, 2, isSourcePrivate, isTargetPrivate,
                       bothWays);
          });
}

/// Kilobytes of shared memory from \p start on that are mapped as huge pages.
long hugeKilobytes(const void *start) {
  std::ifstream maps("/proc/self/smaps");
  std::ostringstream first;
  first << std::hex << reinterpret_cast<uintptr_t>(start) << '-';
  bool isHere = false;
  for (std::string line; std::getline(maps, line);) {
    isHere |= line.rfind(first.str(), 0) == 0;
    if (isHere && line.rfind("ShmemPmdMapped:", 0) == 0)
      return std::stol(line.substr(line.find(':') + 1));
  }
  return 0;
}

/// Large pieces of a slice lie in huge pages wherever the system can make them,
/// are zero, and go back.
TEST(Shm, SlicesHaveHugePages) {
  constexpr size_t Bytes = 32 << 20, Piece = (5 << 20) + 64;
  int file = memfd_create("slice", MFD_CLOEXEC);
  ASSERT_EQ(ftruncate(file, Bytes), 0);
  auto *wanted = reinterpret_cast<void *>(CommonAddress);
  void *memory = mmap(wanted, Bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_FIXED_NOREPLACE, file, 0);
  close(file);
  ASSERT_EQ(memory, wanted);
  SliceHeap heap(static_cast<char *>(memory), Bytes);
  bool makes = heap.makeHugePages();
  for (int i = 0; makes && i < 3; ++i) {
    auto *piece = static_cast<char *>(heap.allocate(Piece));
    ASSERT_NE(piece, nullptr);
    EXPECT_EQ(hugeKilobytes(memory), 4 << 10);
    EXPECT_EQ(std::count(piece, piece + Piece, 0), Piece);
    std::fill(piece, piece + Piece, 7);
    heap.release(piece, Piece);
  }
  munmap(memory, Bytes);
  if (!makes)
    GTEST_SKIP() << "the system makes no huge pages of shared memory";
}

/// The sender may destroy an exchange long before the receiver has come to DN.
TEST(Shm, SenderLeavesEarly) {
  runThreads(2, [&](Transport &transport) {
    for (int i = 0; i < 50; ++i) {
      Memory memory(transport, false, 800);
      MemoryBlock block = strided(memory.data, 100, 1);
      std::vector<Pair> pairs;
      if (transport.rank() == 0)
        pairs = {{1, {block}, {}}};
      else
        pairs = {{0, {}, {block}}};
      auto used = transport.makeExchange(pairs);
      auto unused = transport.makeExchange(pairs);
      if (transport.rank() == 0)
        memory.at(99) = i;
      used->destinationReady();
      used->sourceReady();
      if (transport.rank() == 1)
        std::this_thread::sleep_for(std::chrono::microseconds(100));
      used->destinationNeeded();
      EXPECT_EQ(memory.at(99), i);
      used->sourceVolatile();
      used.reset();
      unused.reset();
    }
  });
}

/// More transfers than the queue of a pair takes, whose sender goes on to its
/// end without a wait.
TEST(Shm, SenderEndsEarly) {
  constexpr int Count = 100;
  auto transports = makeThreadTransports(2);
  ASSERT_EQ(transports.size(), 2u);
  std::vector<std::unique_ptr<Exchange>> exchanges[2];
  auto run = [&](int self) {
    Transport &transport = *transports[self];
    auto *memory = static_cast<char *>(transport.allocate(Count * 8));
    for (int k = 0; k < Count; ++k) {
      MemoryBlock block = strided(memory + k * 8, 1, 1);
      if (self == 0)
        reinterpret_cast<double *>(memory)[k] = k + 0.5;
      exchanges[self].push_back(transport.makeExchange(
          {self == 0 ? Pair{1, {block}, {}} : Pair{0, {}, {block}}}));
      exchanges[self][k]->destinationReady();
      exchanges[self][k]->sourceReady();
      if (self == 0)
        exchanges[self][k]->sourceVolatile();
    }
    for (int k = Count - 1; self == 1 && k >= 0; --k) {
      exchanges[self][k]->destinationNeeded();
      EXPECT_EQ(reinterpret_cast<double *>(memory)[k], k + 0.5);
    }
    transport.finish();
  };
  std::thread sender(run, 0), receiver(run, 1);
  sender.join();
  receiver.join();
}

/// Rows and columns of a 3 x 4 grid in turns, and everybody now and then. No
/// barrier keeps a fast row from the next column.
TEST(Shm, OverlappingGathers) {
  constexpr int Rows = 3, Columns = 4;
  runThreads(Rows * Columns, [&](Transport &transport) {
    int self = transport.rank(), row = self / Columns, column = self % Columns;
    std::vector<int> mine[3];
    for (int k = 0; k < Columns; ++k)
      mine[0].push_back(row * Columns + k);
    for (int k = 0; k < Rows; ++k)
      mine[1].push_back(k * Columns + column);
    for (int k = 0; k < Rows * Columns; ++k)
      mine[2].push_back(k);
    int places[] = {column, row, self};
    std::mt19937 random(self);
    for (int64_t round = 0; round < 400; ++round) {
      int which = round % 7 == 6 ? 2 : round % 2;
      const std::vector<int> &members = mine[which];
      int count = static_cast<int>(members.size());
      // Payloads within a cache line, and beyond.
      size_t length = round % 3 ? 1 : 100;
      std::vector<int64_t> payload(length, round * 100 + self);
      std::vector<int64_t> all(length * count, -1);
      dawdle(random);
      ASSERT_GE(transport.gatherLimit(count), length * 8);
      transport.gather(members.data(), count, places[which], payload.data(),
                       length * 8, all.data());
      for (size_t i = 0; i < all.size(); ++i)
        ASSERT_EQ(all[i], round * 100 + members[i / length]);
    }
  });
}

TEST(Shm, GathersAtTheirLimit) {
  for (int count : {1, 2, 5})
    runThreads(count, [&](Transport &transport) {
      std::vector<int> members(count);
      for (int k = 0; k < count; ++k)
        members[k] = k;
      size_t limit = transport.gatherLimit(count);
      for (size_t bytes : {size_t(0), size_t(56), size_t(57), limit}) {
        std::string mine(bytes, static_cast<char>('a' + transport.rank()));
        std::string all(bytes * count, '?'), expected;
        for (int k = 0; k < count; ++k)
          expected += std::string(bytes, static_cast<char>('a' + k));
        transport.gather(members.data(), count, transport.rank(), mine.data(),
                         bytes, all.data());
        EXPECT_EQ(all, expected);
      }
    });
}

/// Behind unread messages and around the ends of the rings.
TEST(Shm, ExchangesOfAllSizes) {
  runThreads(2, [&](Transport &transport) {
    int other = 1 - transport.rank();
    for (size_t bytes : {0, 1, 8, 32767, 32768, 32769, 65528, 65536, 300001}) {
      std::string mine(bytes, static_cast<char>('a' + transport.rank()));
      std::string its(bytes, '?');
      int64_t note = 7, got = 0;
      transport.send(other, &note, sizeof note);
      transport.receive(other, &got, sizeof got);
      transport.exchange(other, mine.data(), its.data(), bytes);
      EXPECT_EQ(got, 7);
      EXPECT_EQ(its, std::string(bytes, static_cast<char>('a' + other)));
    }
  });
}

TEST(Shm, TrafficIsCounted) {
  runThreads(2, [&](Transport &transport) {
    Memory memory(transport, false, 1600);
    MemoryBlock from = strided(memory.data, 100, 1), to = from;
    to.base += 800;
    auto exchange =
        transport.makeExchange({{1 - transport.rank(), {from}, {to}}});
    exchange->destinationReady();
    exchange->sourceReady();
    exchange->destinationNeeded();
    exchange->sourceVolatile();
    EXPECT_EQ(transport.traffic.messages, 1u);
    EXPECT_EQ(transport.traffic.bytes, 800u);
    char token = 0;
    transport.exchange(1 - transport.rank(), &token, &token, 1);
    EXPECT_EQ(transport.traffic.messages, 2u);
    EXPECT_EQ(transport.traffic.bytes, 801u);
  });
}

TEST(Shm, AWaitIsSeen) {
  auto segment = Segment::create(2, size_t(64) << 20);
  ASSERT_TRUE(segment);
  ShmTransport first(segment, 0), second(segment, 1);
  EXPECT_FALSE(segment->waitOf(0));
  char token = 1;
  std::thread waiting([&] { first.receive(1, &token, 1); });
  std::optional<Wait> wait;
  for (int i = 0; i < 5000 && !wait; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    wait = segment->waitOf(0);
  }
  ASSERT_TRUE(wait);
  EXPECT_EQ(wait->partner, 1);
  EXPECT_EQ(segment->waitOf(0)->number, wait->number);
  second.send(0, &token, 1);
  EXPECT_FALSE(segment->waitOf(0)) << "what it waits for has come";
  waiting.join();
  EXPECT_FALSE(segment->waitOf(0));
}

/// A process without the mapping opens the file and finds everything at the
/// same address.
TEST(Shm, SegmentsAreOpened) {
  if (UnderThreadSanitizer)
    GTEST_SKIP() << "it has no room at that address";
  int file = -1;
  auto segment = Segment::create(2, size_t(64) << 20, &file);
  ASSERT_TRUE(segment);
  ASSERT_GE(file, 0);
  EXPECT_FALSE(Segment::open(file)) << "the address is in use";
  EXPECT_EQ(errno, EEXIST);
  pid_t child = fork();
  if (child == 0) {
    segment.reset(); // As if it had never had it.
    auto opened = Segment::open(file);
    if (!opened || opened->processors() != 2)
      _exit(1);
    ShmTransport transport(opened, 1);
    int64_t number = 0;
    transport.receive(0, &number, sizeof number);
    ++number;
    transport.send(0, &number, sizeof number);
    _exit(0);
  }
  close(file);
  ShmTransport transport(segment, 0);
  int64_t number = 41;
  transport.send(1, &number, sizeof number);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, 0);
  transport.receive(1, &number, sizeof number);
  EXPECT_EQ(number, 42);
}

TEST(Shm, OtherFilesAreNoSegments) {
  FILE *file = tmpfile();
  ASSERT_TRUE(file);
  errno = 0;
  EXPECT_FALSE(Segment::open(fileno(file)));
  EXPECT_EQ(errno, EINVAL);
  fclose(file);
}
