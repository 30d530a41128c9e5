//===- MatrixMarket.h - Files of Matrix Market ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_MATRIXMARKET_H
#define ZRT_FORMATS_MATRIXMARKET_H

#include "Formats/NumpyHeader.h"

namespace zrt {

/// What the first lines of a file say.
struct MatrixKind {
  enum Field { Real, Integer, Complex, Pattern } field = Real;
  enum Symmetry { General, Symmetric, Skew, Hermitian } symmetry = General;
  bool isSparse = true; ///< "coordinate"; else "array"
  int64_t rows = 0, columns = 0;
  int64_t entries = 0; ///< lines with numbers
};

/// An element of a matrix. Its number belongs to the reader until the next one.
struct MatrixEntry {
  int64_t row = 0, column = 0; ///< from 0
  int64_t line = 0;            ///< where it stands in the file
  std::string_view re, im;     ///< as written; empty: 1, and 0
  bool isNegated = false;      ///< both are, of skew-symmetric matrices
  bool isConjugate = false;
};

/// Takes a file apart. Where it returns false something is wrong if error() is
/// not empty: the rest of a sentence that begins with the file's name.
class MatrixReader {
public:
  explicit MatrixReader(ByteSource source) : source(std::move(source)) {}

  /// The lines before the numbers.
  bool start(MatrixKind &found);
  /// The next element, also those that symmetry gives; at the end false,
  /// without an error.
  bool next(MatrixEntry &entry);
  /// Makes the number of \p entry one of type \p to at \p target.
  bool store(const MatrixEntry &entry, Element to, char *target);

  const std::string &error() const { return reason; }

private:
  bool takeLine();
  bool takeNumbers();
  bool splitLine(size_t least, size_t most);
  bool readKind(MatrixKind &found);
  bool readSizes(MatrixKind &found);
  bool takeCount(std::string_view word, const char *what, int64_t &count);
  bool takeIndex(std::string_view word, const char *what, int64_t most,
                 int64_t &index);
  bool takeEntry(MatrixEntry &entry);
  bool takeElement(MatrixEntry &entry);
  bool checkPlace(const MatrixEntry &entry);
  bool checkEnd();
  bool mirrors(const MatrixEntry &entry) const;
  bool fail(const std::string &what);
  bool failHere(const std::string &what);

  ByteSource source;
  std::string block; ///< bytes that were taken, from `at` on not yet used
  size_t at = 0;
  bool hasEnded = false;
  std::string text; ///< the line at hand
  int64_t line = 0; ///< its number, from 1
  std::vector<std::string_view> words;
  MatrixKind kind;
  int64_t done = 0;            ///< lines with numbers so far
  int64_t row = 0, column = 0; ///< of an array: the next element
  MatrixEntry last;
  bool hasMirror = false; ///< of `last`, comes next
  std::string reason;
};

/// Whether numbers of the file can become elements of type \p to: integers and
/// patterns any number, reals floating ones, all complex ones; truth values
/// come of patterns only.
bool converts(const MatrixKind &kind, Element to);
/// "real"
const char *nameOf(MatrixKind::Field field);
/// The type of the file's numbers in the language.
Element elementOf(MatrixKind::Field field);

/// The first lines of a file of elements of type \p element, of which the file
/// lists \p entries: all of an array, of truth values those that are true.
std::string matrixHeader(Element element, bool isSparse, int64_t rows,
                         int64_t columns, int64_t entries);
/// Appends the number at \p source, with as many digits as tell it from others.
void appendNumber(std::string &text, Element element, const char *source);

} // namespace zrt

#endif // ZRT_FORMATS_MATRIXMARKET_H
