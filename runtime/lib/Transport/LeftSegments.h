//===- LeftSegments.h - Shared memory that nobody uses any more -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_LEFTSEGMENTS_H
#define ZRT_TRANSPORT_LEFTSEGMENTS_H

#include <ctime>

namespace zrt {

/// Removes the named pieces of shared memory that MPI's and SHMEM's libraries
/// have made since \p since, for this user, and that no process has open or
/// mapped. For when a process of a run has died.
void removeLeftSegments(time_t since);

} // namespace zrt

#endif // ZRT_TRANSPORT_LEFTSEGMENTS_H
