//===- PatternInput.h - Patterns that are read ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_SPARSE_PATTERNINPUT_H
#define ZPL_LIB_SEMA_SPARSE_PATTERNINPUT_H

#include "Check/Checking.h"

namespace zpl::sema {

/// Whether the item \p e of a `read` is a region.
bool isReadRegion(const Checking &c, const ast::Expr &e);

/// `read(file, S)`: appends the statements to \p to; none after a report. \p
/// file may be evaluated more than once.
void readPattern(Checking &c, const ast::Expr &e, const Expr *file,
                 SourceRange range, StmtList &to);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_SPARSE_PATTERNINPUT_H
