//===- Check.h - Does C say what ZPL says? ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTEROP_CHECK_H
#define ZPL_LIB_INTEROP_CHECK_H

#include "zpl/Interop/Interop.h"

namespace zpl::interop {

/// Reports where an extern and its Import disagree, with notes in the header,
/// and what ZPL cannot call. The ranges of \p imports are resolved.
void check(const Externs &externs, const Imports &imports,
           DiagnosticEngine &diags);

/// Where to report what concerns all externs.
SourceRange firstPlace(const Externs &externs);

/// Reports what Clang said of headers and thunks.
void report(const std::vector<ClangMessage> &messages, const Externs &externs,
            DiagnosticEngine &diags);

} // namespace zpl::interop

#endif // ZPL_LIB_INTEROP_CHECK_H
