//===- ElementView.cpp - Elements of an array at a box --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For loops over elements that the runtime executes itself. An array over
// [1..9] by 2 of doubles has its positions 0..4 in memory, 8 bytes apart; the
// view of the box [1..9 by 4] has the count 3, the step 16 and the base of
// index 1.
//
//===----------------------------------------------------------------------===//

#include "Memory/ElementView.h"

namespace zrt {

ElementView viewOf(const zrt_array &array, const Box &box) {
  ElementView view;
  view.rank = box.rank;
  uint64_t offset = 0;
  for (int d = 0; d < box.rank; ++d) {
    view.count[d] = size(box.dim[d]);
    if (array.region.floods >> d & 1 || view.count[d] == 0)
      continue;
    const zrt_dim &declared = array.region.dim[d];
    int64_t position = (box.dim[d].lo - declared.align) / declared.stride;
    offset +=
        static_cast<uint64_t>(position) * static_cast<uint64_t>(array.pitch[d]);
    view.step[d] = view.count[d] == 1
                       ? 0
                       : array.pitch[d] * (box.dim[d].stride / declared.stride);
  }
  view.base = reinterpret_cast<char *>(
      reinterpret_cast<uintptr_t>(array.origin) + offset);
  return view;
}

} // namespace zrt
