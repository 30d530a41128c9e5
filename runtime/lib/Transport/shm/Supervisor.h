//===- Supervisor.h - Starts the processors of a run ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_SUPERVISOR_H
#define ZRT_TRANSPORT_SHM_SUPERVISOR_H

#include "Transport/Transport.h"

namespace zrt {

/// Starts \p processors processes that share memory. Returns only in them; the
/// calling process becomes their supervisor, which never returns: it exits with
/// the status of the run when all have ended. To be called before any thread
/// exists.
///
/// The run also ends, with a report and status 1, when no processor can advance
/// any more, and, if \p watchdog is not 0, when one makes others wait for that
/// many seconds without using processor time (HangWatch).
std::unique_ptr<Transport> startShmProcessors(int processors, double watchdog);

} // namespace zrt

#endif // ZRT_TRANSPORT_SHM_SUPERVISOR_H
