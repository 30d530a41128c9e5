//===- LoopOrder.h - M-loops whose indices need no order --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_LOOPORDER_H
#define ZPL_ARRAYIR_LOOPORDER_H

#include "zpl/ArrayIR/KnownStrides.h"
#include "zpl/ArrayIR/LoopStatements.h"

namespace zpl::air {

/// Whether an M-loop may be executed box by box of its indices, in any order of
/// the boxes: no index stores what another one reads or stores, but into
/// accumulators, and calls no procedure. As far as different arrays have
/// different storage.
/// With \p strides also if it is they, or guards, that keep indices apart.
bool mayRunInBoxes(const MLoopStmt &loop,
                   const KnownStrides *strides = nullptr);

/// The element at another index that \p reader reads, and \p writer, which may
/// be the same M-loop, may store; null if there is none. Regions are of one
/// rank.
const ElementExpr *readsStored(const MLoopStmt &reader, const MLoopStmt &writer,
                               const KnownStrides *strides);

/// The array into which all that the M-loop does is one store, of whole
/// elements at every index, reading none of it at others; null if there is
/// none.
const Array *onlyStored(const MLoopStmt &loop);

/// Whether the levels of both go through the same dimensions in the same way.
bool haveSameLevels(const MLoopStmt &a, const MLoopStmt &b);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_LOOPORDER_H
