//===- LayoutClauses.cpp - How blocks lie in memory -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The clauses about the memory blocks of an exchange: elements of any size at
/// any address, strides of any sign, up to six dimensions, merged on one side
/// only; and all of this at random.
///
//===----------------------------------------------------------------------===//

#include "../Random.h"
#include "Field.h"

#include <cstring>

using namespace zrt;
using namespace zrt::test;

namespace {

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
    runInStep(context, *exchange);
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
  runInStep(context, *exchange);
  for (int64_t i = 0; hasLeft(context) && i < 6; ++i)
    for (int64_t j = 0; j < 4; ++j)
      context.expect(target.at(i, 3 + j) ==
                         fieldValue(context.rank() - 1, i, j),
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
      runInStep(context, *exchange);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < 3 * Columns; ++j) {
        double wanted = fieldValue(context.rank() - 1, rows - 1 - 2 * i,
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
  runInStep(context, *exchange);
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

/// Blocks of bytes and of doubles at every offset from an aligned address, on
/// either side.
void alignments(Context &context) {
  constexpr size_t Length = 24;
  for (int64_t elementSize : {1, 8}) {
    OwnedPiece source(context.transport, 64), target(context.transport, 64);
    fillPattern(source.data, 64, context.rank(), 3);
    for (size_t from = 0; from < 16; ++from) {
      size_t to = (from * 5 + 3) % 16;
      MemoryBlock out = source.row(from, Length);
      out.elementSize = out.stride[0] = elementSize;
      out.count[0] = Length / elementSize;
      MemoryBlock in = out;
      in.base = target.data + to;
      memset(target.data, 0, 64);
      auto exchange =
          context.transport.makeExchange(line(context, {out}, {in}));
      runInStep(context, *exchange);
      for (size_t i = 0; hasLeft(context) && i < 64; ++i) {
        bool inside = i >= to && i < to + Length;
        char wanted = 0;
        if (inside)
          wanted = patternByte(context.rank() - 1, 3, i - to + from);
        context.expect(target.data[i] == wanted,
                       "addresses may have any alignment");
      }
    }
  }
}

// --- At random --------------------------------------------------------------

/// A block of a random exchange, which all processors make up alike; bases are
/// offsets into the pieces of their processors until they are needed.
struct RandomBlock {
  int from, to;
  MemoryBlock source, target;
  size_t sourceAt, targetAt;
};

/// Lays \p block, whose counts are set, out behind \p cursor and moves that on.
/// Returns where its first element is.
size_t layOut(Random &random, MemoryBlock &block, bool mayRepeat,
              size_t &cursor) {
  int64_t width = block.elementSize;
  int64_t base = 0;
  for (int d = block.rank - 1; d >= 0; --d) {
    int64_t pad = random(0, 2) ? 0 : random(1, 20);
    block.stride[d] = width + pad;
    if (mayRepeat && random(0, 9) == 0) {
      block.stride[d] = 0;
      continue;
    }
    width = block.stride[d] * std::max<int64_t>(block.count[d], 1);
    if (random(0, 4) == 0 && block.count[d] > 0) {
      base += block.stride[d] * (block.count[d] - 1);
      block.stride[d] = -block.stride[d];
    }
  }
  size_t start = cursor + random(0, 9);
  cursor = start + width + random(0, 9);
  return start + base;
}

/// Calls \p take(offset) for each element's offset from the base, in row-major
/// order.
template <typename Take> void forElements(const MemoryBlock &block, Take take) {
  int64_t total = block.bytes() / block.elementSize;
  for (int64_t n = 0; n < total; ++n) {
    int64_t offset = 0, rest = n;
    for (int d = block.rank - 1; d >= 0; --d) {
      offset += rest % block.count[d] * block.stride[d];
      rest /= block.count[d];
    }
    take(offset);
  }
}

void runRandomCase(Context &context, unsigned seed) {
  Random random(seed);
  int size = context.size();
  std::vector<size_t> sourceBytes(size), targetBytes(size);
  std::vector<RandomBlock> blocks;
  for (int from = 0; from < size; ++from)
    for (int to = 0; to < size; ++to)
      for (int64_t k = from == to ? 0 : random(-2, 3); k > 0; --k) {
        RandomBlock block = {from, to, {}, {}, 0, 0};
        constexpr int64_t ElementSizes[] = {1, 2, 3, 4, 8, 12, 16, 24};
        block.source.elementSize = ElementSizes[random(0, 7)];
        block.source.rank = static_cast<int>(random(1, 6));
        for (int d = 0; d < block.source.rank; ++d)
          block.source.count[d] = random(0, 30) ? random(1, 5) : 0;
        block.target = block.source;
        block.sourceAt = layOut(random, block.source, true, sourceBytes[from]);
        block.targetAt = layOut(random, block.target, false, targetBytes[to]);
        blocks.push_back(block);
      }
  int self = context.rank();
  OwnedPiece source(context.transport, sourceBytes[self] + 1);
  OwnedPiece target(context.transport, targetBytes[self] + 1);
  fillPattern(source.data, source.bytes, self, 0);
  memset(target.data, 85, target.bytes);
  std::vector<char> wanted(target.bytes, 85);
  std::vector<Pair> pairs(size);
  for (RandomBlock &block : blocks) {
    if (block.from == self) {
      block.source.base = source.data + block.sourceAt;
      pairs[block.to].sends.push_back(block.source);
    }
    if (block.to != self)
      continue;
    block.target.base = target.data + block.targetAt;
    pairs[block.from].receives.push_back(block.target);
    std::vector<size_t> from;
    forElements(block.source, [&](int64_t offset) {
      from.push_back(block.sourceAt + offset);
    });
    size_t n = 0;
    forElements(block.target, [&](int64_t offset) {
      for (int64_t i = 0; i < block.target.elementSize; ++i)
        wanted[block.targetAt + offset + i] =
            patternByte(block.from, 0, from[n] + i);
      ++n;
    });
  }
  for (int other = 0; other < size; ++other)
    pairs[other].partner = other;
  std::erase_if(pairs, [](const Pair &pair) {
    return pair.sends.empty() && pair.receives.empty();
  });
  auto exchange = context.transport.makeExchange(std::move(pairs));
  runInStep(context, *exchange);
  context.expect(memcmp(target.data, wanted.data(), target.bytes) == 0,
                 "random blocks arrive, and nothing beside them changes");
}

void randomBlocks(Context &context) {
  for (int i = 0; i < context.cases(100); ++i)
    runRandomCase(context, context.caseSeed(i));
}

} // namespace

const std::vector<Clause> &zrt::test::layoutClauses() {
  static const std::vector<Clause> clauses = {
      {"layout-elements", "elements of 1 to 24 bytes arrive", elementSizes},
      {"layout-alignment", "blocks may lie at any address", alignments},
      {"layout-merged", "dimensions may be merged on one side only",
       mergedDimensions},
      {"layout-strides", "strides may be negative, and 0 at the source",
       otherStrides},
      {"layout-dimensions", "blocks may have six dimensions", sixDimensions},
      {"layout-random", "blocks of all kinds to all partners", randomBlocks},
  };
  return clauses;
}
