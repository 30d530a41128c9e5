//===- TransportMessageClauses.cpp - Messages and memory ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The clauses about send and receive, and about allocate and release. With
/// one processor those about messages hold trivially.
///
//===----------------------------------------------------------------------===//

#include "TransportClauses.h"

#include <cstdio>
#include <cstring>
#include <unistd.h>

using namespace zrt;
using namespace zrt::test;

namespace {

/// Byte \p i of the message number \p number from \p from.
char pattern(int from, int number, size_t i) {
  return static_cast<char>(from * 31 + number * 7 + i * 13 + (i >> 8));
}

void sendPattern(Context &context, int to, int number, size_t bytes) {
  std::vector<char> data(bytes);
  for (size_t i = 0; i < bytes; ++i)
    data[i] = pattern(context.rank(), number, i);
  context.transport.send(to, data.data(), bytes);
}

void receivePattern(Context &context, int from, int number, size_t bytes) {
  std::vector<char> data(bytes);
  context.transport.receive(from, data.data(), bytes);
  bool same = true;
  for (size_t i = 0; i < bytes; ++i)
    same &= data[i] == pattern(from, number, i);
  context.expect(same, "a message arrives as it was sent");
}

/// Calls send(to) and receive(from) for every ordered pair, one after another.
template <typename Send, typename Receive>
void forEachPair(Context &context, Send send, Receive receive) {
  for (int from = 0; from < context.size(); ++from)
    for (int to = 0; to < context.size(); ++to) {
      if (from != to && context.rank() == from)
        send(to);
      if (from != to && context.rank() == to)
        receive(from);
    }
}

void keepsOrder(Context &context) {
  auto bytes = [](int number) { return size_t(number) * 37 % 500; };
  forEachPair(
      context,
      [&](int to) {
        for (int n = 0; n < 100; ++n)
          sendPattern(context, to, n, bytes(n));
      },
      [&](int from) {
        for (int n = 0; n < 100; ++n)
          receivePattern(context, from, n, bytes(n));
      });
}

/// Around the ring, one pair after another.
void bigMessages(Context &context) {
  constexpr size_t Sizes[] = {32760, 32768,  65528,  65536,
                              65537, 200003, 3 << 20};
  for (int from = 0; context.size() > 1 && from < context.size(); ++from) {
    int to = (from + 1) % context.size();
    for (size_t size : Sizes) {
      if (context.rank() == from)
        sendPattern(context, to, 5, size);
      if (context.rank() == to)
        receivePattern(context, from, 5, size);
    }
  }
}

void pingPong(Context &context) {
  int partner = context.rank() ^ 1;
  if (partner >= context.size())
    return;
  int64_t ball = 0;
  for (int64_t i = 0; i < 1000; ++i) {
    if (context.rank() < partner) {
      context.transport.send(partner, &i, sizeof i);
      context.transport.receive(partner, &ball, sizeof ball);
      context.expect(ball == i + 1, "the answer is that to the question");
    } else {
      context.transport.receive(partner, &ball, sizeof ball);
      ++ball;
      context.transport.send(partner, &ball, sizeof ball);
    }
  }
}

void anyReceiveOrder(Context &context) {
  if (context.rank() != 0) {
    sendPattern(context, 0, 1, 40000);
    sendPattern(context, 0, 2, 3);
    return;
  }
  for (int from = context.size() - 1; from > 0; --from)
    receivePattern(context, from, 1, 40000);
  for (int from = 1; from < context.size(); ++from)
    receivePattern(context, from, 2, 3);
}

// --- Memory -----------------------------------------------------------------

bool isZero(const char *memory, size_t bytes) {
  return bytes == 0 ||
         (memory[0] == 0 && memcmp(memory, memory + 1, bytes - 1) == 0);
}

constexpr size_t Sizes[] = {0,     1,      63,     64,      65,     4095,
                            70000, 131072, 300001, 4 << 20, 5000001};

void allocatesZeros(Context &context) {
  for (int round = 0; round < 3; ++round) {
    std::vector<char *> pieces;
    for (size_t bytes : Sizes) {
      char *piece = static_cast<char *>(context.transport.allocate(bytes));
      context.expect(piece, "there is memory");
      if (!piece)
        return;
      context.expect(reinterpret_cast<uintptr_t>(piece) % 64 == 0,
                     "memory is aligned to 64 bytes");
      context.expect(isZero(piece, bytes),
                     "memory is zero, used before or not");
      memset(piece, static_cast<int>(pieces.size()) + 1, bytes);
      pieces.push_back(piece);
    }
    for (size_t i = 0; i < pieces.size(); ++i) {
      size_t bytes = Sizes[i];
      bool intact = bytes == 0 || (pieces[i][0] == static_cast<char>(i + 1) &&
                                   pieces[i][bytes - 1] == pieces[i][0]);
      context.expect(intact, "pieces do not overlap");
    }
    // First the even ones, then the odd ones.
    for (size_t start : {0, 1})
      for (size_t i = start; i < pieces.size(); i += 2)
        context.transport.release(pieces[i], Sizes[i]);
  }
}

void refusesTooMuch(Context &context) {
  void *memory = context.transport.allocate(size_t(1) << 60);
  context.expect(!memory, "an exabyte is refused with null");
}

/// Bytes of physical memory that this process uses.
size_t residentBytes() {
  size_t total = 0, resident = 0;
  if (FILE *file = fopen("/proc/self/statm", "r")) {
    if (fscanf(file, "%zu %zu", &total, &resident) != 2)
      resident = 0;
    fclose(file);
  }
  return resident * sysconf(_SC_PAGESIZE);
}

void returnsMemory(Context &context) {
  constexpr size_t Most = 80 << 20;
  size_t before = residentBytes();
  for (size_t i = 0; i < 5; ++i) { // No two of one size.
    size_t bytes = Most - (i << 20);
    void *memory = context.transport.allocate(bytes);
    context.expect(memory, "there is memory");
    if (!memory)
      return;
    memset(memory, 1, bytes);
    context.transport.release(memory, bytes);
  }
  context.expect(residentBytes() < before + Most / 2,
                 "released memory goes back to the system");
}

} // namespace

void Context::barrier() {
  // Right even where a send blocks until it is received.
  char token = 0;
  if (rank() != 0) {
    transport.send(0, &token, 1);
    transport.receive(0, &token, 1);
    return;
  }
  for (int from = 1; from < size(); ++from)
    transport.receive(from, &token, 1);
  for (int to = 1; to < size(); ++to)
    transport.send(to, &token, 1);
}

const std::vector<Clause> &zrt::test::messageClauses() {
  static const std::vector<Clause> clauses = {
      {"messages of one pair keep their order", keepsOrder},
      {"messages of any size arrive whole", bigMessages},
      {"question and answer alternate", pingPong},
      {"messages of different senders may be received in any order",
       anyReceiveOrder},
  };
  return clauses;
}

const std::vector<Clause> &zrt::test::memoryClauses() {
  static const std::vector<Clause> clauses = {
      {"allocated memory is zero, aligned and one's own", allocatesZeros},
      {"a size that cannot be had is refused", refusesTooMuch},
  };
  return clauses;
}

const std::vector<Clause> &zrt::test::processClauses() {
  static const std::vector<Clause> clauses = {
      {"released memory goes back to the system", returnsMemory},
  };
  return clauses;
}
