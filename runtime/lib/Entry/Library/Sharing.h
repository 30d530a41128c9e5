//===- Sharing.h - Two names for one memory ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_LIBRARY_SHARING_H
#define ZRT_ENTRY_LIBRARY_SHARING_H

#include "zrt/Block.h"

namespace zrt {

/// Whether two views have bytes in common; true as well where that would take
/// long to tell. Strides may be negative or 0.
bool shareMemory(const zpl_view &a, const zpl_view &b);

} // namespace zrt

#endif // ZRT_ENTRY_LIBRARY_SHARING_H
