//===- ParseRegions.h - Text to array IR: region expressions ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_PARSEREGIONS_H
#define ZPL_LIB_ARRAYIR_TEXT_PARSEREGIONS_H

#include "Text/Parsing.h"

namespace zpl::air {

/// `region %R = [%lo .. %hi, *] from %S level %l`, `(%d) of %S`, `%S at
/// (%d)`, `declared %A`, after its first word. Null after an error.
Stmt *parseSetRegion(Parsing &p, const Token &first);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_PARSEREGIONS_H
