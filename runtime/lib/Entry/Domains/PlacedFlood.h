//===- PlacedFlood.h - Floods over scattered domains ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_DOMAINS_PLACEDFLOOD_H
#define ZRT_ENTRY_DOMAINS_PLACEDFLOOD_H

#include "zrt/Abi.h"

namespace zrt {

/// zrtA_array_flood in a scattered domain. Collective.
void floodPlaced(zrt_array &result, const zrt_array &source,
                 const zrt_region &from, const zrt_loc *loc);

} // namespace zrt

#endif // ZRT_ENTRY_DOMAINS_PLACEDFLOOD_H
