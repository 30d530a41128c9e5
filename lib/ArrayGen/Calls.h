//===- Calls.h - Parallel, scalar and promoted calls ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Arguments are evaluated from left to right; those by value are what they
/// were before the call. Array temporaries among them are freed by the caller's
/// scope after the statement with the call. See Calls.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_CALLS_H
#define ZPL_LIB_ARRAYGEN_CALLS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// The call of a parallel procedure, which its caller makes a statement of.
/// Appends the evaluation of the arguments and the checks against the formals.
/// \p result is where the result goes that is not given back.
const air::CallExpr *parallelCall(ProcedureState &p, const sema::CallExpr *call,
                                  const air::Argument *result = nullptr);

/// Appends the call of a function whose result is a parallel array, which is a
/// temporary over \p over.
air::Array *arrayResult(ProcedureState &p, const sema::CallExpr *call,
                        Cover over);

/// A call of a scalar procedure. With \p over it is promoted: element by
/// element, prepared; if it writes arrays it must become the whole of a
/// statement, and values that it could change at another index are saved
/// before.
const air::CallExpr *scalarCall(ProcedureState &p, const sema::CallExpr *call,
                                Cover over = {},
                                const air::Argument *result = nullptr);

/// The instance of its procedure that \p call calls from this instance.
const sema::Instance *calleeOf(const ProcedureState &p,
                               const sema::CallExpr *call);

/// The procedure of the array IR that calleeOf() became.
inline air::Procedure *procedureOf(const ProcedureState &p,
                                   const sema::CallExpr *call) {
  return p.builder.procedures.lookup(calleeOf(p, call));
}

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_CALLS_H
