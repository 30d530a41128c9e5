//===- ElementView.h - Elements of an array at a box ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_MEMORY_ELEMENTVIEW_H
#define ZRT_MEMORY_ELEMENTVIEW_H

#include "Layout/Box.h"

namespace zrt {

/// The elements of an array at the indices of a box, counted from 0 in each
/// dimension: those at the counts j have the address base + sum of
/// j[d]*step[d]. Where the array is flooded the step is 0.
struct ElementView {
  int rank = 0;
  int64_t count[ZRT_MAX_RANK] = {};
  int64_t step[ZRT_MAX_RANK] = {};
  char *base = nullptr;
};

/// The view of \p box, which is empty or stored here, but for dimensions that
/// the array floods: there the box may have any indices.
ElementView viewOf(const zrt_array &array, const Box &box);

/// Calls \p f with the counts of each line along dimension \p d, 0 in d, in
/// row-major order of the others; \p count may be 0 in d.
template <typename F>
void forEachLine(int rank, const int64_t *count, int d, F &&f) {
  int64_t at[ZRT_MAX_RANK] = {};
  for (int e = 0; e < rank; ++e)
    if (e != d && count[e] == 0)
      return;
  while (true) {
    f(static_cast<const int64_t *>(at));
    int e = rank - 1;
    while (e >= 0 && (e == d || at[e] == count[e] - 1))
      at[e--] = 0;
    if (e < 0)
      return;
    ++at[e];
  }
}

/// As a number first: an array without elements here has no memory, and then
/// this is no address of anything.
inline char *addressIn(const ElementView &view, const int64_t *at) {
  auto address = reinterpret_cast<uintptr_t>(view.base);
  for (int d = 0; d < view.rank; ++d)
    address += static_cast<uintptr_t>(at[d] * view.step[d]);
  return reinterpret_cast<char *>(address);
}

} // namespace zrt

#endif // ZRT_MEMORY_ELEMENTVIEW_H
