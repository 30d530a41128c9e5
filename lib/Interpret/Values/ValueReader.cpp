//===- ValueReader.cpp - Scalars from text --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reverse of writing (language 14). Blanks before an item are skipped, but
// for a char; then the bytes of the item are looked at, converted and taken:
//
//     "12x"        no integer: a number ends where no letter follows, unless
//                  the format goes on with it
//     "%3d"        at most three bytes
//     "%d,"        a comma must follow; blanks in a format match any blanks
//
//===----------------------------------------------------------------------===//

#include "Values/ValueReader.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>
#include <cstdlib>

using namespace llvm;

namespace zpl::interpreter {

static bool isNamePart(int c) {
  return c >= 0 && (isAlnum(char(c)) || c == '_');
}

static int digitValue(int c) {
  return c >= 0 && isHexDigit(char(c)) ? int(hexDigitValue(char(c))) : 16;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string ValueReader::ahead(size_t length) {
  std::string text;
  for (size_t k = 0; k != length; ++k)
    text += char(file.peek(k));
  return text;
}

void ValueReader::fail(const std::string &expected) {
  size_t length = 0;
  while (file.peek(length) != File::End && !isBlank(file.peek(length)) &&
         length < 40)
    ++length;
  std::string found = length > 0                 ? "\"" + ahead(length) + "\""
                      : file.peek() == File::End ? "the end of the file"
                      : file.peek() == '\n'      ? "the end of the line"
                                                 : "a blank";
  report(file.place() + ": expected " + expected + ", found " + found);
  llvm_unreachable("a report ends the run");
}

void ValueReader::skipBlanks() {
  while (isBlank(file.peek()))
    file.skip();
}

void ValueReader::take(size_t bytes) {
  for (size_t k = 0; k != bytes; ++k)
    file.skip();
}

void ValueReader::match(StringRef text) {
  for (char wanted : text) {
    if (isBlank(wanted)) {
      skipBlanks();
    } else if (file.peek() != uint8_t(wanted)) {
      fail(std::string("\"") + wanted + "\"");
    } else {
      file.skip();
    }
  }
}

std::string ValueReader::name(size_t most) {
  size_t length = 0;
  while (length < most && isNamePart(file.peek(length)))
    ++length;
  return ahead(length);
}

size_t ValueReader::digits(size_t at, int base) {
  while (at < most && digitValue(file.peek(at)) < base)
    ++at;
  return at;
}

void ValueReader::checkEnd(size_t length, const std::string &expected) {
  int c = file.peek(length);
  bool isFormat = !after.empty() && c == uint8_t(after[0]);
  if (length != most && (isNamePart(c) || c == '.') && !isFormat)
    fail(expected);
}

//===----------------------------------------------------------------------===//
// Scalars
//===----------------------------------------------------------------------===//

Value ValueReader::readInteger(Type type, char letter) {
  bool isNegative = file.peek() == '-';
  size_t at = isNegative || file.peek() == '+';
  bool isHexadecimal = letter == 'x' || letter == 'X';
  int base = isHexadecimal ? 16 : letter == 'o' ? 8 : 10;
  if ((isHexadecimal || letter == 'i') && file.peek(at) == '0') {
    bool isMarked =
        (file.peek(at + 1) | 32) == 'x' && digitValue(file.peek(at + 2)) < 16;
    base = isMarked || isHexadecimal ? 16 : 8;
    at += isMarked ? 2 : 0;
  }
  size_t end = digits(at, base);
  if (end == at)
    fail(sema::text(type));
  checkEnd(end, sema::text(type));
  unsigned __int128 magnitude = 0;
  constexpr unsigned __int128 Large = (unsigned __int128)1 << 64;
  for (size_t k = at; k != end; ++k)
    magnitude = std::min(Large, magnitude * base + digitValue(file.peek(k)));
  int width = type == Type::Boolean ? 1 : scalarBits(type);
  unsigned __int128 greatest = ~uint64_t(0) >> (64 - width);
  bool isDecimal = letter == 'd' || letter == 'i';
  if (!isUnsigned(type) && (isDecimal || isNegative))
    greatest = greatest / 2 + isNegative;
  else if (isNegative)
    greatest = 0;
  if (magnitude > greatest)
    report(file.place() + ": " + ahead(end) + " does not fit " +
           sema::text(type));
  take(end);
  uint64_t bits = uint64_t(magnitude);
  return integerValue(wrapTo(type, isNegative ? 0 - bits : bits));
}

Value ValueReader::readName(Type type) {
  std::string word = name(most);
  if (type == Type::Boolean) {
    if (word != "true" && word != "false")
      fail("true or false");
    take(word.size());
    return integerValue(word == "true");
  }
  std::string names;
  for (const sema::TypeEnumerator &named : type.info()->enumerators) {
    names += (names.empty() ? "one of (" : ", ") + named.name;
    if (named.name != word)
      continue;
    take(word.size());
    return integerValue(named.value);
  }
  fail(names + ")");
}

Value ValueReader::readString() {
  std::string text;
  for (int c = file.peek(); text.size() < most; c = file.peek()) {
    bool ends = c == File::End || isBlank(c) || c == 0 ||
                (inRecord && (c == ',' || c == '}')) ||
                (!after.empty() && c == uint8_t(after[0]));
    if (ends)
      break;
    text += char(c);
    file.skip();
  }
  if (text.empty() && !inRecord)
    fail("string");
  Value value;
  value.text = intern(std::move(text));
  return value;
}

size_t ValueReader::floatingLength() {
  size_t sign = file.peek() == '-' || file.peek() == '+';
  for (StringRef word : {"infinity", "inf", "nan"}) {
    std::string found;
    while (found.size() < word.size() &&
           isNamePart(file.peek(sign + found.size())))
      found += char(file.peek(sign + found.size()) | 32);
    if (found == word && sign + word.size() <= most)
      return sign + word.size();
  }
  size_t at = digits(sign, 10), count = at - sign;
  if (at < most && file.peek(at) == '.') {
    size_t end = digits(at + 1, 10);
    count += end - at - 1;
    at = end;
  }
  if (count == 0)
    return 0;
  if (at < most && (file.peek(at) | 32) == 'e') {
    size_t exponent = at + 1;
    exponent += file.peek(exponent) == '-' || file.peek(exponent) == '+';
    size_t end = digits(exponent, 10);
    at = end > exponent ? end : at;
  }
  return at;
}

long double ValueReader::readFloating(Type type) {
  size_t length = floatingLength();
  if (length == 0)
    fail(sema::text(type));
  checkEnd(length, sema::text(type));
  std::string text = ahead(length);
  // In the type itself, so that it is rounded once.
  long double number = type == Type::Float ? std::strtof(text.c_str(), nullptr)
                       : type == Type::Double
                           ? std::strtod(text.c_str(), nullptr)
                           : std::strtold(text.c_str(), nullptr);
  if (std::isinf(number) && text.find_first_of("0123456789") != text.npos)
    report(file.place() + ": " + text + " does not fit " + sema::text(type));
  take(length);
  return number;
}

Value ValueReader::readComplex(Type type, const Format &format) {
  Type part = componentOf(type);
  std::string end = after;
  after = format.between;
  Value value;
  value.re = readFloating(part);
  after = end;
  skipBlanks();
  bool isMinus = format.between == " + " && file.peek() == '-';
  if (isMinus)
    file.skip();
  else
    match(format.between);
  skipBlanks();
  value.im = readFloating(part);
  if (isMinus)
    value.im = -value.im;
  return value;
}

Value ValueReader::readConverted(Type type, const Format &format) {
  char letter = format.first.letter;
  if (type.isFloating())
    return floatingValue(readFloating(type));
  if (type.isComplex())
    return readComplex(type, format);
  if (type == Type::String)
    return readString();
  if (letter == 's')
    return readName(type);
  if (letter != 'c')
    return readInteger(type, letter);
  if (file.peek() == File::End)
    fail(sema::text(type));
  Value value = integerValue(wrapTo(type, uint64_t(file.peek())));
  file.skip();
  return value;
}

Value ValueReader::read(Type type, const Format &format, bool isOwn) {
  int width = format.first.width;
  most = isOwn && width > 0 ? size_t(width) : std::string::npos;
  bool skips = format.first.letter != 'c';
  if (skips)
    skipBlanks();
  match(format.before);
  if (skips)
    skipBlanks();
  after = StringRef(format.after).rtrim(" \t\n\v\f\r").str();
  Value value = readConverted(type, format);
  match(after);
  return value;
}

} // namespace zpl::interpreter
