//===- Trivia.cpp - What stands between tokens ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lexer drops comments and replaces lines `#include`; whoever shows or
// prints a source text reads them again, in the gaps that it left:
//
//     A := B;   -- the sum so far
//     #include "more.z"
//
// Cost: linear in the text.
//
//===----------------------------------------------------------------------===//

#include "zpl/Format/Trivia.h"
#include <algorithm>

using namespace llvm;

namespace zpl {

/// The end of a line `#include` that begins at \p at: after its name, or that
/// of the line where it has none.
static size_t directiveEnd(StringRef text, size_t at, size_t lineEnd) {
  size_t open = text.find_first_of("\"<", at);
  if (open >= lineEnd)
    return lineEnd;
  size_t close = text.find(text[open] == '<' ? '>' : '"', open + 1);
  return close < lineEnd ? close + 1 : lineEnd;
}

std::vector<Trivia> triviaBetween(StringRef text, uint32_t begin,
                                  uint32_t end) {
  std::vector<Trivia> found;
  size_t limit = std::min<size_t>(end, text.size());
  for (size_t at = begin; at < limit;) {
    size_t lineEnd = std::min(text.find('\n', at), limit);
    StringRef rest = text.slice(at, limit);
    Trivia::Kind kind = Trivia::LineComment;
    size_t after = lineEnd;
    if (rest.starts_with("/*")) {
      kind = Trivia::BlockComment;
      size_t close = text.find("*/", at + 2);
      after = close == StringRef::npos ? limit : std::min(close + 2, limit);
    } else if (rest.starts_with("#")) {
      kind = Trivia::Directive;
      after = directiveEnd(text, at, lineEnd);
    } else if (!rest.starts_with("--") && !rest.starts_with("//")) {
      ++at;
      continue;
    }
    size_t last = after;
    if (kind != Trivia::BlockComment)
      while (last > at && (text[last - 1] == ' ' || text[last - 1] == '\t' ||
                           text[last - 1] == '\r'))
        --last;
    found.push_back(
        {kind, static_cast<uint32_t>(at), static_cast<uint32_t>(last)});
    at = std::max(after, at + 1);
  }
  return found;
}

} // namespace zpl
