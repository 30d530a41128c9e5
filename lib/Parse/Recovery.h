//===- Recovery.h - Errors and where to go on -------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Errors and where to go on after them; Parsing says what a panic is.
/// Functions named expect... and endConstruct() report what is missing and come
/// back at a sane place; those named at... only look ahead, over a bounded
/// number of tokens.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_RECOVERY_H
#define ZPL_LIB_PARSE_RECOVERY_H

#include "Parsing.h"

namespace zpl {

/// May an error be reported at the current token? Notes that one was there, so
/// that the next answer is no. False in panic and after an earlier report at
/// this token; an Error token starts a panic.
bool claimsReport(Parsing &p);

/// The current token as a message names it: its source in quotes, or the end of
/// the file.
std::string found(const Parsing &p);

/// The source at \p range in quotes; only the start of its first line, with
/// dots, if it is long.
std::string quoted(const Parsing &p, SourceRange range);

/// Reports that the current token begins no expression, and gives a dummy.
ast::Expr *expectedExpression(Parsing &p);

/// Reports that \p wanted does not stand before the current token, with a
/// fix-it that inserts \p insertion and a note at \p opener. True if the parser
/// can go on as if it did; else it is in panic.
bool missing(Parsing &p, const llvm::Twine &wanted, llvm::StringRef insertion,
             const Token *opener = nullptr);

/// Could what follows come after a token that was forgotten? So a `;`, a
/// closing bracket, a keyword, a new line or an assignment.
bool plausibleInsertion(const Parsing &p);

/// Reports that \p word is missing before what stands at \p range and gives it
/// as an empty token there.
Token missingWord(Parsing &p, TokenKind word, SourceRange range);

/// Expects `then`, `do` ... \p where ("after the condition"), also misspelt.
/// Reports it otherwise; in panic skips to it or to the next statement, and
/// ends the panic.
void expectWord(Parsing &p, TokenKind word, llvm::StringRef where);

/// Expects the bracket that closes \p opener. Reports it otherwise; in panic
/// skips to after it, which ends the panic if it comes in the same statement.
void expectClose(Parsing &p, TokenKind closer, const Token &opener);

/// Expects the `end` of the block that \p opener began. If it is missing,
/// reports that with what hints at the place (Doubt, Parsing::suspect) and
/// reads nothing.
void expectEnd(Parsing &p, const Token &opener);

/// Expects the `;` after \p what ("the statement"), which starts at \p begin.
/// In panic, or if something else follows, skips to where a statement or a
/// declaration may begin (synchronize). Never leaves a panic.
void endConstruct(Parsing &p, llvm::StringRef what, SourceRange begin);

/// Skips to a `;` or to something that can only begin a statement, a definition
/// or a declaration. A line indented no deeper than \p begin begins one, too.
void synchronize(Parsing &p, SourceRange begin);

/// Does a word stand here that only begins or ends statements?
bool atStatementWord(const Parsing &p, size_t ahead = 0);

/// Is it `name :=`, `a[i].x +=`, `A@d :=`, `name max=` ...?
bool atAssignment(const Parsing &p, size_t ahead = 0);

/// At `[`: does what follows the brackets begin a statement?
bool atScope(const Parsing &p);

/// At `export`, which is a word of its own only before what it exports?
bool atExport(const Parsing &p);

/// Does a declaration begin here? Some of their words also occur in types and
/// formals; those count at the beginning of a line or after a `;`.
bool atDeclaration(const Parsing &p);

/// Reports more than \p limit levels and leaves the rest of the program unread:
/// the cursor is at its end, in panic.
void giveUp(Parsing &p, unsigned limit);

/// Reports \p id at \p range, unless that would be no news (claimsReport): then
/// nothing. Notes and fix-its are added to what it gives.
template <typename... Args>
std::optional<DiagnosticBuilder>
report(Parsing &p, SourceRange range, DiagWith<Args...> id,
       const std::type_identity_t<Args> &...args) {
  if (!claimsReport(p))
    return std::nullopt;
  return p.diags.report(range, id, args...);
}

/// Counts a level of nesting while it lives, or one link of a chain.
struct Nesting {
  /// Counts \p links; more than the limit is reported and starts a panic
  /// (giveUp), which the rule that nests must look at.
  explicit Nesting(Parsing &parser, unsigned links = linksPerLevel)
      : parser(parser), links(links) {
    parser.levels += links / linksPerLevel;
    if ((parser.depth += links) > Parsing::linksLimit)
      giveUp(parser,
             parser.levels > nestingLimit ? nestingLimit : Parsing::linksLimit);
  }

  /// Counts them back.
  ~Nesting() {
    parser.levels -= links / linksPerLevel;
    parser.depth -= links;
  }
  Nesting(const Nesting &) = delete;
  Parsing &parser;
  const unsigned links;
};

} // namespace zpl

#endif // ZPL_LIB_PARSE_RECOVERY_H
