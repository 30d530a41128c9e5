//===- RandomNumbers.h - Numbers of a distribution --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_ARITHMETIC_RANDOMNUMBERS_H
#define ZPL_LIB_SEMA_ARITHMETIC_RANDOMNUMBERS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// The normally distributed number of \p place, a seed of type longint and four
/// of type uinteger.
const Expr *normalNumber(Checking &c, llvm::ArrayRef<const Expr *> place,
                         SourceRange range);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_ARITHMETIC_RANDOMNUMBERS_H
