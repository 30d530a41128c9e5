//===- RunTimeChecks.h - What programs test by themselves -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_SUPPORT_RUNTIMECHECKS_H
#define ZPL_SUPPORT_RUNTIMECHECKS_H

#include "llvm/ADT/StringRef.h"

namespace zpl {

/// The tests of -fcheck that a program makes while it runs.
struct RunTimeChecks {
#define ZPL_CHECK(name, levels) bool name = false;
#include "zpl/Support/RunTimeChecks.def"

  /// No tests, and all of them.
  static RunTimeChecks none() { return {}; }
  static RunTimeChecks all() {
    RunTimeChecks result;
#define ZPL_CHECK(name, levels) result.name = true;
#include "zpl/Support/RunTimeChecks.def"
    return result;
  }
  /// What programs at this level make that say nothing of checks.
  static RunTimeChecks atLevel(unsigned level) {
    RunTimeChecks result;
#define ZPL_CHECK(name, levels) result.name = static_cast<int>(level) < levels;
#include "zpl/Support/RunTimeChecks.def"
    return result;
  }
  /// Turns the kind of this name on or off; false if there is none.
  bool set(llvm::StringRef kind, bool isOn) {
#define ZPL_CHECK(name, levels)                                                \
  if (kind == #name)                                                           \
    return name = isOn, true;
#include "zpl/Support/RunTimeChecks.def"
    return false;
  }
  /// "subscripts, elements, ..."
  static llvm::StringRef names() {
#define ZPL_CHECK(name, levels) ", " #name
    return llvm::StringRef(
#include "zpl/Support/RunTimeChecks.def"
               )
        .drop_front(2);
  }
};

} // namespace zpl

#endif // ZPL_SUPPORT_RUNTIMECHECKS_H
