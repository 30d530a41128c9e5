//===- Analysis.h - What the front end knows of a text ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One text of an editor through Lex, Parse and Sema, with everything they own.
/// Each document has its own; nothing is shared between them.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_EDITOR_ANALYSIS_H
#define ZPL_EDITOR_ANALYSIS_H

#include "zpl/AST/AST.h"
#include "zpl/Editor/Positions.h"
#include "zpl/Editor/Symbols.h"
#include "zpl/Lex/Lex.h"
#include "zpl/Sema/Sema.h"
#include "zpl/Support/Diagnostic.h"

namespace zpl::editor {

/// Where included files are looked for.
struct SearchPaths {
  std::vector<std::string> includes; ///< of -I
  std::string library;               ///< the folder of `#include <...>`
  std::string compiler;              ///< `zplc`; empty: it is not to be run
};

/// A line `#include` of the document.
struct IncludeLine {
  SourceRange range;    ///< of the file's name, with its quotes
  llvm::StringRef path; ///< as written
};

/// A range of bytes of the document that has another colour: a comment.
struct Comment {
  SourceRange range; ///< with its marks
  bool isBlock;      ///< `/* */`
};

struct Analysis {
  Analysis() : diags(sources) {}
  Analysis(const Analysis &) = delete;
  Analysis &operator=(const Analysis &) = delete;

  SourceManager sources; ///< file 0 is the document
  DiagnosticEngine diags;
  TokenBuffer tokens;
  ast::Context context;
  ast::Module module;
  /// After errors: none.
  std::optional<sema::Program> program;
  /// It has no heading, as files that others include: only its syntax was
  /// checked.
  bool isPart = false;
  /// The lexer or the parser found errors, so parts of the tree are missing.
  bool hasSyntaxErrors = false;
  std::vector<size_t> own; ///< indices of the document's tokens, ascending
  std::vector<Comment> comments;
  std::vector<IncludeLine> includes;
  /// Per file the index of the line of `includes` that brings it in; none for
  /// the document itself, and what is made for it.
  std::vector<std::optional<size_t>> broughtBy;
  std::unique_ptr<LineTable> lines; ///< of the document
  SymbolIndex symbols;

  /// The text of the document.
  llvm::StringRef text() const { return sources.text(0); }
};

/// Analyses \p text, which is that of the file at \p path (which need not
/// exist). Recurses as deep as the parser allows: call it on a stack that is
/// made for it (runOnLargeStack).
std::unique_ptr<Analysis> analyze(llvm::StringRef path, llvm::StringRef text,
                                  const SearchPaths &search);

/// The document's token that contains byte \p offset or ends before it: its
/// place in `own`. None: blanks or a comment.
std::optional<size_t> tokenAt(const Analysis &a, uint32_t offset);

/// How many of the document's tokens end at \p offset or before.
size_t tokensBefore(const Analysis &a, uint32_t offset);

/// Whether \p offset is in a comment, or in a string that is not closed there.
bool isInComment(const Analysis &a, uint32_t offset);

/// Where a range of any file is shown in the document: itself, or the line
/// `#include` that brings its file in. A range of no file is the beginning.
SourceRange shownAt(const Analysis &a, SourceRange range);

/// Runs \p work on a stack of the size that the front end's recursion takes.
void runOnLargeStack(llvm::function_ref<void()> work);

} // namespace zpl::editor

#endif // ZPL_EDITOR_ANALYSIS_H
