//===- Blocks.cpp - Copying memory blocks ---------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One copy routine serves packing, unpacking and direct copies: contiguous
/// memory is a block of one dimension.
///
/// Example: the columns 1..2 of a 100x10 array of doubles, as planned
///     count = {100, 2}  stride = {80, 8}
/// onto 200 contiguous doubles, count = {200}, stride = {8}.
///
/// Algorithm:
///  1. Refine. Walk both shapes from the innermost dimension outwards; where
///     one side has merged two dimensions and the other has not, split the
///     merged one. Sides that stem from the same original shape always divide.
///     The example gives {100, 2} with strides {80, 8} and {16, 8}.
///  2. Coalesce. Innermost dimensions that are contiguous on both sides become
///     one *run* of bytes, and neighbours that both sides step through evenly
///     become one dimension. The example: a run of 16 bytes, one dimension of
///     100 steps.
///  3. Turn. A loop over few runs costs more than its runs, so the longest
///     dimension takes the place of a short innermost one: two columns that are
///     not neighbours, count = {100, 2}, are two loops of 100 runs.
///  4. Permute. Where elements lie close in one dimension at the source and in
///     another at the target (a transpose), the two become the innermost ones,
///     and are copied in tiles: a cache line that a tile touches on either side
///     is used up before it is left.
///  5. Copy: an odometer over the outer dimensions, and a loop over the
///     innermost one that is specialised for runs of small elements (columns)
///     and is a memcpy per run otherwise (rows). It loads several small ones
///     before it stores them, since the compiler must suppose that each store
///     changes what is loaded next.
///
/// Cost: steps 1 to 4 some 20 ns; then the speed of memory. Columns touch one
/// cache line per element, whatever one does: 0.4 ns an element from the
/// second cache, 2000 rows of 16000 bytes for example (0.55 ns one by one);
/// fetching ahead does not make it faster. Tiles of 8 x 8 doubles that follow
/// each other along rows of the source transpose 3000 x 3000 in 0.7 of the time
/// of plain C in tiles of 16 x 16 (1.9 ns an element, one Zen 5 core); twice as
/// large ones took 0.04 more, the other order 0.3. Where pages are small, tiles
/// that follow each other along long rows leave more of them open than the machine
/// knows translations of: boxes of tiles, 256 rows of 1 KB, took 0.72 of the time
/// of whole rows, with huge pages 0.93 (one Zen 1 core).
///
//===----------------------------------------------------------------------===//

#include "Transport/Blocks.h"

#include "Support/Error.h"

#include <algorithm>
#include <cstring>

using namespace zrt;

namespace {

/// One dimension of the refined shape.
struct Step {
  int64_t count;
  int64_t fromStride;
  int64_t toStride;
};

/// The refined shape, innermost dimension first. Two chains of at most six
/// boundaries each have at most eleven pieces.
struct Shape {
  Step steps[11];
  int rank = 0;
  int64_t run = 0; ///< bytes that are contiguous on both sides

  void add(Step step) {
    if (rank == 0 && step.fromStride == run && step.toStride == run) {
      run *= step.count;
      return;
    }
    if (rank > 0) {
      Step &last = steps[rank - 1];
      if (step.fromStride == last.fromStride * last.count &&
          step.toStride == last.toStride * last.count) {
        last.count *= step.count;
        return;
      }
    }
    ZRT_CHECK(rank < 11);
    steps[rank++] = step;
  }
};

/// Hands out the dimensions of a block, innermost first, in pieces.
struct Dimensions {
  const MemoryBlock &block;
  int next;           ///< dimension that follows the current one
  int64_t count = 1;  ///< what is left of the current one
  int64_t stride = 0; ///< bytes per step of it

  explicit Dimensions(const MemoryBlock &block)
      : block(block), next(block.rank - 1) {}

  /// Moves on to a dimension that has steps left; false at the end.
  bool advance() {
    while (count == 1 && next >= 0) {
      count = block.count[next];
      stride = block.stride[next];
      --next;
    }
    return count != 1;
  }

  void take(int64_t steps) {
    count /= steps;
    stride *= steps;
  }
};

Shape refine(const MemoryBlock &from, const MemoryBlock &to) {
  Shape shape;
  shape.run = from.elementSize;
  Dimensions source(from), target(to);
  while (source.advance() && target.advance()) {
    int64_t steps = std::min(source.count, target.count);
    ZRT_CHECK(source.count % steps == 0 && target.count % steps == 0);
    shape.add({steps, source.stride, target.stride});
    source.take(steps);
    target.take(steps);
  }
  return shape;
}

/// Exchanges a short innermost dimension for the longest one.
void turn(Shape &shape) {
  constexpr int64_t Short = 8;
  if (shape.rank < 2 || shape.steps[0].count >= Short)
    return;
  auto isShorter = [](const Step &a, const Step &b) {
    return a.count < b.count;
  };
  std::swap(
      shape.steps[0],
      *std::max_element(shape.steps, shape.steps + shape.rank, isShorter));
}

/// The dimension in which the elements of one side lie closest.
template <typename Stride> int closest(const Shape &shape, Stride &&stride) {
  int best = 0;
  for (int d = 1; d < shape.rank; ++d)
    if (std::abs(stride(shape.steps[d])) < std::abs(stride(shape.steps[best])))
      best = d;
  return best;
}

/// Makes the dimensions in which elements lie closest at the target and at the
/// source the two innermost ones; false if they are the same one, or tiles of
/// them would be nothing.
bool permute(Shape &shape) {
  constexpr int64_t Short = 4;
  bool isTiled = shape.run <= 32 && (shape.run & (shape.run - 1)) == 0;
  if (shape.rank < 2 || !isTiled)
    return false;
  int to = closest(shape, [](const Step &step) { return step.toStride; });
  int from = closest(shape, [](const Step &step) { return step.fromStride; });
  if (to == from || shape.steps[to].count < Short ||
      shape.steps[from].count < Short)
    return false;
  std::swap(shape.steps[0], shape.steps[to]);
  std::swap(shape.steps[1], shape.steps[from == 0 ? to : from]);
  return true;
}

template <int Size>
void copyRuns(const char *from, char *to, const Step &step) {
  constexpr int Batch = Size <= 16 ? 8 : 4;
  const int64_t fromStride = step.fromStride, toStride = step.toStride;
  int64_t i = 0;
  for (; i + Batch <= step.count; i += Batch) {
    char runs[Batch][Size];
#pragma GCC unroll 8
    for (int k = 0; k < Batch; ++k)
      memcpy(runs[k], from + k * fromStride, Size);
#pragma GCC unroll 8
    for (int k = 0; k < Batch; ++k)
      memcpy(to + k * toStride, runs[k], Size);
    from += Batch * fromStride;
    to += Batch * toStride;
  }
  for (; i < step.count; ++i, from += fromStride, to += toStride)
    memcpy(to, from, Size);
}

/// Copies the innermost dimension.
void copyInner(const char *from, char *to, const Step &step, int64_t run) {
  switch (run) {
  case 1:
    return copyRuns<1>(from, to, step);
  case 2:
    return copyRuns<2>(from, to, step);
  case 4:
    return copyRuns<4>(from, to, step);
  case 8:
    return copyRuns<8>(from, to, step);
  case 16:
    return copyRuns<16>(from, to, step);
  case 24:
    return copyRuns<24>(from, to, step);
  case 32:
    return copyRuns<32>(from, to, step);
  case 48:
    return copyRuns<48>(from, to, step);
  case 64:
    return copyRuns<64>(from, to, step);
  }
  for (int64_t i = 0; i < step.count; ++i)
    memcpy(to + i * step.toStride, from + i * step.fromStride, run);
}

/// Copies a whole tile of side \p Side, of runs that lie side by side in the
/// inner dimension of the target and in the outer one of the source.
template <int Size, int Side>
void copyDenseTile(const char *from, char *to, int64_t fromStride,
                   int64_t toStride) {
  for (int j = 0; j < Side; ++j) {
    char runs[Side][Size];
#pragma GCC unroll 32
    for (int i = 0; i < Side; ++i)
      memcpy(runs[i], from + i * fromStride + j * Size, Size);
#pragma GCC unroll 32
    for (int i = 0; i < Side; ++i)
      memcpy(to + j * toStride + i * Size, runs[i], Size);
  }
}

/// Copies two dimensions in tiles.
template <int Size>
void copyTiles(const char *from, char *to, const Step &inner,
               const Step &outer) {
  constexpr int Side = std::max(8, 64 / Size); // at least a cache line
  bool isDense = inner.toStride == Size && outer.fromStride == Size;
  // The machine fetches ahead along rows of the source.
  for (int64_t i = 0; i < inner.count; i += Side)
    for (int64_t j = 0; j < outer.count; j += Side) {
      const char *source = from + i * inner.fromStride + j * outer.fromStride;
      char *target = to + i * inner.toStride + j * outer.toStride;
      Step part = inner;
      part.count = std::min<int64_t>(Side, inner.count - i);
      int64_t rows = std::min<int64_t>(Side, outer.count - j);
      if (isDense && part.count == Side && rows == Side) {
        copyDenseTile<Size, Side>(source, target, inner.fromStride,
                                  outer.toStride);
        continue;
      }
      for (int64_t row = 0; row < rows; ++row)
        copyRuns<Size>(source + row * outer.fromStride,
                       target + row * outer.toStride, part);
    }
}

/// Copies the two innermost dimensions in boxes that stay in the second cache, of
/// many pages on neither side, and these in tiles.
template <int Size>
void copyPlane(const char *from, char *to, const Step &inner,
               const Step &outer) {
  constexpr int64_t Rows = 256, Bytes = 1024; // of the source
  constexpr int64_t Columns = Bytes / Size;
  for (int64_t i = 0; i < inner.count; i += Rows)
    for (int64_t j = 0; j < outer.count; j += Columns) {
      Step rows = inner, columns = outer;
      rows.count = std::min(Rows, inner.count - i);
      columns.count = std::min(Columns, outer.count - j);
      copyTiles<Size>(from + i * inner.fromStride + j * outer.fromStride,
                      to + i * inner.toStride + j * outer.toStride, rows,
                      columns);
    }
}

/// Copies the two innermost dimensions of runs that `permute` takes.
void copyPlane(const char *from, char *to, const Shape &shape) {
  const Step &inner = shape.steps[0], &outer = shape.steps[1];
  switch (shape.run) {
  case 1:
    return copyPlane<1>(from, to, inner, outer);
  case 2:
    return copyPlane<2>(from, to, inner, outer);
  case 4:
    return copyPlane<4>(from, to, inner, outer);
  case 8:
    return copyPlane<8>(from, to, inner, outer);
  case 16:
    return copyPlane<16>(from, to, inner, outer);
  case 32:
    return copyPlane<32>(from, to, inner, outer);
  }
}

/// Copies all dimensions; of a plane the two innermost ones at a time.
void copyShape(const Shape &shape, bool isPlane, const char *from, char *to) {
  if (shape.rank == 0) {
    memcpy(to, from, shape.run);
    return;
  }
  int64_t position[11] = {};
  while (true) {
    if (isPlane)
      copyPlane(from, to, shape);
    else
      copyInner(from, to, shape.steps[0], shape.run);
    int d = isPlane ? 2 : 1;
    for (; d < shape.rank; ++d) {
      const Step &step = shape.steps[d];
      from += step.fromStride;
      to += step.toStride;
      if (++position[d] < step.count)
        break;
      position[d] = 0;
      from -= step.fromStride * step.count;
      to -= step.toStride * step.count;
    }
    if (d >= shape.rank)
      return;
  }
}

MemoryBlock contiguous(const MemoryBlock &like, char *base) {
  MemoryBlock block;
  block.base = base;
  block.elementSize = like.elementSize;
  block.rank = 1;
  block.count[0] = like.bytes() / std::max<int64_t>(1, like.elementSize);
  block.stride[0] = like.elementSize;
  return block;
}

} // namespace

int64_t zrt::bytesOf(const std::vector<MemoryBlock> &blocks) {
  int64_t total = 0;
  for (const MemoryBlock &block : blocks)
    total += block.bytes();
  return total;
}

void zrt::copyBlock(const MemoryBlock &from, const MemoryBlock &to) {
  ZRT_CHECK(from.bytes() == to.bytes() && from.elementSize == to.elementSize);
  if (from.bytes() == 0)
    return;
  Shape shape = refine(from, to);
  bool isPlane = permute(shape);
  if (!isPlane)
    turn(shape);
  copyShape(shape, isPlane, from.base, to.base);
}

void zrt::packBlock(const MemoryBlock &from, char *to) {
  copyBlock(from, contiguous(from, to));
}

void zrt::unpackBlock(const char *from, const MemoryBlock &to) {
  // A MemoryBlock is of memory to read or to write; this one is read.
  copyBlock(contiguous(to, const_cast<char *>(from)), to);
}
