//===- ParseProcedure.h - Procedures and their headings ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_PARSEPROCEDURE_H
#define ZPL_LIB_PARSE_PARSEPROCEDURE_H

#include "Parsing.h"

namespace zpl {

/// The words in front of a declaration.
struct Prefix {
  bool isExtern = false;
  bool isStatic = false;
  bool isFree = false;
  bool isExported = false;
};

/// After \p word ('procedure', 'prototype' or `regionop`): NAME '(' Formals ')'
/// [ ':' Type ] ';' and, but for a prototype, locals, a body and the `;`. Never
/// null; `extern` with a body is reported.
ast::ProcedureDecl *parseProcedure(Parsing &p, Prefix prefix, Token word);

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSEPROCEDURE_H
