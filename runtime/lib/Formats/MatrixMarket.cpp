//===- MatrixMarket.cpp - Files of Matrix Market --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The exchange format of Boisvert, Pozo and Remington (NIST report IR 5935):
//
//     %%MatrixMarket matrix coordinate real symmetric
//     % comments
//     4 4 3                 rows, columns, lines that follow
//     1 1 2.5               the element (1, 1)
//     3 1 -1                (3, 1) and, as the matrix is symmetric, (1, 3)
//     4 4 1e3
//
// An array lists its elements column by column, without indices, of a matrix
// with a symmetry those on and below the diagonal. "Each nonzero entry" is
// given by a line of coordinates: an index that comes twice is an error, which
// is found by who stores the elements. So are elements above the diagonal of a
// matrix with a symmetry, and on that of a skew-symmetric one.
//
// Blank lines and comments may stand anywhere. The bytes are taken in blocks and
// looked at line by line; the standard allows 1024 bytes a line, and what has
// longer ones is no such file.
//
//===----------------------------------------------------------------------===//

#include "Formats/MatrixMarket.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

namespace zrt {

static constexpr size_t MatrixBlockBytes = 64 * 1024, MostLineBytes = 1024;

bool MatrixReader::fail(const std::string &what) {
  reason = what;
  return false;
}

bool MatrixReader::failHere(const std::string &what) {
  return fail("is wrong in line " + std::to_string(line) + ": " + what);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// The next line into `text`; false at the end of the file.
bool MatrixReader::takeLine() {
  text.clear();
  ++line;
  while (true) {
    size_t end = block.find('\n', at);
    bool isWhole = end != std::string::npos;
    size_t count = (isWhole ? end : block.size()) - at;
    if (text.size() + count > MostLineBytes)
      return failHere("it is longer than 1024 bytes");
    text.append(block, at, count);
    at += count + isWhole;
    if (isWhole)
      return true;
    if (hasEnded)
      return !text.empty();
    block.resize(MatrixBlockBytes);
    block.resize(source(block.data(), block.size()));
    at = 0;
    hasEnded = block.empty();
  }
}

static bool isSpace(char c) { return c == ' ' || ('\t' <= c && c <= '\r'); }

static void splitWords(std::string_view text,
                       std::vector<std::string_view> &words) {
  words.clear();
  size_t k = 0;
  while (true) {
    while (k < text.size() && isSpace(text[k]))
      ++k;
    if (k == text.size())
      return;
    size_t begin = k;
    while (k < text.size() && !isSpace(text[k]))
      ++k;
    words.push_back(text.substr(begin, k - begin));
  }
}

/// The words of the next line that is neither blank nor a comment.
bool MatrixReader::takeNumbers() {
  while (takeLine()) {
    if (text.starts_with('%'))
      continue;
    splitWords(text, words);
    if (!words.empty())
      return true;
  }
  return false;
}

/// A word of the file as messages show it: its first bytes, others than
/// printable ones as `?`.
static std::string shown(std::string_view word) {
  constexpr size_t Most = 24;
  std::string result(word.substr(0, Most));
  for (char &c : result)
    if (c < ' ' || c > '~')
      c = '?';
  return "\"" + result + (word.size() > Most ? "...\"" : "\"");
}

//===----------------------------------------------------------------------===//
// The first lines
//===----------------------------------------------------------------------===//

/// The place of \p word, of any case, among the \p names; -1: none.
static int findWord(std::string_view word,
                    std::initializer_list<std::string_view> names) {
  std::string lower(word);
  for (char &c : lower)
    if ('A' <= c && c <= 'Z')
      c = static_cast<char>(c - 'A' + 'a');
  auto found = std::find(names.begin(), names.end(), lower);
  return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

/// `%%MatrixMarket matrix coordinate real general`
bool MatrixReader::readKind(MatrixKind &found) {
  if (!takeLine() && reason.empty())
    return fail("is empty");
  splitWords(text, words);
  if (!reason.empty() || words.empty() ||
      findWord(words[0], {"%%matrixmarket"}) < 0)
    return fail("does not begin with '%%MatrixMarket': it is no such file");
  if (words.size() != 5)
    return failHere("'%%MatrixMarket' is followed by four words, not by " +
                    std::to_string(words.size() - 1));
  int format = findWord(words[2], {"coordinate", "array"});
  int field =
      findWord(words[3], {"real", "integer", "complex", "pattern", "double"});
  int symmetry = findWord(
      words[4], {"general", "symmetric", "skew-symmetric", "hermitian"});
  if (findWord(words[1], {"matrix"}) < 0)
    return failHere(shown(words[1]) + " is not 'matrix'");
  if (format < 0)
    return failHere(shown(words[2]) + " is neither 'coordinate' nor 'array'");
  if (field < 0)
    return failHere(shown(words[3]) + " is none of 'real', 'integer', "
                                      "'complex' and 'pattern'");
  if (symmetry < 0)
    return failHere(shown(words[4]) + " is none of 'general', 'symmetric', "
                                      "'skew-symmetric' and 'hermitian'");
  found.isSparse = format == 0;
  found.field =
      field == 4 ? MatrixKind::Real : static_cast<MatrixKind::Field>(field);
  found.symmetry = static_cast<MatrixKind::Symmetry>(symmetry);
  bool isPattern = found.field == MatrixKind::Pattern;
  if (isPattern && !found.isSparse)
    return failHere("an array cannot be a pattern");
  if (isPattern && found.symmetry == MatrixKind::Skew)
    return failHere("a pattern cannot be skew-symmetric");
  if (found.symmetry == MatrixKind::Hermitian &&
      found.field != MatrixKind::Complex)
    return failHere("only complex matrices are hermitian");
  return true;
}

bool MatrixReader::takeCount(std::string_view word, const char *what,
                             int64_t &count) {
  auto [end, code] =
      std::from_chars(word.data(), word.data() + word.size(), count);
  if (code == std::errc::result_out_of_range)
    return failHere(shown(word) + " " + what + " are too many");
  if (code != std::errc() || end != word.data() + word.size() || count < 0)
    return failHere(shown(word) + " is no number of " + what);
  return true;
}

bool MatrixReader::readSizes(MatrixKind &found) {
  size_t wanted = found.isSparse ? 3 : 2;
  if (!takeNumbers())
    return reason.empty() ? fail("ends before the line with its sizes") : false;
  if (words.size() != wanted)
    return failHere(
        std::string("expected ") +
        (found.isSparse ? "rows, columns and entries" : "rows and columns") +
        ", found " + shown(text));
  if (!takeCount(words[0], "rows", found.rows) ||
      !takeCount(words[1], "columns", found.columns) ||
      (found.isSparse && !takeCount(words[2], "entries", found.entries)))
    return false;
  int64_t all;
  if (__builtin_mul_overflow(found.rows, found.columns, &all))
    return failHere("so many rows and columns have too many elements");
  if (found.symmetry != MatrixKind::General && found.rows != found.columns)
    return failHere("a matrix with a symmetry has as many rows as columns");
  if (found.isSparse && found.entries > all)
    return failHere(std::to_string(found.entries) + " entries are more than " +
                    "the matrix has elements");
  if (found.isSparse)
    return true;
  found.entries = all;
  if (found.symmetry != MatrixKind::General) // exact: one of both is even
    found.entries = found.rows % 2 == 0 ? found.rows / 2 * (found.rows + 1)
                                        : (found.rows + 1) / 2 * found.rows;
  if (found.symmetry == MatrixKind::Skew)
    found.entries -= found.rows;
  return true;
}

bool MatrixReader::start(MatrixKind &found) {
  if (!readKind(found) || !readSizes(found))
    return false;
  kind = found;
  row = kind.symmetry == MatrixKind::Skew ? 1 : 0;
  return true;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// Makes the index at \p word one from 0.
bool MatrixReader::takeIndex(std::string_view word, const char *what,
                             int64_t most, int64_t &index) {
  auto [end, code] =
      std::from_chars(word.data(), word.data() + word.size(), index);
  bool isNumber =
      end == word.data() + word.size() && code != std::errc::invalid_argument;
  if (!isNumber)
    return failHere(shown(word) + " is no index");
  if (code != std::errc() || index < 1 || index > most)
    return failHere(std::string(what) + " " + std::string(word.substr(0, 24)) +
                    " is not within 1.." + std::to_string(most));
  --index;
  return true;
}

/// Of a matrix with a symmetry only one half is listed.
bool MatrixReader::checkPlace(const MatrixEntry &entry) {
  if (kind.symmetry == MatrixKind::General || entry.row > entry.column)
    return true;
  bool isSkew = kind.symmetry == MatrixKind::Skew;
  if (entry.row == entry.column && !isSkew)
    return true;
  return failHere(
      "(" + std::to_string(entry.row + 1) + ", " +
      std::to_string(entry.column + 1) + ") is " +
      (entry.row == entry.column ? "on" : "above") +
      " the diagonal; of a matrix with this symmetry elements " +
      (isSkew ? "below it are given" : "on and below it are given"));
}

static const char *valuesOf(MatrixKind::Field field) {
  switch (field) {
  case MatrixKind::Real:
  case MatrixKind::Integer:
    return "a number";
  case MatrixKind::Complex:
    return "two numbers";
  case MatrixKind::Pattern:
    return "";
  }
  __builtin_unreachable();
}

static size_t countOf(MatrixKind::Field field) {
  switch (field) {
  case MatrixKind::Real:
  case MatrixKind::Integer:
    return 1;
  case MatrixKind::Complex:
    return 2;
  case MatrixKind::Pattern:
    return 0;
  }
  __builtin_unreachable();
}

/// The element of the line at hand.
bool MatrixReader::takeEntry(MatrixEntry &entry) {
  size_t indices = kind.isSparse ? 2 : 0, values = countOf(kind.field);
  if (words.size() != indices + values)
    return failHere(std::string("expected ") +
                    (kind.isSparse ? "two indices" : "") +
                    (kind.isSparse && values > 0 ? " and " : "") +
                    valuesOf(kind.field) + ", found " + shown(text));
  if (kind.isSparse &&
      (!takeIndex(words[0], "row", kind.rows, entry.row) ||
       !takeIndex(words[1], "column", kind.columns, entry.column) ||
       !checkPlace(entry)))
    return false;
  if (values > 0)
    entry.re = words[indices];
  if (values > 1)
    entry.im = words[indices + 1];
  return true;
}

/// The element of an array at the line at hand.
bool MatrixReader::takeElement(MatrixEntry &entry) {
  entry.row = row;
  entry.column = column;
  if (++row == kind.rows) {
    ++column;
    row = kind.symmetry == MatrixKind::General ? 0
          : kind.symmetry == MatrixKind::Skew  ? column + 1
                                               : column;
  }
  return takeEntry(entry);
}

bool MatrixReader::mirrors(const MatrixEntry &entry) const {
  return kind.symmetry != MatrixKind::General && entry.row != entry.column;
}

/// After the last one.
bool MatrixReader::checkEnd() {
  if (takeNumbers())
    return failHere("the matrix has " + std::to_string(kind.entries) +
                    " entries, but there are more");
  return false;
}

bool MatrixReader::next(MatrixEntry &entry) {
  if (hasMirror) {
    hasMirror = false;
    entry = last;
    std::swap(entry.row, entry.column);
    entry.isNegated = kind.symmetry == MatrixKind::Skew;
    entry.isConjugate = kind.symmetry == MatrixKind::Hermitian;
    return true;
  }
  if (done == kind.entries)
    return checkEnd();
  if (!takeNumbers())
    return reason.empty() ? fail("ends after " + std::to_string(done) + " of " +
                                 std::to_string(kind.entries) + " entries")
                          : false;
  ++done;
  last = MatrixEntry();
  last.line = line;
  if (!(kind.isSparse ? takeEntry(last) : takeElement(last)))
    return false;
  hasMirror = mirrors(last);
  entry = last;
  return true;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

namespace {

enum class Parsed { Fine, NoNumber, TooLarge };

/// Of any type of the language: the same digits give the nearest value of it.
template <typename T> Parsed parseNumber(std::string_view word, T &value) {
  if (word.starts_with('+') && word.size() > 1 && word[1] != '-')
    word.remove_prefix(1);
  auto [end, code] =
      std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || code == std::errc::invalid_argument)
    return Parsed::NoNumber;
  if (code == std::errc())
    return Parsed::Fine;
  if constexpr (std::is_floating_point_v<T>) {
    // What is too small becomes zero.
    size_t exponent = word.find_first_of("eE");
    bool isSmall = exponent != std::string_view::npos
                       ? word.substr(exponent + 1).starts_with('-')
                       : word.find_first_not_of("-0") == word.find('.');
    value = word.starts_with('-') ? -T(0) : T(0);
    if (isSmall)
      return Parsed::Fine;
  }
  return Parsed::TooLarge;
}

/// Calls \p f with a value of the type of the parts of \p element.
template <typename F> auto withType(Element element, F &&f) {
  switch (element) {
  case Element::Bool:
  case Element::U8:
    return f(uint8_t());
  case Element::I8:
    return f(int8_t());
  case Element::I16:
    return f(int16_t());
  case Element::U16:
    return f(uint16_t());
  case Element::I32:
    return f(int32_t());
  case Element::U32:
    return f(uint32_t());
  case Element::I64:
    return f(int64_t());
  case Element::U64:
    return f(uint64_t());
  case Element::F32:
  case Element::C32:
    return f(float());
  case Element::F64:
  case Element::C64:
    return f(double());
  case Element::F80:
  case Element::C80:
    return f(static_cast<long double>(0));
  }
  __builtin_unreachable();
}

} // namespace

/// Parses \p word, empty: \p other, and its sign as said, into \p value.
template <typename T>
static Parsed parsePart(std::string_view word, T other, bool negates,
                        T &value) {
  value = other;
  Parsed result = word.empty() ? Parsed::Fine : parseNumber(word, value);
  if (result == Parsed::Fine && negates) {
    if constexpr (std::is_floating_point_v<T>)
      value = -value;
    else if (std::is_unsigned_v<T> ? value != 0
                                   : value == std::numeric_limits<T>::min())
      return Parsed::TooLarge;
    else
      value = static_cast<T>(-value);
  }
  return result;
}

/// The digits of \p word, which stand for minus that number if \p negates.
static std::string signedText(std::string_view word, bool negates) {
  bool isNegative = word.starts_with('-');
  std::string digits(word.substr(isNegative, 24));
  return (isNegative != negates ? "-" : "") + digits;
}

bool MatrixReader::store(const MatrixEntry &entry, Element to, char *target) {
  return withType(to, [&](auto value) {
    using T = decltype(value);
    auto failWith = [&](Parsed how, std::string_view word) {
      bool isWhole = kind.field == MatrixKind::Integer;
      return failHere(how == Parsed::NoNumber
                          ? shown(word) +
                                (isWhole ? " is no integer" : " is no number")
                          : signedText(word, entry.isNegated) +
                                " does not fit type " + nameOf(to));
    };
    Parsed how = parsePart<T>(entry.re, T(1), entry.isNegated, value);
    if (how != Parsed::Fine)
      return failWith(how, entry.re);
    std::memcpy(target, &value, sizeof(T));
    if (!isComplex(to))
      return true;
    how = parsePart<T>(entry.im, T(0), entry.isNegated || entry.isConjugate,
                       value);
    if (entry.im.empty())
      value = T(0);
    if (how != Parsed::Fine)
      return failWith(how, entry.im);
    std::memcpy(target + sizeof(T), &value, sizeof(T));
    return true;
  });
}

bool converts(const MatrixKind &kind, Element to) {
  switch (kind.field) {
  case MatrixKind::Real:
    return isFloating(to) || isComplex(to);
  case MatrixKind::Integer:
    return to != Element::Bool;
  case MatrixKind::Complex:
    return isComplex(to);
  case MatrixKind::Pattern:
    return true;
  }
  __builtin_unreachable();
}

const char *nameOf(MatrixKind::Field field) {
  static constexpr const char *Names[] = {"real", "integer", "complex",
                                          "pattern"};
  return Names[field];
}

Element elementOf(MatrixKind::Field field) {
  static constexpr Element Types[] = {Element::F64, Element::I32, Element::C64,
                                      Element::Bool};
  return Types[field];
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static MatrixKind::Field fieldOf(Element element) {
  if (isComplex(element))
    return MatrixKind::Complex;
  if (isFloating(element))
    return MatrixKind::Real;
  return element == Element::Bool ? MatrixKind::Pattern : MatrixKind::Integer;
}

std::string matrixHeader(Element element, bool isSparse, int64_t rows,
                         int64_t columns, int64_t entries) {
  std::string text = "%%MatrixMarket matrix ";
  text += isSparse ? "coordinate " : "array ";
  text += nameOf(fieldOf(element));
  text += " general\n" + std::to_string(rows) + ' ' + std::to_string(columns);
  if (isSparse)
    text += ' ' + std::to_string(entries);
  return text + '\n';
}

void appendNumber(std::string &text, Element element, const char *source) {
  withType(element, [&](auto value) {
    for (int part = 0; part <= isComplex(element); ++part) {
      std::memcpy(&value, source + part * static_cast<int>(sizeof value),
                  sizeof value);
      char digits[64];
      auto [end, code] = std::to_chars(digits, digits + sizeof digits, value);
      (void)code;
      text += part == 0 ? "" : " ";
      text.append(digits, end);
    }
  });
}

} // namespace zrt
