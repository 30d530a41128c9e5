//===- SkewedRows.h - The array IR: rows at a time --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an M-loop with skewed rows (MLoopStmt::rows) may be, and where its
/// elements are, seen from the current index. docs/ArrayIR.md, section 4.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_SKEWEDROWS_H
#define ZPL_ARRAYIR_SKEWEDROWS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include <optional>

namespace zpl::air {

/// The two innermost loops of an M-loop: the one over rows and that along a
/// row. Null: there are less.
struct RowLoops {
  const LoopLevel *rows = nullptr, *columns = nullptr;
};
/// The two innermost loops; null where there are fewer.
RowLoops rowLoops(const MLoopStmt &loop);

/// The place of an element relative to the current index, in indices and in the
/// direction of the two innermost loops: positive numbers come later.
struct RowDistance {
  int64_t rows, columns;
};
/// None for an element that these loops do not reach from here: it differs in
/// another dimension, too. The M-loop has both loops.
std::optional<RowDistance> rowDistance(const MLoopStmt &loop,
                                       const ElementExpr &element);

/// Whether the M-loop may store what \p array names.
bool mayBeStored(const Module &module, const MLoopStmt &loop,
                 const Array &array, bool mayAlias);

/// The least `skew` with which several rows of the M-loop may be worked on
/// together; none where \p why says what forbids it.
std::optional<unsigned> leastSkew(const Module &module, const MLoopStmt &loop,
                                  bool mayAlias, std::string &why);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_SKEWEDROWS_H
