//===- Images.h - Remapped arrays as a whole --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_IMAGES_H
#define ZRT_REMAP_IMAGES_H

#include "Collective/OwnPart.h"
#include "Remap/Store.h"

namespace zrt {

/// zrtA_window_copy of Abi.h; \p id is unique. Collective.
void copyWhole(const Parallel &parallel, zrt_array &copy,
               const zrt_array &source, uint64_t id, const zrt_loc *loc);

/// zrtA_window_image: `store` says what changes nothing.
void makeImage(const Parallel &parallel, zrt_array &image,
               const zrt_array &array, const Store &store, uint64_t id,
               const zrt_loc *loc);

/// zrtA_window_merge, without the notes. Collective.
void mergeImages(const Parallel &parallel, zrt_array &array,
                 const zrt_array &image, const Store &store);

} // namespace zrt

#endif // ZRT_REMAP_IMAGES_H
