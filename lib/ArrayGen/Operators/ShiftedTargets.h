//===- ShiftedTargets.h - What is assigned to shifted arrays ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OPERATORS_SHIFTEDTARGETS_H
#define ZPL_LIB_ARRAYGEN_OPERATORS_SHIFTEDTARGETS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// `A@d := e`: at the indices of `R at d`, with all that is read moved back by
/// d, if e is element-wise; else e is computed over R and put by the runtime.
void assignShifted(ProcedureState &p, const sema::ArrayAssignStmt *stmt);

/// How far the element that a prepared reference reads is from the index that
/// is computed; empty for none. Under a shifted target that is less by its
/// direction: `C@e` of the above is at e - d.
ExprList distance(ProcedureState &p, const sema::ArrayExpr *expr);

/// `Index2` at the index that is computed; under a shifted target less its
/// direction.
const air::Expr *index(ProcedureState &p, const sema::IndexExpr *expr);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OPERATORS_SHIFTEDTARGETS_H
