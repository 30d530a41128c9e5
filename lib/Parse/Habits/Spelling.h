//===- Spelling.h - Misspelt keywords ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Misspelt keywords. Whoever finds a name where a keyword should be asks
/// whether it is close to one; if so, that is reported once and the token
/// counts as the keyword.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_HABITS_SPELLING_H
#define ZPL_LIB_PARSE_HABITS_SPELLING_H

#include "Parsing.h"

namespace zpl {

/// Reports that the current token should be \p meant, with the fix-it; it
/// counts as that keyword from now on. \p id says why: misspelt, or a word of
/// another language.
void correct(Parsing &p, TokenKind meant,
             DiagWith<Diag::Text, Diag::Text> id = Diag::MisspeltKeyword);

/// If the current token is a name close to a candidate, one or two edits away,
/// corrects it to the closest and says so; else, and in panic, false.
bool correctIfClose(Parsing &p, std::initializer_list<TokenKind> candidates);

/// At a name where a statement begins: corrects it to the keyword that it seems
/// to be (`whlie`, `printf`). Not if what follows can go on from a name.
void correctStatementWord(Parsing &p);

/// At a name where a declaration, or one more definition, begins: corrects
/// `function`, `vra` and the like to the keyword.
void correctDeclarationWord(Parsing &p);

} // namespace zpl

#endif // ZPL_LIB_PARSE_HABITS_SPELLING_H
