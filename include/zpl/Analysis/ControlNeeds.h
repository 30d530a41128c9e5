//===- ControlNeeds.h - What the way of control depends on ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_CONTROLNEEDS_H
#define ZPL_ANALYSIS_CONTROLNEEDS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace zpl::air {

/// What of a program in Loop form must be computed so that every processor
/// takes the same way, and sends the same messages, as in a whole run. All
/// other M-loops may be left out; what depends on them is *unknown* then.
/// Valid while the module does not change.
class ControlNeeds {
public:
  explicit ControlNeeds(const Module &module);

  /// Whether control does without what the loop computes.
  bool mayLeaveOut(const MLoopStmt &loop) const { return !needs.count(&loop); }
  /// A statement that needs what a loop computes which may not be left out; or
  /// the loop itself, which does more than store values.
  SourceRange whoNeeds(const MLoopStmt &loop) const {
    return needs.lookup(&loop);
  }

  /// Whether the elements do not matter, and those of several arrays may have
  /// one place: it is unknown, and made by an AllocArrayStmt.
  bool isWithoutElements(const Array &array) const {
    return unknown.contains(&array) && !needs.count(&array);
  }
  /// Whether output, to standard output or error, has something unknown.
  bool isUnknown(const WriteStmt &output) const {
    return unknown.contains(&output);
  }

private:
  /// Variables, arrays, M-loops and procedures (what they return), and a
  /// statement that needs each.
  llvm::DenseMap<const void *, SourceRange> needs;
  llvm::DenseSet<const void *> unknown; ///< those, and output
};

} // namespace zpl::air

#endif // ZPL_ANALYSIS_CONTROLNEEDS_H
