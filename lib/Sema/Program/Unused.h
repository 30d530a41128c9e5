//===- Unused.h - Names that nobody uses ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_UNUSED_H
#define ZPL_LIB_SEMA_PROGRAM_UNUSED_H

#include "Check/Checking.h"

namespace zpl::sema {

/// Warns of declarations in the main file whose names nobody uses. After
/// everything has been checked.
void reportUnused(Checking &c);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_UNUSED_H
