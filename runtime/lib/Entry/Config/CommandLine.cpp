//===- CommandLine.cpp - The command line of a ZPL program ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `jacobi -p4 -r 2 -sn=1000 --epsilon=1e-6 -fsettings` is read from left to
// right; what comes later goes before what came earlier. `-f` reads a file of
// NAME=VALUE words (ConfigWords.cpp) as if they stood there with -s.
//
// Everything is checked here, before any process is started, so that a mistake
// is told once and costs nothing. A short option is one letter of the table in
// `takeShort`; a long one is one of takeLong or a config variable.
//
//===----------------------------------------------------------------------===//

#include "Entry/Config/CommandLine.h"

#include "Entry/Config/ConfigWords.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sys/stat.h>

namespace zrt {

namespace {

/// More processors than any machine this runs on; keeps products within an int.
constexpr int MostProcessors = 1 << 16;

/// Seconds of --watchdog. Fewer than a few looks at a processor tell nothing.
constexpr double LeastWatchdog = 0.1, LargestWatchdog = 1e6;

class Parser {
public:
  Parser(int argc, char **argv, const zrt_program &program, CommandLine &result,
         std::string &error)
      : argc(argc), argv(argv), program(program), result(result), error(error) {
  }

  bool run() {
    for (int k = 1; k < argc; ++k) {
      std::string argument = argv[k];
      if (argument == "--") {
        result.arguments.assign(argv + k + 1, argv + argc);
        return true;
      }
      if (argument.starts_with("--")) {
        if (!takeLong(argument.substr(2)))
          return false;
      } else if (argument.size() >= 2 && argument[0] == '-') {
        if (!takeShort(argument, k))
          return false;
      } else {
        return fail("unexpected argument '" + argument + "'");
      }
    }
    return true;
  }

private:
  bool fail(const std::string &message) {
    error = message;
    return false;
  }

  bool takeLong(const std::string &text);
  bool takeShort(const std::string &argument, int &k);
  bool takeNumber(const std::string &option, const std::string &text,
                  int &number);
  bool takeGrid(const std::string &text);
  bool takeExtents(const std::string &text, std::vector<int> &extents);
  int rankOfGrid(const std::string &name) const;
  bool takeWatchdog(const std::string &text);
  bool takeBinding(const std::string &text);
  bool takeTuning(const std::string &text);
  bool takeSimulation(const std::string &text);
  bool takeAssignment(const std::string &text);
  bool takeFile(const std::string &name);

  int argc;
  char **argv;
  const zrt_program &program;
  CommandLine &result;
  std::string &error;
};

bool Parser::takeLong(const std::string &text) {
  size_t equals = text.find('=');
  std::string name = text.substr(0, equals);
  if (text == "help")
    return result.help = true;
  if (text == "profile")
    return result.profile = true;
  if (text == "check-replication")
    return result.checkReplication = true;
  if (equals == text.npos) {
    std::string variable = name.substr(0, name.find_first_of(".["));
    if (name == "transport" || name == "watchdog" || name == "trace" ||
        name == "bind" || name == "restart" || name == "tune" ||
        name == "tune-file" || name == "report" || name == "sim-machine" ||
        name == "sim-transport" || name == "sim-compute" ||
        findConfig(program, variable) >= 0)
      return fail("option '--" + name + "' needs a value: --" + name +
                  "=VALUE");
    return fail("unknown option '--" + text + "'; -h lists the options");
  }
  if (name == "restart" && !program.can_restart &&
      findConfig(program, name) >= 0)
    return takeAssignment(text);
  if (name == "watchdog")
    return takeWatchdog(text.substr(equals + 1));
  if (name == "bind")
    return takeBinding(text.substr(equals + 1));
  if (name == "tune")
    return takeTuning(text.substr(equals + 1));
  if (name == "check-replication")
    return fail("option '--check-replication' takes no value");
  result.profile |= name == "profile";
  if (name == "sim" && findConfig(program, name) < 0)
    return takeSimulation(text.substr(equals + 1));
  std::string *value = name == "transport"       ? &result.transport
                       : name == "profile"       ? &result.profileFile
                       : name == "trace"         ? &result.traceFile
                       : name == "restart"       ? &result.restartFile
                       : name == "tune-file"     ? &result.tuneFile
                       : name == "report"        ? &result.reportFile
                       : name == "sim-machine"   ? &result.simMachine
                       : name == "sim-transport" ? &result.simTransport
                       : name == "sim-compute"   ? &result.simCompute
                                                 : nullptr;
  if (!value)
    return takeAssignment(text);
  if (name == "restart" && !program.can_restart)
    return fail("option '--restart': this program does not call restart()");
  *value = text.substr(equals + 1);
  return !value->empty() ||
         fail("option '--" + name + "' needs a value: --" + name + "=VALUE");
}

bool Parser::takeSimulation(const std::string &text) {
  if (text != "skeleton")
    return fail("option '--sim' is skeleton, not '" + text + "'");
  if (!program.counts_work)
    return fail(
        "option '--sim=skeleton' needs a program that was compiled with "
        "-fcount-work");
  return result.isSkeleton = true;
}

bool Parser::takeWatchdog(const std::string &text) {
  const char *end = text.data() + text.size();
  double seconds = 0;
  auto [stop, status] =
      std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
  // Not a number compares as false.
  if (status != std::errc() || stop != end ||
      !(seconds >= LeastWatchdog && seconds <= LargestWatchdog))
    return fail("option '--watchdog' needs a number of seconds from 0.1 to "
                "1000000, not '" +
                text + "'");
  result.watchdog = seconds;
  return true;
}

bool Parser::takeBinding(const std::string &text) {
  if (text != "core" && text != "none")
    return fail("option '--bind' takes core or none, not '" + text + "'");
  result.bindsCores = text == "core";
  return true;
}

/// `force:K` takes way K of each loop that has so many: for tests.
bool Parser::takeTuning(const std::string &text) {
  result.tuning = text == "off"      ? ZRT_TUNING_OFF
                  : text == "models" ? ZRT_TUNING_MODELS
                  : text == "run"    ? ZRT_TUNING_RUN
                                     : ZRT_TUNING_NONE;
  result.forcedWay = 0;
  if (text.size() == 7 && text.starts_with("force:") && text[6] >= '0' &&
      text[6] <= '9') {
    result.tuning = ZRT_TUNING_OFF;
    result.forcedWay = text[6] - '0';
  }
  return result.tuning != ZRT_TUNING_NONE ||
         fail("option '--tune' needs off, models or run, not '" + text + "'");
}

/// Reads the option at argv[k]; moves \p k if its value is the next argument.
bool Parser::takeShort(const std::string &argument, int &k) {
  std::string option = argument.substr(0, 2), value = argument.substr(2);
  char letter = argument[1];
  if (std::strchr("hqv", letter)) {
    if (!value.empty())
      return fail("unknown option '" + argument + "'; -h lists the options");
    result.help |= letter == 'h';
    result.verbose |= letter == 'v';
    return true;
  }
  if (!std::strchr("prclgsf", letter))
    return fail("unknown option '" + argument + "'; -h lists the options");
  if (value.empty() && k + 1 < argc)
    value = argv[++k];
  if (value.empty())
    return fail("option '" + option + "' needs a value");
  switch (letter) {
  case 'p':
    return takeNumber(option, value, result.grid.processors);
  case 'r':
    return takeNumber(option, value, result.grid.levels[0]);
  case 'c':
    return takeNumber(option, value, result.grid.levels[1]);
  case 'l':
    return takeNumber(option, value, result.grid.levels[2]);
  case 'g':
    return takeGrid(value);
  case 's':
    return takeAssignment(value);
  }
  return takeFile(value);
}

bool Parser::takeNumber(const std::string &option, const std::string &text,
                        int &number) {
  const char *end = text.data() + text.size();
  int value = 0;
  auto [stop, status] = std::from_chars(text.data(), end, value);
  bool tooLarge = status == std::errc::result_out_of_range && text[0] != '-';
  if (!tooLarge && (status != std::errc() || stop != end || value <= 0))
    return fail("option '" + option + "' needs a positive number, not '" +
                text + "'");
  if (tooLarge || value > MostProcessors)
    return fail("option '" + option + "' allows at most " +
                std::to_string(MostProcessors) + ", not '" + text + "'");
  number = value;
  return true;
}

/// Reads 2x3.
bool Parser::takeExtents(const std::string &text, std::vector<int> &extents) {
  int64_t product = 1;
  for (size_t start = 0; start <= text.size();) {
    size_t stop = std::min(text.find('x', start), text.size());
    int extent = 0;
    std::string piece = text.substr(start, stop - start);
    if (piece.empty() || piece.find_first_not_of("0123456789") != piece.npos)
      return fail("option '-g' needs extents such as 2x3, not '" + text + "'");
    if (!takeNumber("-g", piece, extent))
      return false;
    extents.push_back(extent);
    product = std::min<int64_t>(product * extent, MostProcessors + 1);
    start = stop + 1;
  }
  if (extents.size() > ZRT_MAX_RANK)
    return fail("option '-g' allows at most " + std::to_string(ZRT_MAX_RANK) +
                " dimensions, not '" + text + "'");
  if (product > MostProcessors)
    return fail("option '-g' allows at most " + std::to_string(MostProcessors) +
                " processors, not '" + text + "'");
  return true;
}

/// The rank of the program's grid \p name, or of a distribution or domain of
/// that name that is over the default grid; 0 if there is none.
int Parser::rankOfGrid(const std::string &name) const {
  for (int32_t k = 0; k < program.grid_count; ++k)
    if (name == program.grids[k].name)
      return program.grids[k].rank;
  for (int32_t k = 0; k < program.distribution_count; ++k)
    if (name == program.distributions[k].name &&
        program.distributions[k].grid == 0)
      return program.distributions[k].rank;
  for (int32_t k = 0; k < program.domain_count; ++k) {
    const zrt_distribution_info &distribution =
        program.distributions[program.domains[k].distribution - 1];
    if (name == program.domains[k].name && distribution.grid == 0)
      return distribution.rank;
  }
  return 0;
}

/// `2x3`, for all grids of two dimensions, or `G=2x3`.
bool Parser::takeGrid(const std::string &text) {
  size_t equals = text.find('=');
  std::vector<int> extents;
  if (!takeExtents(equals == text.npos ? text : text.substr(equals + 1),
                   extents))
    return false;
  if (equals == text.npos) {
    result.grid.extents[extents.size()] = extents;
    return true;
  }
  std::string name = text.substr(0, equals);
  int rank = rankOfGrid(name);
  if (rank == 0)
    return fail("option '-g' names '" + name +
                "', which is no grid of the program");
  if (static_cast<int>(extents.size()) != rank)
    return fail("option '-g" + text + "': " + name + " has " +
                std::to_string(rank) + " dimensions");
  result.grid.named[name] = extents;
  return true;
}

bool Parser::takeAssignment(const std::string &text) {
  ConfigAssignment assignment;
  if (!readAssignment(program, text, assignment, error))
    return false;
  result.assignments.push_back(std::move(assignment));
  return true;
}

bool Parser::takeFile(const std::string &name) {
  struct stat status;
  std::ifstream file;
  if (stat(name.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    errno = EISDIR;
  else
    file.open(name);
  if (!file.is_open())
    return fail("cannot read '" + name + "': " + std::strerror(errno));
  std::string contents((std::istreambuf_iterator<char>(file)),
                       std::istreambuf_iterator<char>());
  std::vector<ConfigWord> words;
  int line = 0;
  bool good = splitWords(contents, words, error, line);
  for (size_t k = 0; good && k < words.size(); ++k) {
    line = words[k].line;
    good = takeAssignment(words[k].text);
  }
  if (!good)
    error = "in '" + name + "', line " + std::to_string(line) + ": " + error;
  return good;
}

} // namespace

bool parseCommandLine(int argc, char **argv, const zrt_program &program,
                      CommandLine &result, std::string &error) {
  return Parser(argc, argv, program, result, error).run();
}

} // namespace zrt
