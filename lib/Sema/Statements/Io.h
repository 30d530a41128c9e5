//===- Io.h - Input and output ----------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_IO_H
#define ZPL_LIB_SEMA_STATEMENTS_IO_H

#include "Check/Checking.h"

namespace zpl::sema {

/// `write`, `writeln`, `read`, `bwrite`, `bread` with an optional file first,
/// cut into statements of one file and kind each. Wrong items are reported and
/// left out; a wrong file makes the statement empty.
Stmt *checkIo(Checking &c, const ast::IoStmt &s);

/// `halt("n = ", n)`: writes its items to zerr and ends the program.
Stmt *checkHalt(Checking &c, const ast::HaltStmt &s);

/// Appends to \p made what writes \p first, \p items and a newline to zerr and
/// ends the run.
void haltWith(Checking &c, std::vector<WriteItem> first,
              llvm::ArrayRef<ast::Item> items, SourceRange range,
              StmtList &made);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_IO_H
