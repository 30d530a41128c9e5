//===- Procedures.h - Checks procedures -------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Procedures and their headings. Those with parameters that are generic or
/// procedures are patterns, whose bodies are checked for calls (Patterns.h).
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

/// Whether \p param is `generic`, or an indexed or parallel array of that.
bool isGeneric(const Symbol &param);

/// Whether two formals take the same arguments: of one type and rank, or
/// procedures of one heading.
bool isSameParam(const Symbol &a, const Symbol &b);

/// The heading that an argument for the formal \p name must have: a procedure
/// without a body, which is none of the program.
Procedure *checkHeading(Checking &c, const ast::Name &name,
                        const ast::ProcedureType &type);

/// What `generic` stands for in the result of \p d and in headings among its
/// formals: what the first generic formal is bound to, or Generic without
/// \p bindings. None: it has no such formal.
std::optional<Type> firstGeneric(const ast::ProcedureDecl &d,
                                 llvm::ArrayRef<FormalBinding> bindings);

/// Makes the parameters and the result of \p procedure, without the formals
/// that \p bindings give a procedure to; empty: all stay as they are.
void checkSignature(Checking &c, const ast::ProcedureDecl &d,
                    Procedure &procedure,
                    llvm::ArrayRef<FormalBinding> bindings);

/// Checks locals and body of \p procedure, whose parameters are complete.
void checkProcedureBody(Checking &c, const ast::ProcedureDecl &d,
                        Procedure &procedure,
                        llvm::ArrayRef<FormalBinding> bindings);

/// Finds the procedure that the program starts with (Checking::entry): the one
/// of the name of \p module without parameters. Reports that there is none or
/// that it has parameters or a result.
void checkEntry(Checking &c, const ast::Module &module);

/// Reports prototypes that are called and have no procedure, and takes all
/// prototypes out of the program. After all bodies.
void checkPrototypes(Checking &c);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_PROCEDURES_H
