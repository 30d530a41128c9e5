//===- Legality.h - Run-time checks in the user's terms ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_LEGALITY_H
#define ZRT_ENTRY_LEGALITY_H

#include "Layout/Box.h"

#include <string>

namespace zrt {

/// True if every index of \p region moved by \p direction (null: zero) is one
/// over which \p array is declared, or of its borders (language appendix B).
/// In dimensions that the array floods every index is; in grid dimensions the
/// direction must be 0. An empty region always lies within.
bool isWithin(const zrt_array &array, const zrt_region &region,
              const int64_t *direction);

/// The message for a region that is not: "A@east reads outside A: region R
/// [1..8, 1..8] moved by (0, 1) leaves [1..8, 1..8] in dimension 2". \p verb is
/// "reads" or "writes", \p what the designator as written.
std::string outsideMessage(const zrt_array &array, const zrt_region &region,
                           const int64_t *direction, const char *what,
                           const char *verb);

/// The message for an array over a region variable that has no value yet.
std::string nothingMessage(const zrt_array &array, const char *what,
                           const char *verb);

/// The message for a mask that does not hold \p region.
std::string maskMessage(const zrt_array &mask, const zrt_region &region,
                        const char *what);

/// Empty if `@^` with \p direction finds indices of \p array for all of \p
/// region, else the message.
std::string wrapMessage(const zrt_array &array, const zrt_region &region,
                        const int64_t *direction, const char *what);

/// Empty if \p from and \p over have the same indices in each dimension in
/// which both are ranges, or \p over has none; else the message.
std::string conformMessage(const zrt_region &from, const zrt_region &over,
                           const char *what);

/// Empty if \p array is declared over the indices of \p formal, else the
/// message for the argument \p what.
std::string formalMessage(const zrt_array &array, const zrt_region &formal,
                          const char *what);

/// Empty if every bound and stride of \p region fits 32 bits, else the message.
std::string boundMessage(const zrt_region &region);

/// Empty if `wrap` or `reflect`, which is \p what, in `direction of base` finds
/// its border and the indices that it takes from, \p sources, stored; else the
/// message.
std::string borderMessage(const zrt_array &array, const zrt_region &base,
                          const int64_t *direction,
                          const std::vector<Box> &sources, const char *what);

} // namespace zrt

#endif // ZRT_ENTRY_LEGALITY_H
