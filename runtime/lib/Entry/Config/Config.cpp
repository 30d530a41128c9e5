//===- Config.cpp - What the command line gives config variables ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `-sn=8 -sorigin.x=1 -sn=9` becomes three assignments, kept in order. The
// program asks for each variable where it is declared, by number: whether n is
// given as a whole, then its default is not evaluated; what is given of
// `origin`, after its default was stored. So what stands later on the command
// line wins, and defaults see the values of earlier variables.
//
//===----------------------------------------------------------------------===//

#include "Entry/Config/Config.h"

#include <cstring>

namespace zrt {

int64_t findConfig(const zrt_program &program, const std::string &name) {
  for (int64_t k = 0; k < program.config_count; ++k)
    if (name == program.configs[k].name)
      return k;
  return -1;
}

static std::string unknownConfig(const zrt_program &program,
                                 const std::string &name) {
  std::string known;
  for (int64_t k = 0; k < program.config_count; ++k)
    known += (k == 0 ? "" : ", ") + std::string(program.configs[k].name);
  return "unknown config variable '" + name + "'; this program has" +
         (known.empty() ? " none" : ": " + known);
}

bool readAssignment(const zrt_program &program, const std::string &text,
                    ConfigAssignment &result, std::string &error) {
  size_t equals = text.find('=');
  if (equals == text.npos) {
    error = "'" + text + "' is not NAME=VALUE";
    return false;
  }
  if (!splitPath(text.substr(0, equals), result.path, error))
    return false;
  result.number = findConfig(program, result.path.name);
  if (result.number < 0) {
    error = unknownConfig(program, result.path.name);
    return false;
  }
  ConfigPart part;
  return findPart(*program.configs[result.number].type, result.path,
                  PathTime::Start, part, error) &&
         readConfigValue(*part.type, result.path.text, text.substr(equals + 1),
                         result.value, error);
}

bool givesWhole(const std::vector<ConfigAssignment> &list, int64_t number) {
  for (const ConfigAssignment &assignment : list)
    if (assignment.number == number && assignment.isWhole())
      return true;
  return false;
}

bool storeConfig(const zrt_program &program,
                 const std::vector<ConfigAssignment> &list, int64_t number,
                 void *address, StringArena &strings, std::string &error) {
  for (const ConfigAssignment &assignment : list) {
    if (assignment.number != number)
      continue;
    ConfigPart part;
    if (!findPart(*program.configs[number].type, assignment.path,
                  PathTime::Declared, part, error))
      return false;
    char *to = static_cast<char *>(address) + part.offset;
    if (part.type->kind == ZRT_STR) {
      const char *text = strings.intern(assignment.value.text);
      std::memcpy(to, &text, sizeof text);
    } else {
      std::memcpy(to, assignment.value.bytes,
                  static_cast<size_t>(part.type->size));
    }
  }
  return true;
}

} // namespace zrt
