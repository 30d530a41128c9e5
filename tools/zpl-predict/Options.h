//===- Options.h - The command line of zpl-predict --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_PREDICT_OPTIONS_H
#define ZPL_PREDICT_OPTIONS_H

#include "Evaluate.h"

namespace predict {

struct Options {
  std::string file; ///< the model
  std::vector<std::string> machines;
  bool allMachines = false;
  std::string transport;
  Question question;
  std::vector<std::pair<std::string, double>> scales; ///< coefficient, factor
  bool counts = false;
  bool elasticity = false;
  int speedup = 0; ///< up to so many processors; 0: none
  std::string svg;
  std::string table; ///< a folder
  bool showHelp = false;
};

/// Reads the command line; false, with a sentence in \p error, if it is wrong.
bool readOptions(int argc, char **argv, Options &options, std::string &error);

void printHelp();

} // namespace predict

#endif // ZPL_PREDICT_OPTIONS_H
