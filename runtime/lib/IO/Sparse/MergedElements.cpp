//===- MergedElements.cpp - Sparse arrays in row-major order --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each processor has its elements in row-major order; those of the whole are a
// merge of these lists. Processor 0 merges. It asks a processor for the next
// piece of its list when it has used up the last one, so it holds one piece of
// each, and nobody sends before being asked:
//
//     0 to 1: more       1 to 0: 4096 indices, and their values
//     0 to all: done     the slab is made
//
// Between slabs all are free for what is to be done with one together.
//
// Cost: one comparison of indices per element and processor, at 0.
//
//===----------------------------------------------------------------------===//

#include "IO/Sparse/MergedElements.h"

#include "Collective/Collective.h"
#include "Sparse/SparseArray.h"

#include <algorithm>

namespace zrt {

static constexpr int64_t PieceCount = 4096;

MergedElements::MergedElements(Transport &transport, const zrt_array &array,
                               bool values)
    : transport(transport), array(array),
      pattern(*patternOf(array.region.pattern)), withValues(values),
      rank(array.region.rank), line(0) {
  Box box = boxOf(array.region);
  for (int d = 0; d < rank; ++d)
    if (size(box.dim[d]) > 1)
      line = d;
  std::vector<int64_t> counts =
      allNumbers(transport, everybody(transport), pattern.count);
  for (int64_t count : counts) {
    sources.emplace_back();
    sources.back().waiting = count;
    all += count;
  }
}

void MergedElements::makePiece(int64_t count, std::vector<int32_t> &indices,
                               std::vector<char> &values) {
  auto size = static_cast<size_t>(array.type->size);
  indices.clear();
  values.resize(withValues ? static_cast<size_t>(count) * size : 0);
  ElementCopier copy(array.type->size);
  for (int64_t k = 0; k < count; ++k, ++ownSent) {
    while (pattern.starts[row + 1] <= ownSent)
      ++row;
    for (int d = 0; d + 1 < rank; ++d)
      indices.push_back(pattern.row[d][row]);
    indices.push_back(pattern.column[ownSent]);
    if (withValues && size > 0)
      copy(&values[static_cast<size_t>(k) * size],
           array.origin + ownSent * stepOf(array));
  }
}

/// On processor 0: the next piece of \p processor.
void MergedElements::refill(int processor) {
  Source &source = sources[static_cast<size_t>(processor)];
  int64_t count = std::min(source.waiting, PieceCount);
  source.waiting -= count;
  source.at = 0;
  source.count = static_cast<size_t>(count);
  if (processor == 0)
    return makePiece(count, source.indices, source.values);
  int32_t more = 1;
  transport.send(processor, &more, sizeof more);
  source.indices.resize(source.count * static_cast<size_t>(rank));
  transport.receive(processor, source.indices.data(),
                    source.indices.size() * sizeof(int32_t));
  source.values.resize(
      withValues ? source.count * static_cast<size_t>(array.type->size) : 0);
  if (!source.values.empty())
    transport.receive(processor, source.values.data(), source.values.size());
}

/// On the others: answers until the slab is made.
void MergedElements::serve() {
  std::vector<int32_t> indices;
  std::vector<char> values;
  int32_t more;
  while (transport.receive(0, &more, sizeof more), more != 0) {
    makePiece(std::min(pattern.count - ownSent, PieceCount), indices, values);
    transport.send(0, indices.data(), indices.size() * sizeof(int32_t));
    if (!values.empty())
      transport.send(0, values.data(), values.size());
  }
}

bool MergedElements::isBefore(const Source &a, const Source &b) const {
  auto n = static_cast<size_t>(rank);
  const int32_t *p = &a.indices[a.at * n], *q = &b.indices[b.at * n];
  return std::lexicographical_compare(p, p + n, q, q + n);
}

/// Whose element comes first; null at the end.
MergedElements::Source *MergedElements::least() {
  Source *first = nullptr;
  for (size_t p = 0; p < sources.size(); ++p) {
    Source &source = sources[p];
    if (source.at == source.count && source.waiting > 0)
      refill(static_cast<int>(p));
    if (source.at < source.count && (!first || isBefore(source, *first)))
      first = &source;
  }
  return first;
}

bool MergedElements::isLineEnd(const int32_t *index, const Source *next) const {
  if (!next)
    return true;
  const int32_t *other = &next->indices[next->at * static_cast<size_t>(rank)];
  return !std::equal(index, index + line, other);
}

/// Moves the next element of \p source to \p slab, and finds the one after it.
void MergedElements::take(Source &source, MergedSlab &slab) {
  auto size = static_cast<size_t>(array.type->size);
  int32_t index[ZRT_MAX_RANK];
  std::copy_n(&source.indices[source.at * static_cast<size_t>(rank)], rank,
              index);
  if (withValues)
    slab.values.insert(slab.values.end(),
                       source.values.data() + source.at * size,
                       source.values.data() + (source.at + 1) * size);
  slab.indices.insert(slab.indices.end(), index, index + rank);
  slab.owners.push_back(static_cast<int32_t>(&source - sources.data()));
  ++source.at;
  upcoming = least();
  slab.lineEnds.push_back(isLineEnd(index, upcoming));
}

void MergedElements::merge(int64_t count, MergedSlab &slab) {
  if (done == 0)
    upcoming = least();
  for (int64_t k = 0; k < count; ++k)
    take(*upcoming, slab);
  int32_t more = 0;
  for (int p = 1; p < transport.size(); ++p)
    transport.send(p, &more, sizeof more);
}

bool MergedElements::next(int64_t most, MergedSlab &slab) {
  slab.count = std::min(most, all - done);
  slab.owners.clear();
  slab.lineEnds.clear();
  slab.indices.clear();
  slab.values.clear();
  if (slab.count == 0)
    return false;
  if (transport.rank() == 0)
    merge(slab.count, slab);
  else
    serve();
  done += slab.count;
  return true;
}

} // namespace zrt
