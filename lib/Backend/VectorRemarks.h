//===- VectorRemarks.h - What LLVM did with M-loops -------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_VECTORREMARKS_H
#define ZPL_LIB_BACKEND_VECTORREMARKS_H

#include "zpl/Support/Remark.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class Module;
}

namespace zpl {

/// Runs \p passes, which optimize \p module, and says of each loop that carries
/// a place (Backend.h) what the vectorizer made of it: in the order of the
/// source, the same thing once. \p vectorizes: the vectorizer is among the
/// passes; else nothing is said.
void runWithVectorRemarks(llvm::Module &module, bool vectorizes,
                          llvm::function_ref<void()> passes,
                          llvm::function_ref<void(const Remark &)> onRemark);

} // namespace zpl

#endif // ZPL_LIB_BACKEND_VECTORREMARKS_H
