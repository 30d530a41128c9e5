//===- ValueReader.cpp - Text as values of all types ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reading is the reverse of writing: what ValueText prints, with the same
// format, is read back, however it is laid out in lines. For the input
//
//         42, 1.5 + -2i {x: 1, k: winter}
//
// `read("%d,": n, z, r)` finds an integer, a literal comma, a complex number
// and a record. An item is looked at without taking it: its length is found by
// the item's grammar, then the bytes up to there are converted and taken. So an
// error can show the whole word, and its column is that of the first byte.
//
// A number must end where it ends: `12x` is no integer, unless the format goes
// on with an x. Blanks in a format match any blanks, or none; those at its end
// match nothing, so that a person at a terminal need not type the next item
// before this one counts.
//
// The width of a conversion in the program's format is the most bytes that an
// item has, as for C's scanf; precision means nothing.
//
// Cost: about 50 ns for a double.
//
//===----------------------------------------------------------------------===//

#include "IO/Text/ValueReader.h"

#include "IO/Text/ValueText.h"
#include "Layout/Type.h"
#include "Support/Digits.h"
#include "Support/Error.h"

#include <charconv>
#include <cinttypes>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace zrt {

namespace {

constexpr size_t MostShown = 40; ///< bytes of a word in a message

bool isNamePart(int c) {
  return isDigit(c) || c == '_' || ('a' <= (c | 32) && (c | 32) <= 'z');
}

int digitValue(int c) {
  if (isDigit(c))
    return c - '0';
  int lower = c | 32;
  return 'a' <= lower && lower <= 'f' ? lower - 'a' + 10 : 16;
}

template <typename T> void store(void *address, T value) {
  std::memcpy(address, &value, sizeof(T));
}

bool isSignedKind(int32_t kind) {
  return kind == ZRT_I8 || kind == ZRT_I16 || kind == ZRT_I32 ||
         kind == ZRT_I64 || kind == ZRT_ENUM;
}

} // namespace

bool hasStrings(const zrt_type &type) {
  const zrt_type &leaf = leafType(type);
  if (leaf.kind == ZRT_RECORD || leaf.kind == ZRT_UNION)
    for (int32_t k = 0; k < leaf.count; ++k)
      if (hasStrings(*leaf.fields[k].type))
        return true;
  return leaf.kind == ZRT_STR;
}

// --- Messages ---------------------------------------------------------------

std::string ValueReader::textAhead(size_t length) {
  std::string text;
  for (size_t k = 0; k < length; ++k)
    text += static_cast<char>(input.peek(k));
  return text;
}

void ValueReader::fail(const std::string &expected) {
  std::string found;
  int c = input.peek();
  if (c == InputBuffer::End)
    found = "the end of the file";
  else if (isBlank(c))
    found = c == '\n' ? "the end of the line" : "a blank";
  else {
    size_t length = 0;
    while (length < MostShown && input.peek(length) != InputBuffer::End &&
           !isBlank(input.peek(length)))
      ++length;
    found = "\"" + textAhead(length) + "\"";
    for (char &byte : found)
      if (static_cast<unsigned char>(byte) < ' ')
        byte = '?';
  }
  fatal(input.loc, ErrorScope::Replicated,
        "%s, line %" PRId64 ", column %" PRId64 ": expected %s, found %s",
        name.c_str(), input.lineNumber(), input.column(), expected.c_str(),
        found.c_str());
}

void ValueReader::failRange(const zrt_type &type, size_t length) {
  fatal(input.loc, ErrorScope::Replicated,
        "%s, line %" PRId64 ", column %" PRId64 ": %s does not fit %s",
        name.c_str(), input.lineNumber(), input.column(),
        textAhead(std::min(length, MostShown)).c_str(), typeText(type).c_str());
}

// --- Words ------------------------------------------------------------------

/// Bytes that an item may have: the width that the program gave, if it did.
size_t ValueReader::mostOf(const Conversion &conversion) const {
  return isLimited && conversion.width > 0
             ? static_cast<size_t>(conversion.width)
             : std::string::npos;
}

void ValueReader::skip(size_t bytes) {
  for (size_t k = 0; k < bytes; ++k)
    input.skip();
}

void ValueReader::skipBlanks() {
  while (isBlank(input.peek()))
    input.skip();
}

void ValueReader::matchText(std::string_view text) {
  for (char wanted : text) {
    if (isBlank(static_cast<unsigned char>(wanted))) {
      blankBefore = true;
      continue;
    }
    if (blankBefore)
      skipBlanks();
    blankBefore = false;
    if (input.peek() != static_cast<unsigned char>(wanted))
      fail(std::string("\"") + wanted + "\"");
    input.skip();
  }
}

/// A word of \p length bytes must not go on, but with the format's next byte.
void ValueReader::checkEnd(size_t length, size_t most,
                           const std::string &expected) {
  if (length == most)
    return;
  int c = input.peek(length);
  bool byFormat =
      !after.empty() && c == static_cast<unsigned char>(after.front());
  if ((isNamePart(c) || c == '.') && !byFormat)
    fail(expected);
}

size_t ValueReader::scanDigits(size_t at, size_t most, int base) {
  while (at < most && digitValue(input.peek(at)) < base)
    ++at;
  return at;
}

size_t ValueReader::scanName(size_t most) {
  size_t at = 0;
  while (at < most && isNamePart(input.peek(at)))
    ++at;
  return at;
}

/// The length of the floating number ahead; 0 if there is none.
size_t ValueReader::scanFloating(size_t most) {
  size_t sign = input.peek() == '-' || input.peek() == '+';
  for (const char *word : {"infinity", "inf", "nan"}) {
    size_t k = 0;
    while (word[k] && (input.peek(sign + k) | 32) == word[k])
      ++k;
    if (!word[k] && sign + k <= most)
      return sign + k;
  }
  size_t at = scanDigits(sign, most, 10), digits = at - sign;
  if (at < most && input.peek(at) == '.') {
    size_t end = scanDigits(at + 1, most, 10);
    digits += end - at - 1;
    at = end;
  }
  if (digits == 0)
    return 0;
  if (at < most && (input.peek(at) | 32) == 'e') {
    size_t exponent = at + 1;
    exponent += input.peek(exponent) == '-' || input.peek(exponent) == '+';
    size_t end = scanDigits(exponent, most, 10);
    if (end > exponent)
      at = end;
  }
  return at;
}

// --- Scalars ----------------------------------------------------------------

void ValueReader::readInteger(const zrt_type &type, void *address,
                              const Conversion &conversion) {
  size_t most = mostOf(conversion), at = 0;
  bool negative = input.peek() == '-';
  at += negative || input.peek() == '+';
  bool hexadecimal = conversion.letter == 'x' || conversion.letter == 'X';
  int base = hexadecimal ? 16 : conversion.letter == 'o' ? 8 : 10;
  if ((hexadecimal || conversion.letter == 'i') && input.peek(at) == '0') {
    bool marked =
        (input.peek(at + 1) | 32) == 'x' && digitValue(input.peek(at + 2)) < 16;
    base = marked || hexadecimal ? 16 : 8;
    at += marked ? 2 : 0;
  }
  size_t end = scanDigits(at, most, base);
  if (end == at)
    fail(typeText(type));
  checkEnd(end, most, typeText(type));
  uint64_t magnitude = 0;
  bool fits = true;
  for (size_t k = at; k < end; ++k) {
    fits = fits && !__builtin_mul_overflow(
                       magnitude, static_cast<uint64_t>(base), &magnitude);
    fits =
        fits && !__builtin_add_overflow(
                    magnitude, static_cast<uint64_t>(digitValue(input.peek(k))),
                    &magnitude);
  }
  int width = type.kind == ZRT_BOOL ? 1 : static_cast<int>(type.size * 8);
  uint64_t all = ~uint64_t(0) >> (64 - width); // as printed by %x of any value
  uint64_t largest = all;
  bool decimal = conversion.letter == 'd' || conversion.letter == 'i';
  if (isSignedKind(type.kind) && (decimal || negative))
    largest = all / 2 + (negative ? 1 : 0);
  else if (negative)
    largest = 0;
  if (!fits || magnitude > largest)
    failRange(type, end);
  uint64_t value = negative ? 0 - magnitude : magnitude;
  std::memcpy(address, &value, static_cast<size_t>(type.size));
  skip(end);
}

void ValueReader::readName(const zrt_type &type, void *address,
                           const Conversion &conversion) {
  size_t length = scanName(mostOf(conversion));
  std::string word = textAhead(length);
  if (type.kind == ZRT_BOOL) {
    if (word != "true" && word != "false")
      fail("true or false");
    store<uint8_t>(address, word == "true");
  } else {
    const zrt_enumerator *found = findEnumerator(type, word);
    if (!found)
      fail("one of " + typeDefinition(type));
    store<int32_t>(address, static_cast<int32_t>(found->value));
  }
  skip(length);
}

void ValueReader::readString(void *address, const Conversion &conversion) {
  size_t most = mostOf(conversion);
  std::string text;
  while (text.size() < most) {
    int c = input.peek();
    bool ends = c == InputBuffer::End || isBlank(c) || c == 0 ||
                (inRecord && (c == ',' || c == '}')) ||
                (!after.empty() && c == static_cast<unsigned char>(after[0]));
    if (ends)
      break;
    text += static_cast<char>(c);
    input.skip();
  }
  if (text.empty() && !inRecord)
    fail("string");
  strings.push_back({std::move(text), address});
}

template <typename T>
T ValueReader::readFloating(const zrt_type &type,
                            const Conversion &conversion) {
  size_t most = mostOf(conversion), length = scanFloating(most);
  if (length == 0)
    fail(type.name);
  checkEnd(length, most, type.name);
  char small[64];
  std::string large;
  char *text = small;
  if (length >= sizeof small) {
    large.resize(length + 1);
    text = large.data();
  }
  for (size_t k = 0; k < length; ++k)
    text[k] = static_cast<char>(input.peek(k));
  text[length] = 0;
  T value = 0;
  const char *digits = text + (*text == '+');
  auto result = std::from_chars(digits, text + length, value);
  if (result.ec == std::errc::result_out_of_range) {
    // Too small is rounded, as everywhere; too large is an error.
    value = static_cast<T>(std::strtold(digits, nullptr));
    if (std::isinf(value))
      failRange(type, length);
  }
  skip(length);
  return value;
}

template <typename T>
void ValueReader::readComplex(const zrt_type &type, void *address,
                              const Format &format) {
  std::string_view end = after;
  after = format.between;
  T real = readFloating<T>(type, format.first);
  after = end;
  // `1 - 2i`, as a person writes it, is taken for the default `1 + -2i`.
  skipBlanks();
  bool minus = format.between == " + " && input.peek() == '-';
  if (minus)
    input.skip();
  else
    matchText(format.between);
  skipBlanks();
  blankBefore = false;
  T imaginary = readFloating<T>(type, format.second);
  store<T>(address, real);
  store<T>(static_cast<char *>(address) + sizeof(T),
           minus ? -imaginary : imaginary);
}

void ValueReader::readConverted(const zrt_type &type, void *address,
                                const Format &format) {
  const Conversion &conversion = format.first;
  if (conversion.letter != 'c' || blankBefore)
    skipBlanks();
  blankBefore = false;
  switch (kindOf(type)) {
  case ZRT_BOOL:
  case ZRT_ENUM:
    if (conversion.letter == 's')
      return readName(type, address, conversion);
    return readInteger(type, address, conversion);
  case ZRT_CHAR:
  case ZRT_I8:
  case ZRT_U8:
  case ZRT_I16:
  case ZRT_U16:
  case ZRT_I32:
  case ZRT_U32:
  case ZRT_I64:
  case ZRT_U64: {
    if (conversion.letter != 'c')
      return readInteger(type, address, conversion);
    int c = input.peek();
    if (c == InputBuffer::End)
      fail(type.name);
    int64_t value = c;
    std::memcpy(address, &value, static_cast<size_t>(type.size));
    return input.skip();
  }
  case ZRT_F32:
    return store(address, readFloating<float>(type, conversion));
  case ZRT_F64:
    return store(address, readFloating<double>(type, conversion));
  case ZRT_F80:
    return store(address, readFloating<long double>(type, conversion));
  case ZRT_C32:
    return readComplex<float>(type, address, format);
  case ZRT_C64:
    return readComplex<double>(type, address, format);
  case ZRT_C80:
    return readComplex<long double>(type, address, format);
  case ZRT_STR:
    return readString(address, conversion);
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    break;
  }
  internalError(__FILE__, __LINE__, "kind of a value to read");
}

// --- Values made of others --------------------------------------------------

void ValueReader::readField(const zrt_field &field, void *record) {
  matchText(" :");
  if (field.type->kind == ZRT_CHAR && input.peek() == ' ')
    input.skip(); // the blank that was written before the byte
  read(*field.type, static_cast<char *>(record) + field.offset, nullptr);
}

void ValueReader::readFields(const zrt_type &type, void *address) {
  matchText(" {");
  for (int32_t k = 0; k < type.count; ++k) {
    matchText(k > 0 ? " , " : " ");
    skipBlanks();
    size_t length = scanName(std::string::npos);
    const zrt_field *field = findField(type, textAhead(length));
    if (type.kind == ZRT_RECORD ? field != &type.fields[k] : !field)
      fail(type.kind == ZRT_RECORD ? std::string(type.fields[k].name)
                                   : "a field of " + typeText(type));
    skip(length);
    readField(*field, address);
    skipBlanks();
    if (type.kind == ZRT_UNION && input.peek() == '}')
      break; // one of its fields is enough
  }
  matchText(" }");
}

void ValueReader::read(const zrt_type &type, void *address,
                       const Format *format) {
  if (type.kind == ZRT_RECORD || type.kind == ZRT_UNION) {
    bool outer = inRecord;
    inRecord = true;
    readFields(type, address);
    inRecord = outer;
    return;
  }
  if (type.kind == ZRT_ARRAY) {
    const zrt_type &inner = *type.element;
    int64_t count = elementCount(type);
    for (int64_t k = 0; k < count; ++k)
      read(inner, static_cast<char *>(address) + k * inner.size, format);
    return;
  }
  const Format &chosen = format ? *format : defaultFormat(type.kind, false);
  isLimited = format != nullptr;
  blankBefore = chosen.first.letter != 'c';
  matchText(chosen.before);
  std::string_view literal = chosen.after;
  size_t last = literal.find_last_not_of(" \t\n\v\f\r");
  literal = literal.substr(0, last == literal.npos ? 0 : last + 1);
  after = literal;
  readConverted(type, address, chosen);
  after = {};
  matchText(literal);
}

} // namespace zrt
