//===- StencilShifts.h - References that differ by a shift ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `A@east` and `A@west` are one reference but for a shift. Sums of such
/// references are put in order by Stencils.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARITHMETIC_STENCILSHIFTS_H
#define ZPL_LIB_SEMA_ARITHMETIC_STENCILSHIFTS_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

/// A direction as an offset from something that all of its kind share.
struct Shift {
  llvm::SmallVector<int64_t, 6> offset;
  /// What a direction that is not constant is made of: empty for a constant.
  llvm::SmallVector<const Expr *, 4> base;
  bool wraps = false;

  /// Whether it moves nothing, apart from its base.
  bool isZero() const {
    return llvm::all_of(offset, [](int64_t c) { return c == 0; });
  }
};

/// The direction of a reference, if it is a constant or is taken for a known
/// offset (Stencils.cpp).
std::optional<Shift> shiftOf(const ArrayExpr &array);

/// The array that a term is an element of: `A@d`, `A@d.x`, also converted.
/// Null: none, or it is primed.
const ArrayExpr *referenceOf(const Expr *e);

/// What some references have in common: they differ by a shift alone.
struct Frame {
  const Expr *like;
  Shift shift;
  /// Whether the reference \p e, which is shifted by \p other, belongs to
  /// these.
  bool takes(const Expr *e, const Shift &other) const {
    if (!isSame(like, e))
      return false;
    bool isSameKind =
        shift.wraps == other.wraps && areSame(shift.base, other.base);
    return isSameKind || shift.isZero() || other.isZero();
  }
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARITHMETIC_STENCILSHIFTS_H
