//===- Patterns.h - Procedures that are made for their calls ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `procedure f(x: generic)` and `procedure g(procedure h(k: integer))` are
/// patterns: for each combination of types and procedures that they are called
/// with there is an instance, which is an ordinary procedure.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_PATTERNS_H
#define ZPL_LIB_SEMA_STATEMENTS_PATTERNS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// What a call gives for a formal of a pattern.
struct GivenArgument {
  Type type = Type::Void;                   ///< of the value
  const ProcedureName *procedure = nullptr; ///< or this
  Symbol *distributing = nullptr;           ///< or this grid or distribution
};

/// The procedure that \p pattern is for \p given, one for each formal: its
/// parameters are those that are no procedures, grids or distributions. Its signature is complete; its
/// body is checked by instantiateAll. Null after a report: a procedure of
/// another heading. \p range: of what asks for it.
Procedure *instantiate(Checking &c, Procedure &pattern,
                       llvm::ArrayRef<GivenArgument> given, SourceRange range);

/// Checks the bodies of the instances of patterns, and of those that they ask
/// for in turn. A pattern with errors is not looked at again. The body of a
/// pattern with procedures as parameters that nothing calls is checked as well,
/// and forgotten.
void instantiateAll(Checking &c);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_PATTERNS_H
