//===- Html.cpp - Text for pages ------------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     -- <script> & "x"   becomes   -- &lt;script&gt; &amp; &quot;x&quot;
//
// Sources are bytes. What is no UTF-8 (an overlong form, a half of a pair, a
// byte of Latin-1) and what no page may have becomes U+FFFD, one for each byte.
// Linear in the text.
//
//===----------------------------------------------------------------------===//

#include "Report/Html.h"

#include <cmath>
#include <cstdio>

namespace zrt::report {

/// How many bytes the character at the start of \p text has; 0: it is none.
static size_t characterLength(std::string_view text) {
  auto byte = [&](size_t k) { return static_cast<unsigned char>(text[k]); };
  unsigned first = byte(0);
  size_t length = first < 0x80   ? 1
                  : first < 0xC2 ? 0
                  : first < 0xE0 ? 2
                  : first < 0xF0 ? 3
                  : first < 0xF5 ? 4
                                 : 0;
  if (length == 0 || length > text.size())
    return 0;
  for (size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xC0) != 0x80)
      return 0;
  if (length < 3)
    return length;
  unsigned second = byte(1);
  bool isBad =
      (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
      (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return isBad ? 0 : length;
}

static bool isForbidden(char c) {
  auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
}

std::string escaped(std::string_view text) {
  std::string html;
  html.reserve(text.size() + text.size() / 8);
  while (!text.empty()) {
    size_t length = characterLength(text);
    char c = text[0];
    if (length == 0 || (length == 1 && isForbidden(c)))
      html += "\xEF\xBF\xBD";
    else if (c == '&')
      html += "&amp;";
    else if (c == '<')
      html += "&lt;";
    else if (c == '>')
      html += "&gt;";
    else if (c == '"')
      html += "&quot;";
    else
      html += text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return html;
}

std::string sentence(std::string_view text) {
  std::string html;
  for (bool isCode = false; !text.empty(); isCode = !isCode) {
    size_t end = text.find('`');
    std::string part = escaped(text.substr(0, end));
    bool isClosed = end != text.npos;
    if (isCode)
      html += isClosed ? "<code>" + part + "</code>" : "`" + part;
    else
      html += part;
    text.remove_prefix(isClosed ? end + 1 : text.size());
  }
  return html;
}

/// Three digits that count, and a unit.
static std::string threeDigits(double value, const char *unit) {
  int behind = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  char text[48];
  std::snprintf(text, sizeof text, "%.*f %s", behind, value, unit);
  return text;
}

std::string secondsText(double seconds) {
  if (!(seconds > 0))
    return "0 s";
  if (seconds >= 1)
    return threeDigits(seconds, "s");
  if (seconds >= 1e-3)
    return threeDigits(seconds * 1e3, "ms");
  return threeDigits(seconds * 1e6, "\xC2\xB5s");
}

std::string countText(uint64_t count) {
  std::string digits = std::to_string(count);
  for (size_t k = digits.size(); k > 3; k -= 3)
    digits.insert(k - 3, ",");
  return digits;
}

std::string bytesText(uint64_t bytes) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  if (bytes < 1000)
    return std::to_string(bytes) + " B";
  auto value = static_cast<double>(bytes);
  size_t unit = 0;
  for (; value >= 1000 && unit + 1 < std::size(units); ++unit)
    value /= 1000;
  return threeDigits(value, units[unit]);
}

std::string percentText(double part, double all) {
  double percent = all > 0 ? 100 * part / all : 0;
  if (percent == 0)
    return "0 %";
  if (percent < 0.05)
    return "&lt;0.1 %";
  char text[32];
  std::snprintf(text, sizeof text, percent < 9.95 ? "%.1f %%" : "%.0f %%",
                percent);
  return text;
}

std::string coordinate(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", std::isfinite(value) ? value : 0.0);
  std::string_view all = text;
  return std::string(all.ends_with(".0") ? all.substr(0, all.size() - 2) : all);
}

std::string counted(uint64_t count, const char *noun) {
  return countText(count) + " " + noun + (count == 1 ? "" : "s");
}

} // namespace zrt::report
