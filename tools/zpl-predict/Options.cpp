//===- Options.cpp - The command line of zpl-predict ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Options of its own come first: what else begins with `--` is the value of a
// config variable or input, `--n=4000`, `--iterations@40=500`. One that has the
// name of an option is set as programs do, `-smachine=3`.
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "Time.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;

namespace predict {

void printHelp() {
  outs() << R"(usage: zpl-predict PROGRAM.cost [options]

Says what a program would take on a machine, without running it. The model
PROGRAM.cost is made by `zplc -emit-cost-model PROGRAM.z`.

  -p N, -pN          on so many processors; 1 is the default
  -gAxB              the grid of two dimensions; also -gA, -gAxBxC ...
  --NAME=VALUE       of a config variable or an input of the model; also
                     -sNAME=VALUE
  --machine=NAME     a machine that comes with zplc, or a machine file; several
                     are compared. infiniband is the default
  --all-machines     all that come with zplc
  --transport=NAME   which transport of the machine files; else the first
  --scale COEF=F     with a coefficient of the machine times F: latency, send,
                     receive, gap, byte, receive_byte, hop, flop, memory
  --elasticity       by how many percent the time grows with one percent more of
                     each coefficient
  --counts           only what is counted: calls, messages and bytes by line
  --speedup=N        times on 1, 2, 4 ... N processors
  --svg=FILE         with --speedup: the curves as a picture
  --table DIR        all models of a folder over the machines
  --help             this
)";
}

static bool readNumber(StringRef text, StringRef what, double &value,
                       std::string &error) {
  if (text == "true" || text == "false") {
    value = text == "true";
    return true;
  }
  if (!text.getAsDouble(value) && std::isfinite(value))
    return true;
  error = (what + " is a number, not '" + text + "'").str();
  return false;
}

static bool readProcessors(StringRef text, StringRef what, int &value,
                           std::string &error) {
  if (!text.getAsInteger(10, value) && value >= 1 && value <= MostProcessors)
    return true;
  error = (what + " is a number of processors from 1 to " +
           Twine(MostProcessors) + ", not '" + text + "'")
              .str();
  return false;
}

/// -gAxB.
static bool readGrid(StringRef text, Options &options, std::string &error) {
  SmallVector<StringRef, 6> parts;
  text.split(parts, 'x');
  std::vector<int> extents;
  for (StringRef part : parts) {
    int extent;
    if (!readProcessors(part, "an extent of a grid", extent, error))
      return false;
    extents.push_back(extent);
  }
  if (extents.size() > ZRT_MAX_RANK) {
    error = "a grid has at most 6 dimensions";
    return false;
  }
  options.question.grid.extents[extents.size()] = extents;
  return true;
}

static bool readScale(StringRef text, Options &options, std::string &error) {
  auto [name, factor] = text.split('=');
  double value;
  auto known = coefficients();
  if (none_of(known, [&](const auto &c) { return name == c.first; })) {
    error =
        ("--scale: there is no coefficient '" + name + "'; there are: " +
         join(map_range(known, [](const auto &c) { return c.first; }), ", "))
            .str();
    return false;
  }
  if (!readNumber(factor, "the factor of --scale", value, error))
    return false;
  if (value < 0)
    error = "the factor of --scale is negative";
  options.scales.emplace_back(name.str(), value);
  return error.empty();
}

/// NAME=VALUE of a config variable; a word may be a value of an enumeration,
/// which the model knows: it is kept for later.
static bool readValue(StringRef text, Options &options, std::string &error) {
  auto [name, value] = text.split('=');
  double number = 0;
  if (name.empty() || !text.contains('=')) {
    error = ("'" + text + "' is no NAME=VALUE; see --help").str();
    return false;
  }
  if (!value.empty() && isAlpha(value.front()) && value != "true" &&
      value != "false") {
    options.question.words[name.str()] = value.str();
    return true;
  }
  if (!readNumber(value, name, number, error))
    return false;
  options.question.values[name.str()] = number;
  return true;
}

namespace {
/// The words of a command line, one after the other.
struct Words {
  int argc;
  char **argv;
  int at = 1;
  std::string &error;

  /// What stands behind '=' in \p word, or the next word.
  bool value(StringRef word, StringRef &result) {
    if (word.contains('='))
      result = word.split('=').second;
    else if (at + 1 < argc)
      result = argv[++at];
    else
      error = ("'" + word + "' needs a value").str();
    return error.empty();
  }
};
} // namespace

/// Options with a value; false if \p word is none of them.
static bool readValued(Words &words, StringRef word, Options &options) {
  StringRef name = word.split('=').first, value;
  std::string &error = words.error;
  if (name == "--machine") {
    if (words.value(word, value))
      options.machines.push_back(value.str());
  } else if (name == "--transport") {
    if (words.value(word, value))
      options.transport = value.str();
  } else if (name == "--svg") {
    if (words.value(word, value))
      options.svg = value.str();
  } else if (name == "--table") {
    if (words.value(word, value))
      options.table = value.str();
  } else if (name == "--speedup") {
    if (words.value(word, value))
      readProcessors(value, "--speedup", options.speedup, error);
  } else if (word == "--scale" || name == "--scale") {
    if (words.value(word, value))
      readScale(value, options, error);
  } else {
    return false;
  }
  return true;
}

static void readShort(Words &words, StringRef word, Options &options) {
  StringRef rest = word.drop_front(2);
  if (word.starts_with("-p")) {
    if (!rest.empty() || words.value("-p", rest))
      readProcessors(rest, "-p", options.question.processors, words.error);
  } else if (word.starts_with("-g")) {
    readGrid(rest, options, words.error);
  } else if (word.starts_with("-s")) {
    readValue(rest, options, words.error);
  } else {
    words.error = ("there is no option '" + word + "'; see --help").str();
  }
}

static void readWord(Words &words, StringRef word, Options &options) {
  if (word == "--help" || word == "-h") {
    options.showHelp = true;
  } else if (word == "--all-machines") {
    options.allMachines = true;
  } else if (word == "--counts") {
    options.counts = true;
  } else if (word == "--elasticity") {
    options.elasticity = true;
  } else if (readValued(words, word, options)) {
    return;
  } else if (word.starts_with("--")) {
    readValue(word.drop_front(2), options, words.error);
  } else if (word.starts_with("-")) {
    readShort(words, word, options);
  } else if (options.file.empty()) {
    options.file = word.str();
  } else {
    words.error = ("'" + word + "' is too much: one model is read").str();
  }
}

bool readOptions(int argc, char **argv, Options &options, std::string &error) {
  Words words{argc, argv, 1, error};
  for (; words.at < argc && error.empty(); ++words.at)
    readWord(words, argv[words.at], options);
  if (!error.empty() || options.showHelp)
    return error.empty();
  if (options.file.empty() && options.table.empty())
    error = "no model; see --help";
  else if (!options.file.empty() && !options.table.empty())
    error = "--table takes the models of a folder, and no other";
  else if (!options.svg.empty() && options.speedup == 0)
    error = "--svg draws what --speedup=N computes";
  return error.empty();
}

} // namespace predict
