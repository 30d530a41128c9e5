//===- Format.cpp - Formats of values -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A format of the program never reaches printf. It is taken apart,
//
//     "x = %08.3lf%%\n"   ->   before "x = ", conversion f with flag 0, width 8
//                              and precision 3, after "%\n"
//
// and the conversion is held against the row of the type's kind in the table of
// language section 14. Length modifiers are skipped, as the type decides. A
// width or precision from an argument (`*`) has no argument to come from and is
// refused, and both are limited, so that a slip of a key asks for no gigabytes.
//
// Cost: once per write or read statement.
//
//===----------------------------------------------------------------------===//

#include "IO/Text/Format.h"

#include "Support/Digits.h"
#include "Support/Error.h"

#include <cstring>

namespace zrt {

namespace {

constexpr int MostDigits = 4; ///< of a width or precision

/// The conversions that fit a kind of type; "" if none does.
const char *conversionsOf(int32_t kind) {
  switch (static_cast<zrt_kind>(kind)) {
  case ZRT_BOOL:
  case ZRT_ENUM:
    return "sdiuxXo";
  case ZRT_CHAR:
  case ZRT_I8:
  case ZRT_U8:
  case ZRT_I16:
  case ZRT_U16:
  case ZRT_I32:
  case ZRT_U32:
  case ZRT_I64:
  case ZRT_U64:
    return "diuxXoc";
  case ZRT_F32:
  case ZRT_F64:
  case ZRT_F80:
  case ZRT_C32:
  case ZRT_C64:
  case ZRT_C80:
    return "fFeEgG";
  case ZRT_STR:
    return "s";
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    return "";
  }
  internalError(__FILE__, __LINE__, "kind of a written value");
}

bool isComplex(int32_t kind) {
  return kind == ZRT_C32 || kind == ZRT_C64 || kind == ZRT_C80;
}

/// The format as messages show it: in quotes, on one line.
std::string quoted(const char *text) {
  std::string result = "\"";
  for (; *text; ++text) {
    if (*text == '\n')
      result += "\\n";
    else if (*text == '\t')
      result += "\\t";
    else
      result += *text;
  }
  return result + "\"";
}

/// Reads the number at \p at; false if it has too many digits.
bool takeNumber(const char *&at, int &number) {
  int digits = 0;
  for (number = 0; isDigit(*at) && digits <= MostDigits; ++at, ++digits)
    number = number * 10 + (*at - '0');
  return digits <= MostDigits;
}

void takeFlags(const char *&at, Conversion &conversion) {
  for (;; ++at)
    switch (*at) {
    case '-':
      conversion.left = true;
      break;
    case '+':
      conversion.plus = true;
      break;
    case ' ':
      conversion.space = true;
      break;
    case '#':
      conversion.alternate = true;
      break;
    case '0':
      conversion.zero = true;
      break;
    default: // no flag
      return;
    }
}

/// Reads the conversion after a '%' and moves \p at after it. Returns what is
/// wrong with it, or null.
const char *takeConversion(const char *&at, Conversion &conversion) {
  takeFlags(at, conversion);
  if (!takeNumber(at, conversion.width))
    return "has a width of more than four digits";
  if (*at == '.') {
    ++at;
    if (!takeNumber(at, conversion.precision))
      return "has a precision of more than four digits";
  }
  if (*at == '*')
    return "takes a width or precision from an argument, which is not "
           "possible here";
  while (*at && std::strchr("hlLqjzt", *at))
    ++at;
  if (*at == 0)
    return "ends within a conversion";
  conversion.letter = *at++;
  return nullptr;
}

/// Takes \p text apart. Returns what is wrong with it, or null.
const char *takeFormat(const char *text, bool complex, Format &format) {
  std::string *literal = &format.before;
  for (const char *at = text; *at;) {
    if (at[0] != '%') {
      *literal += *at++;
      continue;
    }
    if (at[1] == '%') {
      *literal += '%';
      at += 2;
      continue;
    }
    if (literal == &format.after)
      return complex ? "has more than two conversions for one complex value"
                     : "has more than one conversion for one value";
    bool isSecond = literal == &format.between;
    Conversion &conversion = isSecond ? format.second : format.first;
    if (const char *reason = takeConversion(++at, conversion))
      return reason;
    literal = complex && !isSecond ? &format.between : &format.after;
  }
  if (!format.first.letter)
    return "has no conversion for the value";
  if (complex && !format.second.letter)
    return "has one conversion for a complex value, which needs two";
  return nullptr;
}

Format makeFormat(char letter, int width, int precision, const char *after) {
  Format format;
  format.first.letter = letter;
  format.first.width = width;
  format.first.precision = precision;
  format.after = after;
  return format;
}

Format makeComplexFormat() {
  Format format = makeFormat('f', 9, 4, "i");
  format.between = " + ";
  format.second = format.first;
  return format;
}

} // namespace

const zrt_type &leafType(const zrt_type &type) {
  const zrt_type *leaf = &type;
  while (leaf->kind == ZRT_ARRAY)
    leaf = leaf->element;
  return *leaf;
}

bool parseFormat(const char *text, const zrt_type &type, Format &format,
                 std::string &error) {
  const zrt_type &leaf = leafType(type);
  format = Format();
  if (const char *reason = takeFormat(text, isComplex(leaf.kind), format)) {
    error = "format " + quoted(text) + " " + reason;
    return false;
  }
  const char *fitting = conversionsOf(leaf.kind);
  if (std::strchr(fitting, format.first.letter) &&
      (!format.second.letter || std::strchr(fitting, format.second.letter)))
    return true;
  error = "format " + quoted(text) + " does not fit a value of type " +
          (leaf.name ? leaf.name : "(unnamed)");
  return false;
}

const Format &defaultFormat(int32_t kind, bool element) {
  static const Format Integer = makeFormat('d', 9, -1, " ");
  static const Format Small = makeFormat('d', 0, -1, " ");
  static const Format Character = makeFormat('c', 0, -1, "");
  static const Format Floating = makeFormat('f', 9, 4, " ");
  static const Format Complex = makeComplexFormat();
  static const Format Boolean = makeFormat('s', 0, -1, "");
  static const Format BooleanElement = makeFormat('s', 5, -1, " ");
  static const Format Word = makeFormat('s', 0, -1, " ");
  switch (static_cast<zrt_kind>(kind)) {
  case ZRT_BOOL:
    return element ? BooleanElement : Boolean;
  case ZRT_CHAR:
    return Character;
  case ZRT_I8:
  case ZRT_U8:
    return Small;
  case ZRT_I16:
  case ZRT_U16:
  case ZRT_I32:
  case ZRT_U32:
  case ZRT_I64:
  case ZRT_U64:
    return Integer;
  case ZRT_F32:
  case ZRT_F64:
  case ZRT_F80:
    return Floating;
  case ZRT_C32:
  case ZRT_C64:
  case ZRT_C80:
    return Complex;
  case ZRT_STR:
  case ZRT_ENUM:
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    return Word;
  }
  internalError(__FILE__, __LINE__, "kind of a written value");
}

bool hasText(const zrt_type &type, std::string &error) {
  const zrt_type &leaf = leafType(type);
  if (leaf.kind == ZRT_FILE || leaf.kind == ZRT_OPAQUE) {
    error = std::string("values of type ") + leaf.name + " have no text";
    return false;
  }
  if (leaf.kind == ZRT_RECORD || leaf.kind == ZRT_UNION)
    for (int32_t k = 0; k < leaf.count; ++k)
      if (!hasText(*leaf.fields[k].type, error))
        return false;
  return true;
}

} // namespace zrt
