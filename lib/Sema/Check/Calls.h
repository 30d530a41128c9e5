//===- Calls.h - Parameters and arguments -----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the checks of declarations and of calls ask about parameters.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_CALLS_H
#define ZPL_LIB_SEMA_CHECK_CALLS_H

#include "zpl/Sema/Program.h"

namespace zpl::sema {

/// The parameters as written, without those that hold blank bounds.
llvm::ArrayRef<Symbol *> formalsOf(const Procedure &procedure);

/// The type of a variable, of an array's elements, or of a family.
Type typeOf(const Symbol &symbol);
Mode modeOf(const Symbol &formal);

/// Whether a value of type \p argument is, without a conversion, one of type
/// \p formal, whose blank bounds fit any.
bool fitsBlankBounds(Type formal, Type argument);

/// Whether \p argument is an indexed array as \p formal, with elements of any
/// scalar type.
bool fitsGenericArray(Type formal, Type argument);

/// \p e if it is a family without all its subscripts, else null.
const ArrayExpr *unfinishedMember(const Expr *e);
/// Whether \p e is a family without subscripts.
bool isWholeFamily(const Expr *e);

/// "[ , ] double".
std::string arrayText(unsigned rank, Type element);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_CALLS_H
