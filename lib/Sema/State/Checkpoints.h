//===- Checkpoints.h - What a program's state is ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATE_CHECKPOINTS_H
#define ZPL_LIB_SEMA_STATE_CHECKPOINTS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// `checkpoint(name)`: a call of a procedure, whose body makeCheckpoints makes.
/// Reports a name that is no string.
Stmt *checkpointStmt(Checking &c, const ast::Call &e);

/// `restart()`: likewise, of a function that gives a boolean.
const Expr *restartCall(Checking &c, const ast::Call &e);

/// Makes the bodies of these procedures, once all variables are declared and
/// the types of regions are settled. Reports variables that they cannot keep,
/// and locals that a checkpoint loses.
void makeCheckpoints(Checking &c);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATE_CHECKPOINTS_H
