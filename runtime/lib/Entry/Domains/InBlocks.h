//===- InBlocks.h - Arrays of scattered domains, in blocks ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_DOMAINS_INBLOCKS_H
#define ZRT_ENTRY_DOMAINS_INBLOCKS_H

#include "zrt/Abi.h"

#include <memory>
#include <vector>

namespace zrt {

/// \p region where all processors have blocks of it: the same but for scattered
/// domains.
zrt_region inBlocks(const zrt_region &region);

/// What an operator that needs blocks works on: an array as it is or, of a
/// scattered domain, a copy in blocks of its elements at some region.
class BlockCopy {
public:
  /// Null stays null. \p region is in any domain. \p copies: with the elements.
  BlockCopy(const zrt_array *array, const zrt_region &region,
            const zrt_loc *loc, bool copies = true);
  BlockCopy(BlockCopy &&other) = default;
  ~BlockCopy();

  zrt_array *array() const { return made ? made.get() : original; }
  bool isCopy() const { return made != nullptr; }
  /// Gives the elements back to the original.
  void store();

private:
  zrt_array *original; ///< written by store() only
  std::unique_ptr<zrt_array> made;
};

/// A mask and maps likewise, with what they point to.
struct BlockMask {
  BlockCopy flags;
  zrt_mask mask;

  /// \p given may be null: no mask.
  BlockMask(const zrt_mask *given, const zrt_region &region,
            const zrt_loc *loc);
};
struct BlockMaps {
  std::vector<BlockCopy> arrays;
  std::vector<zrt_map> maps;

  BlockMaps(const zrt_map *given, int count, const zrt_region &region,
            const zrt_loc *loc);
};

} // namespace zrt

#endif // ZRT_ENTRY_DOMAINS_INBLOCKS_H
