//===- FetchAhead.h - Requests for memory in vector loops -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_FETCHAHEAD_H
#define ZPL_LIB_BACKEND_FETCHAHEAD_H

#include "llvm/IR/PassManager.h"

namespace zpl {

/// Puts prefetches into innermost loops, for loads of whole vectors in the
/// alias scopes "zpl.ahead" and "zpl.way.ahead". Runs after the vectorizer, which does not take
/// loops with prefetches.
class FetchAheadPass : public llvm::PassInfoMixin<FetchAheadPass> {
public:
  /// In bytes, for loads of either scope; 0: nothing is asked for.
  FetchAheadPass(unsigned distance, unsigned wayDistance)
      : distance(distance), wayDistance(wayDistance) {}

  /// Adds requests to the innermost loops of \p function; keeps no analysis if
  /// it did.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);

private:
  unsigned distance, wayDistance;
};

} // namespace zpl

#endif // ZPL_LIB_BACKEND_FETCHAHEAD_H
