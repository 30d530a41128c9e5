//===- Token.cpp - Tokens and their buffer --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The texts of the token kinds, from Tokens.def, and the dump: for `x := 1;`
//
//     -- main.z
//     1:1-2 Name 'x'
//     1:3-5 Assign ':='
//     1:6-7 Integer '1'
//     1:7-8 Semicolon ';'
//     2:1-1 End
//
//===----------------------------------------------------------------------===//

#include "zpl/Lex/Token.h"
#include "zpl/Lex/Lex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl {

static constexpr const char *texts[] = {
#define TOKEN(Id, description) description,
#define PUNCT(Id, text) text,
#define KEYWORD(Id, text) text,
#include "zpl/Lex/Tokens.def"
};

static constexpr const char *kindNames[] = {
#define TOKEN(Id, description) #Id,
#define PUNCT(Id, text) #Id,
#define KEYWORD(Id, text) #Id,
#include "zpl/Lex/Tokens.def"
};

StringRef text(TokenKind kind) { return texts[static_cast<size_t>(kind)]; }
StringRef kindName(TokenKind kind) {
  return kindNames[static_cast<size_t>(kind)];
}

bool isKeyword(TokenKind kind) { return kind >= TokenKind::And; }

SourceRange TokenBuffer::commentAfter(size_t token) const {
  auto found = llvm::partition_point(
      comments, [&](const Comment &c) { return c.token < token; });
  if (found == comments.end() || found->token != token)
    return {};
  return found->range;
}

void dumpTokens(const TokenBuffer &buffer, const SourceManager &sources,
                raw_ostream &os) {
  uint32_t file = SourceRange::NoFile;
  for (const Token &token : buffer.tokens) {
    if (token.range.file != file) {
      file = token.range.file;
      os << "-- " << sources.name(file) << '\n';
    }
    LineColumn at = sources.lineColumn(token.range);
    os << at.line << ':' << at.column << '-'
       << at.column + (token.range.end - token.range.begin) << ' '
       << kindName(token.kind);
    if (token.kind != TokenKind::End)
      os << " '" << sources.text(token.range) << '\'';
    os << '\n';
  }
}

} // namespace zpl
