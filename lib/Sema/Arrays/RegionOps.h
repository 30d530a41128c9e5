//===- RegionOps.h - User-defined region operators --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_REGIONOPS_H
#define ZPL_LIB_SEMA_ARRAYS_REGIONOPS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// Whether \p procedure, declared by `region operator`, has the signature of
/// one and nothing in it has been reported; reports which part does not fit.
bool checkRegionOp(Checking &c, const ast::ProcedureDecl &d,
                   const Procedure &procedure);

/// `R widen d` with a user's operator, as a region of the rank of R whose call
/// has hidden globals as arguments. Null after a report: no such operator,
/// another rank of the direction.
const RegionExpr *userRegionOp(Checking &c, const ast::UserRegionOp &e);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_REGIONOPS_H
