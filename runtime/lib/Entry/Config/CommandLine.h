//===- CommandLine.h - The command line of a ZPL program --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_CONFIG_COMMANDLINE_H
#define ZRT_ENTRY_CONFIG_COMMANDLINE_H

#include "Entry/Config/Config.h"
#include "Grid/ProcessGrid.h"
#include "zrt/Abi.h"

#include <string>
#include <vector>

namespace zrt {

/// What the command line says (language section 11).
struct CommandLine {
  GridRequest grid;
  std::string transport;        ///< --transport, or empty
  std::string simMachine;       ///< --sim-machine, or empty
  std::string simTransport;     ///< --sim-transport, or empty
  std::string simCompute;       ///< --sim-compute, or empty
  bool isSkeleton = false;      ///< --sim=skeleton
  double watchdog = 0;          ///< --watchdog, in seconds; 0: not given
  bool profile = false;         ///< --profile
  std::string profileFile;      ///< its value; empty: standard error
  std::string traceFile;        ///< --trace, or empty
  int tuning = ZRT_TUNING_NONE; ///< --tune; NONE: not given
  int forcedWay = 0;            ///< of --tune=force:K
  std::string tuneFile;         ///< --tune-file, or empty
  std::string restartFile;      ///< --restart, or empty
  bool bindsCores = false;      ///< --bind=core
  std::string reportFile;       ///< --report, or empty
  bool checkReplication = false;
  bool help = false;
  bool verbose = false;
  std::vector<ConfigAssignment> assignments; ///< -s and -f, in order
  std::vector<std::string> arguments;        ///< those after `--`
};

/// Reads the arguments, argv[0] left out of account, and checks the values of
/// config variables. Options take their value in the same argument or in the
/// next one. False at the first mistake, with a sentence in \p error.
bool parseCommandLine(int argc, char **argv, const zrt_program &program,
                      CommandLine &result, std::string &error);

/// What -h prints: the options, a table of the config variables and their
/// types.
std::string helpText(const std::string &programName,
                     const zrt_program &program);

} // namespace zrt

#endif // ZRT_ENTRY_CONFIG_COMMANDLINE_H
