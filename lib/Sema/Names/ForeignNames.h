//===- ForeignNames.h - Names of other languages ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What this language has for the functions and constants of Fortran, C,
/// NumPy, MATLAB and Chapel.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_NAMES_FOREIGNNAMES_H
#define ZPL_LIB_SEMA_NAMES_FOREIGNNAMES_H

#include "llvm/ADT/StringRef.h"

namespace zpl::sema {

/// What there is instead of \p name, as an unknown name: "the sum of an array
/// is '+<<A'"; empty: nothing is known.
llvm::StringRef insteadOfName(llvm::StringRef name);

/// The name that \p name stands for, argument for argument: "log" for "ln".
/// Empty: there is none.
llvm::StringRef renamed(llvm::StringRef name);

/// As insteadOfName, for what follows a dot: `A.size`, `a.length`.
llvm::StringRef insteadOfField(llvm::StringRef name);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_NAMES_FOREIGNNAMES_H
