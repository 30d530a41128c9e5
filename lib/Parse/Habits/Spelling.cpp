//===- Spelling.cpp - Misspelt keywords -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     whlie i < n do ... edn;      -- did you mean 'while'? 'end'?
//
// A name is taken for a keyword if it stands where only that keyword (or one of
// a few) makes sense and differs from it by case, by two exchanged letters, or
// by one letter too many, too few or wrong (two in keywords of five and more).
// In two-letter keywords no letter may be wrong: `is` is not `if`. The token
// then counts as the keyword, so that parsing goes on as it was meant.
//
//===----------------------------------------------------------------------===//

#include "Habits/Spelling.h"
#include "Cursor.h"
#include "Habits/ForeignDecls.h"
#include "Habits/Habits.h"
#include "ParseAssign.h"
#include "ParseDecl.h"
#include "Parsing.h"
#include "Recovery.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace zpl {

/// Edits between two words; an exchange of neighbours counts one.
static unsigned distance(StringRef a, StringRef b) {
  std::vector<unsigned> before(b.size() + 1), last(b.size() + 1);
  std::vector<unsigned> row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0u);
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<unsigned>(i);
    for (size_t j = 1; j <= b.size(); ++j) {
      unsigned change = last[j - 1] + (a[i - 1] != b[j - 1]);
      row[j] = std::min({change, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

static bool isClose(StringRef word, StringRef keyword) {
  if (word.size() < 2 || word.size() > keyword.size() + 2)
    return false;
  std::string lower = word.lower();
  unsigned edits = distance(lower, keyword);
  if (edits == 0)
    return true;
  if (keyword.size() == 2 && word.size() == 2)
    return edits == 1 && lower[0] == keyword[1];
  return edits <= (keyword.size() >= 5 ? 2u : 1u);
}

void correct(Parsing &p, TokenKind meant, DiagWith<Diag::Text, Diag::Text> id) {
  SourceRange range = token(p).range;
  p.diags.report(range, id, textOf(p, token(p)), text(meant))
      .fixIt(range, text(meant));
  p.lastError = p.position;
  p.correctedPosition = p.position;
  p.correctedKind = meant;
}

bool correctIfClose(Parsing &p, std::initializer_list<TokenKind> candidates) {
  if (!is(p, TokenKind::Name) || p.panic)
    return false;
  StringRef word = textOf(p, token(p));
  std::optional<TokenKind> best;
  unsigned fewest = 0;
  for (TokenKind candidate : candidates) {
    if (!isClose(word, text(candidate)))
      continue;
    unsigned edits = distance(word.lower(), text(candidate));
    if (best && edits >= fewest)
      continue;
    best = candidate;
    fewest = edits;
  }
  if (best)
    correct(p, *best);
  return best.has_value();
}

/// Is it `name ( ... ) then` or `... do`?
static bool callBeforeThenOrDo(const Parsing &p) {
  unsigned nested = 0;
  constexpr size_t farthest = 200;
  for (size_t ahead = 1; ahead < farthest; ++ahead) {
    TokenKind next = kind(p, ahead);
    if (isOneOf(next, TokenKind::Semicolon, TokenKind::End))
      return false;
    if (next == TokenKind::LParen)
      ++nested;
    if (next == TokenKind::RParen && --nested == 0)
      return isOneOf(kind(p, ahead + 1), TokenKind::Then, TokenKind::Do);
  }
  return false;
}

void correctStatementWord(Parsing &p) {
  if (!is(p, TokenKind::Name) || atAssignment(p) || atModify(p))
    return;
  correctForeignStatement(p);
  if (!is(p, TokenKind::Name))
    return;
  TokenKind next = kind(p, 1);
  if (next == TokenKind::LParen) {
    if (callBeforeThenOrDo(p))
      correctIfClose(p, {TokenKind::If, TokenKind::While});
    return;
  }
  if (isOneOf(next, TokenKind::At, TokenKind::WrapAt, TokenKind::Prime,
              TokenKind::Dot, TokenKind::LBrace, TokenKind::Hash,
              TokenKind::Equal, TokenKind::EqualEqual, TokenKind::Error) ||
      (next == TokenKind::LBracket && !firstOnLine(p, 1)))
    return;
  if (isOneOf(next, TokenKind::Semicolon, TokenKind::End)) {
    correctIfClose(p, {TokenKind::EndWord, TokenKind::Exit, TokenKind::Continue,
                       TokenKind::Return, TokenKind::Halt});
    return;
  }
  correctIfClose(p, {TokenKind::Begin, TokenKind::EndWord, TokenKind::If,
                     TokenKind::Elsif, TokenKind::Else, TokenKind::While,
                     TokenKind::Repeat, TokenKind::Until, TokenKind::For,
                     TokenKind::Exit, TokenKind::Continue, TokenKind::Return,
                     TokenKind::Halt, TokenKind::Wrap, TokenKind::Reflect});
}

void correctDeclarationWord(Parsing &p) {
  if (is(p, TokenKind::Name) && !p.panic && atForeignProcedure(p))
    return correct(p, TokenKind::Procedure, Diag::ForeignOperator);
  if (!is(p, TokenKind::Name) || atRegionOpDecl(p) ||
      isOneOf(kind(p, 1), TokenKind::Colon, TokenKind::Comma, TokenKind::Equal,
              TokenKind::Assign, TokenKind::LBrace, TokenKind::Error))
    return;
  correctIfClose(p,
                 {TokenKind::Program, TokenKind::Config, TokenKind::Const,
                  TokenKind::Constant, TokenKind::Var, TokenKind::Type,
                  TokenKind::Direction, TokenKind::Region, TokenKind::Procedure,
                  TokenKind::Prototype, TokenKind::Static, TokenKind::Begin});
}

} // namespace zpl
