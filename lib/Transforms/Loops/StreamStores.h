//===- StreamStores.h - Results past the caches -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_STREAMSTORES_H
#define ZPL_LIB_TRANSFORMS_LOOPS_STREAMSTORES_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Marks the stores of M-loops whose results may go to memory without being
/// read into the caches first ("streaming", "non-temporal" stores). Whether
/// they do is decided when the loop starts, by the bytes that the processor
/// stores in it: what fits the caches is better kept there.
///
///     [R] B := (A@north + A@south) / 2.0;     B is only written: from three
///                                             transfers of memory per element
///                                             to two
///
/// Form: Loop -> Loop.
/// Needs: no walkers yet; M-loops otherwise in their final shape.
/// Refuses arrays that the loop reads as well, also under another name, stores
/// under a mask, into parts of elements, into elements that several indices
/// share, and those that do not go along rows of neighbouring elements; loops
/// with calls that write elements; waves.
void streamStores(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_STREAMSTORES_H
