//===- TuneFile.h - What was measured of a program's loops ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_TUNE_TUNEFILE_H
#define ZRT_ENTRY_TUNE_TUNEFILE_H

#include "zrt/Abi.h"

#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace zrt {

/// Where something was measured.
struct MeasuredAt {
  int64_t loop = 0;   ///< place in zrt_program::ways
  int processors = 0; ///< of the run
  int size = 0;       ///< index of zrt_ways::settled
  auto operator<=>(const MeasuredAt &) const = default;
};

/// What each way took, in seconds for an index; infinite: not measured.
using MeasuredWays = std::map<MeasuredAt, std::vector<double>>;

/// Of a way of a loop, way 0 being "models".
std::string wayName(const zrt_ways &ways, int way);

/// The text of a file, for readTuneFile. \p machine: as machineName.
std::string tuneText(const MeasuredWays &measured, const zrt_program &program,
                     const std::string &machine);

/// Adds what \p text says to \p measured. False, with what is wrong in \p error
/// and nothing added, if it is of another program, machine or version, or
/// broken: "line 4: there is no way 'ahaed'".
bool readTuneText(std::string_view text, const zrt_program &program,
                  const std::string &machine, MeasuredWays &measured,
                  std::string &error);

/// Adds what another processor of the same run has measured: the slower one
/// counts, since others wait for it.
void mergeMeasured(MeasuredWays &into, const MeasuredWays &other);

} // namespace zrt

#endif // ZRT_ENTRY_TUNE_TUNEFILE_H
