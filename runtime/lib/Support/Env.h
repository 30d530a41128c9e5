//===- Env.h - The runtime's environment variables --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_ENV_H
#define ZRT_SUPPORT_ENV_H

#include <optional>
#include <string>
#include <vector>

namespace zrt {

/// One per line of Env.def.
enum class EnvVariable {
#define ZRT_ENV(identifier, name, kind, default, help) identifier,
#include "Env.def"
};

enum class EnvKind { Text, Number, Choice };

/// What Env.def says of a variable.
struct EnvInfo {
  const char *name;
  EnvKind kind;
  const char *defaultText; ///< "" if there is none
  const char *help;
};

/// The whole table, indexed by EnvVariable.
const std::vector<EnvInfo> &envTable();

/// The name of \p variable in the environment.
const char *envName(EnvVariable variable);

/// The value of \p variable: what the environment says unless that is empty,
/// else the default, else "".
std::string envText(EnvVariable variable);

/// The value of a variable of kind Number; nothing if it is not set or not a
/// number.
std::optional<long> envNumber(EnvVariable variable);

/// A sentence about the first variable whose value is not of its kind, or
/// "". Nothing else complains about such values.
std::string wrongEnvironment();

} // namespace zrt

#endif // ZRT_SUPPORT_ENV_H
