//===- Keeper.h - A process that outlives this one --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_KEEPER_H
#define ZRT_SUPPORT_KEEPER_H

#include <optional>
#include <sys/types.h>

namespace zrt {

/// Whose processor this is.
enum class KeeperKind {
  Alone,      ///< nobody's
  Supervised, ///< the keeper becomes the parent's child, like this process
  Launched    ///< ends with the launcher; leaves no shared memory with names
};

/// Gives this process its keeper, if it has none, and tells whether it has one
/// now: a process with the same memory and descriptors that waits for its end,
/// however that comes, and then hands on its output. Before other threads.
bool startKeeper(KeeperKind kind = KeeperKind::Alone);

/// Its process id; 0 without one.
pid_t keeperProcess();
/// Whether it has been killed.
bool keeperHasEnded();

/// From now on a keeper of a launched process calls \p tell when that has
/// ended: in its memory, as its only user. \p status is that of wait, if it
/// could be found out. True: the launcher is to end the run as failed. Null:
/// the end is explained, or regular.
void tellOfEnd(bool (*tell)(std::optional<int> status));

/// The processors of a launched run have found each other.
void startIsDone();

/// This process has nothing left behind any more that would have to go.
void leaveNothing();

} // namespace zrt

#endif // ZRT_SUPPORT_KEEPER_H
