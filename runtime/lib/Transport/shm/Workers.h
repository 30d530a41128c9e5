//===- Workers.h - Processors beside the caller of a library ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_SHM_WORKERS_H
#define ZRT_TRANSPORT_SHM_WORKERS_H

#include "Transport/Transport.h"

#include <string>
#include <string_view>

namespace zrt {

/// Makes the calling process processor 0 of \p processors that share memory,
/// and starts the others as its children. Returns in each of them. They end
/// with it, and by `killWorkers`.
std::unique_ptr<Transport> startShmWorkers(int processors);

/// Whether this process is such a child.
bool isShmWorker();

/// In a worker: ends this process.
[[noreturn]] void endWorker(int status);

/// In a worker: leaves \p message for processor 0, which then finds that the
/// run has failed, and ends this process.
[[noreturn]] void failAsWorker(std::string_view message);

/// In processor 0, while it waits for workers: whether one of them has failed or
/// ended; what there is to be said of it goes to \p message.
bool haveWorkersFailed(std::string &message);

/// Ends those that there still are. In processor 0.
void killWorkers();

} // namespace zrt

#endif // ZRT_TRANSPORT_SHM_WORKERS_H
