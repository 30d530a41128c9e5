//===- Json.h - A small reader of JSON --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SIM_JSON_H
#define ZRT_TRANSPORT_SIM_JSON_H

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace zrt::sim {

/// A value of a JSON text.
struct JsonValue {
  enum class Kind { Null, Boolean, Number, Text, List, Object };

  Kind kind = Kind::Null;
  double number = 0; ///< of a boolean 0 or 1
  std::string text;
  std::vector<JsonValue> items;                           ///< of a list
  std::vector<std::pair<std::string, JsonValue>> members; ///< in their order

  bool isObject() const { return kind == Kind::Object; }
  /// The member \p name; null if this is no object that has one.
  const JsonValue *find(std::string_view name) const;
};

/// Reads \p text, which is one value. False, with a sentence in \p error that
/// names the line, if it is none.
bool readJson(std::string_view text, JsonValue &value, std::string &error);

} // namespace zrt::sim

#endif // ZRT_TRANSPORT_SIM_JSON_H
