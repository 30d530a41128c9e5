//===- Guardian.h - Sees the end of a launched processor --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_GUARDIAN_H
#define ZRT_TRANSPORT_GUARDIAN_H

#include "Support/Operation.h"

#include <cstdint>

namespace zrt {

/// Where the state of a processor can be seen by others of its machine.
struct StateLink {
  char path[48] = "";  ///< "": nowhere
  uint64_t number = 0; ///< found there, too, if it is the one that is meant
};

/// Forks a process that sees the end of this one, which a launcher has started,
/// and that of the launcher; \p name is that of the program, for messages. To
/// be called before any thread or shared memory exists. From now on
/// - this process ends at once when its parent does;
/// - if it ends without `guardianEnd` or `guardianSilence`, however that is,
///   the run ends with a message and a status that is not 0;
/// - its named shared memory does not outlive it.
/// Without the means for that (an old kernel) it does nothing.
void startGuardian(const char *name);

/// Whether there is one.
bool hasGuardian();

StateLink ownStateLink();
/// Tells the guardian which processor this one is, and where the state of
/// processor 0 is. Afterwards it sees the ends of the other processors of this
/// machine; all must be there.
void introduceProcessor(int rank, int size, const StateLink &first);

// These may be called in signal handlers.

/// Whether processor 0 is another one of this machine.
bool knowsFirst();
/// Returns when processor 0, if it is on this machine, has come to where this
/// one is (Support/CatchUp.h), and the launcher has read what it has written.
void letFirstCatchUp();
/// Whether this processor is the one of its machine that reports the end of the
/// run; the answer is true once. Who gets another one is about to be ended.
bool claimGuardedReport();
/// What has happened to this processor has been told; it dies now.
void guardianReported();
/// This process ends the run itself, with a status of its own.
void guardianSilence();
/// All is well: the processor has come to its end.
void guardianEnd();

} // namespace zrt

#endif // ZRT_TRANSPORT_GUARDIAN_H
