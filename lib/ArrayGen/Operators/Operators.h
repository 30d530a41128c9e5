//===- Operators.h - Floods, reductions, scans ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The operators with a statement of their own. Their operands have been
/// prepared (References.h), except for reduceInto(). Arrays that they give are
/// temporaries of the caller's scope. See Operators.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OPERATORS_OPERATORS_H
#define ZPL_LIB_ARRAYGEN_OPERATORS_OPERATORS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// The elements of `>>[S] e`, at all indices of its flooded dimensions. The
/// result may share the storage of the operand.
air::Array *flooded(ProcedureState &p, const sema::FloodExpr *expr);

/// The elements of `op<<[S] e` over \p over; flooded where S is reduced.
air::Array *reduced(ProcedureState &p, const sema::ReduceExpr *expr,
                    Cover over);

/// `target := op<< e`, a full reduction. \p target, which e does not read, may
/// hold a part of the result meanwhile.
void reduceInto(ProcedureState &p, air::Variable *target,
                const sema::ReduceExpr *expr);

/// The elements of `op||[dims] e` over \p over: in \p target if that is given
/// and nothing is read from it, else in a new temporary.
air::Array *scanned(ProcedureState &p, const sema::ScanExpr *expr, Cover over,
                    air::Array *target = nullptr);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OPERATORS_OPERATORS_H
