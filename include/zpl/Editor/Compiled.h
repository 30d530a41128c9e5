//===- Compiled.h - What the compiler did with a text -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What hover tells beyond the front end: temporaries, fusion, vectorization.
/// They are known when the compiler has run, beside the server.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_EDITOR_COMPILED_H
#define ZPL_EDITOR_COMPILED_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace zpl::editor {

struct Analysis;

/// One decision of a pass, of a line of the document.
struct LineDecision {
  unsigned line; ///< from 1
  bool isMissed;
  std::string pass;
  std::string text;
};

/// What the passes did with a program.
struct Compiled {
  std::string machine;                 ///< that it was compiled for
  std::vector<LineDecision> decisions; ///< by line
};

/// Reads what `zplc --report=FILE.json` has written of a program from standard
/// input. None: it is no such text.
std::optional<Compiled> readCompiled(llvm::StringRef json);

/// What became of the statements of the line that \p offset is in, as Markdown:
/// temporaries, fusion, vectorization. \p compiled must be of the same text as
/// \p a. Empty: no loop stands there.
std::string compiledAt(const Analysis &a, const Compiled &compiled,
                       uint32_t offset);

} // namespace zpl::editor

#endif // ZPL_EDITOR_COMPILED_H
