//===- LoopDepths.h - How deep in loops lines stand -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_LOOPDEPTHS_H
#define ZPL_ANALYSIS_LOOPDEPTHS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace zpl::air {

/// Knows of the lines of a program in how many loops they stand, loops around
/// the calls of their procedures counted.
class LoopDepths {
public:
  /// \p module: before passes, in which statements still are where they were.
  LoopDepths(const Module &module, const SourceManager &sources);
  /// How many loops the line where \p range begins, or the next one above it
  /// with a statement, stands in; at most MostDepth.
  unsigned of(SourceRange range) const;
  /// The same of line \p line of a file.
  unsigned of(uint32_t file, unsigned line) const;

  static constexpr unsigned MostDepth = 8;

private:
  void visit(const StmtList &list, unsigned depth);
  /// The statement and its calls are in \p depth loops, or in more.
  void note(const Stmt &stmt, unsigned depth);

  const SourceManager &sources;
  llvm::DenseMap<const Procedure *, unsigned> procedures;
  bool hasChanged = false;
  std::map<std::pair<uint32_t, unsigned>, unsigned> lines; ///< by file, line
};

} // namespace zpl::air

#endif // ZPL_ANALYSIS_LOOPDEPTHS_H
