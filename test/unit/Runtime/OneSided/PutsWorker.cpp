//===- PutsWorker.cpp - One processor of a run of puts --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     PutsWorker TRANSPORT WHAT
//
// Each processor gives blocks to the next one of a ring. WHAT:
//
//   straight  they are seen in the destination while the receiver makes no
//             call at all between DR and DN, and counts none
//   private   destinations that partners cannot write are filled by DN
//   memory    allocates until there is no memory, then goes on with less
//
// The last processor prints `ok`; each one prints what does not hold.
//
//===----------------------------------------------------------------------===//

#include "Support/Clock.h"
#include "Transport/Launch.h"

#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

using namespace zrt;

namespace {

bool failed = false;

void expect(const Transport &transport, bool holds, const char *what) {
  if (!holds)
    printf("processor %d: it is not true that %s\n", transport.rank(), what);
  failed |= !holds;
}

/// \p count doubles, \p step doubles apart.
MemoryBlock every(double *base, int64_t count, int64_t step) {
  MemoryBlock block;
  block.base = reinterpret_cast<char *>(base);
  block.elementSize = sizeof(double);
  block.rank = 1;
  block.count[0] = count;
  block.stride[0] = step * static_cast<int64_t>(sizeof(double));
  return block;
}

struct Shape {
  int64_t count, step;
};
constexpr Shape Shapes[] = {{1, 1}, {300, 1}, {300, 7}, {200000, 1}};

int next(const Transport &transport) {
  return (transport.rank() + 1) % transport.size();
}
int previous(const Transport &transport) {
  return (transport.rank() + transport.size() - 1) % transport.size();
}

std::unique_ptr<Exchange> makeRing(Transport &transport, MemoryBlock from,
                                   MemoryBlock to) {
  if (transport.size() == 2)
    return transport.makeExchange({{next(transport), {from}, {to}}});
  return transport.makeExchange(
      {{next(transport), {from}, {}}, {previous(transport), {}, {to}}});
}

bool hold(const double *memory, Shape shape, double value) {
  for (int64_t i = 0; i < shape.count; ++i)
    if (memory[i * shape.step] != value)
      return false;
  return true;
}

/// Looks at the destination until the values are there, with nothing but loads.
bool arrive(const double *memory, Shape shape, double value) {
  double start = monotonicSeconds();
  while (!hold(memory, shape, value)) {
    if (monotonicSeconds() - start > 10)
      return false;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  return true;
}

void runStraight(Transport &transport) {
  for (Shape shape : Shapes) {
    size_t bytes = shape.count * shape.step * sizeof(double);
    auto *from = static_cast<double *>(transport.allocate(bytes));
    auto *to = static_cast<double *>(transport.allocate(bytes));
    auto ring = makeRing(transport, every(from, shape.count, shape.step),
                         every(to, shape.count, shape.step));
    for (int round = 1; round <= 20; ++round) {
      for (int64_t i = 0; i < shape.count; ++i)
        from[i * shape.step] = round + 1000 * transport.rank();
      ring->destinationReady();
      ring->sourceReady();
      uint64_t calls = transport.traffic.calls;
      double wanted = round + 1000 * previous(transport);
      expect(transport, arrive(to, shape, wanted),
             "data arrive without a call of the receiver");
      expect(transport, transport.traffic.calls == calls,
             "the receiver has made no call");
      ring->destinationNeeded();
      ring->sourceVolatile();
    }
    ring.reset();
    transport.release(from, bytes);
    transport.release(to, bytes);
  }
}

void runPrivate(Transport &transport) {
  for (Shape shape : Shapes) {
    std::vector<double> from(shape.count * shape.step);
    std::vector<double> to(shape.count * shape.step);
    auto ring = makeRing(transport, every(from.data(), shape.count, shape.step),
                         every(to.data(), shape.count, shape.step));
    for (int round = 1; round <= 20; ++round) {
      for (int64_t i = 0; i < shape.count; ++i)
        from[i * shape.step] = round + 1000 * transport.rank();
      ring->destinationReady();
      ring->sourceReady();
      ring->destinationNeeded();
      expect(transport,
             hold(to.data(), shape, round + 1000 * previous(transport)),
             "private destinations are filled");
      ring->sourceVolatile();
    }
  }
}

void runMemory(Transport &transport) {
  constexpr size_t Piece = 64 << 20;
  std::vector<void *> pieces;
  while (pieces.size() < 1000)
    if (void *piece = transport.allocate(Piece))
      pieces.push_back(piece);
    else
      break;
  expect(transport, pieces.size() < 1000, "memory comes to an end");
  for (void *piece : pieces)
    transport.release(piece, Piece);
  runStraight(transport);
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  LaunchOptions options;
  options.transport = argv[1];
  options.pluginDir = ZRT_TEST_PLUGIN_DIR;
  std::unique_ptr<Transport> transport = launch(options);
  std::string what = argv[2];
  if (what == "straight")
    runStraight(*transport);
  else if (what == "private")
    runPrivate(*transport);
  else if (what == "memory")
    runMemory(*transport);
  else
    return 2;
  char token = 0;
  if (transport->rank() > 0)
    transport->receive(previous(*transport), &token, 1);
  if (transport->rank() + 1 < transport->size())
    transport->send(next(*transport), &token, 1);
  else if (!failed)
    puts("ok");
  transport->finish();
  return failed ? 3 : 0;
}
