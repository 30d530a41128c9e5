//===- Lex.h - Text to tokens -----------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LEX_LEX_H
#define ZPL_LEX_LEX_H

#include "zpl/Lex/Token.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class raw_ostream;
}

namespace zpl {

class DiagnosticEngine;

/// Cuts a file of the source manager into tokens. Always succeeds: what is no
/// token is reported and stands in the buffer as an Error token. Files named by
/// `#include "..."` lines are searched beside the including file, then in
/// \p includePaths, those of `#include <...>` in \p library, and added to the
/// source manager.
TokenBuffer lex(uint32_t file, SourceManager &sources, DiagnosticEngine &diags,
                llvm::ArrayRef<std::string> includePaths = {},
                llvm::StringRef library = {});

/// One token per line, `3:5-8 Name 'foo'` (begin; column after its end), and
/// a line `-- FILE` wherever the file changes.
void dumpTokens(const TokenBuffer &buffer, const SourceManager &sources,
                llvm::raw_ostream &os);

} // namespace zpl

#endif // ZPL_LEX_LEX_H
