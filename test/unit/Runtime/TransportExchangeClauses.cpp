//===- TransportExchangeClauses.cpp - Shapes of transfers -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The clauses about what one exchange moves: rows, columns, several blocks and
/// partners, nothing at all. Most run on a line of processors where each sends
/// to its right neighbour (rank + 1) and receives from its left one.
///
//===----------------------------------------------------------------------===//

#include "TransportClauses.h"
#include "TransportField.h"

using namespace zrt;
using namespace zrt::test;

namespace {

bool hasLeft(const Context &context) { return context.rank() > 0; }
bool hasRight(const Context &context) {
  return context.rank() + 1 < context.size();
}

/// The pairs of a processor on the line that sends \p sends to the right and
/// receives \p receives from the left.
std::vector<Pair> line(const Context &context, std::vector<MemoryBlock> sends,
                       std::vector<MemoryBlock> receives) {
  std::vector<Pair> pairs;
  if (hasLeft(context))
    pairs.push_back({context.rank() - 1, {}, std::move(receives)});
  if (hasRight(context))
    pairs.push_back({context.rank() + 1, std::move(sends), {}});
  return pairs;
}

/// A value that tells processor, position and round.
double value(int rank, int64_t i, int64_t j, int round = 0) {
  return rank * 1e6 + i * 1000 + j + round * 1e8;
}

void fillOwn(Context &context, Field &field, int round = 0) {
  for (int64_t i = 0; i < field.rows; ++i)
    for (int64_t j = 0; j < field.columns; ++j)
      field.at(i, j) = value(context.rank(), i, j, round);
}

/// Sends the box of \p m x \p n at (i, j) to the same place on the right and
/// checks it and its surroundings.
void moveBox(Context &context, int64_t i, int64_t j, int64_t m, int64_t n) {
  Field source(context.transport, 12, 20), target(context.transport, 12, 20);
  fillOwn(context, source);
  target.fill(-1);
  auto exchange = context.transport.makeExchange(
      line(context, {source.box(i, j, m, n)}, {target.box(i, j, m, n)}));
  runExchange(*exchange);
  for (int64_t a = 0; a < 12; ++a)
    for (int64_t b = 0; b < 20; ++b) {
      bool inside = a >= i && a < i + m && b >= j && b < j + n;
      double wanted =
          inside && hasLeft(context) ? value(context.rank() - 1, a, b) : -1;
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
      field.at(Rows - 2, j) = value(context.rank(), 0, j, round);
    for (int64_t i = 0; i < 500; ++i)
      field.at(i, 5) = value(context.rank(), i, 0, round);
    runExchange(*exchange);
    int left = context.rank() - 1;
    for (int64_t j = 1; hasLeft(context) && j <= 600; ++j)
      context.expect(field.at(Rows - 1, j) == value(left, 0, j, round),
                     "a row of a large array arrives");
    for (int64_t i = 0; hasLeft(context) && i < 500; ++i)
      context.expect(field.at(i, 0) == value(left, i, 0, round),
                     "a column of a large array arrives");
  }
}

void columns(Context &context) {
  moveBox(context, 0, 19, 12, 1);
  moveBox(context, 1, 0, 10, 1);
  moveBox(context, 1, 7, 10, 2);
  moveBox(context, 1, 7, 10, 3);
}

void elementSizes(Context &context) {
  constexpr int64_t Count = 33;
  for (int64_t size : {1, 2, 4, 8, 16, 24}) {
    int64_t bytes = Count * 3 * size;
    auto *memory = static_cast<char *>(context.transport.allocate(2 * bytes));
    for (int64_t i = 0; i < bytes; ++i)
      memory[i] = static_cast<char>(i * 7 + context.rank());
    MemoryBlock block;
    block.base = memory;
    block.elementSize = size;
    block.rank = 1;
    block.count[0] = Count;
    block.stride[0] = 3 * size;
    MemoryBlock target = block;
    target.base = memory + bytes;
    auto exchange =
        context.transport.makeExchange(line(context, {block}, {target}));
    runExchange(*exchange);
    for (int64_t i = 0; i < bytes; ++i) {
      bool inside = i % (3 * size) < size && hasLeft(context);
      char wanted = inside ? static_cast<char>(i * 7 + context.rank() - 1) : 0;
      context.expect(memory[bytes + i] == wanted,
                     "elements of every size arrive");
    }
    exchange.reset();
    context.transport.release(memory, 2 * bytes);
  }
}

/// The source is contiguous and described with one dimension, the target with
/// two.
void mergedDimensions(Context &context) {
  Field source(context.transport, 6, 4), target(context.transport, 6, 10);
  fillOwn(context, source);
  MemoryBlock merged = source.box(0, 0, 1, 24);
  merged.rank = 1;
  merged.count[0] = 24;
  merged.stride[0] = sizeof(double);
  auto exchange = context.transport.makeExchange(
      line(context, {merged}, {target.box(0, 3, 6, 4)}));
  runExchange(*exchange);
  for (int64_t i = 0; hasLeft(context) && i < 6; ++i)
    for (int64_t j = 0; j < 4; ++j)
      context.expect(target.at(i, 3 + j) == value(context.rank() - 1, i, j),
                     "dimensions merged on one side are the same elements");
}

/// Every second row from the last one up, each of its elements three times,
/// into rows that run backwards: of arrays in shared and in private memory.
void otherStrides(Context &context) {
  for (int64_t rows : {9, 2001}) {
    constexpr int64_t Columns = 300;
    Field source(context.transport, rows, Columns);
    Field target(context.transport, rows, 3 * Columns);
    fillOwn(context, source);
    target.fill(-1);
    int64_t taken = (rows + 1) / 2;
    MemoryBlock from = source.box(rows - 1, 0, taken, Columns);
    from.stride[0] *= -2;
    from.rank = 3;
    from.count[2] = 3;
    from.stride[2] = 0;
    MemoryBlock to = target.box(0, 3 * Columns - 1, taken, 3 * Columns);
    to.stride[1] *= -1;
    auto exchange = context.transport.makeExchange(line(context, {from}, {to}));
    for (int round = 0; round < 2; ++round)
      runExchange(*exchange);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < 3 * Columns; ++j) {
        double wanted = value(context.rank() - 1, rows - 1 - 2 * i,
                              (3 * Columns - 1 - j) / 3);
        context.expect(target.at(i, j) ==
                           (hasLeft(context) && i < taken ? wanted : -1),
                       "mirrored and repeated elements arrive in order");
      }
  }
}

void sixDimensions(Context &context) {
  // 3x2x3x2x3x2 elements out of 4x4x4x4x4x4.
  auto describe = [](char *base) {
    MemoryBlock block;
    block.base = base;
    block.elementSize = 4;
    block.rank = 6;
    for (int d = 5, stride = 4; d >= 0; --d, stride *= 4) {
      block.count[d] = d % 2 ? 2 : 3;
      block.stride[d] = stride;
    }
    return block;
  };
  constexpr int64_t Elements = 4096;
  auto *memory =
      static_cast<int32_t *>(context.transport.allocate(Elements * 8));
  for (int32_t i = 0; i < Elements; ++i)
    memory[i] = i + context.rank() * 10000 + 1;
  auto exchange = context.transport.makeExchange(
      line(context, {describe(reinterpret_cast<char *>(memory))},
           {describe(reinterpret_cast<char *>(memory + Elements))}));
  runExchange(*exchange);
  for (int32_t i = 0; i < Elements; ++i) {
    bool inside = hasLeft(context);
    for (int d = 5, rest = i; d >= 0; --d, rest /= 4)
      inside &= rest % 4 < (d % 2 ? 2 : 3);
    int32_t wanted = inside ? i + (context.rank() - 1) * 10000 + 1 : 0;
    context.expect(memory[Elements + i] == wanted, "six dimensions arrive");
  }
  exchange.reset();
  context.transport.release(memory, Elements * 8);
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
  runExchange(*exchange);
  if (!hasLeft(context))
    return;
  int left = context.rank() - 1;
  for (int64_t j = 0; j < 20; ++j)
    context.expect(target.at(1, j) == value(left, 0, j), "the first block");
  for (int64_t i = 2; i < 11; ++i)
    context.expect(target.at(i, 19) == value(left, i, 3), "the third block");
  for (int64_t j = 0; j < 5; ++j)
    context.expect(target.at(0, j) == value(left, 11, j), "the last block");
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
  runExchange(*exchange);
  for (int other = 0; other < context.size(); ++other)
    for (int64_t j = 0; j < 8; ++j)
      context.expect(
          target.at(other, j) ==
              (other == context.rank() ? 0 : value(other, context.rank(), j)),
          "each partner's row arrives in its place");
}

/// Exchanges without pairs, with pairs without blocks, with empty blocks.
void emptyPairs(Context &context) {
  Field field(context.transport, 4, 4);
  auto none = context.transport.makeExchange({});
  runExchange(*none);
  auto noBlocks = context.transport.makeExchange(line(context, {}, {}));
  runExchange(*noBlocks);
  auto noElements = context.transport.makeExchange(
      line(context, {field.box(0, 0, 0, 4)}, {field.box(2, 2, 0, 4)}));
  runExchange(*noElements);
  moveBox(context, 1, 1, 2, 2);
  for (int64_t i = 0; i < 16; ++i)
    context.expect(field.at(i / 4, i % 4) == 0, "nothing is written");
}

/// Even processors send to their right neighbours, odd ones send nothing; the
/// last of an odd number takes no part.
void asymmetry(Context &context) {
  Field field(context.transport, 2, 1000);
  field.fill(context.rank() + 1);
  std::vector<Pair> pairs;
  if (context.rank() % 2 == 0 && hasRight(context))
    pairs.push_back({context.rank() + 1, {field.box(0, 0, 1, 1000)}, {}});
  if (context.rank() % 2 == 1)
    pairs.push_back({context.rank() - 1, {}, {field.box(1, 0, 1, 1000)}});
  bool takesPart = !pairs.empty();
  auto exchange = context.transport.makeExchange(std::move(pairs));
  for (int round = 0; takesPart && round < 10; ++round)
    runExchange(*exchange);
  for (int64_t j = 0; j < 1000; ++j)
    context.expect(field.at(1, j) ==
                       context.rank() + 1 - (context.rank() % 2 == 1 ? 1 : 0),
                   "one-way transfers need no answer");
}

/// Four megabytes in rows that are no multiple of anything.
void bigBlocks(Context &context) {
  Field source(context.transport, 701, 751),
      target(context.transport, 701, 751);
  fillOwn(context, source);
  auto exchange = context.transport.makeExchange(line(
      context, {source.box(1, 1, 699, 749)}, {target.box(1, 1, 699, 749)}));
  runExchange(*exchange);
  for (int64_t i = 1; hasLeft(context) && i < 700; ++i)
    for (int64_t j = 1; j < 750; ++j)
      context.expect(target.at(i, j) == value(context.rank() - 1, i, j),
                     "big blocks arrive whole");
}

} // namespace

const std::vector<Clause> &zrt::test::exchangeClauses() {
  static const std::vector<Clause> clauses = {
      {"rows arrive, and nothing beside them changes", rows},
      {"columns arrive, and nothing beside them changes", columns},
      {"borders of large arrays arrive, round after round", largeArrays},
      {"elements of 1 to 24 bytes arrive", elementSizes},
      {"blocks may be merged on one side only", mergedDimensions},
      {"strides may be negative, and 0 at the source", otherStrides},
      {"blocks may have six dimensions", sixDimensions},
      {"several blocks of a pair arrive in their places", severalBlocks},
      {"all may be partners of all", manyPartners},
      {"pairs and blocks may be empty", emptyPairs},
      {"a transfer may go one way only", asymmetry},
      {"blocks of megabytes arrive whole", bigBlocks},
  };
  return clauses;
}
