//===- BlockCut.h - One dimension cut into blocks ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_LAYOUT_BLOCKCUT_H
#define ZRT_LAYOUT_BLOCKCUT_H

#include "Layout/Box.h"

#include <vector>

namespace zrt {

/// A dimension distributed in blocks over `parts` processors (dissertation
/// 2.2.2 and 3.2): the indices of `bounds`, cut into consecutive blocks that
/// differ by at most one in size, the larger ones first. With fewer indices
/// than parts, the first ones own one index each and the others none.
/// Or blocks of any sizes, perhaps none, between cut points.
struct BlockCut {
  Range bounds = EmptyRange;
  int64_t parts = 1;
  /// Not empty: parts + 1 numbers that do not decrease; part q has the indices
  /// above the q-th and up to the next one, and `bounds` are all of these.
  std::vector<int64_t> points = {};

  /// The indices of `bounds` that \p part owns; EmptyRange if none.
  Range block(int64_t part) const;

  /// All indices that \p part owns: its block, which at the edges reaches to
  /// -IndexLimit and +IndexLimit. The own ranges partition all indices, also
  /// when `bounds` is empty: then part 0 owns everything. EmptyRange for parts
  /// without a block.
  Range own(int64_t part) const;

  /// The part whose own range holds \p index; indices beyond IndexLimit belong
  /// to the edges as well. Only parts with a block are owners (part 0 of an
  /// empty `bounds`), and they are numbered from 0 without a gap unless there
  /// are cut points.
  int64_t owner(int64_t index) const;
};

} // namespace zrt

#endif // ZRT_LAYOUT_BLOCKCUT_H
