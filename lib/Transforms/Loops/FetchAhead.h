//===- FetchAhead.h - Memory before it is needed ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_FETCHAHEAD_H
#define ZPL_LIB_TRANSFORMS_LOOPS_FETCHAHEAD_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Chooses the rows whose memory M-loops ask for before they come there:
/// those that the loop has not read already when it does.
///
///     [R] B := A@north + A + A@south;      of A, the row in the south: the
///                                          others were that a row before
///
/// Form: Loop -> Loop. What is computed stays the same; whether anything is
/// asked for is up to the back end (lib/Backend/FetchAhead.cpp).
/// Needs: no walkers yet; M-loops otherwise in their final shape.
/// Refuses arrays that are not read along rows or are contracted, waves, and
/// loops in blocks or over several rows at a time.
void fetchAhead(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_FETCHAHEAD_H
