//===- RemarkReport.h - Remarks in the order of their weight ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_DRIVER_REMARKREPORT_H
#define ZPL_LIB_DRIVER_REMARKREPORT_H

#include "RunProfile.h"
#include "zpl/Analysis/LoopDepths.h"
#include "zpl/Support/Remark.h"
#include <vector>

namespace zpl::driver {

/// Collects the remarks of a compilation and prints them, those about what
/// takes most time first.
class RemarkReport {
public:
  /// \p depths, \p profile may be null: then nothing is known of that.
  RemarkReport(const SourceManager &sources, const air::LoopDepths *depths,
               const RunProfile *profile)
      : sources(sources), depths(depths), profile(profile) {}

  /// All of them, a line each.
  void print(llvm::ArrayRef<Remark> remarks, llvm::raw_ostream &os) const;

  /// Those that are printed, in their order; of \p remarks.
  std::vector<const Remark *> ordered(llvm::ArrayRef<Remark> remarks) const;

  /// At most MostLines lines: what was missed before what was done, equal
  /// reasons of a pass as one.
  void printSummary(llvm::ArrayRef<Remark> remarks,
                    llvm::raw_ostream &os) const;

  static constexpr unsigned MostLines = 10;

private:
  struct Ranked;

  /// \p remarks in the order of the report: those with the most seconds, or the
  /// deepest loops, first.
  std::vector<Ranked> rank(llvm::ArrayRef<Remark> remarks) const;

  const SourceManager &sources;
  const air::LoopDepths *depths;
  const RunProfile *profile;
};

} // namespace zpl::driver

#endif // ZPL_LIB_DRIVER_REMARKREPORT_H
