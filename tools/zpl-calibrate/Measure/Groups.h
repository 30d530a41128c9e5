//===- Groups.h - What is measured one after the other ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_CALIBRATE_GROUPS_H
#define ZPL_CALIBRATE_GROUPS_H

#include "Session.h"
#include "llvm/ADT/ArrayRef.h"

namespace calibrate {

/// Figures that are measured together, and the ways with the group's name.
struct Group {
  const char *name;
  const char *about;
  double seconds; ///< that it takes, for the bar
  /// What is measured after the ways; null: nothing.
  void (*measure)(Session &session);
};

/// In their order.
llvm::ArrayRef<Group> groups();

/// Measures the groups that are asked for, into session.machine.
void measureGroups(Session &session);

// Their parts.
void measureStores(Session &session);
void measurePrefetch(Session &session);
void measurePages(Session &session);
void measureVectors(Session &session);
void measureOperations(Session &session);
void measureLibrary(Session &session);
void measureTransports(Session &session);

} // namespace calibrate

#endif // ZPL_CALIBRATE_GROUPS_H
