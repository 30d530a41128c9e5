//===- Options.cpp - The command line of zpl-calibrate --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"
#include "Measure/Groups.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace calibrate {

void printHelp() {
  outs()
      << R"(usage: zpl-calibrate [options]               measures this machine
       zpl-calibrate report [options]        shows what was measured
       zpl-calibrate map [CHOICE] [options]  which way is predicted to be the best where
       zpl-calibrate audit [CHOICE] [options] measures how good the choices are; of
                                             'programs' at other sizes

  --only=GROUP,...  only these groups; what a file has of others stays
  --output=FILE     instead of the file of this machine in ~/.cache/zpl
  --machine=FILE    report, map, audit: of this file
  --quick           few repeats of small sizes: to try it out
  --help            this

groups:
)";
  for (const Group &group : groups())
    outs() << "  " << left_justify(group.name, 16) << "  " << group.about
           << '\n';
}

/// The value of --NAME=VALUE or --NAME VALUE; false if it is missing.
static bool takeValue(int argc, char **argv, int &at, StringRef inside,
                      bool hasInside, std::string &value, std::string &error) {
  if (!hasInside && at + 1 >= argc) {
    error = std::string("'") + argv[at] + "' needs a value";
    return false;
  }
  value = hasInside ? inside.str() : argv[++at];
  return true;
}

static bool readGroups(StringRef list, std::vector<std::string> &only,
                       std::string &error) {
  SmallVector<StringRef, 8> names;
  list.split(names, ',');
  for (StringRef name : names) {
    if (none_of(groups(), [&](const Group &g) { return name == g.name; })) {
      error = ("there is no group '" + name + "'; there are: " +
               join(map_range(groups(),
                              [](const Group &g) { return StringRef(g.name); }),
                    ", "))
                  .str();
      return false;
    }
    only.push_back(name.str());
  }
  return true;
}

/// A word without '-'.
static bool readWord(StringRef word, Options &options, std::string &error) {
  bool isCommand = word == "report" || word == "map" || word == "audit";
  if (options.command.empty() && isCommand)
    options.command = word.str();
  else if (options.choice.empty() &&
           (options.command == "map" || options.command == "audit"))
    options.choice = word.str();
  else
    error = ("'" + word + "' is too much; see --help").str();
  return error.empty();
}

bool readOptions(int argc, char **argv, Options &options, std::string &error) {
  for (int at = 1; at < argc; ++at) {
    StringRef argument = argv[at];
    if (!argument.starts_with("-")) {
      if (!readWord(argument, options, error))
        return false;
      continue;
    }
    auto [name, inside] = argument.split('=');
    bool hasInside = argument.contains('=');
    std::string value;
    auto take = [&](std::string &to) {
      return takeValue(argc, argv, at, inside, hasInside, to, error);
    };
    bool isFine = true;
    if (argument == "--help" || argument == "-h")
      return false;
    if (argument == "--quick")
      options.isQuick = true;
    else if (name == "--output")
      isFine = take(options.output);
    else if (name == "--machine")
      isFine = take(options.machine);
    else if (name == "--only")
      isFine = take(value) && readGroups(value, options.only, error);
    else {
      error = ("there is no option '" + argument + "'; see --help").str();
      return false;
    }
    if (!isFine)
      return false;
  }
  return true;
}

} // namespace calibrate
