//===- Env.cpp - The runtime's environment variables ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Env.def names each variable once; the enumeration, the lookup and the list
/// in a program's `-h` all come from it. Variables are read when they are
/// asked for, a few times per run.
///
//===----------------------------------------------------------------------===//

#include "Env.h"

#include <charconv>
#include <cstdlib>

using namespace zrt;

const std::vector<EnvInfo> &zrt::envTable() {
  static const std::vector<EnvInfo> table = {
#define ZRT_ENV(identifier, name, kind, default, help)                         \
  {name, EnvKind::kind, default, help},
#include "Env.def"
  };
  return table;
}

/// The number in \p text; nothing if there is anything else or it does not fit.
static std::optional<long> toNumber(const std::string &text) {
  long value = 0;
  const char *end = text.data() + text.size();
  auto [stop, status] = std::from_chars(text.data(), end, value);
  if (text.empty() || status != std::errc() || stop != end)
    return std::nullopt;
  return value;
}

const char *zrt::envName(EnvVariable variable) {
  return envTable()[static_cast<size_t>(variable)].name;
}

std::string zrt::envText(EnvVariable variable) {
  const EnvInfo &info = envTable()[static_cast<size_t>(variable)];
  const char *value = getenv(info.name);
  return value && *value ? value : info.defaultText;
}

std::optional<long> zrt::envNumber(EnvVariable variable) {
  return toNumber(envText(variable));
}

std::string zrt::wrongEnvironment() {
  for (const EnvInfo &info : envTable()) {
    const char *value = getenv(info.name);
    if (!value || !*value || info.kind == EnvKind::Text)
      continue;
    std::string text = value;
    const char *needed =
        info.kind == EnvKind::Number ? "a number" : "'always' or 'never'";
    bool isFine = info.kind == EnvKind::Number
                      ? toNumber(text).has_value()
                      : text == "always" || text == "never";
    if (!isFine)
      return std::string("the environment variable ") + info.name + " needs " +
             needed + ", not '" + text + "'";
  }
  return "";
}
