//===- Carries.h - The array IR: scans in M-loops ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_CARRIES_H
#define ZPL_ARRAYIR_CARRIES_H

#include "zpl/ArrayIR/ArrayIR.h"

namespace zpl::air {

/// The carries that an M-loop carries along: arrays that it stores, one element
/// for many indices, in the order of their first stores.
llvm::SmallVector<Array *, 2> carriedAlong(const MLoopStmt &loop);

/// Whether loops of these levels come to the indices of \p region that have one
/// element of \p carries in the order of its scan.
bool goInScanOrder(llvm::ArrayRef<LoopLevel> levels, const Region &region,
                   const Array &carries);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_CARRIES_H
