//===- ProcedureArguments.h - Procedures as arguments -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which procedure a name means where a parameter is one, by its heading.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_PROCEDUREARGUMENTS_H
#define ZPL_LIB_SEMA_CHECK_PROCEDUREARGUMENTS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// \p e as the name of one or more procedures or of a standard function; none:
/// it is something else. Reports nothing.
std::optional<ProcedureName> procedureNamed(const Checking &c,
                                            const ast::Expr &e);

/// Whether \p name may mean a procedure of \p heading, in which `generic` fits
/// any type.
bool mayHaveHeading(const Procedure &heading, const ProcedureName &name);

/// The procedure of exactly \p heading that \p name means: one of the program,
/// an instance of a generic one, or one that calls a standard function. It
/// counts as used. Null after a report with notes at both.
Procedure *procedureFor(Checking &c, const Procedure &heading,
                        const ProcedureName &name);

/// "its result is of type integer, not double".
std::string resultMisfit(Type found, Type wanted);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_PROCEDUREARGUMENTS_H
