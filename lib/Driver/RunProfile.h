//===- RunProfile.h - What --profile has written ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_DRIVER_RUNPROFILE_H
#define ZPL_LIB_DRIVER_RUNPROFILE_H

#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>

namespace zpl::driver {

/// The seconds that a run spent, by line: the table that a program writes with
/// --profile=FILE.
class RunProfile {
public:
  /// Reads such a file; none if it cannot be read or is no table, and \p error
  /// says why.
  static std::optional<RunProfile> read(const std::string &path,
                                        std::string &error);

  /// What was spent for a line: waiting in its operations, and computing up to
  /// the next operation at it or below it. \p file as in messages.
  double secondsAt(llvm::StringRef file, unsigned line) const;

private:
  struct Seconds {
    double computing = 0, waiting = 0;
  };

  /// Adds one row of the table, `file:line` and its columns, the last three of
  /// which begin with the seconds of computing and of waiting, to `lines`;
  /// false if it is none.
  bool readRow(llvm::StringRef row);
  std::map<std::pair<std::string, unsigned>, Seconds> lines;
};

} // namespace zpl::driver

#endif // ZPL_LIB_DRIVER_RUNPROFILE_H
