//===- MadeStrings.h - Strings made where they would travel -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_PROGRAM_MADESTRINGS_H
#define ZPL_LIB_SEMA_PROGRAM_MADESTRINGS_H

#include "zpl/Sema/Program.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::sema {

/// Reports scan blocks, and combiners of user-defined operators, that may make
/// strings: these go from processor to processor within the statement, before
/// they can be shared.
void checkMadeStrings(const Program &program, DiagnosticEngine &diags);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_PROGRAM_MADESTRINGS_H
