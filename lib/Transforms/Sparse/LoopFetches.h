//===- LoopFetches.h - Fetches that move into loops -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_SPARSE_LOOPFETCHES_H
#define ZPL_LIB_TRANSFORMS_SPARSE_LOOPFETCHES_H

#include "zpl/ArrayIR/LoopStatements.h"
#include "zpl/ArrayIR/SparseStatements.h"
#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// How a pass has loops fetch.
class LoopFetcher {
public:
  virtual ~LoopFetcher() = default;
  /// Whether the fetch is one of those that the pass is about.
  virtual bool concerns(const FetchStmt &fetch) const = 0;
  /// Why no loop can make \p fetch, or "".
  virtual std::string obstacle(const FetchStmt &fetch) const = 0;
  /// Why this loop, which reads what \p fetch fetches, cannot, or "".
  virtual std::string obstacle(const MLoopStmt &loop,
                               const FetchStmt &fetch) const = 0;
  /// Array::lines of what the loop reads instead of the copy.
  virtual llvm::SmallVector<unsigned, 6>
  linesFor(const FetchStmt &fetch) const = 0;
  /// What remarks say: "A is fetched row by row", and "A is copied before it is
  /// read: why".
  virtual llvm::StringRef done() const = 0;
  virtual llvm::StringRef refused() const = 0;
};

/// Why \p loop does more than read elements of \p copy where it is, or "".
std::string obstacleToReading(const MLoopStmt &loop, const Array &copy);

/// Lets the loops behind a fetch read contracted arrays (Array::fetched) instead
/// of the copy, wherever \p fetcher and what is between allow it; the copy and
/// the fetch go. With remarks, and the counter `copies`. Form: Loop -> Loop.
void fetchInLoops(Module &module, PassContext &context,
                  const LoopFetcher &fetcher);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_SPARSE_LOOPFETCHES_H
