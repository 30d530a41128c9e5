//===- ValueReader.h - Text as values of all types --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_IO_TEXT_VALUEREADER_H
#define ZRT_IO_TEXT_VALUEREADER_H

#include "IO/InputBuffer.h"
#include "IO/Text/Format.h"

#include <string_view>

namespace zrt {

/// Reads values from a file's text, on the processor that has the file. Text
/// that does not fit ends the run: the message names the file, line and column,
/// what was expected and what is there.
class ValueReader {
public:
  /// \p name is the file's, for messages.
  ValueReader(InputBuffer &input, const std::string &name)
      : input(input), name(name) {}

  /// Reads a value of \p type into \p address. \p format was made for the type
  /// or is null. Strings are not stored but left in `strings`.
  void read(const zrt_type &type, void *address, const Format *format);

  /// A string that was read, and the place of its pointer.
  struct FoundString {
    std::string text;
    void *address;
  };
  std::vector<FoundString> strings;

private:
  void readConverted(const zrt_type &type, void *address, const Format &format);
  void readInteger(const zrt_type &type, void *address,
                   const Conversion &conversion);
  void readName(const zrt_type &type, void *address,
                const Conversion &conversion);
  void readString(void *address, const Conversion &conversion);
  template <typename T>
  T readFloating(const zrt_type &type, const Conversion &conversion);
  template <typename T>
  void readComplex(const zrt_type &type, void *address, const Format &format);
  void readFields(const zrt_type &type, void *address);
  void readField(const zrt_field &field, void *record);

  size_t mostOf(const Conversion &conversion) const;
  void skipBlanks();
  void matchText(std::string_view text);
  void skip(size_t bytes);
  size_t scanFloating(size_t most);
  size_t scanDigits(size_t at, size_t most, int base);
  size_t scanName(size_t most);
  void checkEnd(size_t length, size_t most, const std::string &expected);
  std::string textAhead(size_t length);
  [[noreturn]] void fail(const std::string &expected);
  [[noreturn]] void failRange(const zrt_type &type, size_t length);

  InputBuffer &input;
  const std::string &name;
  bool blankBefore = false; ///< a format's blank is to be matched
  std::string_view after;   ///< what the format has after the conversion
  bool isLimited = false;   ///< widths count
  bool inRecord = false;
};

/// Whether values of \p type hold strings.
bool hasStrings(const zrt_type &type);

} // namespace zrt

#endif // ZRT_IO_TEXT_VALUEREADER_H
