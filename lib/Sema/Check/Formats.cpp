//===- Formats.cpp - Formats of input and output --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     " at (%d, %5.2lf)\n"
//
// is taken apart into " at (%d" and ", %5.2f)\n": each piece keeps one
// conversion with the text before it; the text after the last belongs to the
// last. Length modifiers are dropped, for the type of the value says what C
// wants. A format that is no literal is checked when it is used.
//
// Cost: linear in the format.
//
//===----------------------------------------------------------------------===//

#include "Check/Formats.h"

#include "Types/Types.h"

namespace zpl::sema {

namespace {

/// Digits a width or a precision may have: printf must not be asked for
/// gigabytes by a slip of a key.
constexpr unsigned MostDigits = 4;

/// Reads the conversion after the '%' that begins \p text and moves it into
/// \p piece, without the length modifier. Returns its letter, 0 after an error.
char takeConversion(llvm::StringRef &text, std::string &piece, Format &format) {
  auto take = [&](llvm::StringRef set) {
    llvm::StringRef taken =
        text.take_while([&](char c) { return set.contains(c); });
    text = text.drop_front(taken.size());
    piece += taken;
    return taken.size();
  };
  piece += '%';
  text = text.drop_front();
  take("-+ #0");
  bool isLong = take("0123456789") > MostDigits;
  if (text.consume_front(".")) {
    piece += '.';
    isLong |= take("0123456789") > MostDigits;
  }
  if (text.starts_with("*"))
    format.error = "takes a width from an argument";
  else if (isLong)
    format.error = "has a width or precision of more than four digits";
  text = text.drop_while(
      [](char c) { return llvm::StringRef("hlLqjzt").contains(c); });
  if (text.empty() && !format.error)
    format.error = "ends within a conversion";
  if (format.error)
    return 0;
  char letter = text.front();
  piece += letter;
  text = text.drop_front();
  if (!llvm::StringRef("diuxXofFeEgGcs").contains(letter))
    format.error = "has an unknown conversion";
  return format.error ? 0 : letter;
}

} // namespace

Format parseFormat(llvm::StringRef text) {
  Format format;
  std::string piece; // before the next conversion
  while (!text.empty() && !format.error) {
    if (text.consume_front("%%")) {
      piece += "%%";
    } else if (text.front() != '%') {
      piece += text.front();
      text = text.drop_front();
    } else {
      format.conversions.push_back(takeConversion(text, piece, format));
      format.pieces.push_back(std::move(piece));
      piece.clear();
    }
  }
  if (!format.error && format.pieces.empty())
    format.error = "has no conversion for the value";
  if (!format.error)
    format.pieces.back() += piece;
  return format;
}

bool fits(char conversion, Type type) {
  llvm::StringRef letters;
  if (type.isFloating() || type.isComplex())
    letters = "fFeEgG";
  else if (type == Type::String)
    letters = "s";
  else if (type == Type::Boolean ||
           (type == Type::Enum && !isDistributionValue(type)))
    letters = "sdiuxXo";
  else if (isIntegral(type))
    letters = "diuxXoc";
  return letters.contains(conversion);
}

} // namespace zpl::sema
