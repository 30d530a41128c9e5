//===- Types.h - Zeros of the types -----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_TYPES_H
#define ZPL_LIB_ARRAYGEN_TYPES_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Whether the size of \p type is not known where the procedure is entered: it
/// is computed for a local, or `resize` sets it.
bool isSizedInBody(const ProcedureState &p, air::Type type);

/// What a variable of \p type holds before it is set, as an expression. For an
/// aggregate it is a variable that nobody writes, one per type and procedure.
const air::Expr *zero(ProcedureState &p, air::Type type, SourceRange range);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_TYPES_H
