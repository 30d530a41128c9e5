//===- WaveOrder.cpp - In which order a scan block goes -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In each offset d the first component that is not 0, in the order of the
// loops, must point against the loop's direction: then the element at i + d
// comes before the one at i. A loop *carries* the offsets of which it is the
// first such. Whatever it carries is settled, so the loops inside need not care
// for these offsets any more:
//
//     [0,-1] [-1,1]     dimension 2 first: -1 and 1, no
//                       dimension 1 first: 0 and -1, upward; it carries [-1,1]
//                       then dimension 2: -1, upward
//
// Better than any order is that no dimension has components of both signs:
// [-1,0] [0,-1] [-1,-1]. Then all loops may be exchanged and cut into tiles,
// and processors begin as soon as those before them in each dimension have done
// one tile. Where that is not so, loops are taken from outside one by one, as
// *steps*, until what is left is of that kind. So the search is over sequences
// of steps, the shorter ones first, dimensions in ascending order: at most
// 6! = 720 of them. What is no step comes in row-major order.
//
// A loop that carries nothing goes up, as memory does; but the tiles along its
// dimension go against the components that it has, for they may be others'
// business: with [-1,1] and rows cut into tiles, the tile to the right comes
// first.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/WaveOrder.h"

#include "llvm/ADT/STLExtras.h"

namespace zpl::sema {

namespace {

/// The signs of one component of several offsets.
enum class Signs : uint8_t { None, Negative, Positive, Both };

Signs signsOf(llvm::ArrayRef<WaveOffset> offsets, unsigned dim) {
  bool negative = llvm::any_of(
      offsets, [&](const WaveOffset &offset) { return offset[dim] < 0; });
  bool positive = llvm::any_of(
      offsets, [&](const WaveOffset &offset) { return offset[dim] > 0; });
  return negative && positive ? Signs::Both
         : negative           ? Signs::Negative
         : positive           ? Signs::Positive
                              : Signs::None;
}

/// Those that the loop of \p dim does not carry.
std::vector<WaveOffset> notCarried(llvm::ArrayRef<WaveOffset> offsets,
                                   unsigned dim) {
  std::vector<WaveOffset> left;
  for (const WaveOffset &offset : offsets)
    if (offset[dim] == 0)
      left.push_back(offset);
  return left;
}

/// Whether the loops may be exchanged.
bool mayExchange(llvm::ArrayRef<WaveOffset> offsets, unsigned rank) {
  for (unsigned dim = 0; dim != rank; ++dim)
    if (signsOf(offsets, dim) == Signs::Both)
      return false;
  return true;
}

/// Adds \p count steps to \p steps that leave of \p offsets what can be
/// exchanged; false if there are none.
bool addSteps(llvm::ArrayRef<WaveOffset> offsets, unsigned rank, unsigned count,
              llvm::SmallVectorImpl<unsigned> &steps) {
  if (count == 0)
    return mayExchange(offsets, rank);
  for (unsigned dim = 0; dim != rank; ++dim) {
    Signs signs = signsOf(offsets, dim);
    if (signs == Signs::Both || signs == Signs::None)
      continue;
    steps.push_back(dim);
    if (addSteps(notCarried(offsets, dim), rank, count - 1, steps))
      return true;
    steps.pop_back();
  }
  return false;
}

} // namespace

std::optional<WaveOrder> findWaveOrder(llvm::ArrayRef<WaveOffset> offsets,
                                       unsigned rank) {
  llvm::SmallVector<unsigned, 6> dims;
  unsigned steps = 0;
  while (!addSteps(offsets, rank, steps, dims))
    if (++steps > rank)
      return std::nullopt;
  for (unsigned dim = 0; dim != rank; ++dim)
    if (!llvm::is_contained(dims, dim))
      dims.push_back(dim);

  WaveOrder order;
  order.steps = steps;
  std::vector<WaveOffset> left(offsets.begin(), offsets.end());
  std::vector<WaveOffset> inSteps; ///< what the steps leave
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (i == steps)
      inSteps = left;
    Signs carried = signsOf(left, dim);
    Signs tiles = i < steps ? carried : signsOf(inSteps, dim);
    int number = static_cast<int>(dim) + 1;
    order.dims.push_back(tiles == Signs::Positive ? -number : number);
    order.loops.push_back({dim, carried == Signs::Positive});
    left = notCarried(left, dim);
  }
  return order;
}

llvm::SmallVector<unsigned, 6>
findWaveConflict(llvm::ArrayRef<WaveOffset> offsets, unsigned rank) {
  llvm::SmallVector<unsigned, 6> numbers;
  for (unsigned i = 0; i != offsets.size(); ++i)
    numbers.push_back(i);
  for (unsigned i = offsets.size(); i-- != 0;) {
    std::vector<WaveOffset> others;
    for (unsigned j : numbers)
      if (j != i)
        others.push_back(offsets[j]);
    if (!findWaveOrder(others, rank))
      numbers.erase(llvm::find(numbers, i));
  }
  return numbers;
}

} // namespace zpl::sema
