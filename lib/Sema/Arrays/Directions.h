//===- Directions.h - Directions that arrays are read by --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Fills Array::directions.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_DIRECTIONS_H
#define ZPL_LIB_SEMA_ARRAYS_DIRECTIONS_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

void collectDirections(Program &program);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_DIRECTIONS_H
