//===- Mutations.cpp - Programs with wrong tokens -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Damage to `A := B;` that keeps the rest of the text as it is, comments and
// line ends too:
//
//     withDeleted(1)     A  B;
//     withDoubled(1)     A := := B;
//     withExchanged(1)   A B := ;
//
// Everything is one replacement of a run of tokens, in the time of a copy.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"
#include "zpl/Lex/Lex.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace zpl::mutation {

TokenText::TokenText(StringRef text) : text(text) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  uint32_t file = sources.add("tokens.z", text);
  for (const Token &token : lex(file, sources, diags).tokens)
    if (token.range.file == file && token.kind != TokenKind::End)
      tokens.push_back(token);
}

StringRef TokenText::token(size_t index) const {
  return text.slice(tokens[index].range.begin, tokens[index].range.end);
}

std::string TokenText::replaced(size_t first, size_t last,
                                StringRef other) const {
  size_t begin = first < size() ? tokens[first].range.begin : text.size();
  size_t end = first < last ? tokens[last - 1].range.end : begin;
  return join_items("", text.take_front(begin), " ", other, " ",
                    text.drop_front(end));
}

std::string TokenText::withDeleted(size_t index) const {
  return replaced(index, index + 1, "");
}

std::string TokenText::withDoubled(size_t index) const {
  return replaced(index, index, token(index));
}

std::string TokenText::withExchanged(size_t index) const {
  std::string both = join_items(" ", token(index + 1), token(index));
  return replaced(index, index + 2, both);
}

} // namespace zpl::mutation
