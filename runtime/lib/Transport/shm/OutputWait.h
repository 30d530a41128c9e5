//===- OutputWait.h - Output goes before reports ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_OUTPUTWAIT_H
#define ZRT_TRANSPORT_SHM_OUTPUTWAIT_H

#include "Transport/shm/Segment.h"

namespace zrt::shm {

/// The wait of a report about one processor for what the program has written
/// until then, all of which goes through processor 0.
class OutputWait {
public:
  /// From now on, for \p rank.
  OutputWait(const Segment &segment, int rank);
  /// Whether the report has to wait still. For callers that look now and then,
  /// as long as processor 0 runs.
  bool goesOn() const;

private:
  const Segment *segment;
  int rank;
  double start;
};

} // namespace zrt::shm

#endif // ZRT_TRANSPORT_SHM_OUTPUTWAIT_H
