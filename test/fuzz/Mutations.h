//===- Mutations.h - Programs with wrong tokens -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A ZPL text that knows where its tokens are, for tests that damage programs.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_TEST_FUZZ_MUTATIONS_H
#define ZPL_TEST_FUZZ_MUTATIONS_H

#include "zpl/Lex/Token.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace zpl::mutation {

/// A text and its tokens; those of included files do not count. The text must
/// outlive this.
class TokenText {
public:
  explicit TokenText(llvm::StringRef text);

  size_t size() const { return tokens.size(); }
  llvm::StringRef token(size_t index) const;
  TokenKind kind(size_t index) const { return tokens[index].kind; }
  size_t offset(size_t index) const { return tokens[index].range.begin; }
  /// The text with \p other, between blanks, in the place of the tokens
  /// first..last-1. `first == last` inserts before a token.
  std::string replaced(size_t first, size_t last, llvm::StringRef other) const;

  std::string withDeleted(size_t index) const;
  std::string withDoubled(size_t index) const;
  /// The token and the next one, which there must be, change places.
  std::string withExchanged(size_t index) const;

private:
  llvm::StringRef text;
  std::vector<Token> tokens;
};

} // namespace zpl::mutation

#endif // ZPL_TEST_FUZZ_MUTATIONS_H
