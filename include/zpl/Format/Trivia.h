//===- Trivia.h - What stands between tokens --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_FORMAT_TRIVIA_H
#define ZPL_FORMAT_TRIVIA_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <vector>

namespace zpl {

/// A comment or a line `#include`, between two tokens of a file.
struct Trivia {
  enum Kind : uint8_t {
    LineComment,  ///< `-- ...`, without the end of its line
    BlockComment, ///< `/* ... */`
    Directive     ///< `#include "a.z"`, up to what follows on its line
  } kind;
  uint32_t begin, end; ///< bytes of the file
};

/// What stands in bytes begin..end-1 of \p text, in which the lexer found no
/// token; in order.
std::vector<Trivia> triviaBetween(llvm::StringRef text, uint32_t begin,
                                  uint32_t end);

} // namespace zpl

#endif // ZPL_FORMAT_TRIVIA_H
