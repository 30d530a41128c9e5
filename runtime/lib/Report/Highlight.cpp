//===- Highlight.cpp - Words of ZPL in a page -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [R] A := B@north; -- move     the @ and the comment are marked
//
// What communicates is to be found by the eye: the array operators are marked,
// besides comments and strings; other words are not, so the compiler's table of
// them is not needed here. Linear in the line.
//
//===----------------------------------------------------------------------===//

#include "Report/Html.h"
#include "Report/View.h"

#include <algorithm>

namespace zrt::report {

static void mark(const char *style, std::string_view text, std::string &html) {
  html += std::string("<i class=") + style + ">" + escaped(text) + "</i>";
}

/// Where the string that begins \p text ends.
static size_t stringLength(std::string_view text) {
  size_t k = 1;
  while (k < text.size() && text[k] != text[0])
    k += text[k] == '\\' ? 2 : 1;
  return std::min(k + 1, text.size());
}

/// How long the array operator at the start of \p text is; 0: there is none.
static size_t operatorLength(std::string_view text) {
  if (text.starts_with("<<") || text.starts_with(">>") ||
      text.starts_with("||") || text.starts_with("@^"))
    return 2;
  return text[0] == '@' || text[0] == '#' ? 1 : 0;
}

void highlight(std::string_view line, bool &isComment, std::string &html) {
  std::string_view plain = line;
  size_t first = line.find_first_not_of(" \t");
  if (!isComment && first != line.npos && line[first] == '#')
    line.remove_prefix(first + 1); // of #include, no operator
  auto flush = [&] {
    html += escaped(plain.substr(0, plain.size() - line.size()));
    plain = line;
  };
  auto take = [&](const char *style, size_t length) {
    flush();
    mark(style, line.substr(0, length), html);
    line.remove_prefix(length);
    plain = line;
  };
  while (!line.empty()) {
    if (isComment || line.starts_with("/*")) {
      size_t end = line.find("*/", isComment ? 0 : 2);
      isComment = end == line.npos;
      take("q", isComment ? line.size() : end + 2);
    } else if (line.starts_with("--")) {
      take("q", line.size());
    } else if (line[0] == '"' || line[0] == '\'') {
      take("s", line[0] == '"'                       ? stringLength(line)
                : line.size() > 2 && line[2] == '\'' ? 3
                                                     : 1);
    } else if (size_t length = operatorLength(line)) {
      take("o", length);
    } else {
      line.remove_prefix(1);
    }
  }
  flush();
}

} // namespace zrt::report
