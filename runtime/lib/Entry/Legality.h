//===- Legality.h - Run-time checks in the user's terms ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_LEGALITY_H
#define ZRT_ENTRY_LEGALITY_H

#include "zrt/Abi.h"

#include <string>

namespace zrt {

/// True if every index of \p region moved by \p direction (null: zero) lies in
/// \p declared (language appendix B). An empty region always does.
bool isWithin(const zrt_region &declared, const zrt_region &region,
              const int64_t *direction);

/// The message for a region that is not: "A@east reads outside A: region R
/// [1..8, 1..8] moved by (0, 1) leaves [1..8, 1..8] in dimension 2". \p verb is
/// "reads" or "writes", \p what the designator as written.
std::string outsideMessage(const zrt_array &array, const zrt_region &region,
                           const int64_t *direction, const char *what,
                           const char *verb);

/// The message for an argument \p what declared over other indices than those
/// of the formal.
std::string formalMessage(const zrt_array &array, const zrt_region &formal,
                          const char *what);

/// Empty if every bound of \p region fits 32 bits, else the message.
std::string boundMessage(const zrt_region &region);

} // namespace zrt

#endif // ZRT_ENTRY_LEGALITY_H
