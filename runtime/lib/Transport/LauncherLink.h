//===- LauncherLink.h - Ends with the launcher ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TRANSPORT_LAUNCHERLINK_H
#define ZRT_TRANSPORT_LAUNCHERLINK_H

namespace zrt {

/// From now on this process ends at once when its parent does: for processes
/// that a launcher has started. Starts a thread, which sleeps.
void endWithParent();

} // namespace zrt

#endif // ZRT_TRANSPORT_LAUNCHERLINK_H
