//===- ParseStatements.h - Text to array IR: statements ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_PARSESTATEMENTS_H
#define ZPL_LIB_ARRAYIR_TEXT_PARSESTATEMENTS_H

#include "Text/Parsing.h"

namespace zpl::air {

/// `{ ... }`, its statements added to \p list. False after an error.
bool parseBlock(Parsing &p, StmtList &list);
/// After `steps`: `%n of e lag 2 [clock %t by -1]`.
bool parseTimeSteps(Parsing &p, TimeSteps &time);

/// One statement, by the word or the name that it begins with. Null after an
/// error; one is a nesting deeper than MaxDepth.
Stmt *parseStmt(Parsing &p);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_PARSESTATEMENTS_H
