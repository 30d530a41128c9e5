//===- OrderClauses.cpp - When transfers happen ---------------------------===//
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
/// Where something may happen too early, those that could do it run ahead and
/// the others linger. A transport that waits in SR for its partner's DR is
/// right as well, so nobody asks for a sign between a partner's DR and SR.
///
//===----------------------------------------------------------------------===//

#include "Field.h"

using namespace zrt;
using namespace zrt::test;

namespace {

constexpr int64_t Width = 300;

/// What a destination holds before anything has been sent to it.
constexpr double Untouched = -6;

/// A ring transfer of row 0 of each processor to row 1 of the next.
struct Ring {
  Ring(Context &context, int64_t columns = Width)
      : context(context),
        field(std::make_unique<Field>(context.transport, 2, columns)) {
    setTarget(Untouched);
    MemoryBlock source = field->box(0, 0, 1, columns);
    MemoryBlock target = field->box(1, 0, 1, columns);
    int size = context.size();
    int next = (context.rank() + 1) % size;
    std::vector<Pair> pairs;
    if (size == 2)
      pairs.push_back({next, {source}, {target}});
    else if (size > 2)
      pairs = {{next, {source}, {}}, {previous(), {}, {target}}};
    exchange = context.transport.makeExchange(std::move(pairs));
  }

  int previous() const {
    return (context.rank() + context.size() - 1) % context.size();
  }
  bool isAlone() const { return context.size() == 1; }
  void setSource(double number) {
    for (int64_t j = 0; j < field->columns; ++j)
      field->at(0, j) = number + context.rank() * 1e6;
  }
  void setTarget(double value) {
    for (int64_t j = 0; j < field->columns; ++j)
      field->at(1, j) = value;
  }
  bool targetIs(double value) {
    bool same = true;
    for (int64_t j = 0; j < field->columns; ++j)
      same &= field->at(1, j) == value;
    return same;
  }
  void expectTarget(double number, const char *what) {
    context.expect(isAlone() || targetIs(number + previous() * 1e6), what);
  }

  void dr() { exchange->destinationReady(); }
  void sr() { exchange->sourceReady(); }
  void dn() { exchange->destinationNeeded(); }
  void sv() { exchange->sourceVolatile(); }

  Context &context;
  std::unique_ptr<Field> field;
  std::unique_ptr<Exchange> exchange;
};

bool isOdd(const Context &context) { return context.rank() % 2 != 0; }

// --- Visibility -------------------------------------------------------------

/// Processors take turns at coming late to SR; the others wait in DN.
void waitsForSource(Context &context) {
  Ring ring(context);
  for (int i = 0; i < 20; ++i) {
    ring.setSource(i);
    ring.dr();
    if (i % context.size() == context.rank())
      context.linger();
    ring.sr();
    ring.dn();
    ring.expectTarget(i, "after DN the values of this round are there");
    context.barrier();
    ring.sv();
  }
}

/// The sender computes after SR, for long; its data are on their way.
void dataComeWithTheFlag(Context &context) {
  for (int64_t columns : {int64_t(4), Width, int64_t(20000)}) {
    Ring ring(context, columns);
    for (int i = 0; i < 5; ++i) {
      ring.setSource(i);
      ring.dr();
      ring.sr();
      if (isOdd(context))
        context.linger();
      ring.dn();
      ring.expectTarget(i, "what DN waits for is there with all its bytes");
      context.barrier();
      ring.sv();
    }
  }
}

/// The values at SR count, not those at DR.
void sourceCountsAtReady(Context &context) {
  Ring ring(context);
  for (int i = 0; i < 10; ++i) {
    ring.setSource(-1);
    ring.dr();
    context.barrier();
    ring.setSource(i);
    ring.sr();
    context.barrier();
    ring.dn();
    ring.expectTarget(i, "what is sent is what stands there at SR");
    context.barrier();
    ring.sv();
  }
}

// --- The destination --------------------------------------------------------

/// Odd processors write their own values where data will arrive, linger, and
/// find them unharmed; the even ones have passed SR meanwhile, or wait in it.
void ownBeforeReady(Context &context, Ring &ring, double value) {
  ring.setTarget(value);
  if (isOdd(context))
    context.linger();
  context.expect(ring.targetIs(value),
                 "before DR nobody writes the destination");
}

void untouchedWhenMade(Context &context) {
  for (int i = 0; i < 10; ++i) {
    Ring ring(context);
    ring.setSource(i);
    context.expect(ring.targetIs(Untouched),
                   "making an exchange does not touch the destination");
    ownBeforeReady(context, ring, -7);
    ring.dr();
    ring.sr();
    ring.dn();
    ring.expectTarget(i, "data come to a destination that was written to");
    ring.sv();
  }
}

void untouchedAfterNeeded(Context &context) {
  Ring ring(context);
  for (int i = 0; i < 20; ++i) {
    ring.setSource(i);
    ring.dr();
    ring.sr();
    ring.dn();
    ring.sv();
    if (i % 2 == context.rank() % 2)
      context.linger();
    ring.expectTarget(i, "between DN and DR nobody writes the destination");
    ownBeforeReady(context, ring, -9);
  }
}

// --- The source -------------------------------------------------------------

/// Odd processors come late to DN, and all write to their sources behind SV.
void reuseAfterVolatile(Context &context) {
  for (int64_t columns : {int64_t(3), Width, int64_t(20000)}) {
    Ring ring(context, columns);
    for (int i = 0; i < 10; ++i) {
      ring.setSource(i);
      ring.dr();
      ring.sr();
      if (isOdd(context))
        context.linger();
      ring.dn();
      ring.expectTarget(i, "what is written behind SV reaches nobody");
      ring.sv();
      ring.setSource(-1);
    }
  }
}

/// The same, but the memory goes, and something else takes it.
void freeAfterVolatile(Context &context) {
  for (int64_t columns : {Width, int64_t(40000)}) {
    std::unique_ptr<Exchange> last;
    for (int i = 0; i < 10; ++i) {
      Ring ring(context, columns);
      last = nullptr; // It outlives its memory, but is not used any more.
      ring.setSource(i);
      ring.dr();
      ring.sr();
      if (isOdd(context))
        context.linger();
      ring.dn();
      ring.expectTarget(i, "memory may be released behind SV");
      ring.sv();
      ring.field = nullptr;
      last = std::move(ring.exchange);
      Field other(context.transport, 2, columns);
      other.fill(-1);
    }
  }
}

/// An exchange that is destroyed while its data are under way takes its time,
/// and its source is free behind that: without SV, and with it.
void destructionWaits(Context &context) {
  for (int64_t columns : {Width, int64_t(20000)})
    for (int i = 0; i < 10; ++i) {
      Ring ring(context, columns);
      ring.setSource(i);
      ring.dr();
      ring.sr();
      if (isOdd(context))
        context.linger();
      ring.dn();
      if (i % 2)
        ring.sv();
      ring.exchange = nullptr;
      ring.setSource(-1);
      // Where a transport has freed buffers, others come to lie.
      OwnedPiece other(context.transport, columns * sizeof(double));
      std::vector<double> heap(columns, -1);
      ring.expectTarget(i, "destroying waits for what is under way");
    }
}

// --- Several exchanges ------------------------------------------------------

void interleaved(Context &context) {
  Ring a(context), b(context, 17);
  for (int i = 0; i < context.cases(50); ++i) {
    a.setSource(i);
    b.setSource(1000 + i);
    a.dr();
    b.dr();
    a.sr();
    b.sr();
    context.barrier();
    // Not in the order in which they were sent.
    b.dn();
    b.expectTarget(1000 + i, "the second transfer of two");
    a.dn();
    a.expectTarget(i, "the first transfer of two");
    context.barrier();
    a.sv();
    b.sv();
  }
}

/// More transfers between SR and DN than any queue holds, taken backwards.
void manyUnderWay(Context &context) {
  constexpr int Count = 150;
  std::vector<std::unique_ptr<Ring>> rings;
  for (int k = 0; k < Count; ++k)
    rings.push_back(std::make_unique<Ring>(context, 5 + k));
  for (int round = 0; round < 3; ++round) {
    for (int k = 0; k < Count; ++k) {
      rings[k]->setSource(k + round * 1000);
      rings[k]->dr();
      rings[k]->sr();
    }
    for (int k = Count - 1; k >= 0; --k) {
      rings[k]->dn();
      rings[k]->expectTarget(k + round * 1000, "each of many transfers");
    }
    context.barrier();
    for (int k = 0; k < Count; ++k)
      rings[k]->sv();
  }
}

/// Plans come and go while others stay, and while others are under way.
void plansComeAndGo(Context &context) {
  Ring lasting(context);
  for (int i = 0; i < context.cases(200); ++i) {
    auto passing = std::make_unique<Ring>(context, 1 + i % 7);
    lasting.setSource(i);
    lasting.dr();
    if (i % 3 == 0) { // Some are never used.
      passing->setSource(i);
      passing->dr();
      context.barrier();
      passing->sr();
      context.barrier();
      passing->dn();
      passing->expectTarget(i, "a plan that is used once");
      context.barrier();
      passing->sv();
    }
    lasting.sr();
    context.barrier();
    passing = nullptr;
    lasting.dn();
    lasting.expectTarget(i, "a plan that outlives others");
    context.barrier();
    lasting.sv();
  }
}

/// Messages as long as the transfer's pass between its points.
void messagesBetween(Context &context) {
  Ring ring(context);
  size_t bytes = Width * sizeof(double);
  char *out = context.keep(bytes), *in = context.keep(bytes);
  fillPattern(out, bytes, 88, 0);
  auto passAround = [&] {
    int next = (context.rank() + 1) % context.size();
    if (!ring.isAlone() && context.rank() == 0)
      context.transport.send(next, out, bytes);
    if (!ring.isAlone())
      context.transport.receive(ring.previous(), in, bytes);
    if (context.rank() != 0)
      context.transport.send(next, out, bytes);
    context.expect(ring.isAlone() || holdsPattern(in, bytes, 88, 0),
                   "a transfer does not disturb messages");
  };
  for (int i = 0; i < 30; ++i) {
    ring.setSource(i);
    ring.dr();
    passAround();
    ring.sr();
    passAround();
    ring.dn();
    ring.expectTarget(i, "messages do not disturb a transfer");
    passAround();
    ring.sv();
  }
}

} // namespace

const std::vector<Clause> &zrt::test::orderClauses() {
  static const std::vector<Clause> clauses = {
      {"order-visible", "DN waits for SR of the sender, in each round",
       waitsForSource},
      {"order-flag", "when DN returns the data are there, and all of them",
       dataComeWithTheFlag},
      {"order-source", "the values at SR are sent", sourceCountsAtReady},
      {"order-new", "the destination is the program's before the first DR",
       untouchedWhenMade},
      {"order-destination", "the destination is the program's from DN to DR",
       untouchedAfterNeeded},
      {"order-reuse", "the source may be overwritten behind SV",
       reuseAfterVolatile},
      {"order-free", "the source may be released behind SV", freeAfterVolatile},
      {"order-destroy", "destroying an exchange waits for what is under way",
       destructionWaits},
      {"order-interleaved", "two transfers may interleave", interleaved},
      {"order-many", "many transfers may be under way", manyUnderWay},
      {"order-plans", "plans come and go", plansComeAndGo},
      {"order-messages", "messages and transfers do not disturb each other",
       messagesBetween},
  };
  return clauses;
}
