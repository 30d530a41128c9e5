//===- ParseCommunication.h - Array operators and transfers -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_PARSECOMMUNICATION_H
#define ZPL_LIB_ARRAYIR_TEXT_PARSECOMMUNICATION_H

#include "Text/Parsing.h"

namespace zpl::air {

/// A statement of an array operator or a check, after its first word \p first:
/// `shift`, `flood`, `gather`, `wrap`, `check` ... Null after an error, and
/// without one if \p first begins another sort of statement.
Stmt *parseCommunication(Parsing &p, const Token &first);

/// `at (%I, index(1), add(%I, i32 3), i32 3)`; false after an error.
bool parseMaps(Parsing &p, MapVector &maps);

/// `(2, -1)`; false after an error.
bool parseScanDims(Parsing &p, llvm::SmallVectorImpl<int> &dims);

/// `where %M`, `where not %M`, or nothing; false after an error.
bool parseMask(Parsing &p, Mask &mask);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_PARSECOMMUNICATION_H
