//===- Overlap.h - What may happen while data travel ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_OVERLAP_H
#define ZPL_ANALYSIS_OVERLAP_H

#include "zpl/Analysis/Effects.h"

namespace zpl::air {

/// Whether messages may travel meanwhile: a statement that computes, moves
/// elements or waits for a transfer, or contains one that does.
bool takesTime(const Stmt &stmt);

/// Whether a statement itself calls a procedure of the program, for elements or
/// to combine values as well.
bool callsProcedure(const Stmt &stmt);

/// Whether a statement may stand between the points of a transfer that it has
/// nothing to do with: the next one is executed after it, and no procedure of
/// the program decides what else happens. Input, output and timers keep their
/// places.
bool mayStandInTransfer(const Stmt &stmt);

/// What a statement has to do with the arrays and the region of a transfer,
/// under any name of theirs, nested statements included.
struct TransferUse {
  const Array *written = nullptr; ///< of its arrays, one whose elements may be
  const Array *moved = nullptr;   ///< or whose storage may become another one
  const Array *fluff = nullptr;   ///< or whose fluff is read, or filled by a DN
  bool setsRegion = false;
};
/// How \p stmt, between the points of \p transfer, meets what it is bringing.
TransferUse useOf(const Transfer &transfer, const Stmt &stmt,
                  const Module &module, const Procedure &procedure,
                  const Effects &effects);

} // namespace zpl::air

#endif // ZPL_ANALYSIS_OVERLAP_H
