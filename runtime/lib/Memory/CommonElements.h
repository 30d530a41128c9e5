//===- CommonElements.h - What arrays of two sizes share --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What `resize(a, n, m)` does to elements: those at positions of both sizes
/// keep their values.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_MEMORY_COMMONELEMENTS_H
#define ZRT_MEMORY_COMMONELEMENTS_H

#include <cstddef>
#include <cstdint>

namespace zrt {

/// The lengths of an array in up to six dimensions, elements row by row.
struct Lengths {
  int rank;
  const int64_t *of; ///< per dimension, none negative
};

/// The bytes of an array of elements of \p element bytes; INT64_MAX: as many or
/// more.
int64_t bytesOf(const Lengths &lengths, int64_t element);

/// Where \p a and \p b differ in the first of their dimensions alone, elements
/// stay where they are; how many bytes such a row takes, else -1.
int64_t rowBytes(const Lengths &a, const Lengths &b, int64_t element);

/// Copies the elements that \p from and \p to both have. The memory is apart.
void copyCommonElements(char *target, const Lengths &to, const char *source,
                        const Lengths &from, int64_t element);

} // namespace zrt

#endif // ZRT_MEMORY_COMMONELEMENTS_H
