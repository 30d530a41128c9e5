//===- MapMemory.h - Maps that stay as they are -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_MAPMEMORY_H
#define ZRT_REMAP_MAPMEMORY_H

#include "Remap/Schedule.h"

#include <optional>

namespace zrt {

/// All that a schedule depends on but the values of map and mask arrays. Equal
/// on all processors.
struct RemapShape {
  RemapShape(const RemapDomain &domain, const Remote &remote,
             const zrt_array &array);
  bool operator==(const RemapShape &other) const;

  zrt_region region, declared;       ///< of the indices, of the remapped array
  Distribution distribution, remote; ///< of these
  std::vector<zrt_map> maps;         ///< of arrays the kind of their elements
  int32_t mask;                      ///< -1: none; else its value
  uint64_t ordering;                 ///< of the places of a sparse region
  uint64_t stored; ///< the pattern of a sparse remapped array; 0: it is dense
};

/// Maps and a mask with the values that they have had, and the schedules made
/// for these.
struct MapPattern {
  explicit MapPattern(const RemapShape &shape) : shape(shape) {}

  RemapShape shape;
  std::vector<uint64_t> ids; ///< of the arrays, as they were seen last
  const zrt_loc *loc = nullptr;
  Bytes values;        ///< of this processor's part
  int64_t cost = 0;    ///< an estimate of the bytes, equal on all processors
  uint64_t number = 0; ///< no other pattern has it, ever
  uint64_t lastUse = 0;
  int64_t uses = 0; ///< after the first
  /// As long as the arrays are those of `ids`, told of by `sets`, and these were
  /// written so often, they have the values.
  int64_t sets = 0;
  uint64_t writes = 0;
  std::unique_ptr<GatherSchedule> gather;
  std::unique_ptr<ScatterSchedule> scatters[3]; ///< by ScatterSchedule::Order

  /// The one for what \p store does; null: not made yet.
  const std::unique_ptr<ScatterSchedule> &scatter(const Store &store) const {
    return scatters[static_cast<int>(ScatterSchedule::orderOf(store))];
  }
};

/// Remembers maps, to see that they are the same again. All its decisions are
/// the same on all processors.
class MapMemory {
public:
  /// Whether all array maps and the mask have values that are remembered:
  /// these were checked then, and the pattern is returned. Else null. \p sets
  /// as in Abi.h. Collective.
  MapPattern *recognize(const RemapDomain &domain, const RemapShape &shape,
                        int64_t sets, const zrt_loc *loc);
  /// Remembers values that were not recognized, if that promises something,
  /// after they were checked; the pattern, or null.
  MapPattern *remember(const RemapDomain &domain, const RemapShape &shape,
                       int64_t sets, const zrt_loc *loc);
  /// zrtA_maps_written of Abi.h.
  void noteWrites(int64_t sets);
  /// Whether the pattern with this number is remembered.
  bool knows(uint64_t number) const;

  /// The remap that follows has these maps: keeps what recognize found for it.
  void expect(const RemapDomain &domain, const RemapShape &shape,
              MapPattern *pattern);
  /// What was kept, if it is for this remap; none if nothing was.
  std::optional<MapPattern *> expected(const RemapDomain &domain,
                                       const RemapShape &shape);

  /// What was kept, if it is a pattern; not taken.
  const MapPattern *upcoming() const { return next ? next->pattern : nullptr; }

  /// Before the transport ends.
  void clear();

private:
  /// The remaps at one place of the program.
  struct Site {
    const zrt_loc *loc;
    int64_t misses = 0; ///< without a hit in between
    uint64_t lastUse = 0;
  };
  Site &site(const zrt_loc *loc);
  std::vector<MapPattern *> candidates(const RemapDomain &domain,
                                       const RemapShape &shape,
                                       const zrt_loc *loc);
  void makeRoom(int64_t cost);
  uint64_t writesOf(int64_t sets) const;
  MapPattern *unwritten(const std::vector<MapPattern *> &tried,
                        const RemapDomain &domain, int64_t sets) const;
  void forget(const MapPattern *pattern);

  std::vector<std::unique_ptr<MapPattern>> patterns;
  std::vector<Site> sites;
  int64_t held = 0; ///< the cost of all patterns
  uint64_t clock = 0;
  uint64_t lastNumber = 0;
  uint64_t writes[64] = {}; ///< by set: how often it may have been written
  struct Expected {
    RemapShape shape;
    std::vector<uint64_t> ids;
    MapPattern *pattern;
  };
  std::optional<Expected> next;
};

} // namespace zrt

#endif // ZRT_REMAP_MAPMEMORY_H
