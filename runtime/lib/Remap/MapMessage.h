//===- MapMessage.h - What is said of a wrong map ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_MAPMESSAGE_H
#define ZRT_REMAP_MAPMESSAGE_H

#include "zrt/AbiTypes.h"

#include <string>

namespace zrt {

/// That map number \p map (from 0) of \p what, a designator as written, is
/// \p value at the index \p at of \p region, where \p array has no element.
std::string mapMessage(const zrt_array &array, const zrt_region &region,
                       const int64_t *at, int map, int64_t value,
                       const char *what);

/// A line that follows the message where there are \p processors: which one has
/// that index. The message is the same for any number.
std::string onProcessor(int processor, int processors);

} // namespace zrt

#endif // ZRT_REMAP_MAPMESSAGE_H
