//===- Queries.h - What an editor asks about a document ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Answers as the protocol's JSON (LSP 3.17), for places that are bytes of the
/// document. Null answers mean that there is nothing.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_EDITOR_QUERIES_H
#define ZPL_EDITOR_QUERIES_H

#include "zpl/Editor/Analysis.h"
#include "zpl/Editor/Compiled.h"
#include "llvm/Support/JSON.h"

namespace zpl::editor {

/// A text that an editor has open.
struct Document {
  std::string uri;  ///< as the editor names it
  std::string path; ///< of the file
  std::string text;
  int64_t version = 0;
  bool isStale = true;                ///< `analysis` is that of an earlier text
  std::unique_ptr<Analysis> analysis; ///< never null once it was asked for
  /// What the compiler did with this text; none: it has not run since.
  std::optional<Compiled> compiled;
};

/// `{"line": 1, "character": 2}`.
llvm::json::Value toJson(Position position);
/// `{"start": ..., "end": ...}`.
llvm::json::Value toJson(const Range &range);
/// A range of any file of the analysis, in that file.
llvm::json::Value rangeJson(const Analysis &a, SourceRange range);
/// `{"uri": ..., "range": ...}`.
llvm::json::Value locationJson(const Document &d, SourceRange range);
/// A text from a program as JSON's strings must be, whatever bytes it has.
std::string cleanText(llvm::StringRef text);

// Messages.cpp

/// All messages about the document, those about included files at their lines
/// `#include`.
llvm::json::Array diagnosticsJson(const Document &d);
/// The fix-its of the messages that touch bytes begin..end, as quick fixes.
llvm::json::Array codeActions(const Document &d, uint32_t begin, uint32_t end);

// Queries.cpp

/// What a name is, or what the statement costs.
llvm::json::Value hover(const Document &d, uint32_t offset);
/// Where the name is declared; of procedures all overloads and prototypes.
llvm::json::Value definition(const Document &d, uint32_t offset);
/// Where the name stands; without \p withDeclarations only where it is used.
llvm::json::Value references(const Document &d, uint32_t offset,
                             bool withDeclarations);
/// The range that a rename changes, and the name in it, or why it cannot be
/// renamed.
llvm::Expected<llvm::json::Value> prepareRename(const Document &d,
                                                uint32_t offset);
/// A WorkspaceEdit, or why the name cannot be changed to \p name: it is
/// predeclared, declared in another file, or \p name is none or taken.
llvm::Expected<llvm::json::Value> rename(const Document &d, uint32_t offset,
                                         llvm::StringRef name);
/// The heading of what is called at the place, and which argument it is.
llvm::json::Value signatureHelp(const Document &d, uint32_t offset);
/// The declaration as written, on one line, with what is known of it.
std::string declarationText(const Analysis &a, const Declared &declared);
/// The comment before a declaration or after it on its line; else empty.
std::string commentOf(const Analysis &a, const Declared &declared);

// Completion.cpp

/// What can stand at the place.
llvm::json::Value completion(const Document &d, uint32_t offset);

// Outline.cpp

/// The declarations of the document, locals below their procedures.
llvm::json::Array documentSymbols(const Document &d);
/// Comments, blocks and procedures of more than one line.
llvm::json::Array foldingRanges(const Document &d);
/// `{"data": [...]}`, by the lists below.
llvm::json::Value semanticTokens(const Document &d);
/// The names of the token types and modifiers, in the order of their numbers.
llvm::json::Object semanticLegend();

// Costs.cpp

/// One line of Markdown for each communication of the statements that begin on
/// the line of \p offset; empty: none, or the program has errors.
std::string costsAt(const Analysis &a, uint32_t offset);
/// A hint behind each line with communication, between two lines.
llvm::json::Array inlayHints(const Document &d, const Range &range);

} // namespace zpl::editor

#endif // ZPL_EDITOR_QUERIES_H
