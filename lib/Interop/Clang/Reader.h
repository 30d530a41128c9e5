//===- Reader.h - One run of Clang over the headers -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One run of Clang over the headers of a program and C that is made for it,
/// with its errors and places in terms of the program's externs.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTEROP_CLANG_READER_H
#define ZPL_LIB_INTEROP_CLANG_READER_H

#include "zpl/Interop/Interop.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringMap.h"
#include <functional>

namespace zpl::interop {

/// C text that is made while Clang reads. Every line belongs to one extern.
class GeneratedText {
public:
  /// Adds \p line, and a line feed, for the extern numbered \p external.
  void add(size_t external, const llvm::Twine &line);

  /// All lines so far.
  const std::string &text() const { return all; }

  /// The extern of a line, counted from 1; of the text's end the last one; -1
  /// if there is none.
  int ownerOf(size_t line) const {
    return owners.empty() ? -1 : owners[std::min(line, owners.size()) - 1];
  }

private:
  std::string all;
  std::vector<int> owners;
};

/// Names the files of ranges by indices of a list.
class Places {
public:
  /// Adds each file to \p files, which must outlive it, when it is first met.
  explicit Places(std::vector<std::string> &files) : files(files) {}

  /// The token at \p location, which may be in a macro; invalid if it is not in
  /// a file.
  SourceRange range(clang::SourceLocation location,
                    const clang::SourceManager &manager,
                    const clang::LangOptions &language);

private:
  std::vector<std::string> &files;
  llvm::StringMap<uint32_t> known;
};

/// What one run does besides reading the headers.
struct Reading {
  /// Called when the headers have been parsed: the text is parsed after them,
  /// with all they declare and define known.
  std::function<void(clang::CompilerInstance &, GeneratedText &)> generate;
  /// Gets the translation unit.
  std::function<std::unique_ptr<clang::ASTConsumer>(clang::CompilerInstance &)>
      consumer;
  /// Called at the end, while the consumer is still there; may be empty.
  std::function<void()> finish;
};

/// Reads all headers of \p externs. Gives Clang's errors: those in headers, and
/// those in generated text with their extern. Warnings are left to those who
/// compile C.
std::vector<ClangMessage> readHeaders(const Externs &externs,
                                      const ClangOptions &options,
                                      Places &places, const Reading &reading);

} // namespace zpl::interop

#endif // ZPL_LIB_INTEROP_CLANG_READER_H
