//===- AbiStrings.cpp - Entries for strings -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `name := "a" + s + ".txt"` is one string of three parts; `format("%4d", k)`
// is what write makes of the value. Each is made where it will stay: lengths
// are added up first, and numbers are written to a buffer that is kept.
//
// A format that is a literal is taken apart once: its address, and that of the
// type that it was held against, find it again.
//
//===----------------------------------------------------------------------===//

#include "Entry/FileStatement.h"
#include "Entry/Process.h"
#include "IO/Text/NumberText.h"
#include "IO/Text/ValueText.h"
#include "Support/Error.h"
#include "Support/Operation.h"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <string_view>

using namespace zrt;

namespace {

constexpr std::string_view Blanks = " \t\n\v\f\r";

std::string_view withoutBlanksAround(std::string_view text) {
  size_t first = text.find_first_not_of(Blanks);
  if (first == text.npos)
    return {};
  return text.substr(first, text.find_last_not_of(Blanks) + 1 - first);
}

/// \p text with \p change made to each byte.
template <typename Change>
const char *changed(const char *text, Change change) {
  size_t length = std::strlen(text);
  char *made = newString(length + 1);
  std::transform(text, text + length, made, change);
  made[length] = 0;
  return made;
}

/// As few digits as give the number back; NaN has no sign.
template <typename T> void appendShortest(std::string &out, T number) {
  char digits[64];
  if (std::isnan(number))
    number = std::fabs(number);
  out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

template <typename T> void appendShortest(std::string &out, const void *value) {
  T number;
  std::memcpy(&number, value, sizeof number);
  appendShortest(out, number);
}

template <typename T>
void appendShortestComplex(std::string &out, const void *value) {
  T part[2];
  std::memcpy(part, value, sizeof part);
  appendShortest(out, part[0]);
  size_t sign = out.size();
  appendShortest(out, part[1]);
  if (out[sign] != '-')
    out.insert(sign, 1, '+');
  out += 'i';
}

/// What `to_string` makes of a value.
void appendPlain(std::string &out, const zrt_type &type, const void *value) {
  static const Conversion Decimal = {.letter = 'd'};
  switch (static_cast<zrt_kind>(type.kind)) {
  case ZRT_I8:
  case ZRT_U8:
  case ZRT_I16:
  case ZRT_U16:
  case ZRT_I32:
  case ZRT_U32:
  case ZRT_I64:
  case ZRT_U64:
    return appendInteger(out, Decimal, loadInteger(type.kind, value));
  case ZRT_F32:
    return appendShortest<float>(out, value);
  case ZRT_F64:
    return appendShortest<double>(out, value);
  case ZRT_F80:
    return appendShortest<long double>(out, value);
  case ZRT_C32:
    return appendShortestComplex<float>(out, value);
  case ZRT_C64:
    return appendShortestComplex<double>(out, value);
  case ZRT_C80:
    return appendShortestComplex<long double>(out, value);
  case ZRT_BOOL:
  case ZRT_CHAR:
  case ZRT_STR:
  case ZRT_ENUM:
  case ZRT_FILE:
  case ZRT_RECORD:
  case ZRT_UNION:
  case ZRT_ARRAY:
  case ZRT_OPAQUE:
    break;
  }
  appendValue(out, type, value, nullptr, /*element=*/false);
  if (type.kind == ZRT_ENUM)
    out.pop_back(); // the blank of the default format
}

/// Whether the program's own strings, which come and go, are elsewhere.
bool isLiteral(const char *text) {
  const Strings &strings = process().strings;
  auto address = reinterpret_cast<uintptr_t>(text);
  return !strings.own.owns(address) && !strings.shared.heap.owns(address);
}

/// \p text as a format for values of \p type, taken apart.
const Format &formatOf(const char *text, const zrt_type &type, Format &own,
                       const zrt_loc *loc) {
  auto &table = process().strings.formats;
  Strings::KnownFormat &known =
      table[(reinterpret_cast<uintptr_t>(text) >> 1) % table.size()];
  if (known.text == text && known.type == &type)
    return known.format;
  std::string error;
  if (!hasText(type, error) || !parseFormat(text, type, own, error))
    fatal(loc, ErrorScope::Local, "%s", error.c_str());
  if (!isLiteral(text))
    return own;
  known = {text, &type, own};
  return known.format;
}

/// Reads all of \p text as a number of type T; what is wrong with it, or null.
template <typename T> const char *parseNumber(std::string_view text, T &value) {
  text = withoutBlanksAround(text);
  if (text.size() > 1 && text[0] == '+' && text[1] != '-')
    text.remove_prefix(1);
  T parsed;
  auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error == std::errc::result_out_of_range)
    return "does not fit";
  if (error != std::errc() || end != text.data() + text.size())
    return "is not";
  value = parsed;
  return nullptr;
}

template <typename T> const char *parseInto(const char *text, void *value) {
  T parsed;
  const char *reason = parseNumber(text, parsed);
  if (!reason && value)
    std::memcpy(value, &parsed, sizeof parsed);
  return reason;
}

/// Stores the number of \p type that \p text is, unless \p value is null.
/// Returns what is wrong with it, or null.
const char *parse(const char *text, void *value, const zrt_type &type) {
  if (type.kind == ZRT_I32)
    return parseInto<int32_t>(text, value);
  if (type.kind == ZRT_I64)
    return parseInto<int64_t>(text, value);
  ZRT_CHECK(type.kind == ZRT_F64);
  return parseInto<double>(text, value);
}

/// \p text in quotes for a message, the beginning if it is long.
std::string shownText(std::string_view text) {
  constexpr size_t Most = 40;
  std::string shown(text.substr(0, Most));
  std::replace_if(
      shown.begin(), shown.end(), [](unsigned char c) { return c < ' '; }, ' ');
  return '"' + shown + (text.size() > Most ? "...\"" : "\"");
}

} // namespace

extern "C" {

int32_t zrtA_compare_strings(const char *a, const char *b) {
  return std::strcmp(a, b);
}

const char *zrtA_string(const char *text) {
  return newString(std::string_view(text ? text : ""));
}

const char *zrtA_concat(const char *const *parts, int64_t count,
                        const zrt_loc *loc) {
  constexpr int64_t Few = 8;
  size_t lengths[Few], all = 0;
  for (int64_t k = 0; k < count; ++k) {
    size_t length = std::strlen(parts[k]);
    if (k < Few)
      lengths[k] = length;
    if (__builtin_add_overflow(all, length, &all))
      fatal(loc, ErrorScope::Local, "out of memory: a string of 2^64 bytes");
  }
  char *made = newString(all + 1), *at = made;
  for (int64_t k = 0; k < count; ++k) {
    size_t length = k < Few ? lengths[k] : std::strlen(parts[k]);
    std::memcpy(at, parts[k], length);
    at += length;
  }
  *at = 0;
  return made;
}

int32_t zrtA_string_length(const char *text) {
  return static_cast<int32_t>(
      std::min<size_t>(std::strlen(text), size_t(INT32_MAX)));
}

const char *zrtA_substring(const char *text, int64_t first, int64_t count,
                           const zrt_loc *loc) {
  if (count < 0)
    fatal(loc, ErrorScope::Local, "substring of length %" PRId64, count);
  auto length = static_cast<int64_t>(std::strlen(text));
  if (first < 1 || first > length + 1 || count > length + 1 - first)
    fatal(loc, ErrorScope::Local,
          "substring of %" PRId64 " from position %" PRId64
          " on of a string of length %" PRId64,
          count, first, length);
  char *made = newString(static_cast<size_t>(count) + 1);
  std::memcpy(made, text + first - 1, static_cast<size_t>(count));
  made[count] = 0;
  return made;
}

int32_t zrtA_find(const char *text, const char *what) {
  const char *found = std::strstr(text, what);
  return found ? static_cast<int32_t>(
                     std::min<int64_t>(found - text + 1, INT32_MAX))
               : 0;
}

const char *zrtA_upper(const char *text) {
  return changed(text, [](char c) {
    return 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
}

const char *zrtA_lower(const char *text) {
  return changed(text, [](char c) {
    return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

const char *zrtA_trim(const char *text) {
  std::string_view rest = withoutBlanksAround(text);
  size_t first = rest.empty() ? 0 : static_cast<size_t>(rest.data() - text);
  char *made = newString(rest.size() + 1);
  std::memcpy(made, text + first, rest.size());
  made[rest.size()] = 0;
  return made;
}

const char *zrtA_format(const char *format, const void *value,
                        const zrt_type *type, const zrt_loc *loc) {
  std::string &text = process().strings.text;
  text.clear();
  if (format) {
    Format own;
    appendValue(text, *type, value, &formatOf(format, *type, own, loc),
                /*element=*/false);
  } else {
    appendPlain(text, *type, value);
  }
  // A character of code 0 ends a string.
  return newString(std::string_view(text).substr(0, text.find('\0')));
}

void zrtA_parse(const char *text, void *value, const zrt_type *type,
                const zrt_loc *loc) {
  const char *reason = parse(text, value, *type);
  if (!reason)
    return;
  bool isLarge = std::string_view(reason) == "does not fit";
  bool isInteger = type->kind != ZRT_F64;
  fatal(loc, ErrorScope::Local, "%s %s%s", shownText(text).c_str(),
        isLarge     ? "does not fit "
        : isInteger ? "is not an integer"
                    : "is not a number",
        isLarge ? type->name : "");
}

int32_t zrtA_parses(const char *text, const zrt_type *type) {
  return !parse(text, nullptr, *type);
}

int32_t zrtA_split(const char *text, const char *by, void *pieces,
                   const zrt_type *type, const zrt_loc *loc) {
  auto *places = static_cast<const char **>(pieces);
  int64_t room = elementCount(*type), count = 0;
  size_t width = std::strlen(by);
  if (width == 0)
    fatal(loc, ErrorScope::Local, "split by an empty separator");
  for (bool isLast = false; !isLast; ++count) {
    const char *end = std::strstr(text, by);
    isLast = !end;
    size_t length =
        isLast ? std::strlen(text) : static_cast<size_t>(end - text);
    if (count < room) {
      char *made = newString(length + 1);
      std::memcpy(made, text, length);
      made[length] = 0;
      places[count] = made;
    }
    text = isLast ? text : end + width;
  }
  if (count > room)
    fatal(loc, ErrorScope::Local,
          "split gives %" PRId64 " pieces for an array of %" PRId64 " elements",
          count, room);
  std::fill(places + count, places + room, nullptr);
  return static_cast<int32_t>(count);
}

const char *zrtA_least_string(const char *a, const char *b) {
  return std::strcmp(b, a) < 0 ? b : a;
}

const char *zrtA_greatest_string(const char *a, const char *b) {
  return std::strcmp(b, a) > 0 ? b : a;
}

void zrtA_strings_share(zrt_array *array, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Transfer, loc);
  shareStrings(*array);
}

void zrtA_value_share(void *value, const zrt_type *type, const zrt_loc *loc) {
  OperationScope scope(OperationKind::Reduction, loc);
  shareValue(*type, value);
}

} // extern "C"
