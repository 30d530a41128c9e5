//===- CommonElements.cpp - What arrays of two sizes share ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     1 2 3        1 2 0        from 2 x 3 to 3 x 2: two rows of two elements
//     4 5 6   ->   4 5          are copied; then zeros are left
//                  0 0
//
// Recursive over the dimensions, row by row in the last one.
//
// Cost: linear in what is copied.
//
//===----------------------------------------------------------------------===//

#include "Memory/CommonElements.h"

#include <algorithm>
#include <cstring>

using namespace zrt;

static Lengths inner(const Lengths &lengths) {
  return {lengths.rank - 1, lengths.of + 1};
}

int64_t zrt::bytesOf(const Lengths &lengths, int64_t element) {
  // Of nothing there may be any number.
  if (element == 0 || std::find(lengths.of, lengths.of + lengths.rank, 0) !=
                          lengths.of + lengths.rank)
    return 0;
  int64_t bytes = element;
  for (int d = 0; d < lengths.rank; ++d)
    if (__builtin_mul_overflow(bytes, lengths.of[d], &bytes))
      return INT64_MAX;
  return bytes;
}

int64_t zrt::rowBytes(const Lengths &a, const Lengths &b, int64_t element) {
  bool isSame = std::equal(a.of + 1, a.of + a.rank, b.of + 1);
  return isSame ? bytesOf(inner(a), element) : -1;
}

void zrt::copyCommonElements(char *target, const Lengths &to,
                             const char *source, const Lengths &from,
                             int64_t element) {
  int64_t rows = std::min(*to.of, *from.of);
  if (bytesOf(to, element) == 0 || bytesOf(from, element) == 0)
    return;
  if (to.rank == 1) {
    std::memcpy(target, source, rows * element);
    return;
  }
  for (int64_t row = 0; row < rows; ++row)
    copyCommonElements(target + row * bytesOf(inner(to), element), inner(to),
                       source + row * bytesOf(inner(from), element),
                       inner(from), element);
}
