//===- Includes.cpp - Lines that begin with '#' ---------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     #include "common.z"
//     #include <sort.z>
//
// The tokens of the file take the place of the line. They keep their own
// ranges, so everything said about them later points into the included file.
// The file is looked for in the folder of the including one, then in those of
// -I, in order. A file that is open already would include itself for ever; real
// paths tell, whatever name it goes by. A limit on the number of includes stops
// files that include each other twice, which multiply. Angle brackets mean what
// comes with the compiler; such a file is there once, whoever includes it again.
//
//===----------------------------------------------------------------------===//

#include "Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace zpl {

static constexpr unsigned includeLimit = 1000;

bool Lexer::isFirstOnLine() const {
  const char *before = at;
  while (before != textBegin && (before[-1] == ' ' || before[-1] == '\t'))
    --before;
  return before == textBegin || before[-1] == '\n';
}

bool Lexer::lexDirective() {
  const char *wordBegin = at + 1;
  while (*wordBegin == ' ' || *wordBegin == '\t')
    ++wordBegin;
  if (!isAlpha(*wordBegin) || !isFirstOnLine())
    return false;
  const char *begin = at;
  const char *wordEnd = wordBegin;
  while (isAlnum(*wordEnd) || *wordEnd == '_')
    ++wordEnd;
  const char *lineEnd = wordEnd;
  while (lineEnd != textEnd && *lineEnd != '\n')
    ++lineEnd;
  at = lineEnd;

  StringRef word(wordBegin, static_cast<size_t>(wordEnd - wordBegin));
  if (word != "include") {
    state.diags.report(rangeOf(begin, wordEnd), Diag::UnknownDirective, word)
        .done();
    return true;
  }
  StringRef rest(wordEnd, static_cast<size_t>(lineEnd - wordEnd));
  StringRef path = rest.ltrim();
  bool isLibrary = path.starts_with("<");
  size_t close = path.find(isLibrary ? '>' : '"', 1);
  StringRef behind = path.substr(close).drop_front(close != path.npos).trim();
  if (!(isLibrary || path.starts_with("\"")) || close == StringRef::npos ||
      close == 1 || !(behind.empty() || behind.starts_with("--"))) {
    state.diags.report(rangeOf(begin, wordEnd), Diag::IncludeSyntax).done();
    return true;
  }
  SourceRange range = rangeOf(path.begin(), path.begin() + close + 1);
  if (isLibrary)
    includeLibrary(path.slice(1, close), range);
  else
    include(path.slice(1, close), range);
  return true;
}

void Lexer::includeLibrary(StringRef name, SourceRange range) {
  SmallString<128> path(state.library);
  sys::path::append(path, name);
  // Nothing but a name: what lies elsewhere is no library.
  if (state.library.empty() || name != sys::path::filename(name) ||
      !sys::fs::is_regular_file(path)) {
    state.diags.report(range, Diag::IncludeNoLibrary, name).done();
    return;
  }
  if (state.libraryFiles.insert(name).second)
    include(path, range);
}

void Lexer::include(StringRef path, SourceRange range) {
  if (++state.includes >= includeLimit) {
    if (state.includes == includeLimit)
      state.diags.report(range, Diag::IncludeTooMany, includeLimit).done();
    return;
  }
  ErrorOr<uint32_t> opened = openInclude(path);
  if (std::error_code error = opened.getError()) {
    state.diags.report(range, Diag::IncludeNotRead, path, error.message())
        .done();
    return;
  }
  SmallString<128> real;
  if (sys::fs::real_path(state.sources.name(*opened), real))
    real = state.sources.name(*opened);
  if (is_contained(state.openFiles, real.str())) {
    state.diags.report(range, Diag::IncludeRecursive, path).done();
    return;
  }
  state.openFiles.push_back(real.str().str());
  Lexer(state, *opened).run();
  state.openFiles.pop_back();
}

ErrorOr<uint32_t> Lexer::openInclude(StringRef path) {
  if (sys::path::is_absolute(path))
    return state.sources.open(path);
  SmallString<128> beside = sys::path::parent_path(state.sources.name(file));
  sys::path::append(beside, path);
  ErrorOr<uint32_t> opened = state.sources.open(beside);
  for (const std::string &folder : state.includePaths) {
    if (opened.getError() != std::errc::no_such_file_or_directory)
      return opened;
    SmallString<128> candidate(folder);
    sys::path::append(candidate, path);
    opened = state.sources.open(candidate);
  }
  return opened;
}

} // namespace zpl
