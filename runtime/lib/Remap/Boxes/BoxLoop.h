//===- BoxLoop.h - Gathers that a loop reads box by box ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_BOXES_BOXLOOP_H
#define ZRT_REMAP_BOXES_BOXLOOP_H

#include "Remap/Boxes/BoxPlan.h"
#include "Remap/Maps.h"
#include "Transport/Transport.h"

#include <memory>

namespace zrt {

/// zrtA_boxes_begin and zrtA_boxes_next. One gather at a time.
class BoxLoop {
public:
  /// Begins a gather from \p source by maps that have been checked, and are
  /// indices and scalars. The source stays as it is until next() gives false.
  /// Collective.
  void begin(const RemapDomain &domain, const ClosedMaps &maps,
             const Distribution &remote, const zrt_array &source);

  /// Makes \p box the next box, and \p window what the loop over it reads; false
  /// if there is none: what partners read here has been read then.
  bool next(zrt_region &box, zrt_array &window);

  /// Before the transport ends.
  void clear();

private:
  /// Indices of the own part, and where the elements are that they name.
  struct Window {
    BoxPiece piece;
    MemoryBlock arrived; ///< in the order of the source's; of others only
  };

  MemoryBlock inSourceOrder(const MemoryBlock &block) const;
  void describe(const Window &window, zrt_array &array) const;

  ClosedMaps maps;
  const zrt_array *source = nullptr;
  zrt_region region = {};
  std::vector<Window> own, arriving;
  size_t visited = 0;                 ///< of both lists
  std::unique_ptr<Exchange> exchange; ///< null: all has arrived
  bool takesPart = false;             ///< in the exchange
  /// Where elements arrive; kept, for gathers come again.
  std::unique_ptr<char[]> buffer;
  size_t capacity = 0;
};

} // namespace zrt

#endif // ZRT_REMAP_BOXES_BOXLOOP_H
