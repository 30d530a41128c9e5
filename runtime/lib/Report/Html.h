//===- Html.h - Text for pages ----------------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REPORT_HTML_H
#define ZRT_REPORT_HTML_H

#include <cstdint>
#include <string>
#include <string_view>

namespace zrt::report {

/// \p text as a text of HTML or the value of an attribute in double quotes.
/// Whatever bytes it has, the result is UTF-8 without control characters; line
/// breaks and tabs stay.
std::string escaped(std::string_view text);
/// A sentence in which `code` stands between back-ticks, as HTML.
std::string sentence(std::string_view text);

/// "1.24 s", "310 ms", "12.0 us"; "0 s".
std::string secondsText(double seconds);
/// "12", "12,345".
std::string countText(uint64_t count);
/// "8 B", "33.8 kB", "1.20 GB": by thousands.
std::string bytesText(uint64_t bytes);
/// "12 %", "0.4 %", "<0.1 %" as HTML; "0 %" if \p all is 0.
std::string percentText(double part, double all);
/// A number of an SVG's path, with one digit behind the point.
std::string coordinate(double value);
/// "1 message", "5 messages".
std::string counted(uint64_t count, const char *noun);

} // namespace zrt::report

#endif // ZRT_REPORT_HTML_H
