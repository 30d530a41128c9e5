//===- Configuration.h - Config variables from the command line -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_INTERPRET_IO_CONFIGURATION_H
#define ZPL_LIB_INTERPRET_IO_CONFIGURATION_H

#include "zpl/Sema/Program.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace zpl::interpreter {

/// `-sorigin.x=1`: variable origin, path ".x", value "1".
struct ConfigSetting {
  std::string variable, path, value;
};

/// What the arguments of the program say of its config variables.
class Configuration {
public:
  /// False if the arguments are wrong, with the reason in \p error.
  bool read(llvm::ArrayRef<std::string> arguments, const sema::Program &program,
            std::string &error);
  /// The settings of a variable, in order.
  std::vector<ConfigSetting> settingsOf(const sema::Variable *variable) const;
  /// The program's own arguments, those after `--`.
  llvm::ArrayRef<std::string> ownArguments() const { return words; }
  /// The checkpoint to go on from, `--restart=FILE`; "": none.
  const std::string &restartFile() const { return restart; }

private:
  /// Reads `NAME=VALUE`, `origin.x=1`, `size[W]=64`; false as read().
  bool readWord(const std::string &word, const sema::Program &program,
                std::string &error);
  /// Reads a file of such words, of `-fFILE`; false as read().
  bool readFile(const std::string &name, const sema::Program &program,
                std::string &error);

  std::vector<ConfigSetting> settings;
  std::vector<std::string> words;
  std::string restart;
};

} // namespace zpl::interpreter

#endif // ZPL_LIB_INTERPRET_IO_CONFIGURATION_H
