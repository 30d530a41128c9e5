//===- Expressions.h - The rules of the array IR: expressions ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Types are what the nodes say: the rules are which types an operator takes
/// and that its operands agree. `state.covering` says whether this is element
/// code, in which elements and indices have values. \p range is the
/// statement's, for what has no place of its own.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_VERIFY_EXPRESSIONS_H
#define ZPL_LIB_ARRAYIR_VERIFY_EXPRESSIONS_H

#include "Verify/Verifying.h"

namespace zpl::air {

/// \p e is not null, well typed, and may stand here. A timer is no value.
bool verifyExpr(Verifying &state, const Expr *e, SourceRange range);

/// \p e is well formed and exactly of type \p type.
bool typed(Verifying &state, const Expr *e, Type type, SourceRange range);

/// \p e is well formed, and of type i32 or i64.
bool verifyInteger(Verifying &state, const Expr *e, SourceRange range);

/// \p e is well formed as element code over \p r. Leaves `covering` null.
bool inElements(Verifying &state, const Region *r, const Expr *e,
                SourceRange range);

/// The callee is in the module and may be called here, and each argument fits
/// its parameter. \p accumulator: the argument that an accumulating call may
/// write although it is element code; null: it has none.
bool verifyCall(Verifying &state, const CallExpr &e,
                const Expr *accumulator = nullptr);

/// \p place is one that this statement or call may write: in element code an
/// element that is not shifted, elsewhere (or if it is \p accumulator) also a
/// variable, or a part of either.
bool writable(Verifying &state, const Expr *place, SourceRange range,
              const Expr *accumulator = nullptr);

/// \p a can be written over \p r. What is one element for all indices is
/// written for all of them only; in a grid dimension each processor writes its
/// own.
bool writable(Verifying &state, const Array *a, const Region *r,
              SourceRange range);

/// \p a can be read over \p r. A flooded region holds all indices at once, so
/// the elements must agree; in a grid dimension each processor needs one
/// element.
bool readable(Verifying &state, const Array *a, const Region *r,
              SourceRange range);

/// Whether a region or array of shape \p actual can be given where \p formal is
/// wanted. A range holds for a singleton too, a strided dimension for both; not
/// the other way. Flooded and grid dimensions are other things. Reports
/// nothing.
bool fits(const Shape &actual, const Shape &formal);

/// \p rank is \p wanted; \p what names its owner in the message.
bool sameRank(Verifying &state, unsigned rank, unsigned wanted,
              llvm::StringRef what, SourceRange range);

/// \p direction has \p rank components, all of type i32 or i64.
bool verifyDirection(Verifying &state, llvm::ArrayRef<const Expr *> direction,
                     unsigned rank, SourceRange range);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_VERIFY_EXPRESSIONS_H
