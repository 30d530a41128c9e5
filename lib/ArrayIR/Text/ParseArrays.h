//===- ParseArrays.h - Statements about whole arrays ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_PARSEARRAYS_H
#define ZPL_LIB_ARRAYIR_TEXT_PARSEARRAYS_H

#include "Text/Parsing.h"

namespace zpl::air {

/// `alloc %A like %B`, `alloc @R follows %k`, `free %x`, after \p first. An
/// array or a variable on the heap. Null after an error.
Stmt *parseAllocation(Parsing &p, const Token &first);

/// After `resize`: `%a (%a.1 = %n, %a.2 = %m)`. Null after a report.
Stmt *parseResize(Parsing &p, const Token &first);

/// `realloc over @R = %r preserving`, after its first word. Null after an
/// error.
Stmt *parseRealloc(Parsing &p, const Token &first);

/// `bind write %A @f`, `unbind read %A`, `bind %U.0 = @U[%l]`, after \p first.
/// Null after an error.
Stmt *parseBind(Parsing &p, const Token &first);

/// `sort %A, %B over %R descending`, after \p first. Null after an error.
Stmt *parseSort(Parsing &p, const Token &first);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_PARSEARRAYS_H
