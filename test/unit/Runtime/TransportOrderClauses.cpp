//===- TransportOrderClauses.cpp - When transfers happen ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The clauses about the four points (dissertation 4.4): what may be written
/// when, how far one side may run ahead, and what several transfers at a time
/// may do to each other. A ring of processors; each sends to the next.
///
//===----------------------------------------------------------------------===//

#include "TransportClauses.h"
#include "TransportField.h"

#include <ctime>

using namespace zrt;
using namespace zrt::test;

namespace {

constexpr int64_t Width = 300;

void dawdle(double milliseconds) {
  timespec time = {0, static_cast<long>(milliseconds * 1e6)};
  nanosleep(&time, nullptr);
}

/// A ring transfer of row 0 of each processor to row 1 of the next.
struct Ring {
  Ring(Context &context, int64_t columns = Width)
      : context(context), field(context.transport, 2, columns) {
    int next = (context.rank() + 1) % context.size();
    int previous = (context.rank() + context.size() - 1) % context.size();
    MemoryBlock source = field.box(0, 0, 1, columns);
    MemoryBlock target = field.box(1, 0, 1, columns);
    std::vector<Pair> pairs;
    if (context.size() == 2)
      pairs.push_back({next, {source}, {target}});
    else if (context.size() > 2)
      pairs = {{next, {source}, {}}, {previous, {}, {target}}};
    exchange = context.transport.makeExchange(std::move(pairs));
  }

  void setSource(double number) {
    for (int64_t j = 0; j < field.columns; ++j)
      field.at(0, j) = number + context.rank() * 1e6;
  }
  void expectTarget(double number, const char *what) {
    int previous = (context.rank() + context.size() - 1) % context.size();
    for (int64_t j = 0; context.size() > 1 && j < field.columns; ++j)
      context.expect(field.at(1, j) == number + previous * 1e6, what);
  }

  Context &context;
  Field field;
  std::unique_ptr<Exchange> exchange;
};

/// Processors take turns at being slow, and nothing but the exchange itself
/// keeps the others from running ahead.
void runningAhead(Context &context) {
  Ring ring(context);
  for (int i = 0; i < 100; ++i) {
    if (i % 10 == context.rank() % 10)
      dawdle(1);
    ring.exchange->destinationReady();
    ring.setSource(i);
    ring.exchange->sourceReady();
    ring.exchange->destinationNeeded();
    ring.expectTarget(i, "after DN the values of this round are there");
    ring.exchange->sourceVolatile();
    ring.setSource(-1); // Must not reach anybody.
  }
}

/// The partner is one SR ahead; its new values must wait for our DR.
void destinationIsOurs(Context &context) {
  Ring ring(context);
  for (int i = 0; i < 20; ++i) {
    ring.exchange->destinationReady();
    ring.setSource(i);
    ring.exchange->sourceReady();
    ring.exchange->destinationNeeded();
    ring.exchange->sourceVolatile();
    if (i % 2 == context.rank() % 2)
      dawdle(0.5);
    ring.expectTarget(i, "between DN and DR nobody writes the destination");
  }
}

/// The values at SR count, not those at DR.
void sourceCountsAtReady(Context &context) {
  Ring ring(context);
  for (int i = 0; i < 10; ++i) {
    ring.setSource(-1);
    ring.exchange->destinationReady();
    dawdle(0.2);
    ring.setSource(i);
    ring.exchange->sourceReady();
    ring.exchange->destinationNeeded();
    ring.expectTarget(i, "what is sent is what stands there at SR");
    ring.exchange->sourceVolatile();
  }
}

void interleaved(Context &context) {
  Ring a(context), b(context, 17);
  for (int i = 0; i < 50; ++i) {
    a.exchange->destinationReady();
    b.exchange->destinationReady();
    a.setSource(i);
    a.exchange->sourceReady();
    b.setSource(1000 + i);
    b.exchange->sourceReady();
    // Not in the order in which they were sent.
    b.exchange->destinationNeeded();
    b.expectTarget(1000 + i, "the second transfer of two");
    a.exchange->destinationNeeded();
    a.expectTarget(i, "the first transfer of two");
    a.exchange->sourceVolatile();
    b.exchange->sourceVolatile();
  }
}

/// More transfers between SR and DN than any queue holds, taken backwards.
void manyInFlight(Context &context) {
  constexpr int Count = 150;
  std::vector<std::unique_ptr<Ring>> rings;
  for (int k = 0; k < Count; ++k)
    rings.push_back(std::make_unique<Ring>(context, 5 + k));
  for (int round = 0; round < 3; ++round) {
    for (int k = 0; k < Count; ++k) {
      rings[k]->exchange->destinationReady();
      rings[k]->setSource(k + round * 1000);
      rings[k]->exchange->sourceReady();
    }
    for (int k = Count - 1; k >= 0; --k) {
      rings[k]->exchange->destinationNeeded();
      rings[k]->expectTarget(k + round * 1000, "each of many transfers");
    }
    for (int k = 0; k < Count; ++k)
      rings[k]->exchange->sourceVolatile();
  }
}

/// Plans come and go while others stay.
void plansComeAndGo(Context &context) {
  Ring lasting(context);
  for (int i = 0; i < 200; ++i) {
    Ring passing(context, 1 + i % 7);
    if (i % 3 == 0) { // Some are never used.
      passing.setSource(i);
      runExchange(*passing.exchange);
      passing.expectTarget(i, "a plan that is used once");
    }
    if (i % 5 == 0) {
      lasting.setSource(i);
      runExchange(*lasting.exchange);
      lasting.expectTarget(i, "a plan that outlives others");
    }
  }
}

/// Messages pass between the points of a transfer.
void messagesBetween(Context &context) {
  Ring ring(context);
  for (int i = 0; i < 30; ++i) {
    ring.exchange->destinationReady();
    ring.setSource(i);
    context.barrier();
    ring.exchange->sourceReady();
    context.barrier();
    ring.exchange->destinationNeeded();
    ring.expectTarget(i, "messages do not disturb a transfer");
    context.barrier();
    ring.exchange->sourceVolatile();
  }
}

/// Memory is released right after SV, when a partner may be slow.
void releaseAfterVolatile(Context &context) {
  for (int i = 0; i < 20; ++i) {
    Ring ring(context, 40000);
    ring.setSource(i);
    ring.exchange->destinationReady();
    ring.exchange->sourceReady();
    if (context.rank() % 2)
      dawdle(0.3);
    ring.exchange->destinationNeeded();
    ring.exchange->sourceVolatile();
    ring.expectTarget(i, "memory may be released after SV");
  }
}

} // namespace

const std::vector<Clause> &zrt::test::orderClauses() {
  static const std::vector<Clause> clauses = {
      {"DN waits for the values, SV for the reader, over 100 rounds",
       runningAhead},
      {"the destination is the program's between DN and DR", destinationIsOurs},
      {"the values at SR are sent", sourceCountsAtReady},
      {"two transfers may interleave", interleaved},
      {"many transfers may be under way", manyInFlight},
      {"plans come and go", plansComeAndGo},
      {"messages and transfers do not disturb each other", messagesBetween},
      {"memory may be released after SV", releaseAfterVolatile},
  };
  return clauses;
}
