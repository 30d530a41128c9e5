//===- SourceManager.h - Source texts and locations -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_SUPPORT_SOURCEMANAGER_H
#define ZPL_SUPPORT_SOURCEMANAGER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/ErrorOr.h"
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class MemoryBuffer;
}

namespace zpl {

/// A stretch of one source text: bytes begin..end-1 of file `file` (an index of
/// the SourceManager). 12 bytes, passed by value. A default-made range is
/// invalid: "no place in a source".
struct SourceRange {
  static constexpr uint32_t NoFile = ~0u;
  uint32_t file = NoFile;
  uint32_t begin = 0;
  uint32_t end = 0;

  /// Does it name a place at all?
  bool isValid() const { return file != NoFile; }
  /// From the beginning of this to the end of \p other, of the same file;
  /// otherwise (an include in between) this range.
  SourceRange to(SourceRange other) const {
    if (!isValid() || other.file != file)
      return isValid() ? *this : other;
    return {file, begin < other.begin ? begin : other.begin,
            end > other.end ? end : other.end};
  }
};

/// A place for people, both counted from 1; columns count bytes.
struct LineColumn {
  unsigned line = 0;
  unsigned column = 0;
};

/// Owns the source texts of a compilation.
class SourceManager {
public:
  SourceManager();
  ~SourceManager();

  /// Reads a file. Directories, unreadable files and files of 2 GiB and more
  /// are errors. The same path read twice gives two indices.
  llvm::ErrorOr<uint32_t> open(llvm::StringRef path);
  /// Adds a text under a name.
  uint32_t add(llvm::StringRef name, llvm::StringRef text);

  uint32_t size() const; ///< number of files: indices are below it
  /// A file's name, its text, and the text of a range; live as long as this.
  llvm::StringRef name(uint32_t file) const;
  llvm::StringRef text(uint32_t file) const;
  llvm::StringRef text(SourceRange range) const;
  LineColumn lineColumn(SourceRange range) const; ///< of its beginning
  /// The line (without its end) in which byte \p offset stands.
  llvm::StringRef line(uint32_t file, uint32_t offset) const;

private:
  struct File;
  std::deque<File> files;
};

} // namespace zpl

#endif // ZPL_SUPPORT_SOURCEMANAGER_H
