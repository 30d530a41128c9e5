//===- SplitLoop.h - Most iterations of a loop by many ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_LOOPS_JAM_SPLITLOOP_H
#define ZPL_LIB_TRANSFORMS_LOOPS_JAM_SPLITLOOP_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/Names.h"

namespace zpl::air {

/// Whether a loop goes from one number to the next: upward, by one, with a
/// variable for its place.
bool stepsByOne(const ForStmt &loop);

/// Whether what \p loop reads of its variable it reads under that name, as far
/// as \p stmts show: in a copy of them another value may stand for it. They
/// contain no calls.
bool readsVariableByName(const ForStmt &loop, llvm::ArrayRef<Stmt *> stmts);

/// An expression of the type of the loop's variable.
const Expr *loopConstant(const ForStmt &loop, int64_t value, Module &module);

/// Appends to \p result a loop with \p iterations, the statements of \p count
/// iterations of \p loop from that of its variable on, which steps by \p count
/// while there are so many, and then \p loop for what is left over. Where
/// \p condition, a Bool, is false all is left over; null: it is true. For loops
/// that stepsByOne. Returns the loop that it has made.
ForStmt *splitLoop(ForStmt &loop, int64_t count, StmtList iterations,
                   const Expr *condition, Procedure &procedure, Module &module,
                   NameAllocator &names, StmtList &result);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_LOOPS_JAM_SPLITLOOP_H
