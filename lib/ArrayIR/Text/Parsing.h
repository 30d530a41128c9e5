//===- Parsing.h - A text of array IR that is being parsed ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_PARSING_H
#define ZPL_LIB_ARRAYIR_TEXT_PARSING_H

#include "Text/Lexer.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include <optional>

namespace zpl::air {

/// What a name stands for: exactly one is set.
struct Named {
  Variable *variable = nullptr;
  Region *region = nullptr;
  Array *array = nullptr;
  Transfer *transfer = nullptr;
  const TypeInfo *type = nullptr;
  const Grid *grid = nullptr;
  const Distribution *distribution = nullptr;
  const Domain *domain = nullptr;
};

/// What the names of the module, or of a procedure, stand for.
using Scope = llvm::StringMap<Named>;

/// A level of nesting while it lives.
struct DepthGuard {
  /// Counts a level; tooDeep() says whether it is one too many.
  explicit DepthGuard(unsigned &depth) : depth(++depth) {}

  /// Leaves the level.
  ~DepthGuard() { --depth; }
  unsigned &depth;
};

using ItemVector = decltype(Transfer::items);

using MapVector = llvm::SmallVector<Map, 6>;

using ExprVector = llvm::SmallVector<const Expr *, 6>;

/// A text of array IR that is being parsed, by recursive descent over a token
/// vector. The parsing functions give false or null after the first error,
/// which is kept here; their callers return at once.
struct Parsing {
  /// Before the first token of \p text, the whole file \p file, whose
  /// declarations \p module gets. Both must outlive it.
  Parsing(uint32_t file, llvm::StringRef text, Module &module)
      : file(file), module(module), tokens(lex(text)) {}

  SourceRange errorRange;
  std::string errorMessage;

  /// Nested expressions and statements; more is an error, not a crash.
  static constexpr unsigned MaxDepth = 1000;

  uint32_t file;
  Module &module;
  std::vector<Token> tokens;
  size_t at = 0;
  unsigned depth = 0;
  Scope globals, locals;
  /// Variables that bounds of array types name before they are declared.
  llvm::StringMap<std::pair<Variable *, Token>> awaitedGlobals, awaitedLocals;
  llvm::StringMap<Procedure *> procedures;
  std::vector<size_t> bodies; ///< per procedure its opening brace
  std::optional<Token> initName, entryName;
};

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_PARSING_H
