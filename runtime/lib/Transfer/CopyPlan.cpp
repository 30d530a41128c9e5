//===- CopyPlan.cpp - Elements that move by a map of indices --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `@` into memory of its own, `@^` and `@` on the left side, wrap and reflect
// are one operation: boxes of target indices, each with a map to the sources
// that in every dimension is i + offset or, mirrored, offset - i. Over [1..8]:
//
//     B@^[3] in [1..8]      1..5 from i + 3,  6..8 from i - 5
//     wrap in [2] of R      9..10 from i - 8
//     reflect in [2] of R   9..10 from 17 - i
//
// Wrapping cuts a dimension into laps: the targets whose moved index lies in
// base, in base one extent further on, ... Each lap has one offset. `wrap` is
// wrapping without a movement, over the border; so a border that is wider than
// its region repeats it. With strides an extent is the number of indices times
// the stride, and mirrors stand half a stride beyond the last index: of
// [1..9 by 2] at 10.
//
// Planning is that of transfers (TransferPlan.cpp) with a map instead of a
// movement. Processor p computes own(p) within the box, asks the owners of the
// map of that; q sends what lies in the reversed map of own(q). So far moves,
// unequal and empty blocks need no care. A source that is flooded is read by
// every processor in its own slice of the grid.
//
//===----------------------------------------------------------------------===//

#include "Transfer/CopyPlan.h"

#include "Layout/RegionOps.h"
#include "Support/Error.h"

#include <map>
#include <numeric>

namespace zrt {

CopyPiece shiftPiece(const Box &target, const int64_t *direction) {
  CopyPiece piece{target, {}};
  std::copy(direction, direction + target.rank, piece.source.offset);
  return piece;
}

CopyPiece shiftIntoPiece(const Box &source, const int64_t *direction) {
  CopyPiece piece{shift(source, direction), {}};
  for (int d = 0; d < source.rank; ++d)
    piece.source.offset[d] = -direction[d];
  return piece;
}

namespace {

/// Indices of one dimension that are wrapped by the same offset.
struct CopyLap {
  Seq indices;
  int64_t offset = 0;
};

/// The quotient, rounded downward.
int64_t floorDivide(int64_t a, int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// The first index of \p base, and the distance after which it repeats.
struct Period {
  int64_t first, length;

  explicit Period(const zrt_dim &base) {
    Seq indices = seqOf(base);
    first = indices.lo;
    length = size(indices) * base.stride;
  }
};

std::vector<CopyLap> lapsOf(const Seq &indices, const zrt_dim &base,
                            int64_t distance) {
  std::vector<CopyLap> laps;
  Period period(base);
  int64_t start = period.first - distance; // of lap 0
  int64_t last = floorDivide(indices.hi - start, period.length);
  for (int64_t lap = floorDivide(indices.lo - start, period.length);
       lap <= last; ++lap) {
    int64_t from = start + lap * period.length;
    Seq part = intersect(indices, Range{from, from + period.length - 1});
    if (!isEmpty(part))
      laps.push_back({part, distance - lap * period.length});
  }
  return laps;
}

/// All combinations of the laps of the dimensions.
std::vector<CopyPiece> product(int rank, const std::vector<CopyLap> *laps) {
  std::vector<CopyPiece> pieces(1);
  pieces[0].target.rank = rank;
  for (int d = 0; d < rank; ++d) {
    std::vector<CopyPiece> longer;
    for (const CopyPiece &piece : pieces)
      for (const CopyLap &lap : laps[d]) {
        longer.push_back(piece);
        longer.back().target.dim[d] = lap.indices;
        longer.back().source.offset[d] = lap.offset;
      }
    pieces = std::move(longer);
  }
  return pieces;
}

bool floods(const zrt_region &region, int d) { return region.floods >> d & 1; }

} // namespace

std::vector<CopyPiece> wrapPieces(const Box &target, const zrt_region &base,
                                  const int64_t *direction) {
  if (isEmpty(target))
    return {};
  std::vector<CopyLap> laps[ZRT_MAX_RANK];
  for (int d = 0; d < target.rank; ++d)
    laps[d] = floods(base, d)
                  ? std::vector<CopyLap>{{target.dim[d], 0}}
                  : lapsOf(target.dim[d], base.dim[d], direction[d]);
  return product(target.rank, laps);
}

std::vector<CopyPiece> wrapIntoPieces(const Box &source, const zrt_region &base,
                                      const int64_t *direction) {
  std::vector<CopyPiece> pieces = wrapPieces(source, base, direction);
  for (CopyPiece &piece : pieces) {
    piece.target = applied(piece.source, piece.target);
    for (int64_t &offset : piece.source.offset)
      offset = -offset;
  }
  return pieces;
}

Box lastWrapped(const Box &source, const zrt_region &base) {
  // Two indices of one element are multiples of the period and of the stride
  // apart.
  Box last = source;
  for (int d = 0; d < source.rank; ++d)
    if (!floods(base, d)) {
      const Seq &seq = source.dim[d];
      int64_t apart = std::lcm(Period(base.dim[d]).length, seq.stride);
      last.dim[d] = intersect(seq, Range{seq.hi - apart + 1, seq.hi});
    }
  return last;
}

std::vector<CopyPiece> wrapBorder(const zrt_region &base,
                                  const int64_t *direction) {
  static const int64_t nowhere[ZRT_MAX_RANK] = {};
  return wrapPieces(boxOf(regionOf(direction, base)), base, nowhere);
}

std::vector<CopyPiece> reflectBorder(const zrt_region &base,
                                     const int64_t *direction) {
  CopyPiece piece{boxOf(regionOf(direction, base)), {}};
  if (isEmpty(piece.target))
    return {};
  for (int d = 0; d < base.rank; ++d) {
    if (direction[d] == 0)
      continue;
    Seq inside = seqOf(base.dim[d]);
    piece.source.sign[d] = -1;
    piece.source.offset[d] = direction[d] > 0
                                 ? 2 * inside.hi + base.dim[d].stride
                                 : 2 * inside.lo - base.dim[d].stride;
  }
  return {piece};
}

CopyParts planCopy(const Distribution &distribution,
                   const std::vector<CopyPiece> &pieces, int targetFloods,
                   int sourceFloods, int self) {
  ZRT_CHECK((targetFloods & ~sourceFloods) == 0);
  std::map<int, PartnerParts> partners;
  CopyParts parts;
  Box stores = distribution.own(self, targetFloods);
  Box holds = distribution.own(self, sourceFloods);
  for (size_t k = 0; k < pieces.size(); ++k) {
    const CopyPiece &piece = pieces[k];
    int number = static_cast<int>(k);
    // What comes here, from where.
    Box wanted = intersect(piece.target, stores);
    auto from = [&](int owner) {
      Box held = distribution.own(owner, sourceFloods);
      return intersect(wanted, reversed(piece.source, held));
    };
    Box sources = flooded(applied(piece.source, wanted), sourceFloods);
    if (!isEmpty(wanted))
      for (int owner : distribution.owners(sources, sourceFloods, self)) {
        if (owner == self)
          parts.here.push_back({number, from(owner)});
        else
          partners[owner].receives.push_back({number, from(owner)});
      }
    // What goes from here, where to.
    Box served = intersect(piece.target, reversed(piece.source, holds));
    auto to = [&](int reader) {
      return intersect(served, distribution.own(reader, targetFloods));
    };
    for (int reader : distribution.owners(served, sourceFloods, self))
      if (reader != self && !isEmpty(to(reader)))
        partners[reader].sends.push_back({number, to(reader)});
  }
  for (auto &[partner, both] : partners) {
    both.partner = partner;
    parts.partners.push_back(std::move(both));
  }
  return parts;
}

} // namespace zrt
