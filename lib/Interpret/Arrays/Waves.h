//===- Waves.h - Scan blocks ------------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_ARRAYS_WAVES_H
#define ZPL_LIB_INTERPRET_ARRAYS_WAVES_H

#include "Run.h"

namespace zpl::interpreter {

/// Executes a scan block over the covering region: at each index, in the order
/// that Sema has chosen, all its statements.
void wave(Run &run, const sema::WaveStmt *stmt);

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_ARRAYS_WAVES_H
