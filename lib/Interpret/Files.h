//===- Files.h - The program's files ----------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_FILES_H
#define ZPL_LIB_INTERPRET_FILES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace zpl::interpreter {

/// An open file, for reading or for writing.
class File {
public:
  /// \p beforeWait is called before the program waits for input.
  File(std::string name, int descriptor, bool isInput,
       std::function<void()> beforeWait)
      : name(std::move(name)), descriptor(descriptor), isInput(isInput),
        beforeWait(std::move(beforeWait)) {}
  ~File();

  const std::string name; ///< for messages: "'a.txt'", "standard input"
  const int descriptor;
  const bool isInput;

  static constexpr int End = -1;
  /// The byte \p ahead of the next one, or End.
  int peek(size_t ahead = 0);
  void skip();
  /// Up to \p count bytes; how many there were.
  size_t take(char *to, size_t count);
  /// Nothing but blanks is left.
  bool isAtEnd();
  /// "'a.txt', line 3, column 7".
  std::string place() const;

  void write(llvm::StringRef text) { pending += text; }
  void flush();

private:
  std::function<void()> beforeWait;
  std::string pending; ///< not written yet, or not read yet
  size_t next = 0;
  bool hasEnded = false;
  int64_t line = 1, column = 1;
};

/// Files by number: 0 is znull, negative numbers are failed ones.
class Files {
public:
  Files();
  /// Modes: 0 to read, 1 to write, 2 to append.
  int64_t open(const std::string &path, int mode);
  /// What is wrong with closing it, or "".
  std::string close(int64_t number);
  /// Hands what was written to the system, if that is an open file.
  void handOver(int64_t number) {
    if (number > 0 && files[number])
      files[number]->flush();
  }
  /// Null if there is no such open file, with the reason in \p error.
  File *find(int64_t number, std::string &error);
  void flush();

private:
  int64_t add(std::string name, int descriptor, bool isInput);

  std::vector<std::unique_ptr<File>> files;
  std::vector<std::string> names;    ///< of all files there were
  std::vector<std::string> failures; ///< why a file could not be opened
};

inline bool isBlank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_FILES_H
