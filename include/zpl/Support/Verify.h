//===- Verify.h - Expected diagnostics in comments --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_SUPPORT_VERIFY_H
#define ZPL_SUPPORT_VERIFY_H

namespace llvm {
class raw_ostream;
}

namespace zpl {

class DiagnosticEngine;

/// Compares the collected messages with the comments of all source texts that
/// tell what is expected:
///
///     [V] A := 1;   -- expected-error {{rank 1}}
///     -- expected-note@-9 {{'A' is declared here}}
///
/// `expected-error`, `expected-warning`, `expected-note`; `@+N`, `@-N` and
/// `@N` name another line. The braces hold a part of "text [kebab-id]" (notes:
/// of the text alone). Every message must be expected and every expectation
/// met, one by one; what is left over is printed to \p os as
/// `file:line: error: ...`. Returns true if nothing is.
bool verifyDiagnostics(const DiagnosticEngine &diags, llvm::raw_ostream &os);

} // namespace zpl

#endif // ZPL_SUPPORT_VERIFY_H
