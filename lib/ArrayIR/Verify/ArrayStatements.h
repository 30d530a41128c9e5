//===- ArrayStatements.h - The rules of array statements --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What computes elements: the array statements of Block form, and the M-loops
/// that Loop form has instead of them. All reset `covering` and `inMLoop` to
/// null before they return, and expect them null.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_VERIFY_ARRAYSTATEMENTS_H
#define ZPL_LIB_ARRAYIR_VERIFY_ARRAYSTATEMENTS_H

#include "Verify/Verifying.h"

namespace zpl::air {

/// `[%R] %A = e where g`: \p s assigns to a place in elements, which the region
/// allows, and reads the target's array at no other index.
bool verifyAssign(Verifying &state, const ArrayAssignStmt &s);

/// `[%R] %x = reduce sum e where g`: into a variable of the operand's type.
bool verifyReduce(Verifying &state, const ReduceStmt &s);

/// `[%R] %T = reduce sum e`: into an array with a declared region that fits the
/// result. It gets its first values before the operand is evaluated, which must
/// not read it.
bool verifyReduceArray(Verifying &state, const ReduceArrayStmt &s);

/// `[%R] call @f(..)`: a scalar procedure at each index; the last argument of
/// an accumulating call is its accumulator. Elements by reference are targets
/// as those of assignments are.
bool verifyElementCall(Verifying &state, const ElementCallStmt &s);

/// An M-loop with its levels, walkers, operations and all that passes may have
/// said of it: the rules of LoopForms.h and LoopShapes.h as well.
bool verifyMloop(Verifying &state, const MLoopStmt &s);

/// Values of type \p type can be reduced by \p op; or, if \p with is not null,
/// by that procedure instead, which takes two of them by reference.
bool reducible(Verifying &state, Reduction op, const Procedure *with, Type type,
               SourceRange range);

/// \p p is scalar, without result, and its parameters are variables of exactly
/// \p types, by reference. Null is said to be missing from the module.
bool takesReferences(Verifying &state, const Procedure *p,
                     llvm::ArrayRef<Type> types, SourceRange range);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_VERIFY_ARRAYSTATEMENTS_H
