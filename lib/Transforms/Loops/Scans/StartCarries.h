//===- StartCarries.h - What precedes a loop --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_SCANS_STARTCARRIES_H
#define ZPL_LIB_TRANSFORMS_LOOPS_SCANS_STARTCARRIES_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Gives carries the values with which their M-loops begin: the identity of the
/// operator, or, where several processors have parts of a line, what precedes
/// this one's.
///
///     mloop @R {                    mloop %lines { store %C = f64 0.0 }
///       store @S = %C               if gt(parts(@R, 1), i64 1) {
///       store %C = add(%C, @A)        mloop @R { accumulate sum %C, @A }
///     }                        =>     carry %C over @R
///                                   }
///                                   mloop @R { ... }
///
/// Form: Loop -> Loop.
/// Needs: loops that have carries store nothing that they read at another
/// index, and call no procedures with elements by reference.
/// Establishes: carries have values wherever they are read.
void startCarries(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_SCANS_STARTCARRIES_H
