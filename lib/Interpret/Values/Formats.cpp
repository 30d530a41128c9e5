//===- Formats.cpp - Formats of values ------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A C format is taken apart and each conversion printed by C's printf, with the
// length modifier that fits the value:
//
//     "x = %08.3f%%"     ->     "x = ", flags 0, width 8, precision 3, f, "%"
//
// %d of an unsigned type is never negative, %x of a negative value shows the
// bits of its type, and a NaN has no sign.
//
//===----------------------------------------------------------------------===//

#include "Values/Formats.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <cstdio>

using namespace llvm;

namespace zpl::interpreter {

Type leafOf(Type type) {
  while (type == Type::Array)
    type = type.info()->element;
  return type;
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

/// The conversions that fit a type; none fits records, files ...
static StringRef lettersOf(Type type) {
  if (type == Type::Boolean || type == Type::Enum)
    return "sdiuxXo";
  if (type == Type::Char || type.isInteger())
    return "diuxXoc";
  if (type.isFloating() || type.isComplex())
    return "fFeEgG";
  return type == Type::String ? "s" : "";
}

/// Reads a conversion after its '%'; false if it is none.
static bool takeConversion(StringRef &rest, Conversion &conversion) {
  auto takeNumber = [&](int &number) {
    StringRef digits = rest.take_while(isDigit);
    rest = rest.drop_front(digits.size());
    number = 0;
    return digits.size() <= 4 &&
           (digits.empty() || !digits.getAsInteger(10, number));
  };
  conversion.flags =
      rest.take_while([](char c) { return StringRef("-+ #0").contains(c); });
  rest = rest.drop_front(conversion.flags.size());
  if (!takeNumber(conversion.width))
    return false;
  if (rest.consume_front(".") && !takeNumber(conversion.precision))
    return false;
  rest =
      rest.drop_while([](char c) { return StringRef("hlLqjzt").contains(c); });
  if (rest.empty())
    return false;
  conversion.letter = rest.front();
  rest = rest.drop_front();
  return true;
}

std::optional<Format> parseFormat(StringRef text, Type type,
                                  std::string &error) {
  type = leafOf(type);
  Format format;
  std::string *literal = &format.before;
  int conversions = 0, wanted = type.isComplex() ? 2 : 1;
  bool isGood = true;
  for (StringRef rest = text; !rest.empty() && isGood;) {
    if (rest.front() != '%' || rest.starts_with("%%")) {
      *literal += rest.front();
      rest = rest.drop_front(rest.front() == '%' ? 2 : 1);
      continue;
    }
    Conversion &conversion = conversions == 0 ? format.first : format.second;
    rest = rest.drop_front();
    isGood = ++conversions <= wanted && takeConversion(rest, conversion) &&
             lettersOf(type).contains(conversion.letter);
    literal = conversions < wanted ? &format.between : &format.after;
  }
  if (isGood && conversions == wanted)
    return format;
  std::string shown;
  for (char c : text)
    shown += c == '\n' ? "\\n" : std::string(1, c);
  error = "format \"" + shown + "\" does not fit a value of type " +
          sema::text(type);
  return std::nullopt;
}

Format defaultFormat(Type type, bool isElement) {
  StringRef text = "%s ";
  if (type == Type::Boolean)
    text = isElement ? "%5s " : "%s";
  else if (type == Type::Char)
    text = "%c";
  else if (type == Type::Sbyte || type == Type::Ubyte)
    text = "%d ";
  else if (type.isInteger())
    text = "%9d ";
  else if (type.isFloating())
    text = "%9.4f ";
  else if (type.isComplex())
    text = "%9.4f + %9.4fi";
  std::string unused;
  return parseFormat(text, type, unused).value_or(Format());
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// One call of printf, for the value of type T with its length modifier.
template <typename T>
static void appendByPrintf(std::string &out, const Conversion &conversion,
                           const char *modifier, T value) {
  std::string format = "%" + conversion.flags;
  if (conversion.width > 0)
    format += std::to_string(conversion.width);
  if (conversion.precision >= 0)
    format += "." + std::to_string(conversion.precision);
  format += modifier;
  format += conversion.letter;
  int length = std::snprintf(nullptr, 0, format.c_str(), value);
  std::string text(length + 1, '\0');
  std::snprintf(text.data(), text.size(), format.c_str(), value);
  text.pop_back();
  out += text;
}

static void appendFloating(std::string &out, const Conversion &conversion,
                           long double value) {
  appendByPrintf(out, conversion, "L",
                 std::isnan(value) ? std::fabs(value) : value);
}

/// A word, to which only '-', the width and the precision apply.
static void appendText(std::string &out, Conversion conversion,
                       const std::string &text) {
  bool isLeft = conversion.flags.find('-') != std::string::npos;
  conversion.flags = isLeft ? "-" : "";
  conversion.letter = 's';
  appendByPrintf(out, conversion, "", text.c_str());
}

static void appendInteger(std::string &out, const Conversion &conversion,
                          Type type, int64_t value) {
  bool isDecimal = conversion.letter == 'd' || conversion.letter == 'i';
  uint64_t bits = uint64_t(value) << (64 - scalarBits(type));
  bits >>= 64 - scalarBits(type);
  if (conversion.letter == 'c') {
    appendByPrintf(out, conversion, "", int(uint8_t(bits)));
  } else if (isDecimal && !(isUnsigned(type) && value < 0)) {
    appendByPrintf(out, conversion, "ll", (long long)value);
  } else {
    Conversion positive = conversion;
    if (isDecimal)
      positive.letter = 'u';
    appendByPrintf(out, positive, "ll", (unsigned long long)bits);
  }
}

static void appendConverted(std::string &out, Type type, const Value &value,
                            const Format &format) {
  const Conversion &conversion = format.first;
  if (type.isFloating())
    return appendFloating(out, conversion, value.re);
  if (type.isComplex()) {
    appendFloating(out, conversion, value.re);
    out += format.between;
    return appendFloating(out, format.second, value.im);
  }
  if (type == Type::String)
    return appendText(out, conversion, textOf(value));
  if (conversion.letter != 's')
    return appendInteger(out, conversion, type, value.integer);
  if (type == Type::Boolean)
    return appendText(out, conversion, value.integer ? "true" : "false");
  for (const sema::TypeEnumerator &named : type.info()->enumerators)
    if (named.value == value.integer)
      return appendText(out, conversion, named.name);
  appendText(out, conversion, std::to_string(value.integer));
}

void appendScalar(std::string &out, Type type, const Value &value,
                  const Format &format) {
  out += format.before;
  appendConverted(out, type, value, format);
  out += format.after;
}

} // namespace zpl::interpreter
