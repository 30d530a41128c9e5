//===- LargeMemory.h - Memory of lists that may be large --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_LARGEMEMORY_H
#define ZRT_SUPPORT_LARGEMEMORY_H

#include <cstddef>

namespace zrt {

/// The size of a piece of memory that has \p bytes at least, as it is passed to
/// the functions below.
size_t roundLarge(size_t bytes);

/// A piece of \p bytes, a size of roundLarge, that begins with what \p memory
/// has, a piece of \p old bytes, which is gone then, or null and 0; as much as
/// fits. Null if \p bytes is 0. Throws std::bad_alloc.
void *resizeLarge(void *memory, size_t old, size_t bytes);

} // namespace zrt

#endif // ZRT_SUPPORT_LARGEMEMORY_H
