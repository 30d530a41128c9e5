//===- RowRemap.cpp - Remaps that permute rows ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// B := A#[P, Index2] over [1..4, 1..n], P over [1..4, *], two processors with two
// rows each; P is 4, 1, 3, 3:
//
//     processor 0 has the runs    1: row 4    2: row 1
//     processor 1 has the run     3: row 3    4: row 3
//
// A *run* is indices that follow each other with rows that do, too: a lap
// (ClosedMaps.h). Each processor tells the owners of rows its runs, and then both
// know the boxes that go between them as for maps in closed form (BoxRemap.h),
// with a memory block per run.
//
// Cost: three numbers per run, and one copy of each row here, on other
// processors as the transport does.
//
//===----------------------------------------------------------------------===//

#include "Remap/Boxes/RowRemap.h"

#include "Machine/RunFigures.h"
#include "Remap/Boxes/BoxRemap.h"
#include "Remap/Messages.h"

namespace zrt {

namespace {

/// Shorter rows go by the general way: it takes 8 bytes per element, this one
/// some hundreds per row.

/// What a processor tells of a run.
struct RowRun {
  int64_t index, row, count;
};

/// The runs of this processor's part, of rows of an array with \p stride.
std::vector<Lap> runsOf(const RemapDomain &domain, const RowMaps &maps,
                        int64_t stride) {
  std::vector<Lap> runs;
  const Seq &part = domain.part.dim[maps.dim];
  if (isEmpty(domain.part))
    return runs;
  const zrt_array &array = *domain.maps[maps.map].array;
  const ElementView &view = domain.arrays[static_cast<size_t>(maps.map)];
  for (int64_t n = 0; n < size(part); ++n) {
    const char *place = view.base + n * view.step[maps.dim];
    int64_t row = array.type->kind == ZRT_I64
                      ? *reinterpret_cast<const int64_t *>(place)
                      : *reinterpret_cast<const int32_t *>(place);
    int64_t index = part.lo + n * part.stride;
    if (!runs.empty()) {
      Lap &last = runs.back();
      if (last.first[maps.map] + size(last.indices) * stride == row) {
        last.indices.hi = index;
        continue;
      }
    }
    Lap run;
    run.indices = {index, index, part.stride};
    run.first[maps.map] = row;
    run.step[maps.map] = stride;
    runs.push_back(run);
  }
  return runs;
}

/// The runs in \p laps as a message, and back.
std::vector<int64_t> numbersOf(const std::vector<Lap> &laps, int map) {
  std::vector<int64_t> numbers;
  for (const Lap &lap : laps)
    numbers.insert(numbers.end(),
                   {lap.indices.lo, lap.first[map], size(lap.indices)});
  return numbers;
}

std::vector<Lap> runsIn(const std::vector<int64_t> &numbers, int map,
                        int64_t indexStride, int64_t stride) {
  std::vector<Lap> laps;
  for (size_t n = 0; n + 3 <= numbers.size(); n += 3) {
    Lap run;
    int64_t index = numbers[n], count = numbers[n + 2];
    run.indices = {index, index + (count - 1) * indexStride, indexStride};
    run.first[map] = numbers[n + 1];
    run.step[map] = stride;
    laps.push_back(run);
  }
  return laps;
}

} // namespace

std::optional<RowMaps> rowMaps(const RemapDomain &domain,
                               const zrt_array &source) {
  if (domain.mask.array || domain.numbered || source.region.is_sparse ||
      domain.region.grids || source.region.grids)
    return std::nullopt;
  RowMaps rows{-1, -1, {}};
  for (int k = 0; k < domain.mapCount; ++k)
    if (domain.isArray(k)) {
      if (rows.map >= 0 || (source.region.floods >> k & 1))
        return std::nullopt;
      rows.map = k;
    }
  if (rows.map < 0)
    return std::nullopt;
  const int floods = domain.maps[rows.map].array->region.floods;
  int64_t bytes = source.type->size;
  for (int d = 0; d < domain.region.rank; ++d) {
    if (floods >> d & 1)
      bytes *= mostOwned(domain.parallel.distribution, domain.region, d);
    else if (rows.dim >= 0)
      return std::nullopt;
    else
      rows.dim = d;
  }
  if (rows.dim < 0 || (domain.region.floods >> rows.dim & 1) ||
      double(bytes) < runFigures().rowBytes)
    return std::nullopt;
  zrt_map maps[ZRT_MAX_RANK];
  std::copy_n(domain.maps, domain.mapCount, maps);
  for (int k = 0; k < domain.mapCount; ++k)
    if (maps[k].form != ZRT_MAP_SCALAR && maps[k].dim == rows.dim &&
        k != rows.map)
      return std::nullopt;
  maps[rows.map].form = ZRT_MAP_INDEX;
  maps[rows.map].dim = rows.dim;
  std::optional<ClosedMaps> closed =
      closedMaps(domain.region, maps, domain.mapCount);
  if (!closed)
    return std::nullopt;
  rows.closed = std::move(*closed);
  return rows;
}

void gatherRows(const RemapDomain &domain, const RowMaps &maps,
                const Distribution &remote, zrt_array &result,
                const zrt_array &source) {
  Transport &transport = domain.parallel.transport;
  int self = transport.rank(), map = maps.map, dim = maps.dim;
  int64_t stride = source.region.dim[map].stride;
  ClosedMaps own = maps.closed;
  own.laps[dim] = runsOf(domain, maps, stride);
  BoxEnds mine{own, domain.region, source.region, domain.parallel.distribution,
               remote};
  std::vector<std::vector<int64_t>> asked(
      static_cast<size_t>(transport.size()));
  for (int p = 0; p < transport.size(); ++p)
    if (p != self)
      asked[static_cast<size_t>(p)] =
          numbersOf(lapsAlong(mine, dim, self, p), map);
  asked = exchangeNumbers(transport, asked, domain.isLarge());
  BoxCopy copy(transport, maps.closed, BoxCopy::Direction::Gather, result,
               source);
  forEachPiece(mine, self, self,
               [&](const BoxPiece &piece) { copy.addHere(piece); });
  for (int p = 0; p < transport.size(); ++p) {
    if (p == self)
      continue;
    forEachPiece(mine, self, p,
                 [&](const BoxPiece &piece) { copy.addHeld(p, piece); });
    ClosedMaps wanted = maps.closed;
    wanted.laps[dim] = runsIn(asked[static_cast<size_t>(p)], map,
                              domain.region.dim[dim].stride, stride);
    forEachPiece({wanted, domain.region, source.region,
                  domain.parallel.distribution, remote},
                 p, self,
                 [&](const BoxPiece &piece) { copy.addOwned(p, piece); });
  }
  copy.run(domain.isLarge());
}

} // namespace zrt
