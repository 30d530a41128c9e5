//===- ColumnDirectory.h - The indices of a pattern by column ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SPARSE_COLUMNDIRECTORY_H
#define ZRT_SPARSE_COLUMNDIRECTORY_H

#include "zrt/Abi.h"

#include <span>
#include <vector>

namespace zrt {

/// Where a pattern has the indices of each column.
class ColumnDirectory {
public:
  /// Looks at \p pattern for as long as it lives.
  explicit ColumnDirectory(const zrt_pattern &pattern);

  /// The positions whose index in the last dimension is \p column, ascending.
  std::span<const int32_t> positionsOf(int64_t column) const;

private:
  const zrt_pattern &pattern;
  std::vector<int32_t> positions; ///< by column, then ascending
};

} // namespace zrt

#endif // ZRT_SPARSE_COLUMNDIRECTORY_H
