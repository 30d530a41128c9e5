//===- ValueReader.h - Scalars from text ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_VALUES_VALUEREADER_H
#define ZPL_LIB_INTERPRET_VALUES_VALUEREADER_H

#include "Files.h"
#include "Values/Formats.h"
#include <functional>

namespace zpl::interpreter {

/// Reads one scalar, or the text around values.
class ValueReader {
public:
  /// \p fail reports what is wrong and does not return; \p intern keeps a text.
  ValueReader(File &file, std::function<void(const std::string &)> fail,
              std::function<const std::string *(std::string)> intern)
      : file(file), report(std::move(fail)), intern(std::move(intern)) {}

  bool inRecord = false; ///< strings end at a comma or brace as well

  /// A scalar with the text around it. \p isOwn: the program's format, whose
  /// width limits the bytes.
  Value read(Type type, const Format &format, bool isOwn);
  /// Takes the bytes of \p text; its blanks stand for any blanks, or none.
  void match(llvm::StringRef text);
  void skipBlanks();
  bool isAhead(char c) { return file.peek() == uint8_t(c); }
  void skipOne(char c) {
    if (isAhead(c))
      file.skip();
  }
  /// The name ahead, not taken.
  std::string name(size_t most = std::string::npos);
  void take(size_t bytes);
  [[noreturn]] void fail(const std::string &expected);

private:
  std::string ahead(size_t length);
  size_t digits(size_t at, int base);
  size_t floatingLength();
  void checkEnd(size_t length, const std::string &expected);
  Value readConverted(Type type, const Format &format);
  Value readInteger(Type type, char letter);
  Value readName(Type type);
  Value readString();
  long double readFloating(Type type);
  Value readComplex(Type type, const Format &format);

  File &file;
  std::function<void(const std::string &)> report;
  std::function<const std::string *(std::string)> intern;
  size_t most = std::string::npos; ///< bytes of the item
  std::string after;               ///< text after the item
};

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_VALUES_VALUEREADER_H
