//===- ShapeClauses.cpp - What transfers move -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The clauses about what one exchange moves: rows, columns, several blocks and
/// partners, any size, nothing at all.
///
//===----------------------------------------------------------------------===//

#include "Field.h"

using namespace zrt;
using namespace zrt::test;

namespace {

/// Sends the box of \p m x \p n at (i, j) to the same place on the right and
/// checks it and its surroundings.
void moveBox(Context &context, int64_t i, int64_t j, int64_t m, int64_t n) {
  Field source(context.transport, 12, 20), target(context.transport, 12, 20);
  fillOwn(context, source);
  target.fill(-1);
  auto exchange = context.transport.makeExchange(
      line(context, {source.box(i, j, m, n)}, {target.box(i, j, m, n)}));
  runInStep(context, *exchange);
  for (int64_t a = 0; a < 12; ++a)
    for (int64_t b = 0; b < 20; ++b) {
      bool inside = a >= i && a < i + m && b >= j && b < j + n;
      double wanted = inside && hasLeft(context)
                          ? fieldValue(context.rank() - 1, a, b)
                          : -1;
      context.expect(target.at(a, b) == wanted,
                     "the box holds the neighbour's elements, and only it");
    }
}

void rows(Context &context) {
  moveBox(context, 3, 0, 1, 20);
  moveBox(context, 0, 0, 12, 20);
  moveBox(context, 2, 1, 3, 17);
}

/// Arrays so large that a transport may keep them in other memory; a border row
/// and a border column go round after round, and the source changes at once.
void largeArrays(Context &context) {
  constexpr int64_t Rows = 600, Columns = 700; // 3.4 MB
  Field field(context.transport, Rows, Columns);
  auto exchange = context.transport.makeExchange(
      line(context, {field.box(Rows - 2, 1, 1, 600), field.box(0, 5, 500, 1)},
           {field.box(Rows - 1, 1, 1, 600), field.box(0, 0, 500, 1)}));
  for (int round = 0; round < 20; ++round) {
    for (int64_t j = 1; j <= 600; ++j)
      field.at(Rows - 2, j) = fieldValue(context.rank(), 0, j, round);
    for (int64_t i = 0; i < 500; ++i)
      field.at(i, 5) = fieldValue(context.rank(), i, 0, round);
    runInStep(context, *exchange);
    int left = context.rank() - 1;
    for (int64_t j = 1; hasLeft(context) && j <= 600; ++j)
      context.expect(field.at(Rows - 1, j) == fieldValue(left, 0, j, round),
                     "a row of a large array arrives");
    for (int64_t i = 0; hasLeft(context) && i < 500; ++i)
      context.expect(field.at(i, 0) == fieldValue(left, i, 0, round),
                     "a column of a large array arrives");
  }
}

void columns(Context &context) {
  moveBox(context, 0, 19, 12, 1);
  moveBox(context, 1, 0, 10, 1);
  moveBox(context, 1, 7, 10, 2);
  moveBox(context, 1, 7, 10, 3);
}

/// Pieces that are long, and many in all, so that a transport may leave it to
/// its library to find them: with gaps on both sides, on one, and backwards.
void longPieces(Context &context) {
  constexpr int64_t Rows = 40, Columns = 100; // 800 bytes, 32000 in all
  Field wide(context.transport, Rows + 5, Columns + 30);
  Field narrow(context.transport, Rows, Columns);
  Field target(context.transport, Rows + 7, Columns + 9);
  Field packed(context.transport, Rows, Columns);
  MemoryBlock backwards = target.box(2, 3, Rows, Columns);
  backwards.base += (Rows - 1) * backwards.stride[0];
  backwards.stride[0] = -backwards.stride[0];
  auto move = [&](const MemoryBlock &source, Field &to,
                  const MemoryBlock &place, auto rightRow, int64_t column) {
    auto exchange =
        context.transport.makeExchange(line(context, {source}, {place}));
    for (int round = 0; round < 2; ++round) {
      auto *first = reinterpret_cast<double *>(source.base);
      for (int64_t i = 0; i < Rows; ++i)
        for (int64_t j = 0; j < Columns; ++j)
          first[i * (source.stride[0] / 8) + j] =
              fieldValue(context.rank(), i, j, round);
      to.fill(-1);
      runInStep(context, *exchange);
      for (int64_t a = 0; a < to.rows; ++a)
        for (int64_t b = 0; b < to.columns; ++b) {
          int64_t i = rightRow(a), j = b - column;
          bool inside = 0 <= i && i < Rows && 0 <= j && j < Columns;
          double wanted = inside && hasLeft(context)
                              ? fieldValue(context.rank() - 1, i, j, round)
                              : -1;
          context.expect(to.at(a, b) == wanted,
                         "long pieces arrive in their places, and only there");
        }
    }
  };
  MemoryBlock fromWide = wide.box(1, 20, Rows, Columns);
  MemoryBlock fromNarrow = narrow.box(0, 0, Rows, Columns);
  auto moved = [](int64_t a) { return a - 2; };
  auto same = [](int64_t a) { return a; };
  auto turned = [](int64_t a) { return Rows - 1 - (a - 2); };
  move(fromWide, target, target.box(2, 3, Rows, Columns), moved, 3);
  move(fromWide, packed, packed.box(0, 0, Rows, Columns), same, 0);
  move(fromNarrow, target, target.box(2, 3, Rows, Columns), moved, 3);
  move(fromWide, target, backwards, turned, 3);
}

void severalBlocks(Context &context) {
  Field source(context.transport, 12, 20), target(context.transport, 12, 20);
  fillOwn(context, source);
  auto exchange = context.transport.makeExchange(
      line(context,
           {source.box(0, 0, 1, 20), source.box(5, 5, 0, 3),
            source.box(2, 3, 9, 1), source.box(11, 0, 1, 5)},
           {target.box(1, 0, 1, 20), target.box(5, 5, 0, 3),
            target.box(2, 19, 9, 1), target.box(0, 0, 1, 5)}));
  runInStep(context, *exchange);
  if (!hasLeft(context))
    return;
  int left = context.rank() - 1;
  for (int64_t j = 0; j < 20; ++j)
    context.expect(target.at(1, j) == fieldValue(left, 0, j),
                   "the first block");
  for (int64_t i = 2; i < 11; ++i)
    context.expect(target.at(i, 19) == fieldValue(left, i, 3),
                   "the third block");
  for (int64_t j = 0; j < 5; ++j)
    context.expect(target.at(0, j) == fieldValue(left, 11, j),
                   "the last block");
}

/// Everybody sends one row to everybody else, and sender s's row arrives as
/// row s.
void manyPartners(Context &context) {
  Field source(context.transport, context.size(), 8);
  Field target(context.transport, context.size(), 8);
  fillOwn(context, source);
  std::vector<Pair> pairs;
  for (int other = 0; other < context.size(); ++other)
    if (other != context.rank())
      pairs.push_back(
          {other, {source.box(other, 0, 1, 8)}, {target.box(other, 0, 1, 8)}});
  auto exchange = context.transport.makeExchange(std::move(pairs));
  runInStep(context, *exchange);
  for (int other = 0; other < context.size(); ++other)
    for (int64_t j = 0; j < 8; ++j)
      context.expect(target.at(other, j) ==
                         (other == context.rank()
                              ? 0
                              : fieldValue(other, context.rank(), j)),
                     "each partner's row arrives in its place");
}

/// Exchanges without pairs, with pairs without blocks, with empty blocks.
void emptyPairs(Context &context) {
  Field field(context.transport, 4, 4);
  auto none = context.transport.makeExchange({});
  runInStep(context, *none);
  auto noBlocks = context.transport.makeExchange(line(context, {}, {}));
  runInStep(context, *noBlocks);
  auto noElements = context.transport.makeExchange(
      line(context, {field.box(0, 0, 0, 4)}, {field.box(2, 2, 0, 4)}));
  runInStep(context, *noElements);
  moveBox(context, 1, 1, 2, 2);
  for (int64_t i = 0; i < 16; ++i)
    context.expect(field.at(i / 4, i % 4) == 0, "nothing is written");
}

/// Even processors send to their right neighbours, odd ones send nothing; those
/// without a partner take no part and do not call the points.
void oneWay(Context &context) {
  Field field(context.transport, 2, 1000);
  field.fill(context.rank() + 1);
  std::vector<Pair> pairs;
  if (context.rank() % 2 == 0 && hasRight(context) && context.rank() != 2)
    pairs.push_back({context.rank() + 1, {field.box(0, 0, 1, 1000)}, {}});
  if (context.rank() % 2 == 1 && context.rank() != 3)
    pairs.push_back({context.rank() - 1, {}, {field.box(1, 0, 1, 1000)}});
  bool receives = context.rank() % 2 == 1 && !pairs.empty();
  bool takesPart = !pairs.empty();
  auto exchange = context.transport.makeExchange(std::move(pairs));
  for (int round = 0; takesPart && round < 10; ++round)
    runExchange(*exchange);
  for (int64_t j = 0; j < 1000; ++j)
    context.expect(field.at(1, j) == context.rank() + (receives ? 0 : 1),
                   "one-way transfers need no answer");
}

/// Messages of all sizes, and several at a time to different partners.
void anyBlockSize(Context &context) {
  for (size_t bytes :
       {size_t(0), size_t(1), size_t(7), size_t(8), size_t(63), size_t(64),
        size_t(1000), size_t(4096), size_t(8193), size_t(65536), size_t(100001),
        size_t(1) << 20, context.largest()}) {
    OwnedPiece source(context.transport, bytes + 16);
    OwnedPiece target(context.transport, bytes + 16);
    fillPattern(source.data, source.bytes, context.rank(), 1);
    fillPattern(target.data, target.bytes, 99, 0);
    auto exchange = context.transport.makeExchange(
        line(context, {source.row(8, bytes)}, {target.row(8, bytes)}));
    runInStep(context, *exchange);
    bool right = true;
    for (size_t i = 0; i < target.bytes; ++i) {
      bool inside = hasLeft(context) && i >= 8 && i < bytes + 8;
      int from = inside ? context.rank() - 1 : 99;
      right &= target.data[i] == patternByte(from, inside, i);
    }
    context.expect(right, "blocks of any size arrive whole, and only they");
  }
}

/// What a transport has counted for a transfer and for messages.
void countsTraffic(Context &context) {
  Field field(context.transport, 3, 100);
  auto exchange = context.transport.makeExchange(
      line(context, {field.box(0, 0, 1, 100), field.box(1, 0, 1, 20)},
           {field.box(2, 0, 1, 100), field.box(1, 20, 1, 20)}));
  context.barrier();
  std::vector<uint64_t> partners(context.transport.size());
  context.transport.countPartners(partners.data());
  Traffic before = context.transport.traffic;
  for (int round = 0; round < 5; ++round)
    runExchange(*exchange);
  Traffic behind = context.transport.traffic;
  uint64_t wanted = hasRight(context) ? 5 : 0;
  context.expect(behind.messages - before.messages == wanted,
                 "one message per partner and SR is counted");
  context.expect(behind.bytes - before.bytes == wanted * 120 * sizeof(double),
                 "the bytes of the data are counted");
  context.barrier();
  before = context.transport.traffic;
  constexpr size_t Bytes = 300;
  if (hasRight(context))
    context.transport.send(context.rank() + 1, context.keep(Bytes), Bytes);
  if (hasLeft(context))
    context.transport.receive(context.rank() - 1, context.keep(Bytes), Bytes);
  behind = context.transport.traffic;
  context.transport.countPartners(nullptr);
  wanted = hasRight(context) ? 1 : 0;
  if (hasRight(context))
    context.expect(partners[context.rank() + 1] >=
                       5 * 120 * sizeof(double) + Bytes,
                   "the bytes for each partner are counted, if that is asked");
  context.expect(behind.messages - before.messages == wanted &&
                     behind.bytes - before.bytes == wanted * Bytes,
                 "one message per send is counted, with its bytes");
}

} // namespace

const std::vector<Clause> &zrt::test::shapeClauses() {
  static const std::vector<Clause> clauses = {
      {"shape-rows", "rows arrive, and nothing beside them changes", rows},
      {"shape-columns", "columns arrive, and nothing beside them changes",
       columns},
      {"shape-large", "borders of large arrays arrive, round after round",
       largeArrays},
      {"shape-pieces", "many long pieces arrive in their places", longPieces},
      {"shape-blocks", "several blocks of a pair arrive in their places",
       severalBlocks},
      {"shape-partners", "all may be partners of all", manyPartners},
      {"shape-empty", "pairs and blocks may be empty", emptyPairs},
      {"shape-one-way", "a transfer may go one way, and not concern everybody",
       oneWay},
      {"shape-size", "blocks of any size arrive whole", anyBlockSize},
      {"traffic", "messages and bytes are counted", countsTraffic},
  };
  return clauses;
}
