//===- Files.h - The program's files ----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_IO_FILES_H
#define ZPL_LIB_INTERPRET_IO_FILES_H

#include "Formats/FileName.h"
#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace zpl::interpreter {

/// What a file's name says that is in it.
using zrt::FileKind;

struct ArrayFile;
struct Checkpoint;

/// An open file, for reading or for writing.
class File {
public:
  /// \p beforeWait is called before the program waits for input, \p failWrite
  /// with the system's error of a write; it does not return.
  File(std::string name, zrt::FileName path, int descriptor, bool isInput,
       std::function<void()> beforeWait,
       std::function<void(const File &, int)> failWrite);
  /// What is pending is lost.
  ~File();

  const std::string name;       ///< for messages: "'a.txt'", "standard input"
  const zrt::FileName fileName; ///< the path, taken apart
  const int descriptor;
  const bool isInput;
  SourceRange where; ///< of the last statement that used it
  FileKind kind;
  bool isNew = false;               ///< it was opened as a new file
  int64_t numbersRead = 0;          ///< of an attribute
  std::shared_ptr<ArrayFile> array; ///< what is known of it, if it is not plain
  std::shared_ptr<Checkpoint> checkpoint; ///< of one; else null
  std::shared_ptr<std::string> contents; ///< all bytes of a matrix that is read

  static constexpr int End = -1;
  /// The byte \p ahead of the next one, or End.
  int peek(size_t ahead = 0);
  /// Goes past the next byte, which there is.
  void skip();
  /// Up to \p count bytes; how many there were.
  size_t take(char *to, size_t count);
  /// Nothing but blanks is left.
  bool isAtEnd();
  /// "'a.txt', line 3, column 7".
  std::string place() const;
  /// A picture to which others may be added: *.apng.
  bool isFilm() const {
    return kind == FileKind::Image && fileName.ending == ".apng";
  }

  /// Keeps the text until there is more of it, on a terminal until the line
  /// ends.
  void write(llvm::StringRef text);
  /// Hands what was written to the system.
  void flush();

private:
  std::function<void()> beforeWait;
  std::function<void(const File &, int)> failWrite;
  bool isTerminal;
  std::string pending; ///< not written yet, or not read yet
  size_t next = 0;
  bool hasEnded = false;
  int64_t line = 1, column = 1;
};

/// Files by number: 0 is znull, negative numbers are failed ones.
class Files {
public:
  /// \p failWrite: as of a File.
  explicit Files(std::function<void(const File &, int)> failWrite);
  /// Whether this is the first warning of the statement at \p where.
  bool isNewWarning(SourceRange where) {
    return warned.insert({where.file, where.begin}).second;
  }
  /// Modes: 0 to read, 1 to write, 2 to append. Of a plain file whatever its
  /// name, which messages call \p shown, if that is not null.
  int64_t open(const std::string &path, int mode,
               const std::string *shown = nullptr);
  /// For the statement at \p where; what is wrong with closing it, or "".
  std::string close(int64_t number, SourceRange where);
  /// Hands what was written to the system, if that is an open file.
  void handOver(int64_t number) {
    if (number > 0 && files[number])
      files[number]->flush();
  }
  /// Null if there is no such open file, with the reason in \p error.
  File *find(int64_t number, std::string &error);
  /// Hands what was written to all open files to the system.
  void flush();

private:
  /// Adds an open file and gives its number.
  int64_t add(std::string name, zrt::FileName path, int descriptor,
              bool isInput);

  std::function<void(const File &, int)> failWrite;
  std::vector<std::unique_ptr<File>> files;
  std::vector<std::string> names;    ///< of all files there were
  std::vector<std::string> failures; ///< why a file could not be opened
  std::set<std::pair<unsigned, unsigned>> warned;
};

/// Whether a byte, or End, is a blank, tab or end of line.
inline bool isBlank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_IO_FILES_H
