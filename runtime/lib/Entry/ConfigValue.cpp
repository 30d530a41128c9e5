//===- ConfigValue.cpp - Values of config variables -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From the words of a command line to typed values: `-sn=0x10` sets the integer
// n to 16. Each type reads the whole word or refuses it, with a message that
// shows the variable, its type and the word:
//
//     config variable 'n' has type integer: '12x' is not an integer literal
//
//===----------------------------------------------------------------------===//

#include "Entry/ConfigValue.h"

#include "Support/Error.h"

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

namespace zrt {

namespace {

enum class Outcome { Good, Malformed, TooLarge };

bool isDigit(char c) { return '0' <= c && c <= '9'; }

/// Takes an optional sign; true if it was a minus.
bool takeSign(const char *&at) {
  if (*at == '-' || *at == '+')
    return *at++ == '-';
  return false;
}

template <typename T> Outcome readInteger(const std::string &text, T &value) {
  const char *at = text.c_str(), *end = at + text.size();
  bool negative = takeSign(at);
  int base = 10;
  if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')) {
    base = 16;
    at += 2;
  }
  uint64_t magnitude = 0;
  auto [stop, status] = std::from_chars(at, end, magnitude, base);
  if (status == std::errc::invalid_argument || stop != end)
    return Outcome::Malformed;
  uint64_t most = static_cast<uint64_t>(std::numeric_limits<T>::max());
  if (status != std::errc() || magnitude > most + (negative ? 1 : 0))
    return Outcome::TooLarge;
  value = static_cast<T>(negative ? 0 - magnitude : magnitude);
  return Outcome::Good;
}

template <typename T> Outcome readFloating(const std::string &text, T &value) {
  const char *at = text.c_str(), *end = at + text.size();
  bool negative = takeSign(at);
  if (!isDigit(*at) && !(*at == '.' && isDigit(at[1])))
    return Outcome::Malformed; // among others inf and nan
  auto [stop, status] = std::from_chars(at, end, value);
  if (stop != end)
    return Outcome::Malformed;
  if (status == std::errc::result_out_of_range) {
    // Too small is as good as zero; strtod tells the two cases apart.
    if (std::strtod(at, nullptr) > 1)
      return Outcome::TooLarge;
    value = 0;
  }
  if (negative)
    value = -value;
  return Outcome::Good;
}

Outcome readBoolean(const std::string &text, uint8_t &value) {
  if (text != "true" && text != "false")
    return Outcome::Malformed;
  value = text == "true";
  return Outcome::Good;
}

template <typename T>
Outcome store(Outcome (*read)(const std::string &, T &),
              const std::string &text, void *address) {
  T value{};
  Outcome outcome = read(text, value);
  if (outcome == Outcome::Good)
    std::memcpy(address, &value, sizeof value);
  return outcome;
}

Outcome storeTyped(const zrt_config &config, const std::string &text,
                   std::deque<std::string> &strings) {
  switch (static_cast<zrt_type>(config.type)) {
  case ZRT_BOOL:
    return store(readBoolean, text, config.address);
  case ZRT_I32:
    return store(readInteger<int32_t>, text, config.address);
  case ZRT_I64:
    return store(readInteger<int64_t>, text, config.address);
  case ZRT_F32:
    return store(readFloating<float>, text, config.address);
  case ZRT_F64:
    return store(readFloating<double>, text, config.address);
  case ZRT_STR:
    strings.push_back(text);
    *static_cast<const char **>(config.address) = strings.back().c_str();
    return Outcome::Good;
  }
  internalError(__FILE__, __LINE__, "type of a config variable");
}

} // namespace

const char *typeName(int32_t type) {
  switch (static_cast<zrt_type>(type)) {
  case ZRT_BOOL:
    return "boolean";
  case ZRT_I32:
    return "integer";
  case ZRT_I64:
    return "longint";
  case ZRT_F32:
    return "float";
  case ZRT_F64:
    return "double";
  case ZRT_STR:
    return "string";
  }
  internalError(__FILE__, __LINE__, "type of a config variable");
}

bool setConfig(const zrt_config &config, const std::string &text,
               std::deque<std::string> &strings, std::string &error) {
  std::string type = typeName(config.type);
  std::string subject = "config variable '" + std::string(config.name) + "'";
  switch (storeTyped(config, text, strings)) {
  case Outcome::Good:
    if (config.given)
      *config.given = 1;
    return true;
  case Outcome::Malformed:
    error = subject + " has type " + type + ": '" + text + "' is not " +
            (config.type == ZRT_I32 ? "an " : "a ") + type + " literal" +
            (config.type == ZRT_BOOL ? " (true or false)" : "");
    return false;
  case Outcome::TooLarge:
    error = subject + " has type " + type + ": '" + text + "' does not fit";
    return false;
  }
  internalError(__FILE__, __LINE__, "outcome of reading a value");
}

} // namespace zrt
