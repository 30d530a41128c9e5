//===- Statics.h - Static variables depend on no locals ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_STATICS_H
#define ZPL_LIB_SEMA_PROGRAM_STATICS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// Reports what belongs to a call, a local or a parameter, in the initializer
/// \p init (may be null) or the \p setup of a static variable of the procedure
/// at hand: it is set up once.
void checkStatic(Checking &c, const Expr *init, const StmtList &setup);

/// The same of the declared region of a static array. False after a report.
bool checkStatic(Checking &c, const RegionExpr &region);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_STATICS_H
