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

/// The same for strips of whole rows of dimension \p dim, where arrays may be
/// contracted to rows.
bool mayRunInStrips(const MLoopStmt &loop, unsigned dim,
                    const KnownStrides *strides);

/// The element at another index that \p reader reads, and \p writer, which may
/// be the same M-loop, may store; null if there is none. Regions are of one
/// rank.
const ElementExpr *readsStored(const MLoopStmt &reader, const MLoopStmt &writer,
                               const KnownStrides *strides);

/// The array into which all that the M-loop does is one store, of whole
/// elements at every index, reading none of it at others; null if there is
/// none.
const Array *onlyStored(const MLoopStmt &loop);

/// The parts of M-loops, each as an M-loop of its own without a delay that
/// awaits nothing: executed in this order they compute what the M-loops do.
std::vector<MLoopStmt> separated(llvm::ArrayRef<const MLoopStmt *> loops);

/// For M-loops that are executed in this order in strips of rows of dimension
/// \p dim: how many rows each must stay behind the first strips' rows, at least,
/// so that it finds and leaves what it would one after the other. None where
/// that is more than StripsStmt::MaxDelay; as far as different arrays have
/// different storage.
std::optional<llvm::SmallVector<unsigned, 4>>
leastDelays(llvm::ArrayRef<MLoopStmt> loops, unsigned dim);

/// How many rows an iteration of the M-loops with these delays must stay behind
/// the one before it, at least, so that several may go through each strip. None
/// where that is more than TimeSteps::MaxLag, or one of them accumulates.
std::optional<unsigned> leastLag(llvm::ArrayRef<MLoopStmt> loops,
                                 llvm::ArrayRef<unsigned> delays, unsigned dim);

/// Why an M-loop cannot be taken in strips of rows of dimension \p dim, in the
/// words of a remark; empty if it can.
std::string whyNotInStrips(const MLoopStmt &loop, unsigned dim,
                           const KnownStrides *strides);

/// Whether the levels of both go through the same dimensions in the same way.
bool haveSameLevels(const MLoopStmt &a, const MLoopStmt &b);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_LOOPORDER_H
