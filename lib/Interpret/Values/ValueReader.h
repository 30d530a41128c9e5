//===- ValueReader.h - Scalars from text ------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_VALUES_VALUEREADER_H
#define ZPL_LIB_INTERPRET_VALUES_VALUEREADER_H

#include "Io/Files.h"
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
  /// Goes past blanks and ends of lines.
  void skipBlanks();
  /// Whether the next byte is \p c.
  bool isAhead(char c) { return file.peek() == uint8_t(c); }
  /// Goes past \p c if it is next.
  void skipOne(char c) {
    if (isAhead(c))
      file.skip();
  }
  /// The name ahead, of up to \p most letters, digits and `_`, not taken.
  std::string name(size_t most = std::string::npos);
  /// Goes past so many bytes, which there are.
  void take(size_t bytes);
  /// Reports what is ahead instead of \p expected.
  [[noreturn]] void fail(const std::string &expected);

private:
  /// The next bytes, not taken.
  std::string ahead(size_t length);
  /// Where the digits from \p at on end.
  size_t digits(size_t at, int base);
  /// The length of the floating number ahead; 0 if there is none.
  size_t floatingLength();
  /// Fails if the number ahead goes on after \p length bytes: "12x".
  void checkEnd(size_t length, const std::string &expected);
  /// A scalar of any type, as the conversions of \p format say.
  Value readConverted(Type type, const Format &format);
  /// An integer, or boolean as one, for the conversion \p letter: d, i, x ...
  Value readInteger(Type type, char letter);
  /// true, false, or a name of an enumeration.
  Value readName(Type type);
  /// The bytes up to a blank, or to what the format goes on with.
  Value readString();
  /// A number rounded to \p type; fails if it is too large.
  long double readFloating(Type type);
  /// `1 + -2i` as it is written, and `1 - 2i`.
  Value readComplex(Type type, const Format &format);

  File &file;
  std::function<void(const std::string &)> report;
  std::function<const std::string *(std::string)> intern;
  size_t most = std::string::npos; ///< bytes of the item
  std::string after;               ///< text after the item
};

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_VALUES_VALUEREADER_H
