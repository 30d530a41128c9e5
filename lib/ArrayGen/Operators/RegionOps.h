//===- RegionOps.h - User-defined region operators --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OPERATORS_REGIONOPS_H
#define ZPL_LIB_ARRAYGEN_OPERATORS_REGIONOPS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// The value of `R op [d]` for an operator that the program defines. Appends
/// one call of its procedure per dimension, and checks of what that gives.
air::RegionExpr userRegion(ProcedureState &p, const sema::RegionExpr &expr);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OPERATORS_REGIONOPS_H
