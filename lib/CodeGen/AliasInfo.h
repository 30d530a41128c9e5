//===- AliasInfo.h - What the accesses of an M-loop do not touch -*- C++
//-*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_ALIASINFO_H
#define ZPL_LIB_CODEGEN_ALIASINFO_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Instructions.h"

namespace zpl::codegen {

/// Metadata for the element accesses and loops of one M-loop.
class AliasInfo {
public:
  /// Nothing is said (all functions do nothing) if \p mayAlias.
  AliasInfo(llvm::LLVMContext &context, const air::MLoopStmt &loop,
            bool mayAlias, llvm::StringRef loopName);

  /// Marks a load or store of an element of \p array.
  void annotate(llvm::Instruction *access, const air::Array *array) const;
  /// Marks a load from memory that is no array's.
  void annotateOther(llvm::Instruction *access) const;
  /// Marks the jump back to the head of one of the loops.
  void annotateLoop(llvm::BranchInst *latch, bool isInnermost) const;

private:
  llvm::LLVMContext &context;
  /// Per array its own scope and those of all others.
  struct Scopes {
    llvm::MDNode *own, *others;
  };
  llvm::MapVector<const air::Array *, Scopes> scopes;
  llvm::MDNode *all = nullptr;         ///< the scopes of all arrays
  llvm::MDNode *accessGroup = nullptr; ///< null: iterations may depend
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_ALIASINFO_H
