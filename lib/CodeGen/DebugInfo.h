//===- DebugInfo.h - Debug information --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_DEBUGINFO_H
#define ZPL_LIB_CODEGEN_DEBUGINFO_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/CodeGen/CodeGen.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"

namespace zpl::codegen {

/// Builds the debug information of one module. Things without a place in a
/// source get none.
class DebugInfo {
public:
  DebugInfo(llvm::Module &module, const air::Module &source,
            const CodeGenOptions &options);

  void addSubprogram(llvm::Function *function, const air::Procedure &procedure);
  /// Where \p range begins, in the subprogram of \p function; at the line of
  /// the subprogram if the place is unknown.
  llvm::DebugLoc location(const llvm::Function *function, SourceRange range);

  void declareGlobal(llvm::GlobalVariable *global,
                     const air::Variable &variable);
  void declareGlobal(llvm::GlobalVariable *global, const air::Region &region);
  void declareGlobal(llvm::GlobalVariable *global, const air::Array &array);

  /// A local or (\p argument from 1) a parameter whose cell, pointer to its
  /// cell, or descriptor is at \p address. Inserted at the end of \p block.
  void declareLocal(llvm::Value *address, const air::Variable &variable,
                    unsigned argument, llvm::BasicBlock *block);
  void declareLocal(llvm::Value *address, const air::Region &region,
                    unsigned argument, llvm::BasicBlock *block);
  void declareLocal(llvm::Value *address, const air::Array &array,
                    unsigned argument, llvm::BasicBlock *block);
  void finish() { builder.finalize(); }

private:
  llvm::DIFile *file(uint32_t index);
  llvm::DIType *type(air::Type type);
  llvm::DIType *type(const air::Region &region);
  llvm::DIType *type(const air::Array &array);
  llvm::DIType *timerType();
  llvm::DIType *regionStruct();
  llvm::DIType *arrayStruct();
  void declareGlobal(llvm::GlobalVariable *global, llvm::StringRef name,
                     llvm::DIType *type, SourceRange range);
  void declareLocal(llvm::Value *address, llvm::StringRef name,
                    llvm::DIType *type, SourceRange range, unsigned argument,
                    llvm::BasicBlock *block);

  llvm::Module &module;
  const SourceManager *sources;
  llvm::DIBuilder builder;
  llvm::DICompileUnit *unit = nullptr;
  llvm::DenseMap<uint32_t, llvm::DIFile *> files;
  llvm::DIType *regionDescriptor = nullptr; ///< made at first use
  llvm::DIType *arrayDescriptor = nullptr;
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_DEBUGINFO_H
