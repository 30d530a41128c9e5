//===- Trace.h - What happened when on one processor ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The Chrome trace format ("Trace Event Format", Google, 2016), which
/// Perfetto and chrome://tracing read: one JSON object with complete events
/// ("X"), a counter ("C") of the bytes sent, and metadata ("M") that names
/// tracks. The run is process 0, processors are its threads.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_OBSERVE_TRACE_H
#define ZRT_ENTRY_OBSERVE_TRACE_H

#include "Support/Operation.h"
#include "Transport/Transport.h"

#include <string>
#include <vector>

namespace zrt {

/// Nanoseconds of the clock of this machine.
int64_t traceClock();

/// Records the operations of this processor.
class Trace final : public OperationObserver {
public:
  /// No more than so many operations are kept, in 72 bytes each.
  static constexpr size_t MostEvents = size_t(1) << 20;

  explicit Trace(const Transport &transport, size_t mostEvents = MostEvents);

  void begin(const Operation &operation) override;
  void end(const Operation &operation) override;

  size_t size() const { return events.size(); }
  /// Operations that came after the last one that was kept.
  uint64_t leftOut() const { return tooMany; }

  /// JSON that names the track of \p processor, each object followed by a
  /// comma.
  static std::string header(int processor);
  /// That of the events [\p from, \p to). Times are in microseconds since
  /// \p origin of the clock. After the last event it says how many were left
  /// out, if any.
  std::string text(int processor, size_t from, size_t to, int64_t origin) const;

private:
  struct Event {
    Operation operation;
    int64_t start, duration;
    uint64_t messages, bytes;
    uint64_t sent; ///< bytes since the start of the run
  };

  const Transport &transport;
  size_t mostEvents;
  std::vector<Event> events;
  uint64_t tooMany = 0;
  int64_t start = 0; ///< of the operation at hand
  Traffic traffic;
};

/// What comes before all tracks, and after them: the process' name.
std::string traceStart();
std::string traceEnd(const std::string &programName);

} // namespace zrt

#endif // ZRT_ENTRY_OBSERVE_TRACE_H
