//===- Config.h - What the command line gives config variables --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_CONFIG_CONFIG_H
#define ZRT_ENTRY_CONFIG_CONFIG_H

#include "Entry/Config/ConfigPath.h"
#include "Entry/Config/ConfigValue.h"
#include "Memory/StringArena.h"
#include "zrt/Abi.h"

#include <string>
#include <vector>

namespace zrt {

/// One `NAME=VALUE`.
struct ConfigAssignment {
  int64_t number = 0; ///< of the variable in zrt_program::configs
  ConfigPath path;
  ConfigValue value;

  bool isWhole() const { return path.steps.empty(); }
};

/// The number of the config variable called \p name; -1 if there is none.
int64_t findConfig(const zrt_program &program, const std::string &name);

/// Reads \p text, `NAME=VALUE`. False at any mistake but an index outside of
/// bounds that are not known yet, with a sentence in \p error.
bool readAssignment(const zrt_program &program, const std::string &text,
                    ConfigAssignment &result, std::string &error);

/// True if \p list gives all of variable \p number.
bool givesWhole(const std::vector<ConfigAssignment> &list, int64_t number);

/// Stores what \p list gives of variable \p number, in order, at \p address.
/// Strings go to \p strings. False if an index is outside of its bounds, with a
/// sentence in \p error.
bool storeConfig(const zrt_program &program,
                 const std::vector<ConfigAssignment> &list, int64_t number,
                 void *address, StringArena &strings, std::string &error);

} // namespace zrt

#endif // ZRT_ENTRY_CONFIG_CONFIG_H
