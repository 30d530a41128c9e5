//===- Statements.h - The rules of the array IR: statements -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_VERIFY_STATEMENTS_H
#define ZPL_LIB_ARRAYIR_VERIFY_STATEMENTS_H

#include "Verify/Verifying.h"

namespace zpl::air {

/// Each statement is there, stands nowhere else, is allowed in this form and
/// sort of procedure, and is well formed; so are the lists in it. Adds what the
/// statements allocate to `allocated`.
bool verifyList(Verifying &state, const StmtList &list);

/// \p v may take the result, of type \p type, of a statement: it has that type,
/// and is no global in a scalar procedure.
bool scalarTarget(Verifying &state, const Variable *v, Type type,
                  SourceRange range);

/// \p e is a place that starts from a variable.
bool verifyVariablePlace(Verifying &state, const Expr *e, SourceRange range);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_VERIFY_STATEMENTS_H
