//===- Directions.h - Directions that arrays are read by --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fills Array::directions, stepDims and wrapDims, from which the fluff of
/// arrays is computed.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_DIRECTIONS_H
#define ZPL_LIB_SEMA_ARRAYS_DIRECTIONS_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

/// Notes for each array of \p program by which constant directions it is
/// shifted, and in which dimensions by others or around the ends; what
/// parameters are shifted by counts for the arrays that are passed whole.
void collectDirections(Program &program);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_DIRECTIONS_H
