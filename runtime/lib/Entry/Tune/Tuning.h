//===- Tuning.h - Ways that the run chooses among ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_TUNE_TUNING_H
#define ZRT_ENTRY_TUNE_TUNING_H

#include "Entry/Config/CommandLine.h"
#include "Entry/Tune/Trials.h"
#include "Entry/Tune/TuneFile.h"
#include "Transport/Transport.h"
#include "zrt/Abi.h"

#include <map>
#include <optional>
#include <string>

namespace zrt {

/// Which ways the program's loops take on this processor, and what they took.
class Tuning {
public:
  /// Settles what is known. Collective: processor 0 reads the file and gives it
  /// to the others. \p isSimulated: processors are in one process, and no time
  /// is measured.
  void start(Transport &transport, const zrt_program &program,
             const CommandLine &options, bool isSimulated);

  // What zrtA_way and zrtA_way_taken do.
  int way(zrt_ways &ways, int size);
  void taken(zrt_ways &ways, int64_t indices);

  /// Gathers on processor 0 what all have measured, saves it, and gives what -v
  /// and --profile print, a line for each loop and size: its way, and what the
  /// ways took ("" elsewhere, or if nothing is to be told). Collective.
  std::string finish();

private:
  struct Loop {
    zrt_ways *ways;
    int size;
    auto operator<=>(const Loop &) const = default;
  };

  void warn(const std::string &text) const;
  bool readFile();
  std::vector<uint8_t> firstWays(bool mayRead);
  MeasuredWays ownResults() const;
  void save() const;
  std::string report() const;

  Transport *transport = nullptr; ///< null: there is nothing to choose
  const zrt_program *program = nullptr;
  std::string name, machine, file;
  int mode = ZRT_TUNING_NONE;
  int forced = 0;
  bool savesFile = false;
  std::map<Loop, Trials> trials;
  Trials *running = nullptr; ///< of the execution at hand
  Loop runningLoop{};
  double began = 0;
  MeasuredWays known; ///< processor 0: of the file, and at the end of all
};

} // namespace zrt

#endif // ZRT_ENTRY_TUNE_TUNING_H
