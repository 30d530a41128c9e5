//===- Habits.h - What other languages write --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What other languages write in expressions and statements: each is reported
/// with what is written here, then read and mostly forgotten. Where nothing of
/// the kind stands, functions named skip... and accept... report nothing, stay
/// where they are and give false, if they give anything.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_HABITS_HABITS_H
#define ZPL_LIB_PARSE_HABITS_HABITS_H

#include "Parsing.h"

namespace zpl {

/// Does the token at \p ahead follow the one before it without a blank?
bool touches(const Parsing &p, size_t ahead);

/// At a name where a statement begins: a word for one that this language calls
/// otherwise, `printf(`, `endif`. It is reported and counts as that word from
/// now on. Not the name of a procedure of the program.
void correctForeignStatement(Parsing &p);

/// Reports that there is no \p what, which stands at the current token, and
/// that there is \p instead. Nothing if that would be no news.
std::optional<DiagnosticBuilder> noSuch(Parsing &p, const llvm::Twine &what,
                                        const llvm::Twine &instead);

/// After \p end: a word that names what ends, `end if;`, `end main;`. Reported
/// and skipped.
void skipWordBehindEnd(Parsing &p, const Token &end);

/// After \p condition: `? a : b`, which is reported and gives the value a.
/// Without `?` gives \p condition.
ast::Expr *parseConditional(Parsing &p, ast::Expr *condition);

/// `..`, or what other languages have for it (`:`, `to`, `..<`), which is
/// reported.
bool acceptRange(Parsing &p);

/// After a range: the `:2` of `1:n:2`.
void skipStride(Parsing &p);

/// Where an operand begins, behind an operator and a blank: the `<<` or `||` of
/// `+ << A`. Reported, with a fix-it; gives the operand. Null if it is not
/// there.
ast::Expr *parseLooseFold(Parsing &p);

/// After an operand: `k << 2`, `k >> 2`. True if it was there; the operand
/// remains the value.
bool skipShift(Parsing &p);

/// After \p number: a word that touches it, `2i`, `1.0f`, `10L`, `1_000`,
/// `1d0`. The report says how the number is written.
void skipSuffix(Parsing &p, const Token &number);

/// After \p target: `++` or `--`, reported with the fix-it ` += 1` or ` -= 1`,
/// as an EmptyStmt; null if there is none. Two minus signs began a comment,
/// which is why the next token is farther away.
ast::Stmt *parseIncrement(Parsing &p, ast::Expr *target);

/// At `++k` as a statement: reported with a fix-it; an EmptyStmt.
ast::Stmt *parsePrefixIncrement(Parsing &p);

/// At the `:=` after \p call, `A(1, 2) := 3`: reported, as arrays have
/// brackets; an EmptyStmt.
ast::Stmt *parseAssignedCall(Parsing &p, const ast::Call *call);

/// After the variable of a `for`: `in 1..4`, `in range(4)`, or the parentheses
/// of C. Reports it and reads up to `do`; false: it is none of these.
bool skipForeignLoop(Parsing &p);

/// In front of a bound: `..`, `,` or `:` for `to`, with a fix-it.
bool acceptForeignTo(Parsing &p);

/// After \p word, which has an `end` itself: the `begin` of other languages on
/// the same line becomes a doubt.
void noteBegin(Parsing &p, TokenKind word);

/// After \p word, an `else`: the `if` of other languages on the same line
/// becomes a doubt.
void noteElseIf(Parsing &p, const Token &word);

/// After the `end` of \p opener: if it stands on the same line or in the same
/// column as \p opener, it closes it, and only the first \p count doubts
/// remain.
void settleDoubts(Parsing &p, const Token &opener, size_t count);

/// The `end` of \p opener is missing: if something in the procedure shows why
/// (its first doubt), reports that; else false.
bool reportDoubt(Parsing &p, const Token &opener);

/// At `[`: subscripts of which all are blank, `a[ , ]`, `a[:, :]`; here `[]`.
bool skipBlankSubscripts(Parsing &p);

/// Among subscripts: a blank one, `a[ , 1]`, up to the comma.
bool skipBlankSubscript(Parsing &p);

/// After a subscript: the rest of a slice, `a[1:3]`, `a[1..3]`.
void skipSlice(Parsing &p);

} // namespace zpl

#endif // ZPL_LIB_PARSE_HABITS_HABITS_H
