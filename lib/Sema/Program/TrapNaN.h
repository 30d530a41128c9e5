//===- TrapNaN.h - Assignments that must not make a NaN ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_TRAPNAN_H
#define ZPL_LIB_SEMA_PROGRAM_TRAPNAN_H

#include "Check/Checking.h"

namespace zpl::sema {

/// -ftrap-nan: behind each assignment of floating or complex values in the
/// parallel procedures of the program, an assertion that what was assigned is
/// no NaN. Which procedures are parallel is known; nothing is reported.
void trapNaN(Checking &c);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_TRAPNAN_H
