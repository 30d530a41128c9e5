//===- FetchRows.h - Sparse arrays in dense loops ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_SPARSE_FETCHROWS_H
#define ZPL_LIB_TRANSFORMS_SPARSE_FETCHROWS_H

#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Fetches sparse arrays row by row in the dense loops that read them, instead
/// of all of them before.
///
///     alloc %T                          array %T.1 : f64 <.., ..> lines (1, _)
///     fetch %T = @A over @R                          rows of @A
///     mloop @R {                   =>   mloop @R {
///       store @D = add(%T, @B)            store @D = add(%T.1, @B)
///     }                                 }
///     free %T
///
/// Form: Loop -> Loop.
/// Needs: loops that no pass takes apart any more, and no walkers yet.
/// Refuses fetches from another index, of records and strings, in scattered
/// domains, strided regions and one dimension, and copies that are used by more
/// than loops behind the fetch; with remarks.
void fetchRows(Module &module, PassContext &context);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_SPARSE_FETCHROWS_H
