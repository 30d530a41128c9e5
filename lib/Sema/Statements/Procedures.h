//===- Procedures.h - Checks procedures -------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Procedures, generic ones too: `procedure f(x: generic)` is a pattern, whose
/// body is checked once for each combination of types that it is called with.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_PROCEDURES_H
#define ZPL_LIB_SEMA_STATEMENTS_PROCEDURES_H

#include "Check/Checking.h"

namespace zpl::sema {

/// Declares the procedure \p d, or completes the prototype of equal signature,
/// and checks its body; that of a pattern waits for its calls. Reports wrong
/// signatures and second definitions.
void checkProcedureDecl(Checking &c, const ast::ProcedureDecl &d);

/// Gives the formal \p array its rank, and its region if not all dimensions of
/// \p type are blank: `A: [R] double`. Its rank stays 0 after a report.
void formalDims(Checking &c, const ast::ParallelType &type, Array &array);

/// The procedure that \p pattern is for arguments of types \p arguments, one
/// for each formal; those of formals that are not generic do not matter. Its
/// signature is complete; its body is checked by instantiateAll.
Procedure *instantiate(Checking &c, Procedure &pattern,
                       llvm::ArrayRef<Type> arguments);

/// Checks the bodies of the instances of patterns, and of those that they ask
/// for in turn. A pattern with errors is not looked at again for other types.
void instantiateAll(Checking &c);

/// Finds the procedure that the program starts with (Checking::entry): the one
/// of the name of \p module without parameters. Reports that there is none or
/// that it has parameters or a result.
void checkEntry(Checking &c, const ast::Module &module);

/// Reports prototypes that are called and have no procedure, and takes all
/// prototypes out of the program. After all bodies.
void checkPrototypes(Checking &c);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_PROCEDURES_H
