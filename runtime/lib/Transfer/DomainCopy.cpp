//===- DomainCopy.cpp - Copies between arrays of any domains --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As CopyPlan, where a processor's part of a dimension is a list of segments
// instead of one range. What one processor has of another's elements is a
// product, over the dimensions, of lists of stretches: indices of one segment
// there and one segment here. From block to cyclic over two processors, 1..8:
//
//     to 0 from 0      1, 3    stretch 1..3 by 2: positions 1..3 by 2 of the
//     to 0 from 1      5, 7    source, places 0..1 of the target
//     to 1 from 0      2, 4    ...
//
// Each combination of stretches is one block of memory on both sides. The lists
// depend on the places of both processors alone, so both make the same ones in
// the same order.
//
// Cost: planning looks at the segments that meet, of all processors that this
// one has a part in; then it is an exchange like any other.
//
//===----------------------------------------------------------------------===//

#include "Transfer/DomainCopy.h"

#include "Transport/Blocks.h"
#include "Transport/PairOrder.h"

#include <algorithm>
#include <map>

namespace zrt {

namespace {

/// Positions along one dimension.
struct Steps {
  int64_t first = 0, step = 0;
};

/// Indices along one dimension that are in one segment on both sides.
struct Stretch {
  int64_t count = 1;
  Steps target, source;
};

bool isFlooded(const zrt_array &array, int d) {
  return array.region.floods >> d & 1;
}

/// Where \p end has the indices \p seq of \p segment.
Steps stepsOf(const CopyEnd &end, int d, const Segment &segment,
              const Seq &seq) {
  const Seq &all = segment.indices;
  if (end.placement.isScattered)
    return {segment.place + (seq.lo - all.lo) / all.stride,
            seq.stride / all.stride};
  const zrt_dim &dim = end.array.region.dim[d];
  return {(seq.lo - dim.align) / dim.stride, seq.stride / dim.stride};
}

/// What map does to \p seq.
Seq mapped(const Seq &seq, int64_t sign, int64_t offset) {
  return sign > 0 ? shift(seq, offset)
                  : Seq{offset - seq.hi, offset - seq.lo, seq.stride};
}

/// Makes the copies of one pair of arrays.
class StretchPlanner {
public:
  StretchPlanner(const CopyEnd &target, const CopyEnd &source,
                 const std::vector<CopyPiece> &pieces)
      : target(target), source(source), pieces(pieces),
        rank(target.array.region.rank) {
    const ProcessGrid &a = target.placement.grid, &b = source.placement.grid;
    isOneGrid = std::equal(a.extent, a.extent + rank, b.extent);
  }

  /// The elements that processor \p to gets of \p from.
  void addBlocks(int to, int from, std::vector<MemoryBlock> &targets,
                 std::vector<MemoryBlock> &sources) const;

private:
  bool stretches(const CopyPiece &piece, int d, int to, int from,
                 std::vector<Stretch> &list) const;

  const CopyEnd &target, &source;
  const std::vector<CopyPiece> &pieces;
  int rank;
  bool isOneGrid;
};

/// The stretches along \p d between the parts \p to and \p from; false if there
/// are none.
bool StretchPlanner::stretches(const CopyPiece &piece, int d, int to, int from,
                               std::vector<Stretch> &list) const {
  list.clear();
  bool isTaken = from == (isOneGrid ? to : 0);
  if (isFlooded(target.array, d)) {
    if (isTaken)
      list.push_back({});
    return isTaken;
  }
  int64_t sign = piece.source.sign[d], offset = piece.source.offset[d];
  for (const Segment &segment : target.placement.dims[d].of(to)) {
    Seq wanted = intersect(piece.target.dim[d], segment.indices);
    if (isEmpty(wanted))
      continue;
    if (isFlooded(source.array, d)) {
      if (isTaken)
        list.push_back({size(wanted), stepsOf(target, d, segment, wanted), {}});
      continue;
    }
    const std::vector<Segment> &others = source.placement.dims[d].of(from);
    Seq sources = mapped(wanted, sign, offset);
    auto other = std::partition_point(
        others.begin(), others.end(),
        [&](const Segment &s) { return s.indices.hi < sources.lo; });
    for (; other != others.end() && other->indices.lo <= sources.hi; ++other) {
      Seq there = intersect(sources, other->indices);
      if (isEmpty(there))
        continue;
      Seq here = mapped(there, sign, sign > 0 ? -offset : offset);
      Stretch made = {size(here), stepsOf(target, d, segment, here),
                      stepsOf(source, d, *other, there)};
      if (sign < 0) {
        made.source.first += (made.count - 1) * made.source.step;
        made.source.step = -made.source.step;
      }
      list.push_back(made);
    }
  }
  return !list.empty();
}

char *displaced(char *address, int64_t bytes) {
  return reinterpret_cast<char *>(reinterpret_cast<uintptr_t>(address) +
                                  static_cast<uintptr_t>(bytes));
}

/// The memory of one combination of stretches, of which \p side is an end.
MemoryBlock blockOfStretches(const zrt_array &array, int rank,
                             const Stretch *const *chosen,
                             Steps Stretch::*side) {
  MemoryBlock block;
  block.elementSize = array.type->size;
  int64_t offset = 0;
  for (int d = 0; d < rank; ++d) {
    const Steps &steps = chosen[d]->*side;
    offset += static_cast<int64_t>(static_cast<uint64_t>(steps.first) *
                                   static_cast<uint64_t>(array.pitch[d]));
    if (chosen[d]->count == 1)
      continue;
    block.count[block.rank] = chosen[d]->count;
    block.stride[block.rank++] = steps.step * array.pitch[d];
  }
  if (block.rank == 0) {
    block.count[0] = 1;
    block.stride[block.rank++] = block.elementSize;
  }
  block.base = displaced(array.origin, offset);
  return block;
}

void StretchPlanner::addBlocks(int to, int from,
                               std::vector<MemoryBlock> &targets,
                               std::vector<MemoryBlock> &sources) const {
  int at[ZRT_MAX_RANK], there[ZRT_MAX_RANK];
  target.placement.grid.coordinates(to, at);
  source.placement.grid.coordinates(from, there);
  std::vector<Stretch> lists[ZRT_MAX_RANK];
  for (const CopyPiece &piece : pieces) {
    bool isAny = true;
    for (int d = 0; d < rank && isAny; ++d)
      isAny = stretches(piece, d, at[d], there[d], lists[d]);
    if (!isAny)
      continue;
    const Stretch *chosen[ZRT_MAX_RANK];
    size_t next[ZRT_MAX_RANK] = {};
    for (int d = rank - 1; d >= 0;) {
      for (int e = 0; e < rank; ++e)
        chosen[e] = &lists[e][next[e]];
      targets.push_back(
          blockOfStretches(target.array, rank, chosen, &Stretch::target));
      sources.push_back(
          blockOfStretches(source.array, rank, chosen, &Stretch::source));
      for (d = rank - 1; d >= 0 && ++next[d] == lists[d].size(); --d)
        next[d] = 0;
    }
  }
}

} // namespace

Copy copyOf(Transport &transport, const CopyEnd &target, const CopyEnd &source,
            const std::vector<CopyPiece> &pieces) {
  if (pieces.empty() || source.array.type->size == 0)
    return Copy();
  StretchPlanner planner(target, source, pieces);
  int self = transport.rank();
  std::vector<Copy::Local> here;
  std::vector<Pair> pairs;
  for (int partner = 0; partner < transport.size(); ++partner) {
    Pair pair;
    pair.partner = partner;
    std::vector<MemoryBlock> ofOther;
    planner.addBlocks(self, partner, pair.receives, ofOther);
    if (partner == self) {
      for (size_t k = 0; k < ofOther.size(); ++k)
        here.push_back({ofOther[k], pair.receives[k]});
      continue;
    }
    ofOther.clear();
    planner.addBlocks(partner, self, ofOther, pair.sends);
    if (!pair.sends.empty() || !pair.receives.empty())
      pairs.push_back(std::move(pair));
  }
  bool takesPart = !pairs.empty();
  orderPairs(transport, pairs);
  std::unique_ptr<Exchange> exchange = transport.makeExchange(std::move(pairs));
  if (!takesPart)
    exchange.reset();
  return Copy(std::move(exchange), std::move(here));
}

} // namespace zrt
