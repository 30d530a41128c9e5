//===- Quotients.h - Division of complex numbers in line --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_QUOTIENTS_H
#define ZPL_LIB_BACKEND_QUOTIENTS_H

#include "llvm/IR/PassManager.h"

namespace zpl {

/// Gives the runtime's function of quotients counterparts on vectors, which
/// loops with calls of it then get from LLVM's vectorizer. Before the passes.
void addVectorQuotients(llvm::Module &module);

/// Computes quotients of moderate numbers where they are called, on vectors and
/// scalars, and drops what addVectorQuotients has made and nobody needs. After
/// the vectorizers.
class InlineQuotientsPass : public llvm::PassInfoMixin<InlineQuotientsPass> {
public:
  /// \p cleansUp: what several quotients have in common, or all iterations of a
  /// loop, is computed once.
  explicit InlineQuotientsPass(bool cleansUp) : cleansUp(cleansUp) {}

  /// Inlines the functions for quotients into their callers, and drops those
  /// that nothing calls then.
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);

private:
  bool cleansUp;
};

} // namespace zpl

#endif // ZPL_LIB_BACKEND_QUOTIENTS_H
