//===- Format.cpp - Formats of values -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A format of the program never reaches printf. It is taken apart,
//
//     "x = %08.3lf%%\n"   ->   before "x = ", conversion f with flags 0, width
//                              8 and precision 3, after "%\n"
//
// the conversion is held against the type's row in the table of language
// section 14, and a specification is put together from the parts: "%08.3f".
// Length modifiers are skipped, as the type decides. A width or precision from
// an argument (`*`) has no argument to come from and is refused, and both are
// limited, since printf must not be asked for gigabytes by a slip of a key.
//
// Cost: parsing once per write statement, printf once per element.
//
//===----------------------------------------------------------------------===//

#include "IO/Format.h"

#include "Support/Error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace zrt {

namespace {

constexpr int MostDigits = 4; ///< of a width or precision

/// A type's name, and the conversions that fit it.
struct TypeRow {
  const char *name;
  const char *conversions;
};

TypeRow rowOf(int32_t type) {
  switch (static_cast<zrt_type>(type)) {
  case ZRT_BOOL:
    return {"boolean", "sdiuxXo"};
  case ZRT_I32:
    return {"integer", "diuxXoc"};
  case ZRT_I64:
    return {"longint", "diuxXoc"};
  case ZRT_F32:
    return {"float", "fFeEgG"};
  case ZRT_F64:
    return {"double", "fFeEgG"};
  case ZRT_STR:
    return {"string", "s"};
  }
  internalError(__FILE__, __LINE__, "type of a written value");
}

bool isDigit(char c) { return '0' <= c && c <= '9'; }

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

/// Takes the digits at \p at into \p spec; false if there are too many.
bool takeDigits(const char *&at, std::string &spec) {
  int digits = 0;
  for (; isDigit(*at); ++at, ++digits)
    spec += *at;
  return digits <= MostDigits;
}

/// Reads the conversion after a '%' and moves \p at behind it. Returns what is
/// wrong with it, or null.
const char *takeConversion(const char *&at, Format &format) {
  std::string spec = "%";
  for (; *at && std::strchr("-+ #0", *at); ++at)
    if (spec.find(*at) == std::string::npos)
      spec += *at;
  if (!takeDigits(at, spec))
    return "has a width of more than four digits";
  if (*at == '.') {
    spec += *at++;
    if (!takeDigits(at, spec))
      return "has a precision of more than four digits";
  }
  if (*at == '*')
    return "takes a width or precision from an argument, which is not "
           "possible here";
  while (*at && std::strchr("hlLqjzt", *at))
    ++at;
  if (*at == 0)
    return "ends within a conversion";
  format.conversion = *at++;
  if (std::strchr("diuxXo", format.conversion))
    spec += "ll";
  format.spec = spec + format.conversion;
  return nullptr;
}

} // namespace

bool parseFormat(const char *text, int32_t type, Format &format,
                 std::string &error) {
  format = Format();
  auto fail = [&](const std::string &reason) {
    error = "format " + quoted(text) + " " + reason;
    return false;
  };
  for (const char *at = text; *at;) {
    std::string &literal = format.conversion ? format.after : format.before;
    if (at[0] != '%') {
      literal += *at++;
    } else if (at[1] == '%') {
      literal += '%';
      at += 2;
    } else if (format.conversion) {
      return fail("has more than one conversion for one value");
    } else if (const char *reason = takeConversion(++at, format)) {
      return fail(reason);
    }
  }
  if (!format.conversion)
    return fail("has no conversion for the value");
  TypeRow row = rowOf(type);
  if (!std::strchr(row.conversions, format.conversion))
    return fail(std::string("does not fit a value of type ") + row.name);
  return true;
}

const Format &defaultFormat(int32_t type, bool element) {
  static const Format Integer{"", " ", "%9lld", 'd'};
  static const Format Floating{"", " ", "%9.4f", 'f'};
  static const Format Boolean{"", "", "%s", 's'};
  static const Format BooleanElement{"", " ", "%5s", 's'};
  static const Format String{"", " ", "%s", 's'};
  switch (static_cast<zrt_type>(type)) {
  case ZRT_BOOL:
    return element ? BooleanElement : Boolean;
  case ZRT_I32:
  case ZRT_I64:
    return Integer;
  case ZRT_F32:
  case ZRT_F64:
    return Floating;
  case ZRT_STR:
    return String;
  }
  internalError(__FILE__, __LINE__, "type of a written value");
}

/// Appends the text of one value, between the literal texts.
template <typename T>
static void append(std::string &out, const Format &format, T value) {
  out += format.before;
  char small[128];
  int length = std::snprintf(small, sizeof small, format.spec.c_str(), value);
  if (length < static_cast<int>(sizeof small)) {
    out.append(small, static_cast<size_t>(std::max(length, 0)));
  } else {
    size_t start = out.size();
    out.resize(start + static_cast<size_t>(length) + 1);
    std::snprintf(out.data() + start, static_cast<size_t>(length) + 1,
                  format.spec.c_str(), value);
    out.pop_back(); // the terminating zero
  }
  out += format.after;
}

void appendInteger(std::string &out, const Format &format, int64_t value,
                   int32_t bits) {
  switch (format.conversion) {
  case 'c':
    return append(out, format, static_cast<int>(value));
  case 'd':
  case 'i':
    return append(out, format, static_cast<long long>(value));
  }
  append(out, format,
         bits == 32
             ? static_cast<unsigned long long>(static_cast<uint32_t>(value))
             : static_cast<unsigned long long>(value));
}

void appendFloat(std::string &out, const Format &format, double value) {
  // The sign of a NaN depends on who computed it, a compiler or a processor.
  append(out, format, std::isnan(value) ? std::fabs(value) : value);
}

void appendBoolean(std::string &out, const Format &format, bool value) {
  if (format.conversion == 's')
    append(out, format, value ? "true" : "false");
  else
    appendInteger(out, format, value, 32);
}

void appendString(std::string &out, const Format &format, const char *value) {
  append(out, format, value);
}

template <typename T> static T load(const char *address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  return value;
}

void appendElement(std::string &out, const Format &format, int32_t type,
                   const char *address) {
  switch (static_cast<zrt_type>(type)) {
  case ZRT_BOOL:
    return appendBoolean(out, format, *address != 0);
  case ZRT_I32:
    return appendInteger(out, format, load<int32_t>(address), 32);
  case ZRT_I64:
    return appendInteger(out, format, load<int64_t>(address), 64);
  case ZRT_F32:
    return appendFloat(out, format, load<float>(address));
  case ZRT_F64:
    return appendFloat(out, format, load<double>(address));
  case ZRT_STR:
    break;
  }
  internalError(__FILE__, __LINE__, "type of an array element");
}

} // namespace zrt
