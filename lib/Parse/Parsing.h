//===- Parsing.h - A text that is being parsed ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_PARSING_H
#define ZPL_LIB_PARSE_PARSING_H

#include "zpl/AST/AST.h"
#include "zpl/Lex/Token.h"
#include "zpl/Parse/Parse.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/StringSet.h"
#include <bitset>
#include <initializer_list>
#include <optional>

namespace zpl {

/// What shows that an `end` may be missing.
struct Doubt {
  DiagId id;
  SourceRange range;
  llvm::StringRef word;
};

/// What a list of declarations is added to.
using Decls = llvm::SmallVectorImpl<ast::Decl *>;

/// A text that is being parsed by recursive descent: where the parser is and
/// what it knows so far. The parser itself is functions over it, one per rule
/// of the grammar (Parse*.h); Cursor.h has the tokens ahead, Recovery.h errors.
///
/// Errors: report() says nothing while `panic` is set, twice at one token, or
/// at an Error token, of which the lexer has spoken. A missing token is
/// reported at the end of the one before it. If the program makes sense with
/// it, the parser goes on as if it were there; else it panics, which makes
/// every function return quickly, until a function that knows where to go on
/// (the end of a statement, of brackets, of a heading) skips to that place.
struct Parsing {
  /// At the first token of \p buffer, which ends with an End token. All three
  /// must outlive the parse.
  Parsing(const TokenBuffer &buffer, ast::Context &context,
          DiagnosticEngine &diags)
      : tokens(buffer.tokens), buffer(buffer), context(context), diags(diags) {}

  /// What depth and height are counted in: links of a chain; a level is many.
  static constexpr unsigned linksLimit = nestingLimit * linksPerLevel;

  const std::vector<Token> &tokens;
  const TokenBuffer &buffer;
  ast::Context &context;
  DiagnosticEngine &diags;

  static constexpr size_t nowhere = ~size_t(0);
  size_t position = 0;                       ///< of the cursor, in tokens
  size_t lastError = nowhere;                ///< the token of the last report
  size_t correctedPosition = nowhere;        ///< a misspelt keyword ...
  TokenKind correctedKind = TokenKind::Name; ///< ... and what it stands for
  bool panic = false;          ///< errors are silent until a sane place
  unsigned depth = 0;          ///< in links
  unsigned levels = 0;         ///< those of the depth that are no chains
  unsigned height = 0;         ///< of the expression parsed last, in links
  llvm::StringSet<> regionOps; ///< names that a `regionop` has defined

  std::bitset<256> namedKeywords;   ///< keywords that were declared as names
  llvm::StringSet<> procedureNames; ///< of the whole program, once asked for
  std::vector<Doubt> doubts;        ///< of the procedure

  unsigned openIfs = 0;      ///< `if` statements around the cursor
  unsigned openRepeats = 0;  ///< `repeat` statements around the cursor
  unsigned openModifies = 0; ///< `modify` statements around the cursor
  bool sawWhere = false;     ///< a sparse region was read
  bool sawRegionType = false, sawRead = false; ///< the type and the statement
  unsigned procedureColumn = 0; ///< of the heading of the procedure
  /// The first block whose `end` stands left of it: perhaps its own is missing.
  std::optional<Token> suspect;
};

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSING_H
