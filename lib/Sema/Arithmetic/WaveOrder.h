//===- WaveOrder.h - In which order a scan block goes -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARITHMETIC_WAVEORDER_H
#define ZPL_LIB_SEMA_ARITHMETIC_WAVEORDER_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

/// A constant direction, one component per dimension.
using WaveOffset = llvm::SmallVector<int64_t, 6>;

/// An order in which the element at each of \p offsets from an index comes
/// before that index; none if there is none. Language 8.6. If there are several
/// it is the one with the fewest steps (WaveStmt), then the one that is nearest
/// to row-major.
std::optional<WaveOrder> findWaveOrder(llvm::ArrayRef<WaveOffset> offsets,
                                       unsigned rank);

/// The numbers of offsets that have no order together, as few as possible; in
/// the order of the list. There is none for all of them.
llvm::SmallVector<unsigned, 6>
findWaveConflict(llvm::ArrayRef<WaveOffset> offsets, unsigned rank);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARITHMETIC_WAVEORDER_H
