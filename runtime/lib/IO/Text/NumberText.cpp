//===- NumberText.cpp - Numbers as text -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Byte for byte what C's printf prints, several times faster. Each conversion
// gives a sign or prefix and digits, which are then put into the width:
//
//     %+08.3f of 3.14159     "+", "3.142"     ->     +003.142
//
// %f of a double, the common case, is exact integer arithmetic. The double is
// m * 2^-s with m < 2^53; printed with p digits it is the integer nearest to
// m * 10^p / 2^s, of two equally near the even one. For p <= 15 the product
// fits 128 bits, so the quotient and the remainder that decides the rounding
// are a shift and a mask. Where the quotient needs more than 64 bits, and for
// %e and %g, the C++ library's exact conversion is used; printf itself for long
// double and the rare flag '#'.
//
// Cost: 10 to 20 ns for %9.4f, where printf takes ten times that.
//
//===----------------------------------------------------------------------===//

#include "IO/Text/NumberText.h"

#include "Support/Error.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace zrt {

namespace {

constexpr int MostFastDigits = 15; ///< of a fraction: 10^15 < 2^50
constexpr uint64_t PowersOfTen[MostFastDigits + 1] = {1,
                                                      10,
                                                      100,
                                                      1000,
                                                      10000,
                                                      100000,
                                                      1000000,
                                                      10000000,
                                                      100000000,
                                                      1000000000,
                                                      10000000000,
                                                      100000000000,
                                                      1000000000000,
                                                      10000000000000,
                                                      100000000000000,
                                                      1000000000000000};

/// "00" to "99", one after the other.
struct DigitPairs {
  char text[200];
  constexpr DigitPairs() : text() {
    for (int k = 0; k < 100; ++k) {
      text[2 * k] = static_cast<char>('0' + k / 10);
      text[2 * k + 1] = static_cast<char>('0' + k % 10);
    }
  }
};
constexpr DigitPairs Pairs;

/// Writes the decimal digits of \p value before \p end, at least one.
char *digitsBefore(char *end, uint64_t value) {
  while (value >= 100) {
    end -= 2;
    std::memcpy(end, Pairs.text + value % 100 * 2, 2);
    value /= 100;
  }
  if (value >= 10) {
    end -= 2;
    std::memcpy(end, Pairs.text + value * 2, 2);
    return end;
  }
  *--end = static_cast<char>('0' + value);
  return end;
}

/// Puts \p prefix and \p digits into the width. \p zeros: the flag 0 counts.
void appendPadded(std::string &out, const Conversion &conversion,
                  std::string_view prefix, std::string_view digits,
                  bool zeros) {
  size_t length = prefix.size() + digits.size();
  size_t width = static_cast<size_t>(conversion.width);
  size_t missing = width > length ? width - length : 0;
  bool inner = conversion.zero && zeros && !conversion.left;
  if (!conversion.left && !inner)
    out.append(missing, ' ');
  out.append(prefix);
  if (inner)
    out.append(missing, '0');
  out.append(digits);
  if (conversion.left)
    out.append(missing, ' ');
}

std::string_view signOf(const Conversion &conversion, bool negative) {
  if (negative)
    return "-";
  return conversion.plus ? "+" : conversion.space ? " " : "";
}

/// \p value at least 0, finite, rounded to \p precision digits, before \p end;
/// null if it is too large for this way.
char *fixedBefore(char *end, double value, int precision) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  int exponent = static_cast<int>(bits >> 52);
  uint64_t mantissa = bits & ((uint64_t(1) << 52) - 1);
  if (exponent == 0)
    exponent = 1;
  else
    mantissa |= uint64_t(1) << 52;
  int shift = 1075 - exponent; // value = mantissa / 2^shift
  if (shift <= 0)
    return nullptr;
  using Wide = unsigned __int128;
  Wide scaled = Wide(mantissa) * PowersOfTen[precision];
  uint64_t quotient = 0; // a shift of 128 or more leaves less than a half
  if (shift < 128) {
    Wide wide = scaled >> shift, half = Wide(1) << (shift - 1);
    Wide rest = scaled & ((half << 1) - 1);
    if (rest > half || (rest == half && (wide & 1)))
      ++wide;
    if (wide >> 64)
      return nullptr;
    quotient = static_cast<uint64_t>(wide);
  }
  char digits[24];
  char *digitsEnd = digits + sizeof digits;
  char *first = digitsBefore(digitsEnd, quotient);
  while (digitsEnd - first <= precision)
    *--first = '0';
  if (precision > 0) {
    end -= precision;
    std::memcpy(end, digitsEnd - precision, static_cast<size_t>(precision));
    *--end = '.';
  }
  size_t whole = static_cast<size_t>(digitsEnd - first - precision);
  end -= whole;
  std::memcpy(end, first, whole);
  return end;
}

std::chars_format notation(char letter) {
  switch (letter) {
  case 'e':
  case 'E':
    return std::chars_format::scientific;
  case 'g':
  case 'G':
    return std::chars_format::general;
  default: // f, F
    return std::chars_format::fixed;
  }
}

void upperCase(char *text, size_t length) {
  for (size_t k = 0; k < length; ++k)
    if ('a' <= text[k] && text[k] <= 'z')
      text[k] = static_cast<char>(text[k] - 'a' + 'A');
}

bool isUpper(char letter) { return 'A' <= letter && letter <= 'Z'; }

/// By the C library; the specification is put together from checked parts.
template <typename T>
void appendByPrintf(std::string &out, const Conversion &conversion, T value) {
  std::string spec = "%";
  spec += conversion.left ? "-" : "";
  spec += conversion.plus ? "+" : "";
  spec += conversion.space ? " " : "";
  spec += conversion.alternate ? "#" : "";
  spec += conversion.zero ? "0" : "";
  spec += "*.*";
  spec += sizeof(T) > sizeof(double) ? "L" : "";
  spec += conversion.letter;
  char small[128];
  int length = std::snprintf(small, sizeof small, spec.c_str(),
                             conversion.width, conversion.precision, value);
  if (length < static_cast<int>(sizeof small)) {
    out.append(small, static_cast<size_t>(std::max(length, 0)));
    return;
  }
  size_t start = out.size();
  out.resize(start + static_cast<size_t>(length) + 1);
  std::snprintf(out.data() + start, static_cast<size_t>(length) + 1,
                spec.c_str(), conversion.width, conversion.precision, value);
  out.pop_back(); // the terminating zero
}

/// By the C++ library; \p value is at least 0 and finite.
void appendByLibrary(std::string &out, const Conversion &conversion,
                     std::string_view sign, double value) {
  int precision = conversion.precision < 0 ? 6 : conversion.precision;
  char small[512];
  std::string large;
  char *begin = small;
  size_t room = sizeof small;
  if (precision > 128) { // 309 digits before the point, or an exponent
    large.resize(static_cast<size_t>(precision) + 400);
    begin = large.data();
    room = large.size();
  }
  char *end = std::to_chars(begin, begin + room, value,
                            notation(conversion.letter), precision)
                  .ptr;
  size_t length = static_cast<size_t>(end - begin);
  if (isUpper(conversion.letter))
    upperCase(begin, length);
  appendPadded(out, conversion, sign, {begin, length}, true);
}

} // namespace

template <typename T> static IntegerValue integerAt(const void *address) {
  T value;
  std::memcpy(&value, address, sizeof(T));
  constexpr bool Signed = static_cast<T>(-1) < static_cast<T>(0);
  bool negative = Signed && value < static_cast<T>(0);
  uint64_t wide = static_cast<int64_t>(value); // With its sign.
  return {negative ? 0 - wide : wide, negative, Signed,
          static_cast<std::make_unsigned_t<T>>(value)};
}

IntegerValue loadInteger(int32_t kind, const void *address) {
  switch (static_cast<zrt_kind>(kind)) {
  case ZRT_BOOL: {
    uint64_t value = *static_cast<const uint8_t *>(address) != 0;
    return {value, false, false, value};
  }
  case ZRT_CHAR:
  case ZRT_U8:
    return integerAt<uint8_t>(address);
  case ZRT_I8:
    return integerAt<int8_t>(address);
  case ZRT_I16:
    return integerAt<int16_t>(address);
  case ZRT_U16:
    return integerAt<uint16_t>(address);
  case ZRT_I32:
  case ZRT_ENUM:
    return integerAt<int32_t>(address);
  case ZRT_U32:
    return integerAt<uint32_t>(address);
  case ZRT_I64:
    return integerAt<int64_t>(address);
  case ZRT_U64:
    return integerAt<uint64_t>(address);
  case ZRT_F32:
  case ZRT_F64:
  case ZRT_F80:
  case ZRT_C32:
  case ZRT_C64:
  case ZRT_C80:
  case ZRT_STR:
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    break;
  }
  internalError(__FILE__, __LINE__, "kind of an integer");
}

/// Digits of \p value in the conversion's base, before \p end.
static char *integerDigits(char *end, char letter, uint64_t value) {
  if (letter == 'd' || letter == 'i' || letter == 'u')
    return digitsBefore(end, value);
  const char *digits = letter == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  int shift = letter == 'o' ? 3 : 4;
  do {
    *--end = digits[value & ((1u << shift) - 1)];
    value >>= shift;
  } while (value != 0);
  return end;
}

void appendInteger(std::string &out, const Conversion &conversion,
                   const IntegerValue &value) {
  char letter = conversion.letter;
  if (letter == 'c') {
    char code = static_cast<char>(value.bits);
    return appendPadded(out, conversion, "", {&code, 1}, false);
  }
  bool decimal = letter == 'd' || letter == 'i';
  uint64_t number = decimal ? value.magnitude : value.bits;
  char small[32];
  char *end = small + sizeof small;
  char *begin = integerDigits(end, letter, number);
  std::string_view digits(begin, static_cast<size_t>(end - begin));
  std::string_view prefix =
      decimal ? signOf(conversion, value.negative) : std::string_view();
  if (conversion.alternate && number != 0 && (letter == 'x' || letter == 'X'))
    prefix = letter == 'x' ? "0x" : "0X";
  if (conversion.alternate && number != 0 && letter == 'o' &&
      conversion.precision <= static_cast<int>(digits.size())) {
    *--begin = '0';
    digits = {begin, static_cast<size_t>(end - begin)};
  }
  if (conversion.precision < 0)
    return appendPadded(out, conversion, prefix, digits, true);
  size_t least = static_cast<size_t>(conversion.precision);
  if (number == 0 && least == 0 && !(letter == 'o' && conversion.alternate))
    digits = {};
  std::string filled(least > digits.size() ? least - digits.size() : 0, '0');
  filled += digits;
  appendPadded(out, conversion, prefix, filled, false);
}

void appendFloating(std::string &out, const Conversion &conversion,
                    double value) {
  bool negative = std::signbit(value) && !std::isnan(value);
  std::string_view sign = signOf(conversion, negative);
  double magnitude = std::fabs(value);
  if (!std::isfinite(magnitude)) {
    bool upper = isUpper(conversion.letter);
    std::string_view text = std::isnan(magnitude) ? upper ? "NAN" : "nan"
                            : upper               ? "INF"
                                                  : "inf";
    return appendPadded(out, conversion, sign, text, false);
  }
  if (conversion.alternate)
    return appendByPrintf(out, conversion, value);
  int precision = conversion.precision < 0 ? 6 : conversion.precision;
  if ((conversion.letter == 'f' || conversion.letter == 'F') &&
      precision <= MostFastDigits) {
    char small[64];
    char *end = small + sizeof small;
    if (char *begin = fixedBefore(end, magnitude, precision))
      return appendPadded(out, conversion, sign,
                          {begin, static_cast<size_t>(end - begin)}, true);
  }
  appendByLibrary(out, conversion, sign, magnitude);
}

void appendFloating(std::string &out, const Conversion &conversion,
                    long double value) {
  appendByPrintf(out, conversion, std::isnan(value) ? std::fabs(value) : value);
}

void appendText(std::string &out, const Conversion &conversion,
                std::string_view text) {
  if (conversion.precision >= 0)
    text = text.substr(0, static_cast<size_t>(conversion.precision));
  appendPadded(out, conversion, "", text, false);
}

} // namespace zrt
