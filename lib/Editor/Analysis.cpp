//===- Analysis.cpp - What the front end knows of a text ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The phases in order, each on what the one before gave; unlike the compiler,
// the editor keeps what a wrong program still has: tokens, a tree without the
// parts that the parser skipped, and the names in it.
//
//     #include "mesh.z"        -- two errors in there
//     region R = [1..n];
//
// A message about another file is shown at the line that brings that file in.
// The lexer numbers files as it opens them, so a file is that of the next line
// `#include` whose name it has, or else included by the file before. A text
// without a heading is a part of programs that we do not see: it gets one, and
// only its syntax is checked.
//
// The checker does not ask C about what is `extern`: Clang would take longer
// than the editor can wait.
//
// Cost: that of the front end, about a microsecond for each token.
//
//===----------------------------------------------------------------------===//

#include "zpl/Editor/Analysis.h"
#include "zpl/Format/Trivia.h"
#include "zpl/Parse/Parse.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/thread.h"

using namespace llvm;

namespace zpl::editor {

void runOnLargeStack(function_ref<void()> work) {
  constexpr unsigned stackBytes = 1u << 30;
  thread worker(std::optional<unsigned>(stackBytes), [&] { work(); });
  worker.join();
}

static void findTrivia(Analysis &a) {
  StringRef text = a.text();
  uint32_t from = 0;
  auto readGap = [&](uint32_t to) {
    for (const Trivia &piece : triviaBetween(text, from, to)) {
      SourceRange range{0, piece.begin, piece.end};
      if (piece.kind != Trivia::Directive) {
        a.comments.push_back({range, piece.kind == Trivia::BlockComment});
        continue;
      }
      StringRef line = a.sources.text(range);
      size_t open = line.find_first_of("\"<");
      if (open == StringRef::npos || line.size() < open + 2)
        continue;
      range.begin += static_cast<uint32_t>(open);
      a.includes.push_back({range, line.drop_front(open + 1).drop_back()});
    }
  };
  for (size_t token : a.own) {
    readGap(a.tokens.tokens[token].range.begin);
    from = a.tokens.tokens[token].range.end;
  }
}

/// Which line brings in each of the first \p files files.
static void findIncluders(Analysis &a, uint32_t files) {
  a.broughtBy.resize(a.sources.size());
  size_t next = 0;
  for (uint32_t file = 1; file < files; ++file) {
    StringRef name = a.sources.name(file);
    size_t line = next;
    while (line < a.includes.size() &&
           sys::path::filename(a.includes[line].path) !=
               sys::path::filename(name))
      ++line;
    if (line < a.includes.size()) {
      a.broughtBy[file] = line;
      next = line + 1;
    } else {
      a.broughtBy[file] = file > 1 ? a.broughtBy[file - 1] : std::nullopt;
    }
  }
}

/// Gives a text without a heading one, in front of its tokens.
static void addHeading(Analysis &a) {
  bool isEmpty = a.tokens.tokens.size() == 1;
  if (isEmpty || a.tokens.tokens.front().kind == TokenKind::Program)
    return;
  // What stands there may be a heading misspelt.
  if (!isOneOf(a.tokens.tokens.front().kind, TokenKind::Config,
               TokenKind::Const, TokenKind::Constant, TokenKind::Var,
               TokenKind::Type, TokenKind::Region, TokenKind::Direction,
               TokenKind::Procedure, TokenKind::Prototype, TokenKind::Extern,
               TokenKind::Free, TokenKind::Grid, TokenKind::Distribution,
               TokenKind::Domain))
    return;
  a.isPart = true;
  uint32_t file = a.sources.add("", "program part;");
  TokenBuffer heading = lex(file, a.sources, a.diags);
  heading.tokens.pop_back();
  a.tokens.tokens.insert(a.tokens.tokens.begin(), heading.tokens.begin(),
                         heading.tokens.end());
  for (TokenBuffer::Comment &comment : a.tokens.comments)
    comment.token += heading.tokens.size();
}

std::unique_ptr<Analysis> analyze(StringRef path, StringRef text,
                                  const SearchPaths &search) {
  auto result = std::make_unique<Analysis>();
  Analysis &a = *result;
  uint32_t file = a.sources.add(path, text);
  a.lines = std::make_unique<LineTable>(a.text());
  a.tokens = lex(file, a.sources, a.diags, search.includes, search.library);
  uint32_t files = a.sources.size();
  addHeading(a);
  for (const auto &[number, token] : enumerate(a.tokens.tokens))
    if (token.range.file == file)
      a.own.push_back(number);
  findTrivia(a);
  findIncluders(a, files);
  a.module = parse(a.tokens, a.context, a.diags);
  a.hasSyntaxErrors = a.diags.hasErrors();
  if (!a.diags.hasErrors() && !a.isPart)
    a.program = sema::check(a.module, a.diags);
  a.symbols = indexSymbols(a.module, a.tokens, a.sources);
  return result;
}

size_t tokensBefore(const Analysis &a, uint32_t offset) {
  auto after = partition_point(a.own, [&](size_t token) {
    return a.tokens.tokens[token].range.end <= offset;
  });
  return static_cast<size_t>(after - a.own.begin());
}

std::optional<size_t> tokenAt(const Analysis &a, uint32_t offset) {
  size_t at = tokensBefore(a, offset);
  if (at < a.own.size() && a.tokens.tokens[a.own[at]].range.begin <= offset &&
      a.tokens.tokens[a.own[at]].kind != TokenKind::End)
    return at;
  if (at > 0 && a.tokens.tokens[a.own[at - 1]].range.end == offset)
    return at - 1;
  return std::nullopt;
}

bool isInComment(const Analysis &a, uint32_t offset) {
  auto after = partition_point(a.comments, [&](const Comment &comment) {
    return comment.range.begin < offset;
  });
  if (after == a.comments.begin())
    return false;
  const Comment &comment = *std::prev(after);
  return comment.isBlock ? offset < comment.range.end
                         : offset <= comment.range.end;
}

SourceRange shownAt(const Analysis &a, SourceRange range) {
  if (!range.isValid())
    return {0, 0, 0};
  if (range.file == 0)
    return range;
  std::optional<size_t> line =
      range.file < a.broughtBy.size() ? a.broughtBy[range.file] : std::nullopt;
  return line ? a.includes[*line].range : SourceRange{0, 0, 0};
}

} // namespace zpl::editor
