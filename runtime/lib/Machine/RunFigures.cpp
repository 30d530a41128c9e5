//===- RunFigures.cpp - What choices of the runtime depend on -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiler writes into a program what the machine file said that differs
/// from the usual values:
///
///     collective.shm.message=1.4e-07 tiles.bytes=262144
///
/// A file that each processor would read when it starts could be another one on
/// another node, and then processors would wait for messages of different
/// algorithms.
///
/// Cost: a look at each name, once.
///
//===----------------------------------------------------------------------===//

#include "Machine/RunFigures.h"

#include <cstdlib>
#include <sstream>

using namespace zrt;

namespace {

struct Line {
  const char *name;
  double RunFigures::*member;
  double least, most;
};

constexpr Line Lines[] = {
#define ZRT_FIGURE(member, name, usual, least, most, unit, what)               \
  {name, &RunFigures::member, least, most},
#include "zrt/RunFigures.def"
};

} // namespace

/// One value for all of the process: it belongs to the program.
static RunFigures theFigures;

const RunFigures &zrt::runFigures() { return theFigures; }

/// Reads "name=value" into \p figures.
static bool setOne(const std::string &word, RunFigures &figures) {
  size_t equals = word.find('=');
  if (equals == std::string::npos)
    return false;
  for (const Line &line : Lines) {
    if (word.compare(0, equals, line.name) != 0)
      continue;
    char *end = nullptr;
    double value = std::strtod(word.c_str() + equals + 1, &end);
    if (!(value >= line.least && value <= line.most) || *end ||
        equals + 1 == word.size())
      return false;
    figures.*line.member = value;
    return true;
  }
  return false;
}

bool zrt::setRunFigures(const std::string &text, std::string &error) {
  RunFigures figures;
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (!setOne(word, figures)) {
      error = "the program's figure '" + word + "' is none of this runtime";
      return false;
    }
  theFigures = figures;
  return true;
}
