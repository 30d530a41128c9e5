//===- VectorMath.h - Library functions on vectors --------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_VECTORMATH_H
#define ZPL_LIB_BACKEND_VECTORMATH_H

#include "llvm/IR/PassManager.h"

namespace zpl {

/// Tells LLVM's vectorizers which functions on vectors do what SLEEF's on one
/// number and the C library's do that \p module calls: SLEEF's on vectors of 128
/// bits, 256, ... up to \p bits, and element by element. Before the passes.
void addVectorMath(llvm::Module &module, unsigned bits);

/// Tells the loop vectorizer about loops that call what addVectorMath knows: to
/// leave alone those with little else than calls of the C library, and not to
/// have several vectors in flight in others. Just before it.
class VectorMathLoopsPass : public llvm::PassInfoMixin<VectorMathLoopsPass> {
public:
  /// Writes at loops what the vectorizer shall do.
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);
};

/// Drops what addVectorMath has made and nobody needs, and gives functions of
/// the C library their names back. After the vectorizers.
class DropVectorMathPass : public llvm::PassInfoMixin<DropVectorMathPass> {
public:
  /// No code changes but names that it calls.
  llvm::PreservedAnalyses run(llvm::Module &module,
                              llvm::ModuleAnalysisManager &analyses);
};

} // namespace zpl

#endif // ZPL_LIB_BACKEND_VECTORMATH_H
