//===- ArrayOperators.h - At, floods, reductions, scans ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The operators that compute arrays from arrays, and reductions to scalars. A
/// scan or remap without a rank of its own gets it from what it stands in
/// (Builder::settle).
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARRAYS_ARRAYOPERATORS_H
#define ZPL_LIB_SEMA_ARRAYS_ARRAYOPERATORS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// `A@d`, `A@^d`, `A'@d`, also of a field or a member of a family. Reports what
/// is no parallel array and directions of another rank; primes as prime does.
const Expr *checkAt(Checking &c, const ast::At &e);

/// `+<<A` over the covering region, `op<<x` of a free scalar over the
/// processors, and the partial reduction `+<<[S] A`, with operators of the
/// language or of the user. Reports wrong operands, and that no scope covers
/// it.
const Expr *checkReduce(Checking &c, const ast::Reduce &e);

/// `>>[S] A`: values of the source S spread over the covering region. The
/// operand is checked with S as its covering region.
/// \p op of the scalar type of \p value over the covering region of rank
/// \p rank, or, of a free scalar with rank 0, over processors.
const Expr *reduction(Checking &c, Reduction op, const Expr *value,
                      unsigned rank, SourceRange range);

const Expr *checkFlood(Checking &c, const ast::Flood &e);

/// `+||[2] A`, with segments and operators of the user. Reports free operands,
/// ranks that do not go together, wrong dimensions.
const Expr *checkScan(Checking &c, const ast::Scan &e);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARRAYS_ARRAYOPERATORS_H
