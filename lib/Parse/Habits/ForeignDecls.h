//===- ForeignDecls.h - Declarations of other languages ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What other languages declare: procedures under other words, within each
/// other or as values, and keywords of ours as names.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_HABITS_FOREIGNDECLS_H
#define ZPL_LIB_PARSE_HABITS_FOREIGNDECLS_H

#include "Parsing.h"

namespace zpl {

/// At a name: is it another word for `procedure`, as in `function f(`?
bool atForeignProcedure(const Parsing &p);

/// At `procedure` as the type of a variable, `procedure(x: double): double`:
/// reported, read and given as a type of no name.
ast::TypeExpr *parseProcedureType(Parsing &p);

/// Procedures among the locals of \p decl, which are indented deeper than it:
/// reported, read and forgotten.
void parseNestedProcedures(Parsing &p, const ast::ProcedureDecl &decl);

/// Is the token at \p ahead, a keyword that a declaration has made a name of
/// (allowAsName), used as one? Yes where a name could stand and what the
/// keyword stands for could not, so that its uses are no further errors.
bool isUsedAsName(const Parsing &p, size_t ahead);

/// From now on \p keyword may be a name. Words that structure a program are
/// not: there would be nothing left to go on with.
void allowAsName(Parsing &p, TokenKind keyword);

} // namespace zpl

#endif // ZPL_LIB_PARSE_HABITS_FOREIGNDECLS_H
