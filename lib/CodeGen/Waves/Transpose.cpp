//===- Transpose.cpp - Blocks of vectors ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A square of L vectors with L lanes is transposed in log L rounds of L
// shuffles. Processors shuffle within 16 bytes, G lanes, in one instruction, by
// taking chunks of 1, 2 ... G/2 lanes from two vectors in turn:
//
//     a0 a1 a2 a3  b0 b1 b2 b3   ->   a0 b0 a1 b1  a2 b2 a3 b3     chunks of 1
//
// These rounds transpose the squares of G x G lanes; of those, the columns are
// then in the order of their bits reversed, and are renumbered at no cost. The
// remaining rounds swap groups of G lanes between two vectors, for which there
// are instructions as well:
//
//     A0 A1  B0 B1                ->   A0 B0  A1 B1
//
// Numbers that would not fill 16 bytes, as masks beside doubles, are widened to
// do: processors have no shuffles of parts of 16 bytes.
//
// Cost: L log L shuffles of LLVM's, one instruction each with 16 and 32 bytes.
//
//===----------------------------------------------------------------------===//

#include "Waves/Transpose.h"

using namespace llvm;

namespace zpl::codegen {

constexpr unsigned GroupBytes = 16; ///< that are shuffled at once

/// Chunks of \p chunk lanes of two vectors in turn, from the first or second
/// half of each group of lanes.
static SmallVector<int, 16> chunksInTurn(unsigned lanes, unsigned group,
                                         unsigned chunk, bool isSecond) {
  SmallVector<int, 16> mask;
  for (unsigned lane = 0; lane != lanes; ++lane) {
    unsigned place = lane % group, number = place / chunk;
    unsigned from = number / 2 + (isSecond ? group / (2 * chunk) : 0);
    mask.push_back(int(lane - place + from * chunk + place % chunk +
                       (number % 2 != 0 ? lanes : 0)));
  }
  return mask;
}

/// The first of two vectors with every second run of \p run lanes taken from
/// the other one, where such a run comes before it; or the second one likewise.
static SmallVector<int, 16> runsSwapped(unsigned lanes, unsigned run,
                                        bool isSecond) {
  SmallVector<int, 16> mask;
  for (unsigned lane = 0; lane != lanes; ++lane) {
    bool isOdd = (lane & run) != 0;
    unsigned from = isSecond ? lane | run : lane & ~run;
    mask.push_back(int(from + (isOdd ? lanes : 0)));
  }
  return mask;
}

static unsigned reversedBits(unsigned number, unsigned size) {
  unsigned result = 0;
  for (unsigned bit = 1; bit < size; bit *= 2, number /= 2)
    result = 2 * result + (number & 1);
  return result;
}

VectorBlock transposeSquare(IRBuilder<> &builder, ArrayRef<Value *> block,
                            unsigned bytes) {
  const unsigned lanes = block.size();
  const unsigned group = std::min(GroupBytes / bytes, lanes);
  VectorBlock now(block.begin(), block.end());
  for (unsigned distance = 1; distance < lanes; distance *= 2)
    for (unsigned i = 0; i != lanes; ++i) {
      if (i & distance)
        continue;
      bool isInside = distance < group;
      Value *first = now[i], *second = now[i + distance];
      for (bool isSecond : {false, true})
        now[i + (isSecond ? distance : 0)] = builder.CreateShuffleVector(
            first, second,
            isInside ? chunksInTurn(lanes, group, distance, isSecond)
                     : runsSwapped(lanes, distance, isSecond));
    }
  VectorBlock result;
  for (unsigned k = 0; k != lanes; ++k)
    result.push_back(now[k - k % group + reversedBits(k % group, group)]);
  return result;
}

static Value *lanesFrom(IRBuilder<> &builder, Value *vector, unsigned first,
                        unsigned count) {
  SmallVector<int, 16> mask;
  for (unsigned lane = 0; lane != count; ++lane)
    mask.push_back(int(first + lane));
  return builder.CreateShuffleVector(vector, mask);
}

/// The vectors one behind the other, a power of two of them.
static Value *joined(IRBuilder<> &builder, VectorBlock parts) {
  while (parts.size() > 1) {
    VectorBlock next;
    for (unsigned i = 0; i != parts.size(); i += 2) {
      unsigned lanes =
          cast<FixedVectorType>(parts[i]->getType())->getNumElements();
      SmallVector<int, 16> mask;
      for (unsigned lane = 0; lane != 2 * lanes; ++lane)
        mask.push_back(int(lane));
      next.push_back(builder.CreateShuffleVector(parts[i], parts[i + 1], mask));
    }
    parts = next;
  }
  return parts.front();
}

/// In squares as large as they fit.
static VectorBlock inSquares(IRBuilder<> &builder, ArrayRef<Value *> block,
                             unsigned bytes) {
  const unsigned rows = block.size();
  const unsigned lanes =
      cast<FixedVectorType>(block.front()->getType())->getNumElements();
  const unsigned side = std::min(rows, lanes);
  VectorBlock result;
  for (unsigned column = 0; column != lanes; column += side) {
    SmallVector<VectorBlock, 4> parts;
    for (unsigned row = 0; row != rows; row += side) {
      VectorBlock square;
      for (unsigned i = 0; i != side; ++i)
        square.push_back(
            side == lanes ? block[row + i]
                          : lanesFrom(builder, block[row + i], column, side));
      parts.push_back(transposeSquare(builder, square, bytes));
    }
    for (unsigned k = 0; k != side; ++k) {
      VectorBlock pieces;
      for (const VectorBlock &part : parts)
        pieces.push_back(part[k]);
      result.push_back(joined(builder, pieces));
    }
  }
  return result;
}

VectorBlock transpose(IRBuilder<> &builder, ArrayRef<Value *> block,
                      unsigned bytes) {
  auto *type = cast<FixedVectorType>(block.front()->getType());
  auto side = unsigned(std::min<size_t>(block.size(), type->getNumElements()));
  if (!type->getElementType()->isIntegerTy() || bytes * side >= GroupBytes)
    return inSquares(builder, block, bytes);
  const unsigned wide = GroupBytes / side;
  VectorBlock now;
  for (Value *vector : block)
    now.push_back(builder.CreateZExt(
        vector, type->getWithNewType(builder.getIntNTy(8 * wide))));
  now = inSquares(builder, now, wide);
  for (Value *&vector : now)
    vector = builder.CreateTrunc(vector,
                                 cast<FixedVectorType>(vector->getType())
                                     ->getWithNewType(type->getElementType()));
  return now;
}

} // namespace zpl::codegen
