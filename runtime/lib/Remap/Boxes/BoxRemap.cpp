//===- BoxRemap.cpp - Remaps that move boxes ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     B := A#[Index2, Index1]     B := A#[(Index1 + 1) % n, 3]     A#[2*Index1] := C
//
// A piece (BoxPlan.h) is two memory blocks of equal counts, in the row-major
// order of its indices: one of the array over the region, one of the remapped
// array, which steps along dimension d of the region by the steps of all maps of
// d. So a transpose is a block whose strides are exchanged, and all pieces
// together are an exchange of the transport and local copies, as for `@`. On
// shared memory the receiver copies from the other's array straight to its own.
//
// Where the maps of a gather leave out a dimension of the region, as the second
// example does, a partner sends the elements for its first index only; when
// they are there they are copied to the others, dimension by dimension. Of such a
// scatter only the last index counts, which stores last in row-major order.
//
// Cost: planning as BoxPlan.h says; each element is copied once here, on other
// processors as the transport does.
//
//===----------------------------------------------------------------------===//

#include "Remap/Boxes/BoxRemap.h"

#include "Remap/Boxes/BoxBlocks.h"
#include "Transport/Blocks.h"

namespace zrt {

namespace {

/// A piece at the first index of each dimension that the maps leave out.
BoxPiece withoutUnused(BoxPiece piece, const ClosedMaps &maps) {
  for (int d = 0; d < maps.rank; ++d)
    if (maps.isUnused(d)) {
      Lap &lap = piece.laps[d];
      lap = atIndices(lap, {lap.indices.lo, lap.indices.lo});
    }
  return piece;
}

/// The copies that spread what has come for \p piece, withoutUnused, over the
/// rest of it.
void addSpreads(const zrt_array &array, const BoxPiece &piece,
                const ClosedMaps &maps, std::vector<LocalCopy> &copies) {
  BoxPiece done = withoutUnused(piece, maps);
  for (int d = 0; d < maps.rank; ++d) {
    if (!maps.isUnused(d) || size(piece.laps[d].indices) == 1)
      continue;
    Seq indices = piece.laps[d].indices;
    BoxPiece rest = done;
    rest.laps[d] =
        atIndices(piece.laps[d], {indices.lo + indices.stride, indices.hi});
    MemoryBlock to = regionalBlock(array, rest, maps.rank);
    MemoryBlock from = regionalBlock(array, done, maps.rank);
    from.count[d] = to.count[d];
    from.stride[d] = 0;
    copies.push_back({from, to});
    done.laps[d] = piece.laps[d];
  }
}

} // namespace

Pair &BoxCopy::pairWith(int partner) {
  if (pairs.empty() || pairs.back().partner != partner)
    pairs.push_back({partner, {}, {}});
  return pairs.back();
}

void BoxCopy::addHere(const BoxPiece &piece) {
  MemoryBlock held = regionalBlock(regional, piece, maps.rank);
  MemoryBlock owned = remappedBlock(remapped, piece, maps);
  here.push_back(gathers ? LocalCopy{owned, held} : LocalCopy{held, owned});
}

void BoxCopy::addHeld(int partner, const BoxPiece &piece) {
  Pair &pair = pairWith(partner);
  (gathers ? pair.receives : pair.sends)
      .push_back(
          regionalBlock(regional, withoutUnused(piece, maps), maps.rank));
  if (gathers)
    addSpreads(regional, piece, maps, late);
}

void BoxCopy::addOwned(int partner, const BoxPiece &piece) {
  Pair &pair = pairWith(partner);
  (gathers ? pair.sends : pair.receives)
      .push_back(remappedBlock(remapped, withoutUnused(piece, maps), maps));
}

void BoxCopy::add(const BoxPlan &plan) {
  for (const BoxPiece &piece : plan.here)
    addHere(piece);
  for (const PartnerPieces &pieces : plan.partners) {
    for (const BoxPiece &piece : pieces.held)
      addHeld(pieces.partner, piece);
    for (const BoxPiece &piece : pieces.owned)
      addOwned(pieces.partner, piece);
  }
}

void BoxCopy::run(bool isLarge) {
  movePairs(transport, std::move(pairs), isLarge, [&] {
    for (const LocalCopy &each : here)
      copyBlock(each.from, each.to);
  });
  for (const LocalCopy &each : late)
    copyBlock(each.from, each.to);
}

std::optional<ClosedMaps> boxMaps(const RemapDomain &domain,
                                  const zrt_array &array) {
  if (domain.mask.array || domain.numbered || array.region.is_sparse ||
      domain.region.grids || array.region.grids || array.type->size == 0)
    return std::nullopt;
  return closedMaps(domain.region, domain.maps, domain.mapCount);
}

std::optional<ClosedMaps> scatterMaps(const RemapDomain &domain,
                                      const zrt_array &target, bool isCopy) {
  std::optional<ClosedMaps> maps = boxMaps(domain, target);
  if (!maps || domain.region.floods || target.region.floods)
    return std::nullopt;
  for (int d = 0; d < maps->rank; ++d) {
    if (isCopy && maps->isUnused(d)) {
      Lap &lap = maps->laps[d][0];
      lap = atIndices(lap, {lap.indices.hi, lap.indices.hi});
    }
    if (!maps->laps[d].empty() && !maps->isOneToOne(d))
      return std::nullopt;
  }
  return maps;
}

/// Moves the boxes between \p regional, an array over the covering region, and
/// \p remapped.
static void moveBoxes(const RemapDomain &domain, const ClosedMaps &maps,
                      const Distribution &remote, BoxCopy::Direction direction,
                      const zrt_array &regional, const zrt_array &remapped) {
  Transport &transport = domain.parallel.transport;
  BoxPlan plan =
      planBoxes(endsOf(domain, maps, remote, remapped), transport.rank());
  BoxCopy copy(transport, maps, direction, regional, remapped);
  copy.add(plan);
  copy.run(domain.isLarge());
}

void gatherBoxes(const RemapDomain &domain, const ClosedMaps &maps,
                 const Distribution &remote, zrt_array &result,
                 const zrt_array &source) {
  moveBoxes(domain, maps, remote, BoxCopy::Direction::Gather, result, source);
}

void scatterBoxes(const RemapDomain &domain, const ClosedMaps &maps,
                  const Distribution &remote, zrt_array &target,
                  const zrt_array &source) {
  moveBoxes(domain, maps, remote, BoxCopy::Direction::Scatter, source, target);
}

} // namespace zrt
