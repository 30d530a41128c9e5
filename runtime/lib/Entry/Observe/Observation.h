//===- Observation.h - What a run tells of itself ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_OBSERVE_OBSERVATION_H
#define ZRT_ENTRY_OBSERVE_OBSERVATION_H

#include "Entry/Config/CommandLine.h"
#include "Entry/Observe/Profile.h"
#include "Entry/Observe/ProfileTable.h"
#include "Entry/Observe/ReportFile.h"
#include "Entry/Observe/RunReport.h"
#include "Entry/Observe/Trace.h"
#include "Entry/ReplicationCheck.h"

#include <optional>

namespace zrt {

/// --profile, --trace, --report and --check-replication of one run on this
/// processor.
class Observation {
public:
  /// Opens the files and begins to watch. Ends the run with status 2 if a file
  /// cannot be written. Collective; \p name is the program's.
  void start(Transport &transport, const zrt_program &program,
             const CommandLine &options, const std::string &name);

  /// Whether somebody wants to know how long the others take to the end.
  bool isTimed() const { return profile || trace; }

  /// The program has ended: writes what was asked for. Collective.
  void finish();

  /// The run ends with an error, after which processors do not come together:
  /// writes what this one knows.
  void finishAlone();

  /// What a profile says of the ways of loops; "" for nothing.
  void noteWays(const std::string &text) { ways = text; }

private:
  std::string openFiles(const CommandLine &options);
  void writeProfile(std::string_view text);
  std::string size() const;
  std::string title() const;
  void gatherProfile(ProfileTable &table);
  void gatherReport(const ProfileTable &table);
  void gatherTrace();
  void sendTrack();
  void writeTrack();
  void receiveTrack(int from);
  void closeFiles();

  Transport *transport = nullptr; ///< null: nothing is watched
  std::string name;               ///< of the executable
  std::string programName;        ///< of the ZPL program
  std::string tracePath, reportPath;
  std::string ways; ///< for the profile
  bool printsProfile = false;
  std::optional<ReplicationCheck> check;
  std::optional<Profile> profile;
  std::optional<Trace> trace;
  std::optional<RunReport> report;
  ReportFile profileFile, traceFile, reportFile; ///< on processor 0
  int64_t origin = 0; ///< of times, by this processor's clock
};

} // namespace zrt

#endif // ZRT_ENTRY_OBSERVE_OBSERVATION_H
