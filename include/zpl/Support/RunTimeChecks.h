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
#define ZPL_CHECK(name, isAlways) bool name = false;
#include "zpl/Support/RunTimeChecks.def"

  static RunTimeChecks none() { return {}; }
  static RunTimeChecks all() {
    RunTimeChecks result;
#define ZPL_CHECK(name, isAlways) result.name = true;
#include "zpl/Support/RunTimeChecks.def"
    return result;
  }
  /// Those that every optimization level makes.
  static RunTimeChecks always() {
    RunTimeChecks result;
#define ZPL_CHECK(name, isAlways) result.name = isAlways;
#include "zpl/Support/RunTimeChecks.def"
    return result;
  }
  /// Turns the kind of this name on or off; false if there is none.
  bool set(llvm::StringRef kind, bool isOn) {
#define ZPL_CHECK(name, isAlways)                                              \
  if (kind == #name)                                                           \
    return name = isOn, true;
#include "zpl/Support/RunTimeChecks.def"
    return false;
  }
  /// "subscripts, elements, ..."
  static llvm::StringRef names() {
#define ZPL_CHECK(name, isAlways) ", " #name
    return llvm::StringRef(
#include "zpl/Support/RunTimeChecks.def"
               )
        .drop_front(2);
  }
};

} // namespace zpl

#endif // ZPL_SUPPORT_RUNTIMECHECKS_H
