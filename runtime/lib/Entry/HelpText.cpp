//===- HelpText.cpp - What -h prints --------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The options, then the config variables in four columns that are as wide as
// what stands in them:
//
//     config variables:
//       n        integer  100    size of the grid
//       epsilon  double   0.001  where to stop
//
//===----------------------------------------------------------------------===//

#include "Entry/CommandLine.h"
#include "Entry/ConfigValue.h"

#include <algorithm>

namespace zrt {

static const char *const Options =
    "  -pN            run on N processors\n"
    "  -rN -cN -lN    rows, columns and levels of the processor grid\n"
    "  -gAxB          the whole grid of two dimensions, -gAxBxC of three, ...\n"
    "  --transport=T  how processors talk: self, shm or mpi\n"
    "  -sNAME=VALUE   set a config variable; --NAME=VALUE does the same\n"
    "  -fFILE         read NAME=VALUE words from FILE\n"
    "  -v             say on standard error how the program is run\n"
    "  -q             say nothing of that (the normal case)\n"
    "  -h, --help     print this\n";

static std::string padded(std::string text, size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

std::string helpText(const std::string &programName,
                     const zrt_program &program) {
  std::string text = "usage: " + programName + " [option ...]\n\n" + Options;
  if (program.config_count == 0)
    return text + "\nThis program has no config variables.\n";
  text += "\nconfig variables:\n";
  size_t nameWidth = 0, typeWidth = 0, defaultWidth = 0;
  for (int64_t k = 0; k < program.config_count; ++k) {
    const zrt_config &config = program.configs[k];
    nameWidth = std::max(nameWidth, std::string(config.name).size());
    typeWidth = std::max(typeWidth, std::string(typeName(config.type)).size());
    defaultWidth =
        std::max(defaultWidth, std::string(config.default_text).size());
  }
  for (int64_t k = 0; k < program.config_count; ++k) {
    const zrt_config &config = program.configs[k];
    std::string line = "  " + padded(config.name, nameWidth) + "  " +
                       padded(typeName(config.type), typeWidth) + "  " +
                       padded(config.default_text, defaultWidth) + "  " +
                       config.comment;
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

} // namespace zrt
