//===- ContractArrays.h - Arrays that live in one sweep ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_CONTRACTARRAYS_H
#define ZPL_LIB_TRANSFORMS_LOOPS_CONTRACTARRAYS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Gives arrays whose every value is computed and used inside one M-loop a few
/// rows of storage, or one element, instead of memory of the region's size.
///
///     mloop @R {                         array %New : f64 <..,..> lines (2, _)
///       store @New = ...@A@(-1,0)...  => mloop @R {
///       after 1 {                          store %New = ...@A@(-1,0)...
///         store @A = @New                  after 1 {
///       }                                    store @A = %New
///     }                                    }
///                                        }
///
/// An element, if all is done at one index; else as many rows as the last part
/// that uses the array is after the first one, and one. Local and global
/// arrays alike: of a global one all uses in the whole program are looked at.
/// The old array and its memory are gone.
///
/// Form: Loop -> Loop.
/// Needs: no walkers yet.
/// Refuses arrays of which a loop reads an element that it has not stored
/// before at the same index under the same guard, so that a value of before
/// would be seen; that are reductions' targets; that anything but an M-loop
/// names: a transfer, check, call, input, output, an array operator, another
/// array with the same region; that follow region variables. There is a remark
/// for arrays that one loop at least computes and uses.
/// See dissertation 4.5 and docs/ArrayIR.md, "Contracted arrays".
void contractArrays(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_CONTRACTARRAYS_H
