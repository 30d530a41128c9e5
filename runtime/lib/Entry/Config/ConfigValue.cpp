//===- ConfigValue.cpp - Values of config variables -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the words of a command line to typed values: `-sn=0x10` sets the integer
// n to 16. Each type reads the whole word or refuses it, with a message that
// shows the variable, its type and the word:
//
//     config variable 'n' has type integer: '12x' is not an integer literal
//
//===----------------------------------------------------------------------===//

#include "Entry/Config/ConfigValue.h"

#include "Entry/Config/ConfigWords.h"
#include "Layout/Type.h"
#include "Support/Digits.h"
#include "Support/Error.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace zrt {

namespace {

enum class Outcome { Good, Malformed, TooLarge };

/// Takes an optional sign; true if it was a minus.
bool takeSign(const char *&at) {
  if (*at == '-' || *at == '+')
    return *at++ == '-';
  return false;
}

template <typename T> Outcome readInteger(const std::string &text, T &value) {
  const char *at = text.c_str(), *end = at + text.size();
  bool negative = takeSign(at);
  int base = 10;
  if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
    base = 16;
    at += 2;
  }
  uint64_t magnitude = 0;
  auto [stop, status] = std::from_chars(at, end, magnitude, base);
  if (status == std::errc::invalid_argument || stop != end)
    return Outcome::Malformed;
  uint64_t most = static_cast<uint64_t>(std::numeric_limits<T>::max());
  if (negative)
    most = std::numeric_limits<T>::is_signed ? most + 1 : 0;
  if (status != std::errc() || magnitude > most)
    return Outcome::TooLarge;
  value = static_cast<T>(negative ? 0 - magnitude : magnitude);
  return Outcome::Good;
}

template <typename T> Outcome readFloating(const std::string &text, T &value) {
  const char *at = text.c_str(), *end = at + text.size();
  bool negative = takeSign(at);
  if (!isDigit(*at) && !(*at == '.' && isDigit(at[1])))
    return Outcome::Malformed; // among others inf and nan
  auto [stop, status] = std::from_chars(at, end, value);
  if (stop != end)
    return Outcome::Malformed;
  if (status == std::errc::result_out_of_range) {
    long double wide = std::strtold(at, nullptr);
    if (wide > 1)
      return Outcome::TooLarge;
    value = static_cast<T>(wide); // Too small is as good as zero.
  }
  if (negative)
    value = -value;
  return Outcome::Good;
}

/// Where the imaginary part of `1e-5-2e+3i` starts: at the last sign that is
/// not that of an exponent; 0 if there is no real part.
size_t startOfImaginary(const std::string &text) {
  for (size_t k = text.size() - 1; k > 0; --k)
    if ((text[k] == '+' || text[k] == '-') && (text[k - 1] | 0x20) != 'e')
      return k;
  return 0;
}

template <typename T>
Outcome readPair(const std::string &real, const std::string &imaginary,
                 T *value) {
  Outcome first = readFloating(trimmed(real), value[0]);
  Outcome second = readFloating(trimmed(imaginary), value[1]);
  return first == Outcome::Good || second == Outcome::Malformed ? second
                                                                : first;
}

/// Reads two values: the real and the imaginary part.
template <typename T> Outcome readComplex(const std::string &text, T *value) {
  size_t comma = text.find(',');
  if (text.size() > 2 && text.front() == '(' && text.back() == ')' &&
      comma != text.npos)
    return readPair(text.substr(1, comma - 1),
                    text.substr(comma + 1, text.size() - comma - 2), value);
  if (text.size() < 2 || text.back() != 'i') {
    value[1] = 0;
    return readFloating(text, value[0]);
  }
  std::string digits = text.substr(0, text.size() - 1);
  size_t start = startOfImaginary(digits);
  std::string imaginary = digits.substr(start);
  // `1 - 2i` may have a blank after the sign.
  if (start > 0)
    imaginary = imaginary[0] + trimmed(imaginary.substr(1));
  return readPair(start > 0 ? digits.substr(0, start) : "0", imaginary, value);
}

Outcome readBoolean(const std::string &text, uint8_t &value) {
  if (text != "true" && text != "false")
    return Outcome::Malformed;
  value = text == "true";
  return Outcome::Good;
}

Outcome readCharacter(const std::string &text, char &value) {
  std::string_view rest = text;
  if (rest.size() > 2 && rest.front() == '\'' && rest.back() == '\'')
    rest = rest.substr(1, rest.size() - 2);
  if (rest.size() == 1) {
    value = rest[0];
    return Outcome::Good;
  }
  return takeEscape(rest, value) && rest.empty() ? Outcome::Good
                                                 : Outcome::Malformed;
}

/// Reads with \p read into a T, or into the two of a complex value, and puts
/// it into the bytes of \p value.
template <typename T, typename Read>
Outcome store(Read read, const std::string &text, ConfigValue &value,
              int parts = 1) {
  T number[2] = {};
  Outcome outcome = read(text, number);
  static_assert(sizeof number <= sizeof value.bytes);
  if (outcome == Outcome::Good)
    std::memcpy(value.bytes, number, parts * sizeof(T));
  return outcome;
}

template <typename T>
Outcome storeInteger(const std::string &text, ConfigValue &value) {
  return store<T>(
      [](const std::string &text, T *to) { return readInteger(text, *to); },
      text, value);
}

template <typename T>
Outcome storeFloating(const std::string &text, ConfigValue &value) {
  return store<T>(
      [](const std::string &text, T *to) { return readFloating(text, *to); },
      text, value);
}

template <typename T>
Outcome storeComplex(const std::string &text, ConfigValue &value) {
  return store<T>(
      [](const std::string &text, T *to) { return readComplex(text, to); },
      text, value, 2);
}

Outcome storeEnumerator(const zrt_type &type, const std::string &text,
                        ConfigValue &value) {
  const zrt_enumerator *found = findEnumerator(type, text);
  if (!found)
    return Outcome::Malformed;
  int32_t number = static_cast<int32_t>(found->value);
  std::memcpy(value.bytes, &number, sizeof number);
  return Outcome::Good;
}

Outcome storeTyped(const zrt_type &type, const std::string &text,
                   ConfigValue &value) {
  switch (kindOf(type)) {
  case ZRT_BOOL:
    return store<uint8_t>([](const std::string &text,
                             uint8_t *to) { return readBoolean(text, *to); },
                          text, value);
  case ZRT_CHAR:
    return store<char>([](const std::string &text,
                          char *to) { return readCharacter(text, *to); },
                       text, value);
  case ZRT_I8:
    return storeInteger<int8_t>(text, value);
  case ZRT_U8:
    return storeInteger<uint8_t>(text, value);
  case ZRT_I16:
    return storeInteger<int16_t>(text, value);
  case ZRT_U16:
    return storeInteger<uint16_t>(text, value);
  case ZRT_I32:
    return storeInteger<int32_t>(text, value);
  case ZRT_U32:
    return storeInteger<uint32_t>(text, value);
  case ZRT_I64:
    return storeInteger<int64_t>(text, value);
  case ZRT_U64:
    return storeInteger<uint64_t>(text, value);
  case ZRT_F32:
    return storeFloating<float>(text, value);
  case ZRT_F64:
    return storeFloating<double>(text, value);
  case ZRT_F80:
    return storeFloating<long double>(text, value);
  case ZRT_C32:
    return storeComplex<float>(text, value);
  case ZRT_C64:
    return storeComplex<double>(text, value);
  case ZRT_C80:
    return storeComplex<long double>(text, value);
  case ZRT_STR:
    value.text = text;
    return Outcome::Good;
  case ZRT_ENUM:
    return storeEnumerator(type, text, value);
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    break;
  }
  internalError(__FILE__, __LINE__, "type of a config value");
}

/// What a value of \p type looks like, after "is not ".
std::string expectation(const zrt_type &type) {
  std::string name = typeText(type);
  if (type.kind == ZRT_ENUM)
    return "one of " + typeDefinition(type);
  std::string text = (type.kind == ZRT_I32 ? "an " : "a ") + name + " literal";
  if (type.kind == ZRT_BOOL)
    return text + " (true or false)";
  if (ZRT_C32 <= type.kind && type.kind <= ZRT_C80)
    return text + " (such as 1.5+2i)";
  return text;
}

} // namespace

bool readIndex(const std::string &text, int64_t &value) {
  return readInteger(text, value) == Outcome::Good;
}

bool readConfigValue(const zrt_type &type, const std::string &name,
                     const std::string &text, ConfigValue &value,
                     std::string &error) {
  Outcome outcome = storeTyped(type, text, value);
  if (outcome == Outcome::Good)
    return true;
  error = "config variable '" + name + "' has type " + typeText(type) + ": '" +
          text + "' ";
  error += outcome == Outcome::TooLarge ? "does not fit"
                                        : "is not " + expectation(type);
  return false;
}

} // namespace zrt
