//===- MemoryClauses.cpp - allocate and release ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The clauses about memory: what a piece is when it is new, and that
/// exchanges reach the piece that is there now, not one that was there before.
/// The latter matters to transports that register memory with a library or a
/// network: a run of a ZPL program allocates at any time, frees, and swaps the
/// storage of arrays, each processor in its own sizes.
///
//===----------------------------------------------------------------------===//

#include "../Random.h"
#include "Field.h"

#include <cstdio>
#include <cstring>
#include <map>
#include <unistd.h>

using namespace zrt;
using namespace zrt::test;

namespace {

bool isFilled(const char *memory, size_t bytes, char with) {
  return bytes == 0 ||
         (memory[0] == with && memcmp(memory, memory + 1, bytes - 1) == 0);
}

constexpr size_t Sizes[] = {0,     1,      63,     64,      65,     4095,
                            70000, 131072, 300001, 4 << 20, 5000001};

/// Calls \p look on new pieces of many sizes; each round finds pieces that the
/// round before has written to and released.
template <typename Look> void forNewPieces(Context &context, Look look) {
  for (int round = 0; round < 3; ++round) {
    std::vector<std::unique_ptr<OwnedPiece>> pieces;
    for (size_t bytes : Sizes) {
      pieces.push_back(std::make_unique<OwnedPiece>(context.transport, bytes));
      if (!pieces.back()->data) {
        context.expect(false, "there is memory");
        return;
      }
      look(*pieces.back());
      memset(pieces.back()->data, 1, bytes);
    }
    // First the even ones, then the odd ones.
    for (size_t start : {0, 1})
      for (size_t i = start; i < pieces.size(); i += 2)
        pieces[i].reset();
  }
}

void isZeroed(Context &context) {
  forNewPieces(context, [&](const OwnedPiece &piece) {
    context.expect(isFilled(piece.data, piece.bytes, 0),
                   "memory is zero, used before or not");
  });
}

void isAligned(Context &context) {
  forNewPieces(context, [&](const OwnedPiece &piece) {
    context.expect(reinterpret_cast<uintptr_t>(piece.data) % 64 == 0,
                   "memory is aligned to 64 bytes");
  });
}

/// Hundreds of pieces that come and go in no order; each keeps its bytes.
void isOnesOwn(Context &context) {
  Random random(context.caseSeed(context.rank()));
  std::map<int, std::unique_ptr<OwnedPiece>> pieces;
  auto check = [&](int name) {
    const OwnedPiece &piece = *pieces[name];
    context.expect(isFilled(piece.data, piece.bytes, static_cast<char>(name)),
                   "pieces do not overlap");
  };
  for (int step = 0; step < 3000; ++step) {
    int name = static_cast<int>(random(1, 250));
    if (pieces.count(name)) {
      check(name);
      pieces.erase(name);
      continue;
    }
    size_t bytes = random(0, 9) ? random(0, 3000) : random(0, 200000);
    pieces[name] = std::make_unique<OwnedPiece>(context.transport, bytes);
    if (!pieces[name]->data) {
      context.expect(false, "there is memory");
      return;
    }
    memset(pieces[name]->data, name, bytes);
  }
  for (const auto &entry : pieces)
    check(entry.first);
}

/// Half of the processors ask for what nobody has; the others must not suffer.
void refusesTooMuch(Context &context) {
  for (int i = 0; i < 300; ++i) {
    if (context.rank() % 2 == 0) {
      void *memory = context.transport.allocate(size_t(1) << 60);
      context.expect(!memory, "an exabyte is refused with null");
      continue;
    }
    OwnedPiece piece(context.transport, 100);
    context.expect(piece.data, "who asks for little gets it");
  }
}

/// Sends \p from to the right and expects that what arrives in \p to is what
/// the left neighbour has filled in as number \p number.
void moveRow(Context &context, Exchange &exchange, const OwnedPiece &from,
             const OwnedPiece &to, int number) {
  fillPattern(from.data, from.bytes, context.rank(), number);
  if (to.bytes > 0)
    memset(to.data, -1, to.bytes);
  runInStep(context, exchange);
  if (hasLeft(context))
    context.expect(holdsPattern(to.data, to.bytes, context.rank() - 1, number),
                   "an exchange reaches the pieces over which it was made");
}

/// Pieces are released and allocated anew between exchanges, on each processor
/// with others of other sizes in between.
void anewIsReached(Context &context) {
  for (size_t bytes : {size_t(900), size_t(66000), context.large()}) {
    OwnedPiece lasting(context.transport, bytes);
    for (int round = 0; round < 4; ++round) {
      OwnedPiece fresh(context.transport, bytes);
      OwnedPiece other(context.transport, 1000 * context.rank() + 100 * round);
      auto out = context.transport.makeExchange(
          line(context, {fresh.row()}, {lasting.row()}));
      moveRow(context, *out, fresh, lasting, round);
      out.reset();
      auto in = context.transport.makeExchange(
          line(context, {lasting.row()}, {fresh.row()}));
      moveRow(context, *in, lasting, fresh, round + 50);
    }
  }
}

/// Two arrays exchange their storage; the transfer that was made for them is
/// made anew, with the same shapes at swapped places.
void swappedIsReached(Context &context) {
  for (size_t bytes : {size_t(900), size_t(70000), context.large()}) {
    OwnedPiece first(context.transport, bytes),
        second(context.transport, bytes);
    OwnedPiece target(context.transport, bytes),
        other(context.transport, bytes);
    const OwnedPiece *source = &first, *spare = &second;
    const OwnedPiece *to = &target, *spareTo = &other;
    for (int round = 0; round < 4; ++round) {
      auto exchange = context.transport.makeExchange(
          line(context, {source->row()}, {to->row()}));
      fillPattern(spare->data, bytes, context.rank(), round + 90);
      memset(spareTo->data, 7, bytes);
      moveRow(context, *exchange, *source, *to, round);
      context.expect(isFilled(spareTo->data, bytes, 7),
                     "nothing goes to where the storage was before");
      std::swap(source, spare);
      std::swap(to, spareTo);
    }
  }
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
    OwnedPiece piece(context.transport, Most - (i << 20));
    context.expect(piece.data, "there is memory");
    if (!piece.data)
      return;
    memset(piece.data, 1, piece.bytes);
  }
  context.expect(residentBytes() < before + Most / 2,
                 "released memory goes back to the system");
}

} // namespace

const std::vector<Clause> &zrt::test::memoryClauses() {
  static const std::vector<Clause> clauses = {
      {"memory-zeroed", "new memory is zero", isZeroed},
      {"memory-aligned", "memory is aligned to 64 bytes", isAligned},
      {"memory-own", "any number of pieces, and none overlaps another",
       isOnesOwn},
      {"memory-refused", "a size that cannot be had is refused",
       refusesTooMuch},
      {"memory-anew",
       "exchanges reach memory that was released and allocated "
       "anew",
       anewIsReached},
      {"memory-swapped", "exchanges made anew follow storage that was swapped",
       swappedIsReached},
      {"memory-returned", "released memory goes back to the system",
       returnsMemory, true},
  };
  return clauses;
}
