//===- CatchUp.h - Lets processor 0 write what comes first ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_CATCHUP_H
#define ZRT_SUPPORT_CATCHUP_H

#include "Support/Operation.h"

namespace zrt {

/// A wait for processor 0 to come to the place in the program at which another
/// one has failed. Both states outlive it. It neither allocates nor locks, so
/// that signal handlers may wait as well.
class CatchUp {
public:
  CatchUp(const OperationState &first, const OperationState &failed)
      : first(first), failed(failed) {}

  /// Whether processor 0 is there, or the wait is no use: it has begun no
  /// operation for as long as \p now, in seconds, shows.
  bool isOver(double now);

private:
  bool hasReached() const;

  const OperationState &first, &failed;
  uint64_t seen = 0;
  double since = 0; ///< when `seen` operations were seen first; 0: not yet
};

/// Returns when that wait is over.
void catchUp(const OperationState &first, const OperationState &failed);

} // namespace zrt

#endif // ZRT_SUPPORT_CATCHUP_H
