//===- ParseForms.h - Texts of forms of loops -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What has a file of its own in ArrayIR, with its rules: lets, wavefronts,
/// interleaved loops, and distributions.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_PARSEFORMS_H
#define ZPL_LIB_ARRAYIR_TEXT_PARSEFORMS_H

#include "Text/Parsing.h"

namespace zpl::air {

/// `%p = e` or `%p = e was %q, %r back 2 stride 2`, after the word `let`, into
/// \p op (Lets.cpp). False after an error.
bool parseLet(Parsing &p, ElementOp &op);

/// `wave %R tile %T order (...) primed {...} { ... }`, after its first word
/// (Waves.cpp). Null after an error.
Stmt *parseWave(Parsing &p, const Token &first);

/// `interleave { ... }`, after its first word (Interleave.cpp). Null after an
/// error.
Stmt *parseInterleave(Parsing &p, const Token &first);
Stmt *parseStrips(Parsing &p, const Token &first);

/// `grid @G ...`, `distribution @D ...` or `domain @Big ...`, a declaration,
/// into the module (Distributions.cpp). False after an error.
bool parseDistributionDecl(Parsing &p);

/// ` in @Big`, into \p domain, or nothing. False after an error.
bool parseIn(Parsing &p, const Domain *&domain);

/// `grid @G = ...`, after its first word. Null after an error.
Stmt *parseSetGrid(Parsing &p, const Token &first);

/// `distribution @D = ...`, after its first word. Null after an error.
Stmt *parseSetDistribution(Parsing &p, const Token &first);

/// `move %T = %A over %R`, after its first word. Null after an error.
Stmt *parseMove(Parsing &p, const Token &first);

/// The rest of a statement about sparse regions and arrays, after its word.
/// Null if it is another one, or on an error.
Stmt *parseSparseStmt(Parsing &p, const Token &first);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_PARSEFORMS_H
