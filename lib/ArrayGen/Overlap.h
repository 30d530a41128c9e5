//===- Overlap.h - Regions that have no index in common ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OVERLAP_H
#define ZPL_LIB_ARRAYGEN_OVERLAP_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Whether \p a is less than \p b, for what the variables in both are: k < k+1.
/// False if that is not known.
bool isLess(const air::Expr *a, const air::Expr *b);

/// Whether two regions of one rank surely have no index in common, by the
/// bounds that they were set to. False if they may.
bool areDisjoint(const Knowledge &known, const air::Region *a,
                 const air::Region *b);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OVERLAP_H
