//===- Run.h - What a run has measured --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REPORT_RUN_H
#define ZRT_REPORT_RUN_H

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace zrt::report {

/// What a processor's time goes into.
enum class Activity : uint8_t {
  Computing,
  Neighbours,  ///< shifts, transfers, waves, borders
  Collectives, ///< reductions, scans, floods, broadcasts
  Motion,      ///< remaps, sorts, moves between distributions
  Files,       ///< input and output
  Other        ///< memory, checks, start and end
};
inline constexpr int Activities = 6;

/// One operation of one line, over all processors.
struct Row {
  std::string file;
  uint32_t line = 0; ///< 0: of no line
  std::string operation;
  Activity activity = Activity::Other;
  uint64_t calls = 0, messages = 0, bytes = 0;
  double computing = 0; ///< seconds before it, the mean of the processors
  double waiting = 0;   ///< in it
  double most = 0;      ///< computing of the slowest
};

/// One operation, or a part of one, on a processor.
struct Span {
  double from = 0, to = 0; ///< seconds since the start of the run
  Activity activity = Activity::Other;
  std::string name; ///< "transfer, line 15"
};

/// What one processor did when: of each step of time the seconds by activity.
struct Track {
  int processor = 0;
  double step = 0; ///< seconds
  std::vector<std::array<float, Activities>> steps;
  /// Operations that followed each other, for a close look; between them the
  /// processor computed.
  std::vector<Span> spans;
};

struct Run {
  std::string title;   ///< "2 processors, transport shm"
  std::string command; ///< how it was started
  std::string about;   ///< lines more, if any
  int processors = 1;
  bool isSimulated = false;
  std::vector<Row> rows; ///< what took longest first
  double seconds = 0;    ///< mean over processors
  double computing = 0, mostComputing = 0;
  uint64_t messages = 0, bytes = 0;
  std::vector<Track> tracks; ///< of some processors
  /// Bytes from processor p to q at p * processors + q; at p, p what it gave to
  /// several at once. Empty: not known.
  std::vector<uint64_t> sent;
};

} // namespace zrt::report

#endif // ZRT_REPORT_RUN_H
