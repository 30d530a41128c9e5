//===- HangWatch.h - Finds runs that cannot go on ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_HANGWATCH_H
#define ZRT_TRANSPORT_SHM_HANGWATCH_H

#include "Transport/shm/Segment.h"

#include <string>
#include <sys/types.h>

namespace zrt::shm {

/// Looks at the processors of a segment from outside, a few times a second.
class HangWatch {
public:
  /// \p patience: for how many seconds a processor may keep others waiting
  /// without using processor time; 0: for ever.
  HangWatch(const Segment &segment, double patience);

  /// Seconds that should pass between two looks.
  static constexpr double Interval = 0.2;

  /// Looks at the processors, of which \p processes are the ids, 0 where one
  /// has ended. Returns what is wrong, as the text of an error, or "".
  std::string look(const std::vector<pid_t> &processes);

private:
  /// What earlier looks have seen of a processor.
  struct Seen {
    bool runs = false;      ///< it has not ended
    int partner = -1;       ///< whom it waits for; -1: it does not wait
    uint64_t wait = 0;      ///< number of that wait
    double waitSince = 0;   ///< when this wait was seen first
    uint64_t used = 0;      ///< of ProcessLook
    double aliveSince = 0;  ///< when it was last seen to do something
    bool isStopped = false; ///< by a signal
  };

  void lookAtWait(int rank, double now);
  void lookAtProcess(int rank, pid_t process, double now);
  bool isExcused(int rank, pid_t process) const;
  bool nobodyRuns() const;
  std::string hangText() const;
  std::string blockedText(double now) const;

  const Segment &segment;
  double patience;
  double lastLook = 0;
  bool sameWaits = false; ///< the last look found those of the one before it
  std::vector<Seen> seen; ///< by rank
};

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_HANGWATCH_H
