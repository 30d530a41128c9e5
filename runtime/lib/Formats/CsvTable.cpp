//===- CsvTable.cpp - Columns of numbers as text --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     x,T              the names of columns, if the first line is not all values
//     0.5,17
//     1,true
//     "2",             a value in quotes; no value: NaN
//
// Lines end as on any system, empty ones count for nothing. Written are as few
// digits as are needed to read the same number again. Numbers are read with one
// rounding, by the standard library. A field is a place in the text, 16 bytes;
// a table is in memory with its text.
//
//===----------------------------------------------------------------------===//

#include "Formats/CsvTable.h"

#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace zrt {

static std::string_view withoutBlanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
    text.remove_suffix(1);
  return text;
}

std::string csvNamesMisfit(size_t names, int64_t columns) {
  return "its name has " + std::to_string(names) +
         (names == 1 ? " column" : " columns") + ", but the table has " +
         std::to_string(columns);
}

std::vector<std::string> csvNames(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    size_t comma = text.find(',');
    names.emplace_back(withoutBlanks(text.substr(0, comma)));
    text.remove_prefix(comma == text.npos ? text.size() : comma + 1);
  }
  return names;
}

void appendCsvNames(std::string &line, const std::vector<std::string> &names) {
  for (size_t k = 0; k < names.size(); ++k) {
    bool isQuoted = names[k].find_first_of("\",\n") != std::string::npos;
    line += k > 0 ? "," : "";
    line += isQuoted ? "\"" : "";
    for (char c : names[k])
      line += c == '"' ? "\"\"" : std::string(1, c);
    line += isQuoted ? "\"" : "";
  }
  line += '\n';
}

bool hasCsvText(Element element) { return !isComplex(element); }

template <typename Number>
static void appendNumber(std::string &line, const char *address) {
  Number value;
  std::memcpy(&value, address, sizeof value);
  char digits[64];
  auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  line.append(digits, end);
}

void appendCsvField(std::string &line, Element element, const char *address,
                    bool isFirst) {
  line += isFirst ? "" : ",";
  switch (element) {
  case Element::Bool:
    line += *address ? "true" : "false";
    return;
  case Element::I8:
    return appendNumber<int8_t>(line, address);
  case Element::U8:
    return appendNumber<uint8_t>(line, address);
  case Element::I16:
    return appendNumber<int16_t>(line, address);
  case Element::U16:
    return appendNumber<uint16_t>(line, address);
  case Element::I32:
    return appendNumber<int32_t>(line, address);
  case Element::U32:
    return appendNumber<uint32_t>(line, address);
  case Element::I64:
    return appendNumber<int64_t>(line, address);
  case Element::U64:
    return appendNumber<uint64_t>(line, address);
  case Element::F32:
    return appendNumber<float>(line, address);
  case Element::F64:
    return appendNumber<double>(line, address);
  case Element::F80:
    return appendNumber<long double>(line, address);
  case Element::C32:
  case Element::C64:
  case Element::C80:
    break;
  }
  __builtin_unreachable();
}

/// All of \p text as a number; false if it is none.
template <typename Number>
static bool parseAll(std::string_view text, Number &value) {
  if (text.starts_with("+"))
    text.remove_prefix(1);
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() &&
         !text.empty();
}

/// Numbers beyond the range are infinite or zero, as C reads them.
static bool parseFloating(std::string_view text, long double &value) {
  if (text.starts_with("+"))
    text.remove_prefix(1);
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range)
    value = std::strtold(std::string(text).c_str(), nullptr);
  return error != std::errc::invalid_argument &&
         end == text.data() + text.size() && !text.empty();
}

static bool isTruth(std::string_view text) {
  return text == "true" || text == "false" || text == "True" ||
         text == "False" || text == "TRUE" || text == "FALSE";
}

/// Takes a field, with the comma or up to the end of the line after it.
std::string CsvTable::takeField(size_t &at, Field &found) {
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
    ++at;
  if (at < text.size() && text[at] == '"') {
    size_t begin = ++at;
    while (true) {
      size_t quote = text.find('"', at);
      if (quote == text.npos)
        return "has a field without its second quote in line " +
               std::to_string(line);
      at = quote + 1;
      if (at >= text.size() || text[at] != '"')
        break;
      ++at; // a quote within the field
    }
    found = {begin, at - 1 - begin};
    at = std::min(text.find_first_of(",\n", at), text.size());
    return "";
  }
  size_t end = std::min(text.find_first_of(",\n", at), text.size());
  std::string_view rest(text.data() + at, end - at);
  if (rest.ends_with('\r'))
    rest.remove_suffix(1);
  found = {at, withoutBlanks(rest).size()};
  at = end;
  return "";
}

std::string CsvTable::takeLine(size_t &at, std::vector<Field> &found) {
  found.clear();
  while (true) {
    found.emplace_back();
    std::string reason = takeField(at, found.back());
    if (!reason.empty())
      return reason;
    if (at >= text.size() || text[at] == '\n')
      break;
    ++at; // the comma
  }
  at = std::min(at + 1, text.size());
  return "";
}

/// Whether there is something that is no value.
bool CsvTable::isNames(const std::vector<Field> &found) const {
  for (const Field &each : found) {
    std::string_view value(text.data() + each.begin, each.length);
    long double number;
    if (!value.empty() && !isTruth(value) && !parseFloating(value, number))
      return true;
  }
  return false;
}

std::string CsvTable::addRow(const std::vector<Field> &found, int64_t number) {
  if (static_cast<int64_t>(found.size()) != width)
    return "has " + std::to_string(found.size()) + " fields in line " +
           std::to_string(number) + ", and " + std::to_string(width) +
           " in those before";
  fields.insert(fields.end(), found.begin(), found.end());
  lines.push_back(number);
  return "";
}

std::string CsvTable::parse(std::string bytes) {
  text = std::move(bytes);
  if (text.starts_with("\xef\xbb\xbf"))
    text.erase(0, 3); // how some mark UTF-8
  std::vector<Field> found;
  bool isFirst = true;
  for (size_t at = 0; at < text.size(); ++line) {
    std::string reason = takeLine(at, found);
    if (!reason.empty())
      return reason;
    if (found.size() == 1 && found[0].length == 0)
      continue; // an empty line
    if (isFirst)
      width = static_cast<int64_t>(found.size());
    if (isFirst && isNames(found)) {
      for (const Field &each : found)
        names.emplace_back(text.substr(each.begin, each.length));
    } else if (reason = addRow(found, line); !reason.empty()) {
      return reason;
    }
    isFirst = false;
  }
  findKind();
  return "";
}

void CsvTable::findKind() {
  bool areTruths = true, areWhole = true;
  for (const Field &each : fields) {
    std::string_view value(text.data() + each.begin, each.length);
    int64_t number;
    areTruths &= isTruth(value);
    areWhole &= parseAll(value, number);
  }
  kind = fields.empty() ? Element::F64
         : areTruths    ? Element::Bool
         : areWhole     ? Element::I64
                        : Element::F64;
}

int64_t CsvTable::column(std::string_view name) const {
  for (size_t k = 0; k < names.size(); ++k)
    if (names[k] == name)
      return static_cast<int64_t>(k);
  return -1;
}

std::string_view CsvTable::field(int64_t row, int64_t column) const {
  const Field &found = fields[static_cast<size_t>(row * width + column)];
  return {text.data() + found.begin, found.length};
}

/// Nothing is NaN. False if it is no value of such an element.
static bool storeText(std::string_view value, Element to, char *target) {
  if (to == Element::Bool) {
    *target =
        value == "1" || value == "true" || value == "True" || value == "TRUE";
    return isTruth(value) || value == "0" || value == "1";
  }
  if (isFloating(to) || isComplex(to)) {
    long double number = std::numeric_limits<long double>::quiet_NaN();
    double narrow;
    // Rounded once: a double from its own digits.
    if (to == Element::F64 && parseAll(value, narrow)) {
      std::memcpy(target, &narrow, sizeof narrow);
      return true;
    }
    float single;
    if (to == Element::F32 && parseAll(value, single)) {
      std::memcpy(target, &single, sizeof single);
      return true;
    }
    if (!value.empty() && !parseFloating(value, number))
      return false;
    return convert(Element::F80, reinterpret_cast<const char *>(&number), to,
                   target);
  }
  int64_t whole;
  uint64_t positive;
  if (parseAll(value, whole))
    return convert(Element::I64, reinterpret_cast<const char *>(&whole), to,
                   target);
  return parseAll(value, positive) &&
         convert(Element::U64, reinterpret_cast<const char *>(&positive), to,
                 target);
}

std::string CsvTable::store(int64_t row, int64_t column, Element to,
                            char *target) const {
  std::string_view value = field(row, column);
  if (storeText(value, to, target))
    return "";
  return "has '" + std::string(value.substr(0, 40)) + "' in line " +
         std::to_string(lines[static_cast<size_t>(row)]) + ", column " +
         std::to_string(column + 1) + ", which is no value of type " +
         nameOf(to);
}

} // namespace zrt
