//===- Dependencies.h - What an output was made of ------------ -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_DRIVER_DEPENDENCIES_H
#define ZPL_DRIVER_DEPENDENCIES_H

#include "Options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace zpl::driver {

/// The files that were read so far.
struct Dependencies {
  std::vector<std::string> files; ///< each once, in the order of reading
  llvm::StringSet<> known;

  /// Adds a file that is not there yet.
  void add(llvm::StringRef path);
  /// Adds what a rule for make that Clang wrote names behind its colon.
  void addRule(llvm::StringRef rule);
};

/// The text of the rule that options.dependencies ask for, of lines of at most
/// 80 bytes where names allow it:
///
///     heat.o: heat.z borders.z
std::string dependencyRule(const Options &options,
                           const Dependencies &dependencies);

/// Writes the rule to options.dependencies.file, if there shall be one. False
/// after an error, which is reported; also if the file was read.
bool writeDependencies(const Options &options,
                       const Dependencies &dependencies);

} // namespace zpl::driver

#endif // ZPL_DRIVER_DEPENDENCIES_H
