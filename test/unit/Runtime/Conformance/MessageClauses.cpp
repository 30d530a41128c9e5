//===- MessageClauses.cpp - send and receive ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The clauses about ordered messages. A send may return at once or wait for
/// its receiver, so each clause is right for both. With one processor they hold
/// trivially.
///
//===----------------------------------------------------------------------===//

#include "../Random.h"
#include "Clauses.h"

#include <cstring>

using namespace zrt;
using namespace zrt::test;

namespace {

void sendPattern(Context &context, int to, int number, size_t bytes) {
  char *data = context.keep(bytes);
  fillPattern(data, bytes, context.rank(), number);
  context.transport.send(to, data, bytes);
}

void receivePattern(Context &context, int from, int number, size_t bytes,
                    const char *what) {
  std::vector<char> data(bytes + 1);
  context.transport.receive(from, data.data(), bytes);
  context.expect(holdsPattern(data.data(), bytes, from, number), what);
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

/// All of one size, so that one that is lost or overtaken is not noticed by
/// its size; then of many sizes.
void keepOrder(Context &context) {
  constexpr int Count = 200;
  auto bytes = [](int n) { return n < 100 ? 40 : size_t(n) * 37 % 500; };
  forEachPair(
      context,
      [&](int to) {
        for (int n = 0; n < Count; ++n)
          sendPattern(context, to, n, bytes(n));
      },
      [&](int from) {
        context.linger(); // They pile up.
        for (int n = 0; n < Count; ++n)
          receivePattern(context, from, n, bytes(n),
                         "messages of a pair arrive in order, each once");
      });
}

/// Around the ring, one pair after another.
void anySize(Context &context) {
  for (int from = 0; context.size() > 1 && from < context.size(); ++from) {
    int to = (from + 1) % context.size();
    for (size_t size :
         {size_t(0), size_t(1), size_t(32760), size_t(32768), size_t(65528),
          size_t(65536), size_t(65537), size_t(200003),
          context.largest() / 4 - 1, context.largest() + 3}) {
      if (context.rank() == from)
        sendPattern(context, to, 5, size);
      if (context.rank() == to)
        receivePattern(context, from, 5, size, "a message arrives as sent");
    }
  }
}

void alternate(Context &context) {
  int partner = context.rank() ^ 1;
  if (partner >= context.size())
    return;
  int64_t ball = 0;
  for (int64_t i = 0; i < context.cases(1000); ++i) {
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

/// Processor 0 takes from the last one first, whatever has come first.
void anySource(Context &context) {
  constexpr const char *What = "a message is that of the named sender";
  if (context.rank() != 0) {
    sendPattern(context, 0, 1, 40000);
    sendPattern(context, 0, 2, 3);
    return;
  }
  context.linger();
  for (int from = context.size() - 1; from > 0; --from)
    receivePattern(context, from, 1, 40000, What);
  for (int from = 1; from < context.size(); ++from)
    receivePattern(context, from, 2, 3, What);
}

/// The buffer changes right after `send` has returned.
void reuseBuffer(Context &context) {
  int next = (context.rank() + 1) % context.size();
  int previous = (context.rank() + context.size() - 1) % context.size();
  for (size_t bytes : {12, 3000, 100000}) {
    char *data = context.keep(bytes);
    for (int from = 0; context.size() > 1 && from < context.size(); ++from) {
      if (context.rank() == from) {
        fillPattern(data, bytes, from, 8);
        context.transport.send(next, data, bytes);
        memset(data, -1, bytes);
      }
      if (previous == from) {
        context.linger();
        receivePattern(context, from, 8, bytes,
                       "what is sent is what stood there at send");
      }
    }
  }
}

/// Rounds in which everybody has one partner to send to and another to receive
/// from, in an order that is safe if sends wait.
void anyPattern(Context &context) {
  Random random(context.caseSeed(0));
  int size = context.size();
  for (int round = 0; size > 1 && round < 60; ++round) {
    int shift = static_cast<int>(random(1, size - 1));
    int distance = (context.rank() + shift) % size;
    int source = (context.rank() + size - shift) % size;
    size_t bytes = random(0, 3) ? random(0, 2000) : random(0, 200000);
    // In a circle of sends, the first processor breaks the tie.
    bool sendsFirst = true;
    for (int at = source; at != context.rank(); at = (at + size - shift) % size)
      sendsFirst &= at > context.rank();
    if (!sendsFirst)
      receivePattern(context, source, round, bytes, "each round's message");
    sendPattern(context, distance, round, bytes);
    if (sendsFirst)
      receivePattern(context, source, round, bytes, "each round's message");
  }
}

} // namespace

const std::vector<Clause> &zrt::test::messageClauses() {
  static const std::vector<Clause> clauses = {
      {"message-order", "messages of one pair keep their order", keepOrder},
      {"message-size", "messages of any size arrive whole", anySize},
      {"message-answer", "question and answer alternate", alternate},
      {"message-source",
       "messages of different senders may be received in any order", anySource},
      {"message-reuse", "a message's buffer is free when send returns",
       reuseBuffer},
      {"message-pattern", "messages go to and come from several partners",
       anyPattern},
  };
  return clauses;
}
