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

std::string zrt::envText(EnvVariable variable) {
  const EnvInfo &info = envTable()[static_cast<size_t>(variable)];
  const char *value = getenv(info.name);
  return value && *value ? value : info.defaultText;
}

std::optional<long> zrt::envNumber(EnvVariable variable) {
  std::string text = envText(variable);
  char *end = nullptr;
  long value = strtol(text.c_str(), &end, 10);
  if (text.empty() || *end)
    return std::nullopt;
  return value;
}
