//===- FrontEndFuzzer.cpp - Any text at all -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// libFuzzer against the lexer, the parser and the checker: whatever the text,
// they end soon, in little memory, without undefined behaviour, and what they
// say or accept can be printed.
//
// Bytes changed at random seldom give a program that parses. Three mutations of
// four therefore work on tokens:
//
//     i := n + 1;     delete, double, exchange      i n := + 1;
//                     another token of the program  i := end + 1;
//                     another one of its kind       n := n + 1;
//                     any token of the language     i := n + reduce;
//                     tokens of another program     i := n + A[x, 1] + 1;
//
// The last is the crossing of two programs. All tokens of the language are
// those of Tokens.def.
//
//===----------------------------------------------------------------------===//

#include "Mutations.h"
#include "zpl/AST/Printer.h"
#include "zpl/Lex/Lex.h"
#include "zpl/Parse/Parse.h"
#include "zpl/Sema/Sema.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cstring>
#include <random>

using namespace zpl;
using llvm::StringRef;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

static constexpr StringRef languageTokens[] = {
#define PUNCT(Id, text) text,
#define KEYWORD(Id, text) text,
#include "zpl/Lex/Tokens.def"
};

static StringRef asText(const uint8_t *data, size_t size) {
  return {reinterpret_cast<const char *>(data), size};
}

/// Copies what fits.
static size_t store(StringRef text, uint8_t *data, size_t maxSize) {
  size_t size = std::min(text.size(), maxSize);
  std::memcpy(data, text.data(), size);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  SourceManager sources;
  DiagnosticEngine diags(sources);
  uint32_t file = sources.add("fuzz.z", asText(data, size));
  TokenBuffer tokens = lex(file, sources, diags);
  dumpTokens(tokens, sources, llvm::nulls());
  ast::Context context;
  ast::Module syntax = parse(tokens, context, diags);
  if (!diags.hasErrors()) {
    ast::print(syntax, sources, llvm::nulls());
    if (std::optional<sema::Program> program = sema::check(syntax, diags))
      sema::print(*program, llvm::nulls());
  }
  diags.print(llvm::nulls());
  return 0;
}

/// Names for names, operators for operators, as far as a few tries tell.
static size_t anotherOfItsKind(const mutation::TokenText &text, size_t at,
                               std::minstd_rand &random) {
  auto group = [](TokenKind kind) {
    return kind < TokenKind::LParen ? static_cast<int>(kind)
           : isKeyword(kind)        ? -1
                                    : -2;
  };
  size_t other = at;
  for (unsigned tries = 0; tries != 10; ++tries) {
    other = random() % text.size();
    if (group(text.kind(other)) == group(text.kind(at)))
      break;
  }
  return other;
}

static std::string withTokenChanged(const mutation::TokenText &text,
                                    std::minstd_rand &random) {
  size_t at = random() % text.size(), other = random() % text.size();
  switch (random() % 9) {
  case 0:
    return text.withDeleted(at);
  case 1:
    return text.withDoubled(at);
  case 2:
    return at + 1 < text.size() ? text.withExchanged(at) : text.withDeleted(at);
  case 3:
    return text.replaced(at, at, text.token(other));
  case 4:
    return text.replaced(at, at + 1,
                         languageTokens[random() % std::size(languageTokens)]);
  case 5:
    return text.replaced(at, at + 1, text.token(other));
  default:
    return text.replaced(at, at + 1,
                         text.token(anotherOfItsKind(text, at, random)));
  }
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  std::minstd_rand random(seed);
  std::string input = asText(data, size).str();
  mutation::TokenText text(input);
  if (text.size() == 0 || random() % 4 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  return store(withTokenChanged(text, random), data, maxSize);
}

/// Some tokens of the first program give way to some of the second.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t *data1, size_t size1,
                                            const uint8_t *data2, size_t size2,
                                            uint8_t *result, size_t maxSize,
                                            unsigned seed) {
  constexpr size_t mostTokens = 16;
  std::minstd_rand random(seed);
  mutation::TokenText into(asText(data1, size1)), from(asText(data2, size2));
  if (into.size() == 0 || from.size() == 0)
    return 0;
  size_t at = random() % into.size();
  size_t end = std::min(into.size(), at + random() % mostTokens);
  size_t first = random() % from.size();
  size_t last = std::min(from.size(), first + 1 + random() % mostTokens) - 1;
  StringRef some = asText(data2, size2)
                       .slice(from.offset(first),
                              from.offset(last) + from.token(last).size());
  return store(into.replaced(at, end, some), result, maxSize);
}
