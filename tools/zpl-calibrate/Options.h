//===- Options.h - The command line of zpl-calibrate ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_CALIBRATE_OPTIONS_H
#define ZPL_CALIBRATE_OPTIONS_H

#include "Session.h"

namespace calibrate {

/// Reads the command line. False if it is wrong, with a message in \p error, or
/// asks for help, with \p error empty.
bool readOptions(int argc, char **argv, Options &options, std::string &error);

/// What --help prints.
void printHelp();

} // namespace calibrate

#endif // ZPL_CALIBRATE_OPTIONS_H
