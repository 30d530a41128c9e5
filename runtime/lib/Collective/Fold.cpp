//===- Fold.cpp - Reductions over parts of the grid -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The second half of a partial reduction. The program has combined its own
// elements; `[1..m, *] S := +<<[1..m, 1..n] A` on a 2 x 2 grid:
//
//     processor 0: rows 1..m/2, columns 1..n/2    sums of half rows
//     processor 1: rows 1..m/2, columns n/2+1..n  sums of half rows
//
// Processors 0 and 1 are a slice along dimension 2: they add their arrays, and
// both have the result. Other slices do the same at the same time.
//
// Under -freproducible the order of additions must not depend on the blocks:
// then all of the reduction is done here, by the tree over positions
// (Lines.h), one dimension after the other, the last one first.
//
// Cost: two messages of the result's size per level of the slice's tree;
// reproducibly, the elements travel once along each reduced dimension that is
// distributed.
//
//===----------------------------------------------------------------------===//

#include "Collective/Fold.h"

#include "Collective/AlgorithmTools.h"
#include "Collective/LinesImpl.h"
#include "Memory/Array.h"
#include "Transport/Blocks.h"

namespace zrt {

/// Has \p combine(slice, values) combine the dense values of this processor's
/// part of \p array.
template <typename F>
static void combinePart(const Parallel &parallel, zrt_array &array, int dims,
                        bool changesAlone, F &&combine) {
  Transport &transport = parallel.transport;
  Box part = ownPart(parallel.distribution, array.region, transport.rank());
  if (isEmpty(part))
    return;
  const Slice &slice = parallel.slice(dims);
  if (slice.size() == 1 && !changesAlone)
    return;
  MemoryBlock block = blockOf(array, part, ZRT_MAX_RANK);
  std::vector<char> values(static_cast<size_t>(block.bytes()));
  packBlock(block, values.data());
  combine(slice, values);
  unpackBlock(values.data(), block);
}

void combineArray(const Parallel &parallel, zrt_array &array, int dims,
                  int reduction) {
  int64_t size = operatorTable(array.type->kind, reduction).size;
  // Max and min replace a NaN or -0.
  bool changesAlone = reduction == ZRT_MAX || reduction == ZRT_MIN ||
                      reduction == ZRT_MAXNAN || reduction == ZRT_MINNAN;
  combinePart(parallel, array, dims, changesAlone,
              [&](const Slice &slice, std::vector<char> &values) {
                reduce(parallel.transport, slice, values.data(),
                       static_cast<int64_t>(values.size()) / size,
                       array.type->kind, reduction);
              });
}

void combineStates(const Parallel &parallel, zrt_array &array, int dims,
                   zrt_state_combine combine) {
  int64_t size = array.type->size;
  combinePart(parallel, array, dims, /*changesAlone=*/false,
              [&](const Slice &slice, std::vector<char> &values) {
                reduceStates(parallel.transport, slice, values.data(),
                             static_cast<int64_t>(values.size()) / size, size,
                             combine);
              });
}

bool areEqual(const zrt_region &a, const zrt_region &b) {
  bool good = a.rank == b.rank && a.domain == b.domain &&
              a.singletons == b.singletons && a.floods == b.floods &&
              a.grids == b.grids && !a.is_sparse && !b.is_sparse;
  for (int d = 0; good && d < a.rank; ++d)
    good = a.floods >> d & 1 || seqOf(a.dim[d]) == seqOf(b.dim[d]);
  return good;
}

/// More would better be cut into parts, or go by itself.
static constexpr size_t MostJointBytes = size_t(1) << 14;

/// Combines the parts of all arrays as one record. False if that is too much;
/// then nothing has changed. What is decided is the same in the slice, whose
/// members own the same indices where the arrays are not flooded.
static bool combineJointly(const Parallel &parallel,
                           const std::vector<CombinedArray> &arrays,
                           const Box &part, const Slice &slice) {
  RecordReducer record;
  std::vector<MemoryBlock> blocks;
  for (const auto &[array, reduction, combine] : arrays) {
    blocks.push_back(blockOf(*array, part, ZRT_MAX_RANK));
    int64_t size = array->type->size;
    int64_t count = static_cast<int64_t>(blocks.back().bytes()) / size;
    if (combine)
      record.add(static_cast<size_t>(size), combine, count);
    else
      record.add(operatorTable(array->type->kind, reduction), count);
  }
  if (record.size > MostJointBytes)
    return false;
  Scratch values(record.size);
  std::memset(values.data(), 0, record.size);
  for (size_t k = 0; k < blocks.size(); ++k)
    packBlock(blocks[k], values.data() + record.offset(k));
  reduceRecord(parallel.transport, slice, record, values.data());
  for (size_t k = 0; k < blocks.size(); ++k)
    unpackBlock(values.data() + record.offset(k), blocks[k]);
  return true;
}

void combineArrays(const Parallel &parallel,
                   const std::vector<CombinedArray> &arrays, int dims,
                   bool isJoint) {
  const Slice &slice = parallel.slice(dims);
  if (isJoint && slice.size() > 1) {
    Box part = ownPart(parallel.distribution, arrays.front().array->region,
                       parallel.transport.rank());
    if (isEmpty(part) || combineJointly(parallel, arrays, part, slice))
      return;
  }
  for (const auto &[array, reduction, combine] : arrays)
    if (combine)
      combineStates(parallel, *array, dims, combine);
    else
      combineArray(parallel, *array, dims, reduction);
}

namespace {

/// The elements of this processor's part as a dense block; masked-out ones are
/// the identity.
template <int Size>
Dense<Segmented<Size>> elementsOf(const SegmentedOperator<Size> &op,
                                  const Box &part, const zrt_array &source,
                                  const zrt_mask &mask) {
  ElementView from = viewOf(source, part);
  ElementView flags = mask.array ? viewOf(*mask.array, part) : ElementView();
  auto values =
      Dense<Segmented<Size>>::like(part.rank, from.count, op.identity());
  int last = part.rank - 1;
  auto isTaken = [&](const int64_t *at, int64_t k) {
    if (!mask.array)
      return true;
    const char *flag = addressIn(flags, at) + k * flags.step[last];
    return (*reinterpret_cast<const uint8_t *>(flag) != 0) == (mask.value != 0);
  };
  forEachLine(part.rank, from.count, last, [&](const int64_t *at) {
    auto *to = values.values.data() + values.place(at);
    const char *read = addressIn(from, at);
    for (int64_t k = 0; k < from.count[last]; ++k, read += from.step[last])
      if (isTaken(at, k))
        to[k] = op.valueOf(read, false);
  });
  return values;
}

/// The folds of whole lines along the last dimension, which is not distributed;
/// no element is copied.
template <int Size>
Dense<Segmented<Size>> foldOwnLines(const OperatorTable &table,
                                    const SegmentedOperator<Size> &op,
                                    const Box &part, const zrt_array &source) {
  ElementView from = viewOf(source, part);
  int last = part.rank - 1;
  int64_t counts[ZRT_MAX_RANK];
  std::copy(from.count, from.count + part.rank, counts);
  counts[last] = 1;
  auto lines = Dense<Segmented<Size>>::like(part.rank, counts, op.identity());
  if (from.count[last] > 0)
    forEachLine(part.rank, from.count, last, [&](const int64_t *at) {
      table.treeLine(
          addressIn(from, at), from.step[last], from.count[last],
          lines.values[static_cast<size_t>(lines.place(at))].value.bytes);
    });
  return lines;
}

/// Folds the part of \p from along the dimensions \p dims.
template <int Size>
Dense<Segmented<Size>>
fold(const Parallel &parallel, const OperatorTable &table,
     const SegmentedOperator<Size> &op, const zrt_array &source,
     const zrt_region &from, int dims, const zrt_mask &mask) {
  Box part = ownPart(parallel.distribution, from, parallel.transport.rank());
  int last = from.rank - 1;
  bool ownsLines = (dims >> last & 1) && !mask.array &&
                   sliceAlong(parallel, from, last).size() == 1;
  Dense<Segmented<Size>> values = ownsLines
                                      ? foldOwnLines(table, op, part, source)
                                      : elementsOf(op, part, source, mask);
  for (int d = ownsLines ? last - 1 : last; d >= 0; --d) {
    if (!(dims >> d & 1))
      continue;
    LineDim along = {d, false, &sliceAlong(parallel, from, d)};
    values = foldLines(parallel.transport, op, along, Grouping::Tree, values);
  }
  return values;
}

} // namespace

void foldArray(const Parallel &parallel, zrt_array &result,
               const zrt_array &source, const zrt_region &from, int reduction,
               const zrt_mask &mask) {
  OperatorTable table = operatorTable(source.type->kind, reduction);
  withSlotSize(table.size, [&]<int Size>() {
    SegmentedOperator<Size> op(table);
    auto values = fold<Size>(parallel, table, op, source, from,
                             result.region.floods, mask);
    Box part = ownPart(parallel.distribution, result.region,
                       parallel.transport.rank());
    if (isEmpty(part))
      return;
    ElementView to = viewOf(result, part);
    int last = part.rank - 1;
    forEachLine(part.rank, to.count, last, [&](const int64_t *at) {
      auto *value = values.values.data() + values.place(at);
      char *write = addressIn(to, at);
      for (int64_t k = 0; k < to.count[last]; ++k, write += to.step[last])
        std::memcpy(write, value[k].value.bytes,
                    static_cast<size_t>(table.size));
    });
  });
}

void foldAll(const Parallel &parallel, void *result, const zrt_array &source,
             const zrt_region &from, int reduction, const zrt_mask &mask) {
  OperatorTable table = operatorTable(source.type->kind, reduction);
  withSlotSize(table.size, [&]<int Size>() {
    SegmentedOperator<Size> op(table);
    int all = (1 << from.rank) - 1;
    auto values = fold<Size>(parallel, table, op, source, from, all, mask);
    std::memcpy(result, values.values.front().value.bytes,
                static_cast<size_t>(table.size));
  });
}

} // namespace zrt
