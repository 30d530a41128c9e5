//===- BoxRemap.h - Remaps that move boxes ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_BOXES_BOXREMAP_H
#define ZRT_REMAP_BOXES_BOXREMAP_H

#include "Remap/Boxes/BoxPlan.h"
#include "Remap/Maps.h"
#include "Remap/Store.h"
#include "Transport/Transport.h"

namespace zrt {

/// A copy of elements that are both here.
struct LocalCopy {
  MemoryBlock from, to;
};

/// What the boxes of one remap do: an exchange, copies here, and copies of what
/// has come.
class BoxCopy {
public:
  /// What partners send here goes to `held` or comes from `owned` pieces.
  enum class Direction { Gather, Scatter };

  /// Nothing yet of a remap between \p regional, an array over the covering
  /// region, and \p remapped. Of a gather, indices of \p maps that name the same
  /// element may have one piece; it is copied to all of them.
  BoxCopy(Transport &transport, const ClosedMaps &maps, Direction direction,
          const zrt_array &regional, const zrt_array &remapped)
      : transport(transport), maps(maps),
        gathers(direction == Direction::Gather), regional(regional),
        remapped(remapped) {}

  /// Adds pieces; those of one partner one after the other.
  void addHere(const BoxPiece &piece);
  void addHeld(int partner, const BoxPiece &piece);
  void addOwned(int partner, const BoxPiece &piece);
  void add(const BoxPlan &plan);

  /// Once. With \p isLarge, the same on all processors, from array to array.
  /// Collective.
  void run(bool isLarge);

private:
  Pair &pairWith(int partner);

  Transport &transport;
  const ClosedMaps &maps;
  bool gathers;
  const zrt_array &regional, &remapped;
  std::vector<Pair> pairs;
  std::vector<LocalCopy> here;
  std::vector<LocalCopy> late; ///< in this order, when the exchange is over
};

/// The maps of a remap of \p array in closed form, if boxes can serve it: no
/// mask, no grid dimension. The same on all processors.
std::optional<ClosedMaps> boxMaps(const RemapDomain &domain,
                                  const zrt_array &array);

/// As boxMaps, for a scatter into \p target, by `:=` if \p isCopy: then of the
/// indices that name the same element the last one is left. None if it is not
/// known that no two do, or copies of flooded dimensions would have to agree.
std::optional<ClosedMaps> scatterMaps(const RemapDomain &domain,
                                      const zrt_array &target, bool isCopy);

/// zrtA_array_gather by boxes. Collective.
void gatherBoxes(const RemapDomain &domain, const ClosedMaps &maps,
                 const Distribution &remote, zrt_array &result,
                 const zrt_array &source);
/// zrtA_array_scatter by boxes, with `:=` and with an operator. Collective.
void scatterBoxes(const RemapDomain &domain, const ClosedMaps &maps,
                  const Distribution &remote, zrt_array &target,
                  const zrt_array &source);

void combineBoxes(const RemapDomain &domain, const ClosedMaps &maps,
                  const Distribution &remote, zrt_array &target,
                  const zrt_array &source, const Store &store);

} // namespace zrt

#endif // ZRT_REMAP_BOXES_BOXREMAP_H
