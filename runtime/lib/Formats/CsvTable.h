//===- CsvTable.h - Columns of numbers as text ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_FORMATS_CSVTABLE_H
#define ZRT_FORMATS_CSVTABLE_H

#include "Formats/Element.h"

#include <string>
#include <string_view>
#include <vector>

namespace zrt {

/// The names between commas, without blanks around them.
std::vector<std::string> csvNames(std::string_view text);

/// Appends the line with the names of columns.
void appendCsvNames(std::string &line, const std::vector<std::string> &names);

/// "its name has 1 column, but the table has 8": why names are none of a table.
std::string csvNamesMisfit(size_t names, int64_t columns);

/// Whether tables have such elements.
bool hasCsvText(Element element);

/// Appends a field, after a comma unless it is the first one of its line. Such
/// digits that the same number is read again.
void appendCsvField(std::string &line, Element element, const char *address,
                    bool isFirst);

/// A table that is read.
class CsvTable {
public:
  /// Takes all bytes of a file apart. What is wrong, as the rest of a sentence
  /// that begins with the file's name, or "".
  std::string parse(std::string text);

  int64_t rows() const { return static_cast<int64_t>(lines.size()); }
  int64_t columns() const { return width; }
  /// What all fields are: Bool, I64, or F64.
  Element element() const { return kind; }
  /// The column of that name, from 0; -1 if there is none.
  int64_t column(std::string_view name) const;

  /// Stores the field as an element. What is wrong, as above, or "".
  std::string store(int64_t row, int64_t column, Element to,
                    char *target) const;

private:
  struct Field {
    size_t begin = 0, length = 0;
  };
  std::string_view field(int64_t row, int64_t column) const;
  std::string takeLine(size_t &at, std::vector<Field> &found);
  std::string takeField(size_t &at, Field &found);
  std::string addRow(const std::vector<Field> &found, int64_t line);
  bool isNames(const std::vector<Field> &found) const;
  void findKind();

  std::string text;
  std::vector<std::string> names; ///< of the columns; empty: none
  std::vector<Field> fields;      ///< row after row
  std::vector<int64_t> lines;     ///< of the rows, for messages
  int64_t width = 0, line = 1;
  Element kind = Element::F64;
};

} // namespace zrt

#endif // ZRT_FORMATS_CSVTABLE_H
