//===- DebugInfo.h - Debug information --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_DEBUGINFO_H
#define ZPL_LIB_CODEGEN_DEBUGINFO_H

#include "DebugTypes.h"
#include "zpl/CodeGen/CodeGen.h"
#include "llvm/IR/IRBuilder.h"

namespace zpl::codegen {

/// Builds the debug information of one module. What has no name or no place in
/// a source gets none.
class DebugInfo {
public:
  /// All must live as long as this.
  DebugInfo(llvm::Module &module, const TypeLowering &types,
            const air::Module &source, const CodeGenOptions &options);

  /// Declares a procedure, with its directions and the parameters that may be
  /// bounds of others' types. After the global variables; before the other
  /// functions that take \p function, or values in it.
  void addSubprogram(llvm::Function *function, const air::Procedure &procedure);
  /// Where \p range begins, in the subprogram of \p function; at the line of
  /// the subprogram if the place is unknown.
  llvm::DebugLoc location(const llvm::Function *function, SourceRange range);

  /// A variable at \p global; on the heap, the one that it points to.
  void declareGlobal(llvm::GlobalVariable *global,
                     const air::Variable &variable);
  /// A region or array whose descriptor is \p global.
  void declareGlobal(llvm::GlobalVariable *global, const air::Region &region);
  /// The same.
  void declareGlobal(llvm::GlobalVariable *global, const air::Array &array);

  /// After the global variables; of null for \p scope, or of a procedure. Those
  /// with a component in a local variable are left out.
  void declareDirections(llvm::ArrayRef<air::Direction> directions,
                         llvm::DISubprogram *scope);

  /// A local or (\p argument from 1) a parameter whose cell, pointer to its
  /// cell, or descriptor is at \p address. Inserted at the end of \p block.
  void declareLocal(llvm::Value *address, const air::Variable &variable,
                    unsigned argument, llvm::BasicBlock *block);
  /// The same.
  void declareLocal(llvm::Value *address, const air::Region &region,
                    unsigned argument, llvm::BasicBlock *block);
  /// The same.
  void declareLocal(llvm::Value *address, const air::Array &array,
                    unsigned argument, llvm::BasicBlock *block);

  /// Completes the module's debug information. Last, once.
  void finish();

private:
  /// A source by its number. Its name is relative to the current folder, as a
  /// debugger finds it from there.
  llvm::DIFile *file(uint32_t index);
  /// Tells gdb of a script, by an entry in gdb's format: the byte 1, then the
  /// path of a file of Python, then 0. Nothing refers to it; its linkage keeps
  /// it.
  void addScript(llvm::StringRef path);
  /// 0 of an unknown place.
  LineColumn lineOf(SourceRange range);
  /// The expression that finds a variable or, if \p isPointer, what it points
  /// to.
  llvm::DIExpression *place(bool isPointer);
  /// Debug information of a global, or of what it points to.
  llvm::DIGlobalVariable *addGlobal(llvm::GlobalVariable *global,
                                    llvm::StringRef name, llvm::DIType *type,
                                    SourceRange range, bool isPointer = false);
  /// Debug information of a local, or of parameter \p number, from 1; 0: a
  /// local.
  llvm::DILocalVariable *makeLocal(llvm::DISubprogram *scope,
                                   llvm::StringRef name, llvm::DIType *type,
                                   SourceRange range, unsigned number);
  /// The same of a variable without a name that types may refer to.
  llvm::DILocalVariable *makeBound(llvm::DISubprogram *scope,
                                   const air::Variable &variable,
                                   unsigned number);
  /// Makes a local's information and says where it is.
  void addLocal(llvm::Value *address, llvm::StringRef name, llvm::DIType *type,
                SourceRange range, unsigned argument, llvm::BasicBlock *block,
                bool isPointer = false);
  /// Says that a local is at \p address, or where a pointer there points.
  /// Without optimization an argument gets a cell that outlives the registers.
  void insertDeclare(llvm::Value *address, llvm::DILocalVariable *info,
                     llvm::BasicBlock *block, bool isPointer);

  llvm::Module &module;
  const SourceManager *sources;
  llvm::DIBuilder builder;
  DebugTypes debugTypes;
  llvm::DICompileUnit *unit = nullptr;
  llvm::DenseMap<uint32_t, llvm::DIFile *> files;
  llvm::DenseMap<const air::Variable *, llvm::GlobalVariable *> globals;
  /// All but the first of constants that consist of several.
  llvm::SmallVector<llvm::Metadata *, 16> fragments;
  /// Variables without a name that types may refer to.
  llvm::DenseMap<const air::Variable *, llvm::DILocalVariable *> localBounds;
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_DEBUGINFO_H
