//===- MergePatterns.h - Loops over several patterns ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_SPARSE_MERGEPATTERNS_H
#define ZPL_LIB_TRANSFORMS_SPARSE_MERGEPATTERNS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets loops over a sparse region read arrays of other patterns by walking
/// through both, instead of a copy that is made before.
///
///     alloc %T                          array %T.1 : f64 <.., ..> lines (1, 1)
///     fetch %T = @A over @S                         elements of @A
///     mloop @S {                   =>   mloop @S {
///       store @C = add(%T, @B)            store @C = add(%T.1, @B)
///     }                                 }
///     free %T
///
/// Form: Loop -> Loop.
/// Needs: loops that no pass takes apart any more, and no walkers yet.
/// Refuses fetches from another index or domain, of records and strings, and
/// copies that are used by more than loops behind the fetch; with remarks.
void mergePatterns(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_SPARSE_MERGEPATTERNS_H
